#!/usr/bin/env bash
# Every command hears SIGTERM within a second while it works on something long: exit code 130, nothing left behind but
# what a run has computed, which can be read.
set -u
usual=all
# shellcheck source=tests/attack/attack.sh
source "$(dirname "$0")/attack.sh"
echo old >old.txt
"$sinew" run "$models/pendulum.yaml" -q -o given.h5 --until 0.5 || exit 1
# A result whose every use takes long: very many rows.
sed 's/output_step: [0-9.e-]*/output_step: 2e-7/' "$models/simple-pendulum.yaml" >many.yaml
"$sinew" run many.yaml --until 0.4 --step 1e-2 --integrator hht-i3 -q -o many.h5 || exit 1
# Models whose every use takes long: steps of many seconds.
plate=$models/plate-pendulum.yaml
sed 's/^analysis:.*/analysis: {type: modes, count: 40}/' "$plate" >modes.yaml
sed 's/^analysis:.*/analysis: {type: statics, steps: 1000}/' "$plate" >statics.yaml
mkdir tmp
export TMPDIR=$PWD/tmp
input=/dev/null

# stop SECONDS ARGUMENT...: one command, SIGTERM after that time
stop() {
  local pause=$1 reason='' code begin took
  shift
  rm -rf work && mkdir work && cp old.txt work/out
  env -C work "$sinew" "$@" <$input >out 2>err &
  local pid=$!
  until [[ $(readlink /proc/$pid/exe) == "$sinew" || ! -e /proc/$pid ]]; do sleep 0.01; done # it has begun
  sleep "$pause"
  begin=${EPOCHREALTIME/./}
  if ! kill -TERM $pid 2>/dev/null; then
    wait $pid
    end_of "$*" "ended by itself with exit $?: $(head -1 err)"
    return
  fi
  while took=$(((${EPOCHREALTIME/./} - begin) / 1000)) && ((took < 20000)) && kill -0 $pid 2>/dev/null; do sleep 0.01; done
  kill -KILL $pid 2>/dev/null
  wait $pid
  code=$?
  [[ $code == 130 || ($1 == view && $code == 0) ]] || reason="exit $code: $(head -1 err)"
  ((took < limit)) || reason=${reason:-took $took ms}
  [[ $1 == run ]] || cmp -s work/out old.txt || reason=${reason:-what stood there is lost}
  local left
  left=$(cd work && find . -mindepth 1 ! -name out ! -name 'out.part*' ! -path './folder*' | head -3)
  [[ -z $left ]] || reason=${reason:-left behind: $left}
  [[ -z $(ls tmp) ]] || reason=${reason:-left in the temporary folder: $(ls tmp)}
  if [[ $1 == run && -z $reason && -e work/out.part ]]; then
    "$sinew" info work/out.part >/dev/null 2>err || grep -q 'not a result' err || reason="the part file: $(head -1 err)"
  fi
  end_of "$*" "$reason"
}
# A second, and what a loaded machine takes to start a process.
limit=1500

stop 0.4 check "$plate" --set n=1200 --memory 1T
stop 0.4 run "$plate" --set n=160 -o out -q
stop 3 run "$plate" --set n=100 -o out -q
stop 0.5 run ../many.yaml --until 100 -o out -q
stop 1 run "$models/pendulum.yaml" --until 1e5 -o out -q
stop 1 run "$models/pendulum.yaml" --until 1e5 -o - -q
stop 2 run ../statics.yaml --set n=100 -o out -q
stop 2 run ../modes.yaml --set n=120 -o out -q
stop 1 run "$models/four-bar.yaml" --until 1e6 -o out -q
stop 1 compare "$models/pendulum.yaml" --until 1e5 -o out
stop 1 converge "$models/pendulum.yaml" --elements 2,4,8 --until 1e5 -o out
stop 1 verify "$models/pendulum.yaml" --until 1e5 -o out
stop 1 sweep "$models/pendulum.yaml" --vary E=2e6,2e7 --until 1e5 -o folder -q
stop 0.05 info ../many.h5 --check
stop 0.5 export ../many.h5 --csv -o out
stop 0.2 plot ../many.h5 bob.x bob.y -o out.png
stop 0.3 report ../many.h5 --rows 1000000 -o out
stop 0.5 view ../given.h5 --no-browser
# Input that never ends.
mkfifo pipe
exec 9<>pipe
input=pipe
stop 0.3 check -
stop 0.3 run - -o out
input=/dev/null
"$sinew" render given.h5 -o test.png >out 2>&1 && stop 1 render ../given.h5 --video out.webm --speed 0.001 --size 1280x720
tally
