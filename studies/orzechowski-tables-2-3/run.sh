# models/orzechowski-pendulum.yaml; reduced: 10 s in place of 600 s.
# One process of bench_pendulums for each run, JOBS at a time. Each is stopped after LIMIT seconds of CPU time (default 1300; theirs 36000), those that
# follow every vibration, ida of the stiff bar and adams, after SHORT (60), in the reduced study all but hht-i3 after 0.1 s: what was stopped the page calls
# "not run to the end".
# CELLS: a folder whose cells are not run again: those of a run that was interrupted, or of another machine with the same program.
set -euo pipefail
limit=${LIMIT:-1300} short=${SHORT:-60} duration=600
[[ ! $QUICK ]] || limit=0.1 short=0.1 duration=10
cells=${CELLS:-$WORK/cells}
mkdir -p "$cells"
cell() { # CASE TEST METHOD
  local most=$limit file=$cells/$1.$2.$3.csv
  [[ ! -e $file ]] || return 0
  case $1.$3 in
    stiff.ida | *.adams) most=$short ;;
    *.hht-i3) [[ ! $QUICK ]] || most=60 ;;
  esac
  printf '%s\0' "$1" "$most" "$file" $duration "$3" "$2"
}
list() {
  local case test method
  for method in ida adams gam radau radau5 hht-i3 newmark nstiff; do
    for case in stiff soft; do
      for test in III II I; do cell $case $test $method; done
    done
  done
  for case in stiff-10 soft-10; do cell $case III hht-i3 && cell $case II hht-i3; done
}
# Exit code 1 of the benchmark is a judgment, left to the page. Those that follow every vibration come first. A file has its name when it is whole.
# shellcheck disable=SC2016 # what is in single quotes is for sh
list | xargs -r -0 -n 6 -P "$JOBS" sh -c '{ "$BENCH/bench_pendulums" "$1" "$2" "$3.part" "$4" "$5" "$6" || [ $? = 1 ]; } && mv "$3.part" "$3"' run
awk 'FNR > 1 || NR == 1' "$cells"/*.csv > "$WORK/table.csv"
