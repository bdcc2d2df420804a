#!/usr/bin/env bash
# Numbers and files beyond all reason end with a message, within seconds, never with a crash.
# Wants SINEW, the path of the program.
set -u
# shellcheck source=tests/checks.sh
source "$(dirname "$0")/../checks.sh"
models=$root/models
# expect CODES PATTERN COMMAND...: one of the exit codes, and the pattern in what it says; "" for any text
expect() {
  local codes=$1 pattern=$2 code
  shift 2
  timeout -k 5 60 "$@" >out 2>&1
  code=$?
  if [[ " $codes " != *" $code "* ]]; then
    say no "$*" "exit $code: $(tail -1 out)"
  elif [[ $pattern ]] && ! grep -q -e "$pattern" out; then
    say no "$*" "says '$(tail -2 out)', not '$pattern'"
  fi
}
for model in pendulum beam-pendulum plate-pendulum slider-crank wrap; do
  for size in 1e140 1e155 1e200 1e300 1e-100 1e-140 1e-200 1e-300; do
    for name in L E h r; do # those that the model does not have are a usage error
      expect "0 1 2 3" "" "$sinew" run -q "$models/$model.yaml" --set "$name=$size" --until 1e-3 -o r.h5
    done
  done
done
sed 's/output_step: [0-9.e-]*/output_step: 1e-150/' "$models/pendulum.yaml" >rows.yaml
expect 1 '2e+150 rows' "$sinew" run -q rows.yaml
expect 1 '1e+302 rows' "$sinew" run -q "$models/pendulum.yaml" --until 1e300
expect 1 '2e+17 steps' "$sinew" run -q "$models/pendulum.yaml" --step 1e-17
expect 4 'too large' "$sinew" check /dev/zero
expect 1 'from 1 to 1024' "$sinew" run -q "$models/pendulum.yaml" --threads 1000000
expect 1 'from 1 to 1024' "$sinew" sweep "$models/pendulum.yaml" --vary E=1e7 --jobs 1000000
expect 4 'TMPDIR' env TMPDIR=/nowhere "$sinew" run -q "$models/pendulum.yaml" --until 0.01 -o -
# A text of ten megabytes takes a time that grows with its length, not with the square of it.
{ printf 'title: "' && head -c 10000000 /dev/zero | tr '\0' x && echo '"' && grep -v '^title' "$models/pendulum.yaml"; } >text.yaml
expect 0 'ok' "$sinew" check text.yaml
# A step that holds very many rows hears a signal.
sed 's/output_step: [0-9.e-]*/output_step: 1e-8/' "$models/pendulum.yaml" >many.yaml
"$sinew" run -q many.yaml -o many.h5 >out 2>&1 &
pid=$!
sleep 2
kill -TERM $pid
for ((i = 0; i < 100; i++)); do
  kill -0 $pid 2>/dev/null || break
  sleep 0.1
done
if kill -KILL $pid 2>/dev/null; then
  say no "SIGTERM is heard within ten seconds"
fi
wait $pid 2>/dev/null
say ok "all limits were tried"
exit "$failed"
