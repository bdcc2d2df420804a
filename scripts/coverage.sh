#!/usr/bin/env bash
# coverage.sh TREE - line coverage by the tests that were run in a build tree with SINEW_COVERAGE=ON: the functions that
# were never called, and the figure of each room and of all.
set -euo pipefail
# shellcheck source=scripts/setup.sh
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

tree=$(realpath "${1:?the build tree}")
cd "$root"
# Functions of headers are compiled into several files: one of them is enough.
find "$tree" -name '*.c.gcda' -path '*/src/*' -print0 | xargs -0 -r gcov --no-output --function-summaries |
  awk '
    /^Function / { function_name = $2; file = ""; gsub(/\047/, "", function_name) }
    /^File /     { file = $2; function_name = ""; gsub(/\047/, "", file); sub(/^.*\/src\//, "", file); sub(/^src\//, "", file) }
    /^(Lines executed|No executable lines)/ {
      split($0, part, /[:% ]+/)                     # "Lines executed:87.50% of 16"
      percent = part[3]; count = part[5]
      if (function_name != "") called[function_name] += percent > 0
      if (file ~ /\.c$/ && file !~ /^\// && count > 0) {
        room = file; sub(/\/.*/, "", room)
        lines[room] += count; hit[room] += percent * count / 100
        all_lines += count; all_hit += percent * count / 100
      }
      file = function_name = ""
    }
    END {
      print "functions that no test calls:"
      for (f in called) if (!called[f]) print "  " f | "sort"
      close("sort")
      print "lines executed:"
      for (room in lines) printf "  %-12s %5.1f %% of %6d\n", room, 100 * hit[room] / lines[room], lines[room] | "sort"
      close("sort")
      if (!all_lines) { print "no coverage data"; exit 1 }
      printf "  %-12s %5.1f %% of %6d\n", "all", 100 * all_hit / all_lines, all_lines
    }'
