#!/usr/bin/env bash
# Every benchmark answers --help at once instead of running.
# Wants SINEW, the path of the program, and SINEW_BUILD, the build tree.
set -u
# shellcheck source=tests/checks.sh
source "$(dirname "$0")/../checks.sh"
for source in "$root"/bench/bench_*.c; do
  name=$(basename "$source" .c)
  exits 0 "$name --help" timeout 5 "${SINEW_BUILD:?set SINEW_BUILD to the build tree}/bench/$name" --help
  has out "Usage: $name" "$name says how it is called"
done
exit "$failed"
