# the pendulum of models/huang-double-pendulum.yaml, apart from the engine
"$BENCH/bench_printed" "$WORK/table.csv"
