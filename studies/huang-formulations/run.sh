# models/huang-double-pendulum.yaml
"$BENCH/bench_formulations" "$WORK/table.csv"
