#!/usr/bin/env bash
# sinew sweep under mpirun: the table of one process, bit for bit; ranks that die, fall silent, have no disk or another model.
# Wants SINEW, the path of the program; runs from anywhere.
set -u
# shellcheck source=tests/checks.sh
source "$(dirname "$0")/../checks.sh"
module=$(dirname "$sinew")/sinew_mpi.so
if ! command -v mpirun >/dev/null || [[ ! -e $module ]]; then
  echo "skip  sweeps under mpirun: there is no mpirun, or no module $module (libopenmpi-dev)"
  exit 0
fi
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0 # those of Open MPI
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

same() { # same FOLDER FOLDER NAME: the tables, bit for bit
  if cmp -s "$1/table.csv" "$2/table.csv" && cmp -s "$1/table.h5" "$2/table.h5"; then
    say ok "$3"
  else
    say no "$3" "$(diff "$1/table.csv" "$2/table.csv" 2>&1 | head -c 300)"
  fi
}

# A rank that leaves its process number in the file pid and works under the host name "other", where that is allowed.
cat >rank <<'END'
#!/bin/sh
echo $$ >pid
if [ -e rename ]; then exec unshare -u sh -c 'hostname other; exec "$@"' rank "$@"; fi
exec "$@"
END
chmod +x rank
unshare -u true 2>/dev/null && touch rename

cp "$root/models/pendulum.yaml" .
study=(sweep pendulum.yaml --vary E=2e6:2e8:log8 --vary "integrator=hht-i3,radau5" --set n=2 --until 0.2)
exits 0 "one process" "$sinew" "${study[@]}" -o one -q

# ---- the same table; only rank 0 needs the folder ----
exits 0 "three ranks" mpirun -n 3 "$sinew" "${study[@]}" -o three
same one three "the same table"
[[ $(grep -c "16 cases, 0 failed" out) == 1 ]] && say ok "one of them speaks" || say no "one of them speaks" "$(cat out)"
exits 0 "results are kept" "$sinew" "${study[@]}" --keep -o kept -q
exits 0 "ranks without the folder" mpirun -n 1 "$sinew" "${study[@]}" --keep -o far : -n 1 ./rank "$sinew" "${study[@]}" \
  --keep -o nowhere/at/all
same kept far "the same table from results that were sent"
[[ $(find far/results -name '*.h5' | wc -l) == 16 ]] && say ok "all results came" || say no "all results came"
exits 0 "they are whole" "$sinew" info far/results/0016.h5 --check
if [[ -e rename ]]; then
  has far/times.csv ",other" "the second rank did its part"
else
  echo "skip  who did what: no host names of our own here"
fi
exits 0 "fewer cases than ranks" mpirun -n 4 "$sinew" sweep pendulum.yaml --vary E=2e6,2e7 --set n=2 --until 0.1 -o few
exits 0 "again: nothing is left to do" mpirun -n 3 "$sinew" "${study[@]}" -o three
exits 0 "a list of cases" mpirun -n 2 "$sinew" "${study[@]}" -o three --list
[[ $(wc -l <out) == 16 ]] && say ok "once" || say no "once" "$(cat out)"

# ---- a rank that cannot begin, or has other cases ----
exits 4 "no place for temporary files" mpirun -n 1 "$sinew" "${study[@]}" -o bad : -n 1 env TMPDIR=/nonexistent "$sinew" \
  "${study[@]}" -o bad
has err "cannot create a temporary folder" "it says so"
has err "rank 1 on" "and who"
mkdir -p elsewhere && sed 's/9.81/9.80/' pendulum.yaml >elsewhere/pendulum.yaml
exits 4 "another model" mpirun -n 1 "$sinew" "${study[@]}" -o bad : -n 1 sh -c 'cd elsewhere; exec "$@"' rank "$sinew" \
  "${study[@]}" -o bad
