#!/usr/bin/env bash
# Runs that are killed at any moment leave a part file that can be read and gone on with. Checkpoints follow each other
# as fast as they can, so that most kills meet the file while it is written.
# Wants SINEW, the path of the program; KILLS: how many times (20).
set -u
# shellcheck source=tests/checks.sh
source "$(dirname "$0")/../checks.sh"
model=$root/models/pendulum.yaml
kills=${KILLS:-20} met=0 failed=0
RANDOM=20261
for ((k = 0; k < kills; k++)); do
  rm -f ./dead.h5*
  "$sinew" run "$model" --until 1e6 --checkpoint 0.002 -q -o dead.h5 >/dev/null 2>&1 &
  pid=$!
  for ((wait = 0; wait < 500; wait++)); do # the file begins with its first flush
    head -c 4 dead.h5.part 2>/dev/null | grep -qa HDF && break
    sleep 0.01
  done
  sleep "0.$(printf '%03d' $((RANDOM % 150)))"
  kill -KILL $pid
  wait $pid 2>/dev/null
  met=$((met + 1))
  if ! "$sinew" info dead.h5.part >out 2>err || ! "$sinew" export dead.h5.part --csv -o dead.csv >out 2>>err; then
    echo "FAIL  kill $k: $(head -c 200 err)"
    failed=$((failed + 1))
  fi
done
echo "$met kills, $failed files that cannot be read"
((failed == 0 && met == kills))
