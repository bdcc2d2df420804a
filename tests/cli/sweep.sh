#!/usr/bin/env bash
# sinew sweep as its users meet it: tables, failures as rows, kills and resumption, pictures. Ranks: sweep_mpi.sh.
# Wants SINEW, the path of the program; runs from anywhere.
set -u
# shellcheck source=tests/checks.sh
source "$(dirname "$0")/../checks.sh"
RANDOM=7 # the same sequence of pauses every time

same() { # same FOLDER FOLDER NAME: the tables, bit for bit
  if cmp -s "$1/table.csv" "$2/table.csv" && cmp -s "$1/table.h5" "$2/table.h5"; then
    say ok "$3"
  else
    say no "$3" "$(diff "$1/table.csv" "$2/table.csv" 2>&1 | head -c 300)"
  fi
}

cp "$root/models/pendulum.yaml" .
cat >study.yaml <<END
sinew: 1
title: Modulus and method
model: pendulum.yaml
until: 0.4
set: {n: 4}
vary:
  E: 2e6:2e8:log3
  integrator: [hht-i3, newmark, symplectic-euler, radau5]
  L: [1, -1]
measures:
  low: {type: minimum, of: tip.y}
  energy: energy-error
  work: iterations
  class: class
END

# ---- a study: some cases fail (symplectic-euler wants a step) ----
exits 0 "a study" "$sinew" sweep study.yaml -o whole
has out "24 cases, 6 failed" "it counts failures"
has out "cases 5, 6, 13, 14, 21, 22 failed: symplectic-euler has no error control" "it tells why, once"
[[ $(head -1 whole/table.csv) == case,E,integrator,L,status,trust,audit,reached,low,energy,work,class,message ]] &&
  say ok "columns" || say no "columns" "$(head -1 whole/table.csv)"
[[ $(wc -l <whole/table.csv) == 25 ]] && say ok "a row for each case" || say no "a row for each case"
[[ $(head -1 whole/times.csv) == case,E,integrator,L,cpu,wall,host ]] && say ok "times have their own table" ||
  say no "times have their own table"
has whole/table.csv "5,2000000,symplectic-euler,1,failed,,,,,,0,fails," "a failure is a row"
exits 0 "again: nothing is left to do" "$sinew" sweep study.yaml -o whole -q
[[ ! -s err && ! -s out ]] && say ok "quietly" || say no "quietly" "$(cat err out)"
exits 0 "one at a time" "$sinew" sweep study.yaml -o single -j 1
same whole single "the table does not depend on the number of processes"
exits 0 "a list of cases" "$sinew" sweep study.yaml -o other --list
[[ $(wc -l <out) == 24 ]] && say ok "it has all" || say no "it has all"
has out "24  E=200000000  integrator=radau5  L=-1" "it tells values"

# ---- measures from rows in memory and from result files ----
sed 's/^until/keep: true\nuntil/' study.yaml >filed.yaml
exits 0 "the study with files" "$sinew" sweep filed.yaml -o filed -q
cmp -s whole/table.csv filed/table.csv && say ok "rows in memory give the measures of files" ||
  say no "rows in memory give the measures of files" "$(diff whole/table.csv filed/table.csv | head -c 300)"
for keep in '' --keep; do
  # shellcheck disable=SC2086
  exits 0 "modes ${keep:-in memory}" "$sinew" sweep "$root/models/euler-column.yaml" --vary tolerance=1e-6,1e-7 $keep \
    --measure factor=load-factor -o "modes$keep" -q
done
cmp -s modes/table.csv modes--keep/table.csv && say ok "so do modes" ||
  say no "so do modes" "$(diff modes/table.csv modes--keep/table.csv | head -c 300)"
[[ $(cut -d, -f7 modes/table.csv | tail -1) ]] && say ok "there are modes" || say no "there are modes" "$(cat modes/table.csv)"

# ---- one process for each processor that may be used, one thread each ----
exits 0 "a sweep on one processor" taskset -c "$(taskset -pc $$ | sed 's/.*: //; s/[,-].*//')" "$sinew" sweep pendulum.yaml \
  --vary E=2e6:2e7:8 --until 0.05 -o processor -q
