#!/usr/bin/env bash
# Every call that writes fails once: in runs of three models with checkpoints, and in the commands that write tables and
# pages. The program says so and ends with exit code 4, or ends well with all numbers; what stood at the name before
# stays until the new one is whole; nothing is left behind; the same command again does what it should.
# TORTURE_COUNT: how many of the calls, chosen at random; all: every one.
set -u
usual=12
# shellcheck source=tests/attack/attack.sh
source "$(dirname "$0")/attack.sh"
if ! strace -o /dev/null true 2>/dev/null; then
  echo "skipped: strace cannot trace a program here"
  exit 77
fi
calls=write,pwrite64,ftruncate,fallocate,fsync,fdatasync,rename,openat,mkdir

"$sinew" run "$models/pendulum.yaml" --until 0.2 -q -o given.h5 || exit 1
commands=(
  "run $models/pendulum.yaml --until 0.1 --checkpoint 0.05 -q -o new.out"
  "run $models/pendulum-peg-dvi.yaml --until 0.02 --checkpoint 0.01 -q -o new.out"
  "run $models/roll-up.yaml -q -o new.out"
  "export given.h5 --csv -o new.out"
  "report given.h5 --rows 5 -o new.out"
  "compare $models/simple-pendulum.yaml --integrators hht-i3 --tolerance 1e-3 --reference hht-i3:1e-4 --until 0.1 -o new.out"
  "verify $models/simple-pendulum.yaml --until 0.1 --parts time -q -o new.out"
)

# The numbers in a file, without what differs from run to run.
numbers_of() {
  case $1 in
  run*) "$sinew" info --check "$2" >/dev/null && "$sinew" export "$2" --csv -o - ;;
  compare*) cut -d, -f1-13 "$2" ;; # times come later
  *) cat "$2" ;;
  esac
}

# plan COMMAND-NUMBER: a line "number call when" for each call of an undisturbed run that writes
plan() {
  read -ra words <<<"${commands[$1]}"
  rm -f new.out*
  strace -f -qq -e trace=$calls -e signal=none -o trace.txt "$sinew" "${words[@]}" >/dev/null 2>err || return 1
  numbers_of "${commands[$1]}" new.out >"whole$1"
  awk -v n="$1" 'match($0, /[a-z0-9]+\(/) {
    call = substr($0, RSTART, RLENGTH - 1)
    ++seen[call]
    if (call != "openat" || /O_WRONLY|O_RDWR/) print n, call, seen[call]
  }' trace.txt
}

# attack NUMBER CALL WHEN: `reason` says why it was not survived
attack() {
  local code
  read -ra words <<<"${commands[$1]}"
  rm -f new.out*
  cp old new.out
  timeout -k 5 60 strace -f -qq -e trace="$2" -e "inject=$2:error=ENOSPC:when=$3" -o /dev/null "$sinew" "${words[@]}" >out 2>err
  code=$?
  if ((code == 0)); then
    numbers_of "${commands[$1]}" new.out >now 2>>err && cmp -s now "whole$1" || reason="exit 0 with other numbers, or without checksums"
  elif [[ ${words[0]} == run ]]; then # what was reached may have taken the name, or lie in the part file
    cmp -s new.out old || "$sinew" info new.out >/dev/null 2>&1 || reason="what stood there is lost"
    ((code == 4 || code == 2 || code == 127)) || reason="exit $code: $(head -1 err)"
  else # also when all is written, and only the standard output failed
    cmp -s new.out old || { numbers_of "${commands[$1]}" new.out | cmp -s - "whole$1"; } || reason="what stood there is lost"
    ((code == 4 || code == 2 || code == 127 || code == 3)) || reason="exit $code: $(head -1 err)"
    [[ $(echo new.out*) == new.out ]] || reason="left behind: $(echo new.out*)"
  fi
  ((code == 0)) || [[ -s err || $2 == write ]] || reason=${reason:-exit $code without a word}
  "$sinew" "${words[@]}" >out 2>err || reason=${reason:-the same command again: $(head -1 err)}
  numbers_of "${commands[$1]}" new.out >now 2>err && cmp -s now "whole$1" || reason=${reason:-the same command again: other numbers}
  [[ $(echo new.out*) == new.out ]] || reason=${reason:-left behind after the same command again: $(echo new.out*)}
}

echo old >old
for i in "${!commands[@]}"; do
  plan "$i" || { echo "FAIL  ${commands[i]}: $(head -1 err)"; exit 1; }
done >calls.txt
[[ $count == all ]] || { sort -R --random-source=<(yes "${TORTURE_SEED:-20261}") calls.txt | head -n "$count" >chosen.txt && mv chosen.txt calls.txt; }
while read -r number call when <&3; do
  reason=
  attack "$number" "$call" "$when"
  end_of "$call number $when fails: ${commands[number]}" "$reason"
done 3<calls.txt
tally
