# models/rigid-pendulum.yaml models/rigid-double-pendulum.yaml
# Exit code 1 of the benchmark is a judgment, left to the page.
"$BENCH/bench_huang" "$WORK/table.csv" || (($? == 1))
