#!/usr/bin/env bash
# Two runs that write the same result at once: one writes it, the other says so before it begins.
# Wants SINEW, the path of the program; RACES: how many times (10).
set -u
# shellcheck source=tests/checks.sh
source "$(dirname "$0")/../checks.sh"
model=$root/models/pendulum.yaml
races=${RACES:-10}
fail() { say no "race $k" "$1"; }
for ((k = 0; k < races; k++)); do
  rm -f r.h5*
  "$sinew" run "$model" --set E=1e7 -q -o r.h5 --integrator hht-i3 --step 2e-4 2>a.err & a=$!
  "$sinew" run "$model" --set E=3e7 -q -o r.h5 --integrator hht-i3 --step 2e-4 2>b.err & b=$!
  wait $a; first=$?
  wait $b; second=$?
  case "$first $second" in
  "0 4") wanted=10000000 loser=b.err ;;
  "4 0") wanted=30000000 loser=a.err ;;
  *) fail "exit codes $first and $second"; continue ;;
  esac
  grep -q 'another run is writing r.h5.part' "$loser" || fail "the other run says: $(head -1 "$loser")"
  "$sinew" info --check r.h5 >/dev/null || fail "the result is damaged"
  "$sinew" run "$model" --set E="$wanted" -q -o same.h5 --resume r.h5 --until 2.01 --integrator hht-i3 --step 2e-4 2>err ||
    fail "the result is not that of the run that ended well: $(head -1 err)"
done
# A link where the part file would be is not followed.
echo precious >other
ln -s other l.h5.part
"$sinew" run "$model" --until 0.01 -q -o l.h5 2>err && fail "wrote through a link"
if ! grep -q 'symbolic link' err || [ "$(cat other)" != precious ]; then fail "link: $(head -1 err)"; fi
# What a killed run has left is in nobody's way.
rm -f r.h5*
"$sinew" run "$model" --until 1e6 -q -o r.h5 & a=$!
sleep 0.3
kill -KILL $a
wait $a 2>/dev/null
"$sinew" run "$model" --until 0.1 -q -o r.h5 || fail "after a kill"
"$sinew" info --check r.h5 >/dev/null || fail "after a kill: damaged"
[ "$(echo r.h5*)" = r.h5 ] || fail "left behind: $(echo r.h5*)"
say ok "$races races were run"
exit "$failed"
