#!/usr/bin/env bash
# Valgrind's memcheck of a short run, a run with contact and a resumed run: libraries too, where the sanitizers cannot
# see. Wants SINEW, a program without instructions that Valgrind does not know (preset memcheck).
set -u
# shellcheck source=tests/checks.sh
source "$(dirname "$0")/checks.sh"
memcheck() { # memcheck NAME ARGUMENT...
  local name=$1
  shift
  valgrind --quiet --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite --log-file=log "$sinew" "$@" >out 2>&1
  local code=$?
  if ((code == 0)); then say ok "$name"; else say no "$name" "exit $code: $(head -c 2000 log) $(tail -1 out)"; fi
}
run=(run "$root/models/pendulum.yaml" --integrator hht-i3 --step 2e-3 -q -o r.h5)
memcheck "a short run" "${run[@]}" --until 0.02
memcheck "resumed" "${run[@]}" --until 0.03 --resume r.h5
memcheck "contact by impulses" run "$root/models/pendulum-peg-dvi.yaml" --until 0.005 -q -o c.h5
memcheck "contact by penalty" run "$root/models/pendulum-peg.yaml" --integrator hht-i3 --step 1e-3 --until 0.005 -q -o p.h5
memcheck "its table" export c.h5 --csv -o c.csv
exit "$failed"
