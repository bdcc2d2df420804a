# Error against CPU time on models of the repository: `sinew compare` with a tight run as reference, the fastest of several repeats.
# JOBS problems at a time: CPU times of processes beside each other are longer where they share a core.
# models/simple-pendulum.yaml models/slider-crank.yaml models/andrews.yaml models/double-pendulum-springs.yaml models/pendulum.yaml
# models/beam-pendulum.yaml models/flexible-slider-crank.yaml models/plate-pendulum.yaml models/spin-up.yaml models/pendulum-peg.yaml
set -euo pipefail
methods='auto,{type: hht-i3, bounds: step},{type: nstiff, bounds: step},radau5,radau,gam'
fixed='{type: hht-i3},{type: hht-si2},{type: nstiff},{type: newmark},{type: gssss, scheme: newmark},{type: gssss, scheme: midpoint-v0},{type: radau5},{type: symplectic-euler}'
tolerances=1e-3,1e-4,1e-5,1e-6,1e-7,1e-8,1e-9 repeats=3
[[ ! $QUICK ]] || tolerances=1e-4,1e-6,1e-8 repeats=2

# Rows of one call, with the name of the problem in front, in a file of its place in this list; files of all repeats.
count=0 running=()
measure() { # PROBLEM ARGUMENT...
  local problem=$1 k place
  shift
  count=$((count + 1))
  place=$(printf '%s/rows-%02d' "$WORK" $count)
  while (($(jobs -pr | wc -l) >= JOBS)); do wait -n; done
  for ((k = 1; k <= repeats; k++)); do
    "$SINEW" compare "$@" -o "$place.$problem.$k.csv" > /dev/null
    awk -v problem="$problem" 'NR > 1 {print problem "," $0}' "$place.$problem.$k.csv" >> "$place"
  done &
  running+=($!)
}

# Adaptive steps, and a picture where one is wanted.
work() { # PROBLEM PICTURE MODEL REFERENCE ARGUMENT...
  local problem=$1 picture=$2 model=models/$3.yaml reference=$4
  shift 4
  measure "$problem" "$model" --integrators "$methods" --tolerance $tolerances --reference "$reference" "$@" ${picture:+--plot "$WORK/$problem.png"}
}

picture=1
[[ ! $QUICK ]] || picture=
work simple-pendulum "$picture" simple-pendulum radau:1e-12 --until 5
work double-pendulum-springs "" double-pendulum-springs radau:1e-11
work pendulum "$picture" pendulum radau5:1e-11 --until 1
work flexible-slider-crank "$picture" flexible-slider-crank radau:1e-11 --until 0.2
if [[ ! $QUICK ]]; then
  work slider-crank "" slider-crank radau:1e-12
  work andrews "" andrews radau:1e-12
  work stiff-pendulum 1 pendulum radau5:1e-11 --set E=2e11 --until 0.5
  work beam-pendulum "" beam-pendulum radau:1e-11 --until 0.5
  work plate-pendulum "" plate-pendulum radau:1e-10 --set n=6 --until 0.2
  work spin-up "" spin-up radau:1e-11 --until 3
  work pendulum-peg "" pendulum-peg radau5:1e-9 --until 0.5
  repeats=1
  explicit=(--integrators 'ida,adams,erk' --tolerance '1e-4,1e-6' --reference radau5:1e-11)
  measure simple-pendulum models/simple-pendulum.yaml "${explicit[@]}" --until 5
  measure pendulum models/pendulum.yaml "${explicit[@]}" --until 1
fi
repeats=1
measure simple-pendulum models/simple-pendulum.yaml --integrators "$fixed" --step 1e-2,1e-3 --reference radau:1e-12 --until 5
measure pendulum models/pendulum.yaml --integrators "$fixed" --step 1e-3,1e-4 --reference radau5:1e-11 --until 1
measure stiff-pendulum models/pendulum.yaml --integrators "$fixed" --step 1e-2,1e-3 --reference radau5:1e-11 --set E=2e11 --until 1
for process in "${running[@]}"; do wait "$process"; done

cat "$WORK"/rows-?? > "$WORK/rows"
awk -f scripts/csv.awk -f "$(dirname "$0")/best.awk" "$WORK/rows" > "$WORK/table.csv"
