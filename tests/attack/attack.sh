# shellcheck shell=bash
# attack.sh - what the attacks on the program share (sourced): how often, from which seed, and the line that counts.
# Wants SINEW, the path of the program; TORTURE_COUNT and TORTURE_SEED, if they are set, from tests/torture.
# shellcheck source=tests/checks.sh
source "$(dirname "${BASH_SOURCE[0]}")/../checks.sh"
# shellcheck disable=SC2034  # models, count: for those who source it
models=$root/models count=${TORTURE_COUNT:-$usual}
RANDOM=${TORTURE_SEED:-20261}
tried=0 survived=0

# end_of WHAT REASON: one attack is over; no reason: it was survived.
end_of() {
  tried=$((tried + 1))
  if [[ ${2-} ]]; then say no "$1" "$2"; else survived=$((survived + 1)); fi
}

random_below() { echo $(((RANDOM * 32768 + RANDOM) % $1)); }

# The last line of every attack: tests/torture reads it.
tally() {
  echo "tried $tried, survived $survived"
  ((tried > 0 && tried == survived))
}
