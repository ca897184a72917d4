#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# tools/demo.sh EVENLY [FILE...]: the main job. Matrices - those given, else generated ones and some of $EVENLY_DATA -
# through every schedule on every executor of this machine, each result checked; then one table and one picture.
set -euo pipefail

evenly=${1:?tools/demo.sh EVENLY [FILE...]: give the built command-line tool}
shift
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
data=${EVENLY_DATA:-$root/../shared/data/matrices}
folder=$root/build/demo
mkdir -p "$folder"

say() { printf '%s\n' "$*" >&2; }

# Large ones for host and GPU, small ones for the emulated GPU, which counts every access.
large=() small=()
if (($# > 0)); then
  large=("$@")
  small=("$@")
else
  large=('gen:stencil5' 'gen:fem' 'gen:rmat' 'gen:zipf' 'gen:road' 'gen:hypersparse' 'gen:arrow' 'gen:bimodal')
  small=('gen:stencil5?side=30' 'gen:zipf?rows=600' 'gen:hypersparse?rows=4k&columns=4k' 'gen:arrow?rows=400')
  for name in soc-Epinions1.mtx.gz as-Caida.mtx.gz rajat01.mtx.gz bcsstk16.mtx.gz web-BerkStan.mtx; do
    [[ ! -f $data/$name ]] || large+=("$data/$name")
  done
  for name in west0479.mtx karate.mtx young1c.mtx lp_afiro.mtx; do
    [[ ! -f $data/$name ]] || small+=("$data/$name")
  done
fi

executors=(host)
"$evenly" doctor --json | grep -A1 '"executor simt"' | grep -q '"ok": true' && executors+=(simt)
"$evenly" doctor --json | grep -A1 '"CUDA device"' | grep -q '"ok": true' && executors+=(cuda)
say "executors on this machine: ${executors[*]}"

# One line for each run: executor, matrix, nonzeros, schedule, time in ms, ok.
runs=$folder/runs.tsv
: >"$runs"
failures=0
for executor in "${executors[@]}"; do
  matrices=("${large[@]}")
  repeat=10
  if [[ $executor == simt ]]; then
    matrices=("${small[@]}")
    repeat=1
  fi
  for matrix in "${matrices[@]}"; do
    say "  $executor  $matrix"
    status=0
    "$evenly" spmv "$matrix" --schedule all --check --executor "$executor" --repeat "$repeat" --json >"$folder/run.json" || status=$?
    if ((status > 1)); then
      failures=$((failures + 1))
      printf '%s\t%s\t-\t-\t-\tfailed\n' "$executor" "$matrix" >>"$runs"
      continue
    fi
    ((status == 0)) || failures=$((failures + 1))
    awk -v executor="$executor" '
      function value() { sub(/^[^:]*: /, ""); sub(/,$/, ""); gsub(/"/, ""); return $0 }
      /"name":/ { name = value() }
      /"nnz":/ { nnz = value() }
      /"schedule":/ { schedule = value() }
      /"time_ms":/ { time = value() }
      /"ok":/ { printf "%s\t%s\t%s\t%s\t%s\t%s\n", executor, name, nnz, schedule, time, value() }
    ' "$folder/run.json" >>"$runs"
  done
done

# The table: a line for each matrix and executor, a column for each schedule.
awk -F'\t' '
  function shown(ms) { return ms == "-" ? "-" : ms < 1 ? sprintf("%.1f us", ms * 1e3) : sprintf("%.2f ms", ms) }
  {
    key = $1 "\t" $2
    if (!(key in seen)) { seen[key] = 1; order[++lines] = key; nnz[key] = $3; good[key] = 0; all[key] = 0 }
    if ($6 == "failed") { broken[key] = 1; next }
    if (!($4 in column)) { column[$4] = ++columns; name[columns] = $4 }
    time[key, $4] = $5
    all[key]++
    if ($6 == "true") good[key]++
    if (!(key in best) || $5 + 0 < time[key, best[key]] + 0) best[key] = $4
  }
  END {
    printf "\n%-5s %-26s %10s", "on", "matrix", "nonzeros"
    for (c = 1; c <= columns; ++c) printf " %13s", name[c]
    print "  checked"
    for (l = 1; l <= lines; ++l) {
      key = order[l]
      split(key, part, "\t")
      printf "%-5s %-26.26s %10s", part[1], part[2], nnz[key]
      for (c = 1; c <= columns; ++c) {
        text = ((key, name[c]) in time) ? shown(time[key, name[c]]) : "-"
        printf " %13s", text (best[key] == name[c] ? "*" : " ")
      }
      print "  " ((key in broken) ? "FAILED" : good[key] == all[key] ? "all " all[key] " ok" : all[key] - good[key] " WRONG")
    }
    print "\n* the fastest. simt emulates a GPU thread by thread: its times say nothing about a GPU."
  }' "$runs"

picture=$folder/balance.svg
"$evenly" explain "${1:-gen:zipf?rows=20k}" --svg "$picture" --quiet
echo "Who gets how much work under each schedule: ${picture#"$PWD"/}"
if ((failures > 0)); then
  say "$failures of the matrices failed; evenly spmv MATRIX --check tells more"
  exit 1
fi
