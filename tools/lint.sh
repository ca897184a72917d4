#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# What ./run lint and CI check, in under a minute. Tools that are missing are named, not passed over in silence.
#   --fix    format the C++ and CMake files instead of complaining
#   --tidy   also names (clang-tidy) and cppcheck, over what build/release compiles for the host: minutes
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"
say() { echo "lint: $*" >&2; }
# shellcheck source=tools/install.sh
source tools/install.sh

# Pinned, because every version formats a little differently.
clang_format_version=19.1.7
gersemi_version=0.29.2
ruff_version=0.17.6

# tracked PATTERN...: files that git knows, or will know, and that are there
tracked() {
  git ls-files --cached --others --exclude-standard -- "$@" | sort -u | while read -r file; do
    if [[ -f $file ]]; then echo "$file"; fi
  done
}

# Passes what it reads on, and fails if that is anything.
none() { if grep .; then return 1; fi; }

failed=()
# check NAME COMMAND...
check() {
  local name=$1
  shift
  "$@" || {
    failed+=("$name")
    say "$name: see above"
  }
}

# with_tool NAME VERSION FUNCTION: FUNCTION gets the tool's path
with_tool() {
  local tool
  if tool=$(python_tool "$1" "$2"); then
    check "$1" "$3" "$tool"
  else
    say "$1 $2 cannot be had (PyPI out of reach?): NOT checked"
  fi
}

fix=false
formatted() {
  if $fix; then
    tracked '*.hpp' '*.cpp' '*.cu' '*.cuh' | xargs -r -n 20 -P "$(nproc)" "$1" -i
  else
    tracked '*.hpp' '*.cpp' '*.cu' '*.cuh' | xargs -r -n 20 -P "$(nproc)" "$1" --dry-run -Werror 2>&1 | sed -n '/error:/s/:.*//p' |
      sort | uniq -c | sed 's|$|: lines not formatted; see tools/lint.sh --fix|' | none
  fi
}

cmake_formatted() {
  local verb=--check
  if $fix; then verb=--in-place; fi
  tracked '*CMakeLists.txt' '*.cmake' | xargs -r "$1" "$verb" --quiet --line-length 120 --indent 2
}

python_clean() { tracked '*.py' | xargs -r "$1" check --quiet --no-cache --select E,F,W,I,B,UP --ignore E501; }
spelled() { tracked | grep -v '^LICENSE$' | xargs -r codespell; }
shell_clean() {
  { tracked '*.sh' && echo run && echo .ci/run; } | xargs shellcheck --external-sources
}

# Every file that holds code says its licence in the first three lines.
licensed() {
  tracked '*.hpp' '*.cpp' '*.cu' '*.cuh' '*.py' '*.sh' '*.cmake' '*CMakeLists.txt' run .ci/run | while read -r file; do
    head -3 "$file" | grep -q 'SPDX-License-Identifier: Apache-2.0' || echo "$file: no SPDX line"
  done | none
}

# Names and cppcheck, over the host's translation units; clang cannot read CUDA 13's headers.
names_follow() {
  tracked 'src/*.cpp' 'cli/*.cpp' 'tests/core/*.cpp' 'tests/io/*.cpp' | xargs -r -n 1 -P "$(nproc)" clang-tidy -p build/release --quiet
}
cppcheck_clean() {
  tracked 'src/*.cpp' 'cli/*.cpp' | xargs -r cppcheck --std=c++20 --quiet --inline-suppr --error-exitcode=1 -I include -I src
}

main() {
  local tidy=false option
  for option in "$@"; do
    case $option in
      --fix) fix=true ;;
      --tidy) tidy=true ;;
      *)
        say "unknown option $option; there are --fix and --tidy"
        return 2
        ;;
    esac
  done
  with_tool clang-format "$clang_format_version" formatted
  with_tool gersemi "$gersemi_version" cmake_formatted
  with_tool ruff "$ruff_version" python_clean
  check codespell spelled
  check shellcheck shell_clean
  check licences licensed
  check layers tools/check_layers.py
  check mutations tools/mutate.py --check
  if $tidy; then
    check clang-tidy names_follow
    check cppcheck cppcheck_clean
  fi
  ((${#failed[@]} == 0)) || {
    say "failed: ${failed[*]}"
    return 1
  }
  say "clean"
}

main "$@"
