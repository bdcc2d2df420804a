# models/orzechowski-pendulum.yaml; reduced: 10 s in place of 600 s.
# Other methods than hht-i3 are stopped after 100 s (0.1 s) of CPU time, ida and adams after a sixtieth of that; both bars run at the same time. Exit code 1 of
# the benchmark is a judgment, left to the page.
limit=100 duration=600
[[ ! $QUICK ]] || limit=0.1 duration=10
bar() { "$BENCH/bench_pendulums" "$1" $limit "$WORK/$1.csv" $duration || (($? == 1)); }
bar stiff &
bar soft && wait $! || exit
{
  cat "$WORK/stiff.csv"
  tail -n +2 "$WORK/soft.csv"
} > "$WORK/table.csv"
