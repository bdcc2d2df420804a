#!/usr/bin/env bash
# A run that is killed at any moment loses nothing but time: its part file can be read, and resuming it ends with the
# numbers of a run that was left alone, bit by bit. Every other run is killed again while it is resumed.
# Checkpoints follow each other as fast as they can, so that most kills meet the file while it is written.
# Kills in the middle of every single write: tests/unit/test_journal.c.
set -u
usual=6
# shellcheck source=tests/attack/attack.sh
source "$(dirname "$0")/attack.sh"

runs=(
  "pendulum --until 1 --checkpoint 0.02"
  "pendulum-peg-dvi --until 0.2 --checkpoint 0.01"
  "slider-crank --until 1 --checkpoint 0.02 --integrator hht-i3"
  "spatial-slider-crank --until 1 --checkpoint 0.02 --integrator ida"
  "two-beams --until 0.1 --checkpoint 0.005"
  "plate-pendulum --until 0.1 --checkpoint 0.005"
)
for i in "${!runs[@]}"; do
  ((i < count)) || break
  read -ra words <<<"${runs[i]}"
  begin=${EPOCHREALTIME/./}
  "$sinew" run "$models/${words[0]}.yaml" "${words[@]:1}" -q -o "peace$i.h5" || exit 1
  took[i]=$((${EPOCHREALTIME/./} - begin)) # microseconds
  "$sinew" export "peace$i.h5" --csv -o "peace$i.csv" || exit 1
done

# kill_at MICROSECONDS COMMAND...: true if it was killed, false if it had ended before
kill_at() {
  local pause pid
  printf -v pause '%d.%06d' $(($1 / 1000000)) $(($1 % 1000000))
  shift
  "$@" >/dev/null 2>err &
  pid=$!
  sleep "$pause"
  kill -KILL $pid 2>/dev/null
  wait $pid 2>/dev/null
  (($? == 137))
}

resumed=0 early=0
# go_on COMMAND...: resume the part file; one that had no checkpoint yet says so, and the run is made anew.
go_on() {
  if [[ -e dead.h5.part ]] && "$@" --resume dead.h5.part 2>err; then
    resumed=$((resumed + 1))
  elif [[ ! -e dead.h5.part ]] || grep -q 'has no checkpoint\|not a result file' err; then
    early=$((early + 1))
    "$@" -o dead.h5 2>err || reason="cannot be repeated: $(head -1 err)"
  else
    reason="cannot be resumed: $(head -1 err)"
  fi
}

# attack NUMBER: one kill, or two; false: the run had ended before. `reason` says why it was not survived.
attack() {
  read -ra words <<<"${runs[$1]}"
  local command=("$sinew" run "$models/${words[0]}.yaml" "${words[@]:1}" -q)
  rm -f ./dead*
  kill_at "$(random_below "${took[$1]}")" "${command[@]}" -o dead.h5 || return 1
  if "$sinew" info dead.h5.part >out 2>&1; then
    "$sinew" export dead.h5.part --csv -o dead.csv >out 2>err || reason="cannot be exported: $(head -1 err)"
    ((RANDOM % 2)) && kill_at "$(random_below "${took[$1]}")" "${command[@]}" --resume dead.h5.part
  fi
  [[ -e dead.h5 ]] || go_on "${command[@]}"
  "$sinew" info --check dead.h5 >/dev/null 2>err || reason=${reason:-damaged: $(head -1 err)}
  if ! "$sinew" export dead.h5 --csv -o dead.csv 2>err || ! cmp -s dead.csv "peace$1.csv"; then
    reason=${reason:-other numbers}
  fi
  [[ $(echo dead*) == "dead.csv dead.h5" ]] || reason=${reason:-left behind: $(echo dead*)}
  return 0
}

for ((k = 0; tried < count && k < 3 * count; k++)); do
  i=$((k % ${#took[@]})) reason=
  attack $i && end_of "kill $k: ${runs[i]}" "$reason"
done
echo "$resumed resumed, $early killed before their first checkpoint"
tally
