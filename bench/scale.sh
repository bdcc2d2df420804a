#!/bin/bash
# scale.sh - all cores of one machine: cases on 1, 2, 4, 8, 16 threads, with ratios, and whether bits are equal.
#
#   bench/scale.sh [-c "CASE..."] [-n CABLES] [-t "1 2 4 8 16"] FOLDER [MODELS]
#
# FOLDER has the programs sinew, bench_contact and bench_threads (also as in a build: bench/bench_contact); MODELS the
# model pendulum.yaml (default: models beside this script's folder). Nothing else is needed. Cases:
#   penalty  a heap of CABLES (10,000) poured cables of 10 elements, by penalty: 0.2 s of falling, then 40 steps
#   dvi      the same by complementarity: 0.2 s, then 20 steps
#   rest     both heaps after they have come to rest: 40 and 20 steps
#   chain    a chain of 100,000 cable elements by hht-i3, 50 steps
#   sweep    1,000 pendulums, as processes of `sinew sweep`
# Heaps fall on the most threads, which gives the same bits; times are those of the wall clock, for heaps by phase too.
# Exits with 1 if the results of any case depend on the number of threads.
set -u
cables=10000
threads="1 2 4 8 16"
cases="chain penalty dvi rest sweep"
while getopts c:n:t: option; do
  case $option in
    c) cases=$OPTARG ;;
    n) cables=$OPTARG ;;
    t) threads=$OPTARG ;;
    *) exit 2 ;;
  esac
done
shift $((OPTIND - 1))
[ $# -ge 1 ] || { sed -n '2,14s/^# \{0,1\}//p' "$0"; exit 2; }
folder=$1
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
models=${2:-$here/../models}
bad=0

program() {
  local path
  for path in "$folder/$1" "$folder/bench/$1"; do
    [ -x "$path" ] && { echo "$path"; return; }
  done
  echo "$1 is not in $folder" >&2
  exit 2
}
contact=$(program bench_contact) || exit 2
chain=$(program bench_threads) || exit 2
sinew=$(cd "$(dirname "$(program sinew)")" && pwd)/sinew || exit 2
[ -r "$models/pendulum.yaml" ] || { echo "pendulum.yaml is not in $models" >&2; exit 2; }
models=$(cd "$models" && pwd)

echo "$(date -u +%F), $(nproc) processors, $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1), load$(sed 's/ [^ ]*\/.*//; s/^/ /' /proc/loadavg)"
"$sinew" --version | head -3
wanted() { case " $cases " in *" $1 "*) echo ;; *) return 1 ;; esac; }
# shellcheck disable=SC2086
{
  if wanted chain; then "$chain" 100000 50 $threads || bad=1; fi
  if wanted penalty; then "$contact" threads penalty "$cables" 800 40 $threads || bad=1; fi
  if wanted dvi; then "$contact" threads dvi "$cables" 400 20 $threads || bad=1; fi
  if wanted rest; then
    "$contact" rest penalty "$cables" 40 $threads || bad=1
    echo
    "$contact" rest dvi "$cables" 20 $threads || bad=1
  fi
}
wanted sweep || exit $bad

# ---- the sweep: processes, and tables that must be equal ----
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cp "$models/pendulum.yaml" "$work"
cd "$work" || exit 2
echo "1000 pendulums (sinew sweep --jobs)"
echo "   jobs            s   ratio"
first=
for n in $threads; do
  begin=$(date +%s%N)
  "$sinew" sweep pendulum.yaml --vary E=2e6:2e8:log1000 --until 0.2 --jobs "$n" -o "sweep$n" > "log$n" 2>&1 ||
    { echo "the sweep failed:"; tail -3 "log$n"; bad=1; break; }
  time=$(($(date +%s%N) - begin))
  [ -n "$first" ] || { first=$time; reference=sweep$n/table.csv; }
  same="same bits"
  cmp -s "$reference" "sweep$n/table.csv" || { same="OTHER BITS"; bad=1; }
  printf '%7s  %10d.%02d  %3d.%02d   %s\n' "$n" $((time / 1000000000)) $((time / 10000000 % 100)) \
    $((first / time)) $((first * 100 / time % 100)) "$same"
done
exit $bad
