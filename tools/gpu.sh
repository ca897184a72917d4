#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Programs for a machine with a GPU and nothing else: all libraries inside, the matrices beside them, in build/gpu.
#   tools/gpu.sh build           from build/portable, which ./run gpu-build configures
#   tools/gpu.sh test [REGEX]    runs tests, examples and the tool's own checks; ends with "N passed, N failed, N skipped"
#   tools/gpu.sh sanitize        every schedule once under each of compute-sanitizer's tools
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
  for name in bench/*/*_bench.cu; do cp "build/portable/bench/$(basename "$name" .cu)" "$gpu/bench/"; done
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

# The tool on one matrix with every schedule in both precisions; a format that is no matrix (exit 3) and no GPU (exit 4)
# are skips. Complex files are refused as reals, so those go as complex.
check_matrix() {
  local types='f64 f32' type code=0
  "$gpu/evenly" validate "$1" >/dev/null 2>&1 || return 77
  "$gpu/evenly" spmv "$1" --type f64 --executor host --repeat 0 --quiet >/dev/null 2>&1 || types='c128 c64'
  for type in $types; do
    "$gpu/evenly" spmv "$1" --type "$type" --schedule all --executor cuda --check --repeat 0 "${@:2}" || code=$?
    if ((code == 4)); then return 77; elif ((code != 0)); then return "$code"; fi
  done
}

# alpha and beta, over a NaN y and one full of numbers.
check_scales() {
  local alpha beta
  for alpha in 0 1 -1 2.5; do
    for beta in 0 1 -1 2.5; do check_matrix "$1" --alpha="$alpha" --beta="$beta" || return $?; done
  done
}

# Each schedule once under each of compute-sanitizer's tools.
sanitize() {
  local tool matrix code=0
  command -v compute-sanitizer >/dev/null || { say "compute-sanitizer is not on the PATH"; return 2; }
  for tool in memcheck racecheck synccheck initcheck; do
    for matrix in 'gen:zipf?rows=3000' 'gen:arrow?rows=40000' 'gen:hypersparse?rows=5000' 'gen:fem?side=6'; do
      say "$tool $matrix"
      compute-sanitizer --tool "$tool" --error-exitcode 9 "$gpu/evenly" spmv "$matrix" --schedule all --executor cuda --check --repeat 0 || code=$?
    done
  done
  return "$code"
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
  for file in 'gen:zipf?rows=3000' 'gen:hypersparse?rows=5000' 'gen:rmat?scale=10' 'gen:stencil5?side=30'; do
    name=scales.${file//[?:=]/_}
    if [[ $name =~ $wanted ]]; then record "$name" check_scales "$file"; fi
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
  sanitize) sanitize ;;
  bench) bench "${@:2}" ;;
  *)
    say "there are build, test, sanitize and bench"
    exit 2
    ;;
esac
