#!/usr/bin/env bash
# Two runs that write the same result at once: one writes it, the other says so before it begins.
set -u
usual=4
# shellcheck source=tests/attack/attack.sh
source "$(dirname "$0")/attack.sh"
model=$models/pendulum.yaml

# race: two runs of different models at once; false: one came after the other. `reason` says what was wrong.
race() {
  local first second wanted loser fixed=(--integrator hht-i3 --step 2e-4)
  rm -f r.h5* same.h5*
  "$sinew" run "$model" --set E=1e7 -q -o r.h5 "${fixed[@]}" 2>a.err & a=$!
  "$sinew" run "$model" --set E=3e7 -q -o r.h5 "${fixed[@]}" 2>b.err & b=$!
  wait $a; first=$?
  wait $b; second=$?
  case "$first $second" in
  "0 0") return 1 ;;
  "0 4") wanted=10000000 loser=b.err ;;
  "4 0") wanted=30000000 loser=a.err ;;
  *) reason="exit codes $first and $second"; return 0 ;;
  esac
  grep -q 'another run is writing r.h5.part' "$loser" || reason="the other run says: $(head -1 "$loser")"
  "$sinew" info --check r.h5 >/dev/null || reason="the result is damaged"
  "$sinew" run "$model" --set E="$wanted" -q -o same.h5 --resume r.h5 --until 2.01 "${fixed[@]}" 2>err ||
    reason="the result is not that of the run that ended well: $(head -1 err)"
  return 0
}
for ((k = 0; tried < count && k < 5 * count; k++)); do
  reason=
  race && end_of "race $k" "$reason"
done

# A link where the part file would be is not followed.
reason=
echo precious >other
ln -s other l.h5.part
"$sinew" run "$model" --until 0.01 -q -o l.h5 2>err && reason="wrote through a link"
if ! grep -q 'symbolic link' err || [ "$(cat other)" != precious ]; then reason="$(head -1 err)"; fi
end_of "a link at the name of the part file" "$reason"
# What a killed run has left is in nobody's way.
rm -f r.h5*
reason=
"$sinew" run "$model" --until 1e6 -q -o r.h5 & a=$!
sleep 0.3
kill -KILL $a
wait $a 2>/dev/null
"$sinew" run "$model" --until 0.1 -q -o r.h5 || reason="it was"
"$sinew" info --check r.h5 >/dev/null || reason="damaged"
[ "$(echo r.h5*)" = r.h5 ] || reason="left behind: $(echo r.h5*)"
end_of "a new run after a kill" "$reason"
tally
