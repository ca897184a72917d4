#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# check.sh FILE COMPILER ARGS...: FILE must be refused with the words of each of its lines `// expect: words`; a file named
# control.cpp must compile.
set -euo pipefail

file=$1
shift
mapfile -t expected < <(sed -n 's|^// expect: *||p' "$file")

if errors=$(LC_ALL=C "$@" "$file" 2>&1); then
  [[ ${file##*/} == control.cpp ]] && exit 0
  echo "$file compiles, and must not"
  exit 1
fi
if [[ ${file##*/} == control.cpp || ${#expected[@]} == 0 ]]; then
  echo "${file##*/} must compile, or say what to expect:"
  echo "$errors"
  exit 1
fi
for words in "${expected[@]}"; do
  if [[ $errors != *"$words"* ]]; then
    echo "the compiler's error does not say: $words"
    echo "$errors"
    exit 1
  fi
done
