# models/huang-double-pendulum.yaml
# Eight processes of bench_flexible, JOBS at a time (default 2).
set -euo pipefail
seconds=100
[[ ! $QUICK ]] || seconds=12
seq 0 7 | xargs -P "${JOBS:-2}" -I{} "$BENCH/bench_flexible" "$WORK/part-{}" "$seconds" {}
awk 'FNR > 1 || NR == 1' "$WORK"/part-? > "$WORK/table.csv"
rm "$WORK"/part-?
