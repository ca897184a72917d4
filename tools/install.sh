# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# Sourced by ./run: installs what a command needs, by Debian package name, and only what is missing. Where nothing can be
# installed (no network, no rights) it says so and goes on with what is there.

# shellcheck disable=SC2034 # read by ./run
build_packages=(g++ cmake ninja-build ccache python3 libcli11-dev libfmt-dev nlohmann-json3-dev libarchive-dev
  libboost-context-dev libgtest-dev librapidcheck-dev libbenchmark-dev)
# shellcheck disable=SC2034
fuzz_packages=(clang libclang-rt-14-dev)
# shellcheck disable=SC2034
lint_packages=(python3 python3-venv clang-format clang-tidy cppcheck codespell shellcheck)
# shellcheck disable=SC2034
rival_packages=(libeigen3-dev libgraphblas-dev)
# shellcheck disable=SC2034
static_packages=(libzstd-dev liblz4-dev liblzma-dev libbz2-dev zlib1g-dev nettle-dev)

is_installed() { [[ $(dpkg-query -W -f='${Status}' "$1" 2>/dev/null) == 'install ok installed' ]]; }

# missing PACKAGE...: those that are neither installed nor, for programs, there by other means.
missing() {
  local package
  for package in "$@"; do
    is_installed "$package" || command -v "${package%-build}" >/dev/null || echo "$package"
  done
}

# need PACKAGE...: install what is missing of them.
need() {
  local absent sudo=()
  mapfile -t absent < <(missing "$@")
  ((${#absent[@]} == 0)) && return 0
  if ! command -v apt-get >/dev/null; then
    say "this is no Debian or Ubuntu: going on without ${absent[*]}; if the build fails, install them by hand"
    return 0
  fi
  if ((EUID != 0)); then
    command -v sudo >/dev/null || {
      say "missing: ${absent[*]}. Run as root, or have an administrator run: apt-get install ${absent[*]}"
      return 0
    }
    sudo=(sudo)
  fi
  say "installing ${absent[*]}"
  apt_install || say "could not install ${absent[*]} (no network?); going on with what is there"
}

# Reads `absent` and `sudo` of need(). The lists of packages are fetched once, and their messages kept for a failure.
apt_install() {
  local log
  log=$(mktemp)
  if { "${sudo[@]}" timeout 300 apt-get -o Acquire::Retries=1 -o Acquire::http::Timeout=20 update &&
    "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${absent[@]}"; } >"$log" 2>&1; then
    rm -f "$log"
  else
    tail -5 "$log" >&2
    rm -f "$log"
    return 1
  fi
}

# python_tool NAME VERSION: prints how to call a tool from PyPI, put into build/venv if it is not there; fails quietly.
python_tool() {
  local venv=${root:?}/build/venv
  if [[ ! -x $venv/bin/$1 ]]; then
    { python3 -m venv "$venv" && "$venv/bin/pip" install --quiet --retries 1 --timeout 15 "$1==$2"; } >/dev/null 2>&1 || return 1
  fi
  echo "$venv/bin/$1"
}
