#!/usr/bin/env bash
# The programs of a guide, each a block ```c with a main: compile them, run them, and compare with the block ```text behind.
# guide.sh [--update] GUIDE FLAG...: flags of the compiler. --update writes what the programs print into the guide.
set -euo pipefail
update=
[[ $1 != --update ]] || { update=1; shift; }
guide=$1
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# programs as 1.c, 2.c, ..., and what they are to print as 1.txt, ...
awk -v work="$work" '
  /^```c$/ { n++; into = work "/" n ".c"; printf "" > into; next }
  /^```text$/ { into = work "/" n ".txt"; printf "" > into; next }
  /^```/ { into = ""; next }
  into { print > into }' "$guide"
programs=("$work"/*.c)
[[ -e ${programs[0]} ]] || { echo "FAILED: $guide has no programs"; exit 1; }
for source in "${programs[@]}"; do
  name=$(basename "$source" .c)
  if ! "${CC:-cc}" -std=c11 -Wall -Wextra -Werror "$source" -o "$work/$name" "$@" -lm; then
    echo "FAILED: program $name of $guide does not compile"
    failed=1
  elif ! "$work/$name" > "$work/$name.out"; then
    echo "FAILED: program $name of $guide does not run"
    failed=1
  elif [[ ! $update ]] && ! diff "$work/$name.txt" "$work/$name.out"; then
    echo "FAILED: program $name of $guide prints something else"
    failed=1
  fi
done
if [[ $update && $failed == 0 ]]; then
  awk -v work="$work" '
    /^```c$/ { n++ }
    /^```text$/ { print; while ((getline line < (work "/" n ".out")) > 0) print line; skip = 1; next }
    /^```/ { skip = 0 }
    !skip { print }' "$guide" > "$work/guide"
  cat "$work/guide" > "$guide"
fi
echo "${#programs[@]} programs of $guide"
exit "$failed"
