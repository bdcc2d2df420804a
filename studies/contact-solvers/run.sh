# Heaps of 4 to 64 balls; --quick: up to 16.
largest=64
[[ ! $QUICK ]] || largest=16
"$BENCH/bench_solvers" "$WORK/table.csv" $largest