has err "has other cases than rank 0" "it says so"
exits 2 "a wrong model" mpirun -n 2 "$sinew" "${study[@]}" --set L=nothing -o bad
[[ $(grep -c "error:" err) == 1 ]] && say ok "one of them says so" || say no "one of them says so" "$(head -c 600 err)"

# ---- a full disk of one rank ----
mkdir small
if mount -t tmpfs -o size=64k tmpfs small 2>/dev/null; then
  exits 0 "a full disk" mpirun -n 1 "$sinew" "${study[@]}" --keep -o full : -n 1 env TMPDIR="$PWD/small" "$sinew" \
    "${study[@]}" --keep -o full
  umount small
  has err "rank 1 cannot go on" "it says so"
  same kept full "the other rank ran its cases"
else
  echo "skip  a full disk: no mount here"
fi

# ---- ranks that die or fall silent ----
slow=(sweep pendulum.yaml --vary E=2e6:2e8:log8 --vary "integrator=hht-i3,radau5" --set n=4 --until 2)
exits 0 "one process, longer" "$sinew" "${slow[@]}" -o long -q
# harm FOLDER SIGNAL: two ranks; the second gets the signal after the first outcome
harm() {
  rm -f pid
  timeout 120 mpirun -n 1 "$sinew" "${slow[@]}" -o "$1" : -n 1 ./rank "$sinew" "${slow[@]}" -o "$1" >out 2>err </dev/null &
  local job=$! i
  for ((i = 0; i < 2000; ++i)); do
    grep -qs "^end" "$1"/cases/*.log && [[ -s pid ]] && break
    sleep 0.01
  done
  kill "-$2" "$(cat pid)"
  wait $job
  code=$?
}
harm dead KILL
((code != 0 && code != 124)) && say ok "a killed rank ends the job" || say no "a killed rank ends the job" "exit $code"
exits 0 "the same command resumes it" mpirun -n 2 "$sinew" "${slow[@]}" -o dead
same long dead "nothing is lost"
repeated=$(cat dead/cases/*.log | grep -a '^case ' | cut -d ' ' -f 2 | sort | uniq -d | wc -l)
((repeated == 0)) && say ok "no finished case was repeated" || say no "no finished case was repeated" "$repeated"
export SINEW_RANK_SILENCE=2
harm silent STOP
kill -KILL "$(cat pid)" 2>/dev/null
((code != 124)) && say ok "a silent rank: no hang" || say no "a silent rank: no hang"
has err "rank 1 has not answered for 2 s and counts as lost" "it says so"
same long silent "rank 0 runs its cases"
# A rank that stops before it begins: MPI itself would wait for ever.
export SINEW_RANK_SILENCE=1
timeout 100 mpirun -n 1 "$sinew" "${slow[@]}" -o late : -n 1 sh -c 'kill -STOP $$; exec "$@"' rank "$sinew" "${slow[@]}" -o late \
  >out 2>err </dev/null
code=$?
((code != 0 && code != 124)) && say ok "a rank that never begins ends the job" ||
  say no "a rank that never begins ends the job" "exit $code"
has err "waited 5 s for the other ranks to begin" "it says so"
unset SINEW_RANK_SILENCE

# ---- killed at random points ----
RANDOM=7
for _ in 1 2 3 4; do
  setsid mpirun -n 2 "$sinew" "${slow[@]}" -o stormy >/dev/null 2>&1 </dev/null &
  pid=$!
  sleep "0.$((RANDOM % 9))$((RANDOM % 10))"
  kill -KILL -- -$pid 2>/dev/null
  wait $pid 2>/dev/null
done
exits 0 "after four kills" mpirun -n 3 "$sinew" "${slow[@]}" -o stormy
same long stormy "the same table"

# ---- without the module ----
export SINEW_MPI=/nonexistent.so
exits 0 "no module" mpirun -n 2 "$sinew" "${study[@]}" -o shared
has err "the ranks share the folder" "it says what that means"
same one shared "the same table without the module"
exit $failed
