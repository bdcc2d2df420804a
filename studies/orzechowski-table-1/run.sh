# models/physical-pendulum.yaml; reduced: 60 s in place of 600 s. Exit code 1 of the benchmark is a judgment, left to the page.
"$BENCH/bench_pendulums" rigid 60 "$WORK/table.csv" ${QUICK:+60} || (($? == 1))
