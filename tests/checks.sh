# shellcheck shell=bash
# checks.sh - what the tests of the program share (sourced): a folder to work in, one line per check.
# Wants SINEW, the path of the program; gives sinew, root and, at the end, failed.
# shellcheck disable=SC2034  # sinew, root: for those who source it
sinew=$(realpath "${SINEW:?set SINEW to the program}")
root=$(realpath "$(dirname "${BASH_SOURCE[0]}")/..")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0

say() { # say RESULT NAME [DETAIL]
  if [[ $1 == ok ]]; then
    echo "ok    $2"
  else
    echo "FAIL  $2${3:+ ($3)}"
    failed=1
  fi
}

# exits CODE NAME COMMAND...: the exit code; output is kept in out and err.
exits() {
  local expected=$1 name=$2 code
  shift 2
  timeout 60 "$@" >out 2>err </dev/null
  code=$?
  if ((code == expected)); then say ok "$name"; else say no "$name" "exit $code, not $expected: $(head -c 300 err)"; fi
}

has() { # has FILE TEXT NAME
  if grep -qF -- "$2" "$1"; then say ok "$3"; else say no "$3" "no '$2' in: $(head -c 300 "$1")"; fi
}
