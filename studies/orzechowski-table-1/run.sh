# models/physical-pendulum.yaml; reduced: 60 s in place of 600 s. One process of bench_pendulums for each run, JOBS at a time, stopped after LIMIT
# seconds of CPU time (default 600). Exit code 1 of the benchmark is a judgment, left to the page.
set -euo pipefail
cells=$WORK/cells duration=600
[[ ! $QUICK ]] || duration=60
mkdir -p "$cells"
# shellcheck disable=SC2016 # what is in single quotes is for sh
for method in hht-i3 ida radau5 radau gam; do
  for test in I II III; do printf '%s\0' rigid "${LIMIT:-600}" "$cells/$method.$test.csv" $duration $method $test; done
done | xargs -0 -n 6 -P "$JOBS" sh -c '"$BENCH/bench_pendulums" "$@" || [ $? = 1 ]' run
awk 'FNR > 1 || NR == 1' "$cells"/*.csv > "$WORK/table.csv"
