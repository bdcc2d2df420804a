# models/orzechowski-pendulum.yaml; reduced: 10 s in place of 600 s.
# Other methods than hht-i3 are stopped after 3 s (0.05 s) of CPU time. Exit code 1 of the benchmark is a judgment, left to the page.
limit=3 duration=600
[[ ! $QUICK ]] || limit=0.05 duration=10
"$BENCH/bench_pendulums" stiff $limit "$WORK/stiff.csv" $duration || (($? == 1)) || exit
"$BENCH/bench_pendulums" soft $limit "$WORK/soft.csv" $duration || (($? == 1)) || exit
{
  cat "$WORK/stiff.csv"
  tail -n +2 "$WORK/soft.csv"
} > "$WORK/table.csv"