logs=(processor/cases/*.log)
((${#logs[@]} == 1)) && say ok "it has one process" || say no "it has one process" "${#logs[@]}"

# ---- short cases before long ones: who has many of them must not keep the others from work ----
# The first process gets tens of the 94 long cases while the second is busy with case 2; the others are for both.
cat >mass.yaml <<END
sinew: 1
gravity: [0, -9.81, 0]
bodies: {bob: {type: point-mass, mass: 1, position: [-1, 0, 0]}}
joints: {rod: {type: distance, between: ['ground.at(0, 0, 0)', bob]}}
outputs: {bob: {point: bob}}
analysis: {type: dynamics, duration: 1, output_step: 0.05, integrator: {type: hht-i3, tolerance: 1e-7}}
END
values=1e-6,36
for ((i = 0; i < 30; i++)); do values+=,$(printf '1.%03de-6' $i); done
for ((i = 0; i < 94; i++)); do values+=,$(printf '3.%03d' $i); done
exits 0 "short and long cases" "$sinew" sweep mass.yaml --vary "until=$values" -j 2 -o mixed -q
least=$(for log in mixed/cases/*.log; do grep -ac '^case ' "$log"; done | sort -n | head -1)
[[ $least -ge 30 ]] && say ok "no process waits while cases are left" ||
  say no "no process waits while cases are left" "one has run $least of 126"

# ---- killed at random points, as often as it takes ----
short=(sweep pendulum.yaml --vary E=2e6:2e8:log8 --vary "integrator=hht-i3,adams,radau5" --set n=4)
slow=("${short[@]}" --until 0.4)
exits 0 "an undisturbed sweep" "$sinew" "${slow[@]}" -o calm
# repeated FOLDER: how many cases have more than one record
repeated() { cat "$1"/cases/*.log | grep -a '^case ' | cut -d ' ' -f 2 | sort | uniq -d | wc -l; }
kills=0 again=0 different=0
for _ in $(seq 60); do
  setsid "$sinew" "${slow[@]}" -o stormy >/dev/null 2>&1 &
  pid=$!
  sleep "0.0$((RANDOM % 9 + 1))$((RANDOM % 10))"
  # the whole sweep, or only the process that watches over the others
  if ((kills % 2)); then kill -KILL -- -$pid; else kill -KILL $pid; fi 2>/dev/null && kills=$((kills + 1))
  wait $pid 2>/dev/null
  ((kills < 20)) || break
  if [[ -e stormy/table.h5 ]]; then # it was faster: once more
    cmp -s calm/table.h5 stormy/table.h5 || different=1
    again=$((again + $(repeated stormy)))
    rm -rf stormy
  fi
done
((kills == 20)) && say ok "it was killed $kills times" || say no "it was killed $kills times"
exits 0 "it goes on" "$sinew" "${slow[@]}" -o stormy
again=$((again + $(repeated stormy)))
((again == 0)) && say ok "no finished case was repeated" || say no "no finished case was repeated" "$again"
same calm stormy "the table is the same, bit for bit"
((different == 0)) && say ok "so were those before it" || say no "so were those before it"

# ---- a full disk: it says so, and goes on when there is room again ----
mkdir small
if mount -t tmpfs -o size=48k tmpfs small 2>/dev/null; then
  many=(sweep pendulum.yaml --vary E=2e6:2e7:300 --set n=1 --until 0.001)
  exits 0 "many cases" "$sinew" "${many[@]}" -o plenty -q
  exits 4 "a full disk" "$sinew" "${many[@]}" -o small/out -q
  has err "No space left on device" "it says so"
  mount -o remount,size=4m small
  exits 0 "room again" "$sinew" "${many[@]}" -o small/out -q
  same plenty small/out "nothing is lost"
  again=$(repeated small/out)
  ((again == 0)) && say ok "nothing is repeated" || say no "nothing is repeated" "$again"
  umount small
else
  echo "skip  a full disk: no mount here"
fi

# ---- interrupted ----
"$sinew" "${short[@]}" -o stopped --until 50 >out 2>err &
pid=$!
sleep 0.4
kill -INT $pid
wait $pid
code=$?
((code == 130)) && say ok "Ctrl-C: exit 130" || say no "Ctrl-C: exit 130" "exit $code"
has err "interrupted" "Ctrl-C: it says so"

# ---- a case that crashes: one process of the sweep is shot ----
shoot() { # shoot SIGNAL FOLDER: start a sweep and shoot its first case
  "$sinew" sweep pendulum.yaml --vary E=2e6,2e7 --until 20 -j 1 -o "$2" >out 2>err &
  local pid=$! child='' i
  for ((i = 0; i < 500; ++i)); do
    child=$(ps -o pid= --ppid $pid | head -1)
    [[ $child ]] && sleep 0.02 && kill "-$1" "${child// /}" && break
    sleep 0.01
  done
  wait $pid
}
shoot ABRT crashed
has crashed/table.csv "1,2000000,crashed,,,,fails," "a crash is a row"
has crashed/table.csv "the process was killed by signal 6" "it tells the signal"
has crashed/table.csv "2,20000000,done," "the others go on"
shoot KILL shot
has shot/table.csv "1,2000000,done," "a case that was killed gets a second chance"
exits 0 "too little time" "$sinew" sweep pendulum.yaml --vary until=0.1,1000 --cpu-limit 1 -o limited
has limited/table.csv "2,1000,failed,,,,fails,,,0,0,0,,exceeded the CPU time limit of 1 s" "a limit is a row"

# ---- a helper: a process that claims cases in the shared folder ----
OMPI_COMM_WORLD_RANK=1 "$sinew" "${slow[@]}" -o pair >second 2>&1 &
exits 0 "two processes on one folder" "$sinew" "${slow[@]}" -o pair -j 1
wait $!
same calm pair "they make the same table"
[[ ! -s second ]] && say ok "the second is silent" || say no "the second is silent" "$(cat second)"

# ---- samples and pictures ----
exits 0 "a Latin hypercube" "$sinew" sweep pendulum.yaml --vary E=1e6:1e8:log --vary L=0.5:2 --sample latin-hypercube:6 \
  --seed 3 --until 0.1 -o cube --measure low=minimum:tip.y --measure steps
[[ $(head -1 cube/table.csv) == case,E,L,status,trust,audit,reached,low,steps,message && $(wc -l <cube/table.csv) == 7 ]] &&
  say ok "it has six cases" || say no "it has six cases" "$(cat cube/table.csv)"
exits 0 "results are kept" "$sinew" sweep pendulum.yaml --vary E=1e6,1e7 --until 0.1 --keep -o kept
exits 0 "and readable" "$sinew" info kept/results/0002.h5
has out "done" "as any other"
if command -v gnuplot >/dev/null; then
  exits 0 "pictures" "$sinew" sweep pendulum.yaml --vary E=2e6:2e8:log3 --vary integrator=hht-i3,radau5 --until 0.1 \
    --plot energy_error:E:integrator --plot cpu:E --plot energy_error:cpu -o drawn
  for name in energy_error-E cpu-E energy_error-cpu; do
    [[ $(head -c 4 drawn/$name.png | od -An -tx1 | tr -d ' ') == 89504e47 ]] && say ok "$name.png" || say no "$name.png"
  done
  exits 1 "a picture of words" "$sinew" sweep pendulum.yaml --vary integrator=hht-i3,radau5 --until 0.1 \
    --plot steps:integrator -o words
  has err "are not numbers" "it says so"
fi

# ---- mistakes ----
exits 1 "a model without --vary" "$sinew" sweep pendulum.yaml
has err "is a model" "it is recognized"
exits 2 "an unknown parameter" "$sinew" sweep pendulum.yaml --vary F=1,2
exits 1 "a variation without values" "$sinew" sweep pendulum.yaml --vary E
exits 1 "a seed without a sample" "$sinew" sweep pendulum.yaml --vary E=1,2 --seed 3
exits 1 "options that a study says itself" "$sinew" sweep study.yaml --keep
exits 2 "a wrong model" "$sinew" sweep pendulum.yaml --vary E=1,2 --set n=0
exits 4 "a missing study" "$sinew" sweep nowhere.yaml
exits 4 "a folder that cannot be made" "$sinew" sweep study.yaml -o nowhere/a
sed 's/pendulum.yaml/nowhere.yaml/' study.yaml >lost.yaml
exits 4 "a missing model" "$sinew" sweep lost.yaml
exits 3 "when all cases fail" "$sinew" sweep pendulum.yaml --vary integrator=symplectic-euler --until 0.1 -o none

exit $failed
