#!/usr/bin/env bash
# Every bundled model as a new user runs it: the verdict is good, or the comment at the head of the file says that it is not, and why.
set -uo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
for model in models/*.yaml; do
  "$SINEW" run "$model" -o "$work/run.h5" > "$work/text" 2>&1 || { echo "$model: exit code $?" && ((++failures)); }
  verdict=$(awk '$1 == "trust" { print $2; exit }' "$work/text")
  [[ $verdict == good ]] && continue
  if [[ -z $verdict ]] || ! sed '/^sinew:/,$d' "$model" | grep -qw "$verdict"; then
    echo "$model: the run is '$verdict', and the head of the file does not say so"
    grep -E '(doubtful|bad):' "$work/text"
    ((++failures))
  fi
done
exit $((failures > 0))
