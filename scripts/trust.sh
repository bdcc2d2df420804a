#!/usr/bin/env bash
# Are the rules of trust right? Every model of models/ that moves in time, every adaptive integrator, five tolerances: the verdict of each
# run is laid beside its error against a reference (radau at 1e-10 or, where that fails, hht-i3).
#
#   scripts/trust.sh [-j PROCESSES] [-o FOLDER] [-t SECONDS] [-u UNTIL] [MODEL...]
#
# A model is a process of its own, its reference computed once; a run has so many seconds of CPU time (default 60; the reference ten times that),
# and a method that exceeds them is not run with tighter tolerances. Long runs are cut (duration_of), all of them at UNTIL if it is given; what
# is in FOLDER (default build/trust) already is not run again. Ends with the confusion table; exit code 1 when a run called good is off by more than
# ten times its tolerance. Errors are those of recorded points, relative to their largest displacement (sinew compare).
set -euo pipefail
cd "$(dirname "$0")/.."
sinew=${SINEW:-build/release/sinew} jobs=1 folder=build/trust seconds=60 until=
while getopts j:o:t:u: option; do
  case $option in
    j) jobs=$OPTARG ;;
    o) folder=$OPTARG ;;
    t) seconds=$OPTARG ;;
    u) until=$OPTARG ;;
    *) exit 1 ;;
  esac
done
shift $((OPTIND - 1))
tolerances=1e-3,1e-4,1e-5,1e-6,1e-7
integrators=${INTEGRATORS:-hht-i3 hht-add newmark gssss radau radau5 gam erk ida adams nstiff}
mkdir -p "$folder"

models=("$@")
if ((!${#models[@]})); then
  for model in models/*.yaml; do
    # complementarity has one method, with fixed steps; statics, modes and kinematics have no tolerance of this kind
    grep -q 'type: dynamics' "$model" && ! grep -q 'method: dvi' "$model" && models+=("$model")
  done
fi

# Parts of runs that would take hours with the tightest tolerance and the reference: the first seconds hold what they test.
duration_of() { # MODEL
  case $(basename "$1" .yaml) in
    orzechowski-pendulum | huang-pendulum) echo 2 ;;
    physical-pendulum) echo 20 ;;
    spin-up*) echo 5 ;;
    pulley) echo 0.5 ;;
    net | rope-over-pulley | drape) echo 0.2 ;;
    two-plates | plate-pendulum) echo 0.1 ;;
    wrap | pendulum-peg | two-beams) echo 0.6 ;;
    *) ;; # all of it
  esac
}

compare() { # MODEL
  local out status=0 limit=()
  out=$folder/$(basename "$1" .yaml).csv
  [[ -s $out ]] && return 0
  [[ -n $until ]] && limit=(--until "$until")
  [[ -z $until && -n $(duration_of "$1") ]] && limit=(--until "$(duration_of "$1")")
  (
    ulimit -t $((seconds * 600)) # should a step never end
    exec "$sinew" compare "$1" --integrators "${integrators// /,}" --tolerance "$tolerances" --reference radau:1e-10 --cpu-limit "$seconds" "${limit[@]}" -o "$out.part" > /dev/null
  ) || status=$?
  [[ $status != 130 && -s $out.part ]] && mv "$out.part" "$out" # 130: interrupted, rows are missing
  return 0
}
export -f compare duration_of
export sinew folder seconds tolerances until integrators
printf '%s\n' "${models[@]}" | xargs -P "$jobs" -I{} bash -c 'compare {}'
for model in "${models[@]}"; do
  [[ -s $folder/$(basename "$model" .yaml).csv ]] || echo "no table: $model"
done
awk -f scripts/csv.awk -f scripts/trust.awk "$folder"/*.csv
