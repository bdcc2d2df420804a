# models/double-pendulum-springs.yaml models/slider-crank.yaml models/andrews.yaml models/flexible-slider-crank.yaml
# Exit code 1 of the benchmark is a judgment, left to the page.
"$BENCH/bench_orders" "$WORK/table.csv" || (($? == 1))
