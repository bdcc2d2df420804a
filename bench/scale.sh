#!/bin/bash
# scale.sh - all cores of one machine: cases on 1, 2, 4, 8, 16 threads, with ratios, and whether bits are equal.
#
#   bench/scale.sh [-c "CASE..."] [-n CABLES] [-s PENDULUMS] [-r ROUNDS] [-t "1 2 4 8 16"] FOLDER [MODELS]
#
# FOLDER has the programs sinew, bench_contact, bench_threads and bench_cores (also as in a build: bench/bench_contact);
# those of other cases may be missing. MODELS has the model pendulum.yaml (default: models beside this script's folder).
# Nothing else is needed. Cases:
#   cores    what the processors give at the same time to loops that share nothing: the limit of all the others
#   penalty  a heap of CABLES (10,000) poured cables of 10 elements, by penalty: 0.2 s of falling, then 40 steps
#   dvi      the same by complementarity: 0.2 s, then 20 steps
#   rest     both heaps after they have come to rest: 40 and 20 steps
#   chain    a chain of 100,000 cable elements by hht-i3, 50 steps
#   sweep    PENDULUMS (1,000), as processes of one `sinew sweep`; and the same cases by as many sweeps of one process,
#            each with its part of the cases, its own folder and its own processor: nothing is shared. CPU time is that of
#            everything, per case.
#            Each is done ROUNDS (1) times, in turn; the fastest counts, the slowest is printed beside it: processors of a
#            virtual machine that share their core with another one are half as fast while that one works.
# Heaps fall on the most threads, which gives the same bits; times are those of the wall clock, for heaps by phase too.
# Exits with 1 if the results of any case depend on the number of threads.
set -uo pipefail
cables=10000
threads="1 2 4 8 16"
pendulums=1000
rounds=1
cases="cores chain penalty dvi rest sweep"
while getopts c:n:r:s:t: option; do
  case $option in
    c) cases=$OPTARG ;;
    n) cables=$OPTARG ;;
    r) rounds=$OPTARG ;;
    s) pendulums=$OPTARG ;;
    t) threads=$OPTARG ;;
    *) exit 2 ;;
  esac
done
shift $((OPTIND - 1))
[ $# -ge 1 ] || { sed -n '2,21s/^# \{0,1\}//p' "$0"; exit 2; }
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
wanted() { case " $cases " in *" $1 "*) return 0 ;; *) return 1 ;; esac; }
wanted cores && { cores=$(program bench_cores) || exit 2; }
wanted chain && { chain=$(program bench_threads) || exit 2; }
if wanted penalty || wanted dvi || wanted rest; then contact=$(program bench_contact) || exit 2; fi
sinew=$(cd "$(dirname "$(program sinew)")" && pwd)/sinew || exit 2
[ -r "$models/pendulum.yaml" ] || { echo "pendulum.yaml is not in $models" >&2; exit 2; }
models=$(cd "$models" && pwd)

echo "$(date -u +%F), $(nproc) processors, $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1), load$(sed 's/ [^ ]*\/.*//; s/^/ /' /proc/loadavg)"
"$sinew" --version | head -3
# shellcheck disable=SC2086
{
  if wanted cores; then echo; "$cores" || bad=1; fi
  if wanted chain; then echo; "$chain" 100000 50 $threads || bad=1; fi
  if wanted penalty; then echo; "$contact" threads penalty "$cables" 800 40 $threads || bad=1; fi
  if wanted dvi; then echo; "$contact" threads dvi "$cables" 400 20 $threads || bad=1; fi
  if wanted rest; then
    echo
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
TIMEFORMAT='%R %U %S'
# shellcheck disable=SC2317 # called by `timed`
sweep() { "$sinew" sweep pendulum.yaml --vary "E=2e6:2e8:log$pendulums" --until 0.2 "$@" >> log 2>&1; }
# shellcheck disable=SC2317
together() { rm -rf "sweep$1" && sweep --jobs "$1" -o "sweep$1"; }
allowed=$(taskset -cp $$ | sed 's/.*: //' | tr , '\n' | while IFS=- read -r a b; do seq "$a" "${b:-$a}"; done)
# shellcheck disable=SC2317
apart() {
  local k=0 running=() processor
  rm -rf "apart$1-"*
  for processor in $allowed; do
    [ "$k" -lt "$1" ] || break
    (taskset -cp "$processor" "$BASHPID" > /dev/null
     sweep --jobs 1 --cases "$((k * pendulums / $1 + 1)):$(((k + 1) * pendulums / $1))" -o "apart$1-$k") &
    running+=($!)
    k=$((k + 1))
  done
  for k in "${running[@]}"; do wait "$k" || return 1; done
}
# seconds, user and system time of a function of the number of processes
timed() { { time "$@"; } 2>&1 || { echo "the sweep failed:" >&2; tail -3 log >&2; return 1; }; }
# "fastest user system slowest" of its rounds
fastest() {
  local k
  for ((k = 0; k < rounds; k++)); do timed "$@" || return 1; done |
    awk "NR == 1 || \$1 < best {best = \$1; line = \$0} \$1 > worst {worst = \$1} END {print line, worst}"
}
echo
echo "$pendulums pendulums: sinew sweep --jobs N; N sweeps that share nothing"
echo "   jobs        s  (slowest)  ratio  CPU of a case [ms]        s  (slowest)  ratio  CPU of a case [ms]"
first=
for n in $threads; do
  one=$(fastest together "$n") || { bad=1; break; }
  two=$(fastest apart "$n") || { bad=1; break; }
  [ -n "$first" ] || { first="$one $two"; reference=sweep$n/table.csv; }
  same="same bits"
  cmp -s "$reference" "sweep$n/table.csv" || { same="OTHER BITS"; bad=1; }
  echo "$n $pendulums $first $one $two" | awk -v same="$same" '{
    printf "%7s  %7.2f  %9.2f  %5.2f  %18.2f  %7.2f  %9.2f  %5.2f  %18.2f   %s\n", $1, $11, $14, $3/$11,
           1000*($12+$13)/$2, $15, $18, $7/$15, 1000*($16+$17)/$2, same}'
done
exit $bad
