#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# fuzz.sh SECONDS: libFuzzer, ASan and UBSan on every tests/fuzz/*_fuzz.cpp, the time shared among them. Seeds are the files
# in tests/fuzz/NAME/ and tests/data/. A finding is kept in build/fuzz and fails.
set -euo pipefail

seconds=${1:-60}
cd "$(dirname "${BASH_SOURCE[0]}")/.."
shopt -s nullglob
fuzzers=(tests/fuzz/*_fuzz.cpp)
if ((${#fuzzers[@]} == 0)); then
  echo "fuzz: there are no fuzzers"
  exit 0
fi

mkdir -p build/fuzz
failed=0
for file in "${fuzzers[@]}"; do
  name=$(basename "$file" .cpp)
  program=build/fuzz/$name
  clang++ -std=c++20 -O1 -g -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all -I include -I tests/support \
    -DEVENLY_SOURCE_DIR="\"$PWD\"" "$file" -pthread -o "$program"
  mkdir -p "build/fuzz/$name.corpus"
  seeds=("build/fuzz/$name.corpus")
  for folder in "tests/fuzz/${name%_fuzz}" tests/data/*/; do
    if [[ -d $folder ]]; then seeds+=("$folder"); fi
  done
  "$program" -max_total_time=$((seconds / ${#fuzzers[@]})) -rss_limit_mb=2048 -timeout=10 -artifact_prefix="build/fuzz/$name-" \
    -print_final_stats=1 "${seeds[@]}" 2>"$program.log" || {
    tail -40 "$program.log"
    failed=1
  }
  echo "fuzz: $name: $(grep -m1 number_of_executed_units "$program.log" || true)"
done
exit "$failed"
