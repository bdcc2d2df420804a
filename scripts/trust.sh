#!/usr/bin/env bash
# Are the rules of trust right? Every model of models/ that moves in time, every adaptive integrator, five tolerances: the verdict of each
# run is laid beside its error against a reference (radau at 1e-10). Prints the page docs/verdicts.md.
#
#   scripts/trust.sh [-j PROCESSES] [-p K/N] [-w SECONDS] [-o FOLDER] [-t SECONDS] [-u UNTIL] [-m MACHINE] [MODEL...] > docs/verdicts.md
#
# A model is a process of its own, its reference computed once; the longest models come first. A run has so many seconds of CPU time (-t, default 60;
# the reference ten times that), and a method that exceeds them is not run with tighter tolerances. Long runs are cut (duration_of), all of them at
# UNTIL if it is given. What is in FOLDER (default build/trust) already is not run again: after -p 1/3, -p 2/3 and -p 3/3, parts of about equal cost, the
# page is complete. After -w seconds whatever runs is stopped; the page says how many runs are missing, and the next call makes them.
# SINEW is the program (build/release/sinew), COMMIT its commit (of this tree), MACHINE says what machine this is. Needs bash, awk and coreutils.
# Exit code 1 when points or angles of a run called good are off by more than ten times its tolerance. Errors are those of `sinew compare`.
set -euo pipefail
command="scripts/trust.sh $*"
cd "$(dirname "$0")/.."
sinew=${SINEW:-build/release/sinew} jobs=1 part=1/1 folder=build/trust seconds=60 until='' limit='' machine=${MACHINE:-}
usage() {
  sed -n '5p' "$0" >&2
  exit 2
}
while getopts j:p:w:o:t:u:m: option; do
  case $option in
    j) jobs=$OPTARG ;;
    p) part=$OPTARG ;;
    w) limit=$OPTARG ;;
    o) folder=$OPTARG ;;
    t) seconds=$OPTARG ;;
    u) until=$OPTARG ;;
    m) machine=$OPTARG ;;
    *) usage ;;
  esac
done
shift $((OPTIND - 1))
[[ $part =~ ^([1-9][0-9]*)/([1-9][0-9]*)$ && $limit =~ ^[0-9]*$ && $jobs =~ ^[1-9][0-9]*$ && $seconds =~ ^[0-9]+(\.[0-9]+)?$ ]] || usage
((${part%/*} <= ${part#*/})) || usage
tolerances=1e-3,1e-4,1e-5,1e-6,1e-7
integrators=${INTEGRATORS:-hht-i3 hht-add newmark gssss radau radau5 gam erk ida adams nstiff}
commit=${COMMIT:-$(git rev-parse --short HEAD 2> /dev/null || echo unknown)}
deadline=$((limit ? $(date +%s) + limit : 0))
mkdir -p "$folder"

models=("$@")
if ((!${#models[@]})); then
  for model in models/*.yaml; do
    # complementarity has one method, with fixed steps; statics, modes and kinematics have no tolerance of this kind
    grep -q 'type: dynamics' "$model" && ! grep -q 'method: dvi' "$model" && models+=("$model")
  done
fi

# The models of this part, the longest first: each goes to the part that has least so far. A model without a cost is expected to be long.
of_this_part() { # K N
  printf '%s\n' "${models[@]}" |
    awk 'FNR == NR { cost[$1] = $2; next }
         { name = $0; sub(/.*\//, "", name); sub(/\.yaml$/, "", name); print (name in cost ? cost[name] : 1000), $0 }' scripts/trust_costs.txt - |
    sort -k1,1gr -k2 |
    awk -v k="$1" -v n="$2" '{ least = 1; for (i = 2; i <= n; i++) if (sum[i] + 0 < sum[least] + 0) least = i; sum[least] += $1; sub(/^[^ ]* /, "") }
         least == k { print }'
}

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

# Complete tables are MODEL.csv, the rows of one that was stopped MODEL.csv.part; MODEL.none says why there are no rows.
compare() { # MODEL
  local out status=0 end=() stop=()
  out=$folder/$(basename "$1" .yaml)
  [[ -s $out.csv || -s $out.none ]] && return 0
  [[ -n $until ]] && end=(--until "$until")
  [[ -z $until && -n $(duration_of "$1") ]] && end=(--until "$(duration_of "$1")")
  if ((deadline)); then
    (($(date +%s) < deadline)) || return 0
    stop=(timeout --preserve-status -s INT -k 5 $((deadline - $(date +%s))))
  fi
  (
    ulimit -t $(((${seconds%.*} + 1) * 600)) # should a step never end
    exec "${stop[@]}" "$sinew" compare "$1" --integrators "${integrators// /,}" --tolerance "$tolerances" --reference radau:1e-10 --cpu-limit "$seconds" "${end[@]}" -o "$out.csv.part" > /dev/null 2> "$out.log"
  ) || status=$?
  ((status == 130 || status == 137 || status == 124)) && return 0 # interrupted: rows are missing
  if [[ -s $out.csv.part ]]; then mv "$out.csv.part" "$out.csv"; else (cat "$out.log" && echo "exit code $status") | head -n 1 > "$out.none"; fi
  return 0
}
export -f compare duration_of
export sinew folder seconds tolerances until integrators deadline

started=$(date +%s)
of_this_part "${part%/*}" "${part#*/}" | xargs -P "$jobs" -I{} bash -c 'compare {}'

tables=()
for model in "${models[@]}"; do
  name=$folder/$(basename "$model" .yaml)
  for file in "$name.csv" "$name.csv.part" "$name.none"; do
    [[ -s $file ]] && tables+=("$file") && break
  done
done
# Seconds of CPU time of the runs of each table, for scripts/trust_costs.txt.
awk "$(< scripts/csv.awk)"'
     FNR == 1 { columns = cut($0, head); for (i = 1; i <= columns; i++) if (head[i] == "cpu") at = i; next }
     FILENAME ~ /csv$/ { cut($0, cell); name = FILENAME; sub(/.*\//, "", name); sub(/\.csv$/, "", name); sum[name] += cell[at] }
     END { for (name in sum) printf "%s %.3g\n", name, sum[name] }' "${tables[@]}" /dev/null | sort > "$folder/costs.txt"
count() { awk -v FS="$1" '{ print NF }' <<< "$2"; }
awk -v models="${#models[@]}" -v planned="$((${#models[@]} * $(count ' ' "$integrators") * $(count , "$tolerances")))" -v integrators="$integrators" \
  -v seconds="$seconds" -v command="$command" -v commit="$commit" -v machine="${machine:-$(nproc) cores}" -v date="$(date -u +%F)" \
  -v elapsed="$(($(date +%s) - started))" -f scripts/csv.awk -f scripts/trust.awk "${tables[@]}" /dev/null
