#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# demo.sh TOOL [FILE...]: the main job, on the matrices given, else on some of $EVENLY_DATA, else on generated ones.
set -euo pipefail

tool=$1
shift
matrices=("$@")
if ((${#matrices[@]} == 0)) && [[ -n ${EVENLY_DATA:-} ]]; then
  for name in soc-Epinions1.mtx.gz bcsstk16.mtx.gz lp_maros_r7_eq.mtx.gz; do
    [[ ! -f $EVENLY_DATA/$name ]] || matrices+=("$EVENLY_DATA/$name")
  done
fi
matrices+=('gen:rmat?scale=14' 'gen:stencil5?side=200')

executors=(host simt)
if "$tool" spmv 'gen:stencil5?side=10' --executor cuda --check --quiet 2>/dev/null; then executors+=(cuda); fi

failed=0
for matrix in "${matrices[@]}"; do
  for executor in "${executors[@]}"; do
    "$tool" spmv "$matrix" --schedule all --executor "$executor" --check || failed=$?
  done
done
"$tool" explain "${matrices[0]}" --svg build/demo.svg >/dev/null && echo "Who gets how much work, as a picture: build/demo.svg"
exit "$failed"
