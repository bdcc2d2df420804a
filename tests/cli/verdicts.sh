#!/usr/bin/env bash
# scripts/trust.sh: the page it prints, parts of the models, the limit of time.
set -uo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export COMMIT=abc MACHINE='a machine' INTEGRATORS='radau erk'
fail() {
  echo "$1"
  [[ ! -e $work/page ]] || cat "$work/page"
  exit 1
}
trust() { scripts/trust.sh -t 2 -o "$work/$1" "${@:2}" > "$work/page"; }

# Two models, two integrators, five tolerances: all of them good.
trust both -u 0.5 models/simple-pendulum.yaml models/rigid-pendulum.yaml || fail "a run called good is wrong"
grep -q '(commit abc, a machine, .*: 2 models, 2 integrators, 20 runs with' "$work/page" || fail "the page does not say what it is about"
grep -q '^- 20 runs were judged' "$work/page" || fail "not all runs were judged"
grep -q '^| good | 20 | 0 |$' "$work/page" || fail "the table is not that of good runs"
grep -q '^| `erk` | 10 | 0 | 0 | 0 | 0 | 0 | 0 |$' "$work/page" || fail "the table of integrators is wrong"

# A wrong run that is called good: exit code 1, and its name.
sed -i '2s/^\([^,]*,[^,]*,[^,]*\),[^,]*/\1,0.5/' "$work/both/simple-pendulum.csv"
trust both -u 0.5 models/simple-pendulum.yaml models/rigid-pendulum.yaml && fail "a wrong run goes unnoticed"
grep -q '^- `simple-pendulum`, `radau`, tolerance 0.001: 0.5, 500 tolerances$' "$work/page" || fail "the wrong run is not named"

# Parts: each model once; what is missing is told.
trust parts -p 1/2 -u 0.1 models/simple-pendulum.yaml models/rigid-pendulum.yaml models/duffing.yaml
grep -q '^- [12]0 runs were judged' "$work/page" && ! grep -q '^- 0 runs were not run' "$work/page" || fail "a part is the whole"
trust parts -p 2/2 -u 0.1 models/simple-pendulum.yaml models/rigid-pendulum.yaml models/duffing.yaml
grep -q '^- 30 runs were judged' "$work/page" && grep -q '^- 0 runs were not run' "$work/page" || fail "two halves are not the whole"

# The limit of time: what was finished counts.
begun=$SECONDS
trust late -w 2 models/two-plates.yaml models/simple-pendulum.yaml
((SECONDS - begun < 8)) || fail "the limit of time does not hold"
grep -q '^- [1-9][0-9]* runs were not run' "$work/page" || fail "what is missing is not told"
