#!/usr/bin/env bash
# sinew sweep --slurm with a scheduler of its own: slurmctld and slurmd on this machine (tests/slurm.sh).
# Wants SINEW, the path of the program; runs from anywhere.
set -u
# shellcheck source=tests/checks.sh
source "$(dirname "$0")/../checks.sh"
# shellcheck source=tests/slurm.sh
source "$root/tests/slurm.sh"

same() { # same FOLDER FOLDER NAME: the tables, bit for bit
  if cmp -s "$1/table.csv" "$2/table.csv" && cmp -s "$1/table.h5" "$2/table.h5"; then
    say ok "$3"
  else
    say no "$3" "$(diff "$1/table.csv" "$2/table.csv" 2>&1 | head -c 300)"
  fi
}

cp "$root/models/pendulum.yaml" .
study=(sweep pendulum.yaml --vary E=2e6:2e8:log8 --vary "integrator=hht-i3,radau5" --set n=2 --until 0.2)
exits 0 "one process" "$sinew" "${study[@]}" -o one -q

# ---- without a scheduler; options that do not fit ----
mkdir -p empty
PATH=$PWD/empty "$sinew" "${study[@]}" --slurm -o none >out 2>err
(($? == 4)) && say ok "no sbatch: exit 4" || say no "no sbatch: exit 4" "$(cat err)"
has err "cannot start sbatch" "it says so"
exits 1 "--sbatch without --slurm" "$sinew" "${study[@]}" --sbatch=--time=1 -o none
exits 1 "--cases out of range" "$sinew" "${study[@]}" --cases 1:17 -o none
exits 4 "nothing to resume" "$sinew" "${study[@]}" --resume -o nowhere
exits 0 "some cases only" "$sinew" "${study[@]}" --cases 3:5 -o part
[[ $(cat part/cases/*.log | grep -c '^case ') == 3 && ! -e part/table.csv ]] && say ok "three, without a table" ||
  say no "three, without a table"
exits 0 "the rest" "$sinew" "${study[@]}" --resume -o part
same one part "the same table"

if ! slurm_start "$work/slurm"; then
  slurm_stop
  echo "skip  sweeps by Slurm: $slurm_trouble"
  exit $failed
fi
trap 'slurm_stop; rm -rf "$work"' EXIT

# ---- a job array, waited for ----
exits 0 "a job array" "$sinew" "${study[@]}" --slurm --chunk 5 --sbatch=--comment=test -o array
has err "submitted as job" "it tells the job"
has out "16 cases, 0 failed" "it waits for the job"
same one array "the same table"
[[ $(find array/slurm -name '*.log' | wc -l) == 4 ]] && say ok "four chunks" || say no "four chunks" "$(ls array/slurm)"
exits 0 "again: nothing is left to do" "$sinew" "${study[@]}" --slurm -o array
grep -q submitted err && say no "no second job" || say ok "no second job"
exits 4 "an option that sbatch refuses" "$sinew" "${study[@]}" --slurm --sbatch=--partition=nowhere -o refused
has err "sbatch failed" "it says so"

# ---- submitted, left alone, merged later ----
exits 0 "submitted only" "$sinew" "${study[@]}" --slurm --no-wait -o later
[[ ! -e later/table.csv ]] && say ok "no table yet" || say no "no table yet"
exits 0 "--resume merges" "$sinew" "${study[@]}" --slurm --resume -o later
same one later "the same table from two commands"

# ---- tasks that are killed ----
slow=(sweep pendulum.yaml --vary E=2e6:2e8:log8 --vary "integrator=hht-i3,radau5" --set n=4 --until 2)
exits 0 "one process, longer" "$sinew" "${slow[@]}" -o long -q
timeout 60 "$sinew" "${slow[@]}" --slurm --chunk 4 -o killed >out 2>err </dev/null &
job=$!
for ((i = 0; i < 1000; ++i)); do
  grep -qs "^end" killed/cases/*.log && break
  sleep 0.02
done
scancel "$(cat killed/slurm/job)"
wait $job
code=$?
((code == 4)) && say ok "a canceled job: exit 4" || say no "a canceled job: exit 4" "exit $code: $(cat err)"
has err "cases have not finished" "it counts what is missing"
exits 0 "--resume submits the rest" "$sinew" "${slow[@]}" --slurm --resume -o killed
same long killed "nothing is lost"
repeated=$(cat killed/cases/*.log | grep -a '^case ' | cut -d ' ' -f 2 | sort | uniq -d | wc -l)
((repeated == 0)) && say ok "no finished case was repeated" || say no "no finished case was repeated" "$repeated"

# ---- a task that is killed while a later command waits for its job ----
exits 0 "submitted only, longer" "$sinew" "${slow[@]}" --slurm --no-wait --chunk 8 -o taken
timeout 100 "$sinew" "${slow[@]}" --slurm --resume -o taken >out 2>err </dev/null &
job=$!
for ((i = 0; i < 1000; ++i)); do
  grep -qs "^end" taken/cases/*.log && break
  sleep 0.02
done
scancel "$(cat taken/slurm/job)"
wait $job
code=$?
((code == 0)) && say ok "--resume submits what its job left" || say no "--resume submits what its job left" "exit $code: $(cat err)"
has err "waiting for its cases" "it waited first"
has err "submitted as job" "and submitted"
same long taken "nothing is lost"

# ---- a scheduler that has gone ----
slurm_stop
begin=$SECONDS
timeout 100 "$sinew" "${study[@]}" --slurm -o gone >out 2>err </dev/null
code=$?
((code == 4)) && say ok "no slurmctld: exit 4 after $((SECONDS - begin)) s" || say no "no slurmctld: exit 4" "exit $code: $(cat err)"
has err "sbatch" "it says so"
exit $failed
