# models/huang-double-pendulum.yaml
"$BENCH/bench_flexible" "$WORK/table.csv" ${QUICK:+12}
