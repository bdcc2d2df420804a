# models/orzechowski-pendulum.yaml; reduced: 10 s in place of 600 s.
# One process of bench_pendulums for each run, JOBS at a time (default 2). Each is stopped after LIMIT seconds of CPU time (default 1300; theirs 36000), those that
# follow every vibration, ida of the stiff bar and adams, after SHORT (60), in the reduced study all but hht-i3 after 0.1 s: what was stopped the page calls
# "not run to the end".
set -euo pipefail
limit=${LIMIT:-1300} short=${SHORT:-60} duration=600
[[ ! $QUICK ]] || limit=0.1 short=0.1 duration=10
# CELLS: a folder of cells that another machine has run with the same program
cells=${CELLS:-$WORK/cells}
mkdir -p "$cells"
cell() { # CASE TEST METHOD
  local most=$limit
  case $1.$3 in
    stiff.ida | *.adams) most=$short ;;
    *.hht-i3) [[ ! $QUICK ]] || most=60 ;;
  esac
  printf '%s\0' "$1" "$most" "$cells/$1.$2.$3.csv" $duration "$3" "$2"
}
# Exit code 1 of the benchmark is a judgment, left to the page. Those that follow every vibration come first.
# shellcheck disable=SC2016 # what is in single quotes is for sh
[[ ${CELLS:-} ]] || for method in ida adams gam radau radau5 hht-i3 newmark nstiff; do
  for case in stiff soft; do
    for test in III II I; do cell $case $test $method; done
  done
done | { cat; for case in stiff-10 soft-10; do cell $case III hht-i3 && cell $case II hht-i3; done; } |
  xargs -0 -n 6 -P "${JOBS:-2}" sh -c '"$BENCH/bench_pendulums" "$@" || [ $? = 1 ]' run
awk 'FNR > 1 || NR == 1' "$cells"/*.csv > "$WORK/table.csv"
