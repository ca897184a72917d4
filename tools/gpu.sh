#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Programs for a machine with a GPU and nothing else: all libraries inside, the matrices beside them, in build/gpu.
#   tools/gpu.sh build           from build/portable, which ./run gpu-build configures
#   tools/gpu.sh test [REGEX]    runs tests, examples and the tool's own checks; ends with "N passed, N failed, N skipped"
#   tools/gpu.sh bench [ARGS]    runs every benchmark with ARGS
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"
gpu=build/gpu
most_megabytes=64
say() { echo "gpu: $*" >&2; }

# Tests that need a GPU, and the examples; each is a target of the same name.
gpu_tests() { ctest --test-dir build/portable -N --label-regex 'gpu|examples' | sed -n 's/^ *Test *#[0-9]*: //p'; }

build() {
  local tests
  mapfile -t tests < <(gpu_tests)
  cmake --build build/portable --parallel "$(nproc)" --target evenly_cli evenly_benchmarks "${tests[@]}"
  rm -rf "$gpu/tests" "$gpu/bench" "$gpu/data"
  mkdir -p "$gpu/tests" "$gpu/bench" "$gpu/data"
  cp build/portable/bin/evenly "$gpu/"
  local name
  for name in "${tests[@]}"; do
    cp "build/portable/tests/$name" "$gpu/tests/" 2>/dev/null || cp "build/portable/examples/${name#examples.}" "$gpu/tests/$name"
  done
  find build/portable/bench -maxdepth 1 -name '*_bench' -type f -exec cp {} "$gpu/bench/" \;
  find "$gpu" -type f -exec strip {} +
  if [[ -n ${EVENLY_DATA:-} ]]; then cp "$EVENLY_DATA"/* "$gpu/data/" && chmod -R u+w "$gpu/data"; fi
  local megabytes
  megabytes=$(du -sm --apparent-size "$gpu" | cut -f1)
  if ((megabytes > most_megabytes)); then
    say "$gpu has $megabytes MiB, more than the $most_megabytes that travel: build fewer architectures, or set EVENLY_DATA to fewer matrices"
    return 1
  fi
  say "$gpu is ready: ${#tests[@]} tests, $megabytes MiB"
}

# record NAME COMMAND...: runs one test; its exit code is kept for tools/count_tests.py
record() {
  local name=$1 code=0 log=$results/$1.log
  shift
  GTEST_OUTPUT="json:$results/$name.json" "$@" >"$log" 2>&1 || code=$?
  echo "$code" >"$results/$name.exit"
  case $code in
    0) echo "passed  $name" ;;
    77) echo "skipped $name: $(grep -m1 -i 'skip\|device' "$log" || true)" ;;
    *)
      cat "$log"
      echo "FAILED  $name (exit $code)"
      ;;
  esac
}

# The tool on one matrix with every schedule; a format that is no matrix (exit 3) and no GPU (exit 4) are skips.
check_matrix() {
  local code=0
  "$gpu/evenly" spmv "$1" --schedule all --executor cuda --check --repeat 0 || code=$?
  if ((code == 3 || code == 4)); then return 77; else return "$code"; fi
}

run_tests() {
  local wanted=${1:-.} file name
  results=build/gpu-results
  rm -rf "$results"
  mkdir -p "$results"
  for file in "$gpu"/tests/*; do
    name=${file##*/}
    if [[ $name =~ $wanted ]]; then record "$name" "$file"; fi
  done
  for file in "${EVENLY_DATA:-$gpu/data}"/*.mtx*; do
    name=spmv.${file##*/}
    if [[ -f $file && $name =~ $wanted ]]; then record "$name" check_matrix "$file"; fi
  done
  python3 tools/count_tests.py "$results"
}

bench() {
  local file code=0
  for file in "$gpu"/bench/*; do
    say "${file##*/} $*"
    "$file" "$@" || code=$?
  done
  return "$code"
}

case ${1:-} in
  build) build ;;
  test) run_tests "${@:2}" ;;
  bench) bench "${@:2}" ;;
  *)
    say "there are build, test and bench"
    exit 2
    ;;
esac
