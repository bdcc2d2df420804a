#!/usr/bin/env bash
# Makes the figures of the documents again: docs/figures.sh [PROGRAM]. Needs gnuplot and chromium.
set -euo pipefail
cd "$(dirname "$0")/.."
sinew=${1:-build/release/sinew}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# ---- pictures/: what models look like ----

picture() { # NAME TIME MODEL OPTION...; TIME -: the last row
  local name=$1 time=$2 model=$3
  shift 3
  [[ -e $work/$model.h5 ]] || "$sinew" run -q "models/$model.yaml" -o "$work/$model.h5"
  [[ $time == - ]] || set -- --time "$time" "$@"
  "$sinew" render "$work/$model.h5" --size "${size:-800x450}" "$@" -o "docs/pictures/$name.png"
}
mkdir -p docs/pictures
picture pendulum 0.55 pendulum --color strain --trail tip --zoom 1.15
picture slider-crank 0.5 slider-crank --zoom 1.1
picture spin-up 7 spin-up --trail tip --color curvature --view front
picture plate 0.6 plate-pendulum --mesh --color curvature --trail tip --zoom 1.6
picture wrap 1.05 wrap --color curvature --trail tip --zoom 1.12
picture satellite 22 satellite --trail right --trail left --view iso --zoom 1.25
picture rope 1.2 rope-over-two-pulleys --view front --trail payload
picture belt 1.2 belt-drive --view front
picture bead 0.35 bead-on-string --view front --trail bead
size=480x270
picture tackle 0.8 block-and-tackle --view front
picture winch 4 winch --view front
picture cam 0.4 cam --view front
picture helix 1.2 bead-on-helix --trail bead --no-grid
picture disk 1 rolling-disk --trail disk --view iso --zoom 1.3 --no-grid
picture skate 2 skate --trail skate --view front
picture gears 0.2 backlash --view front
picture geneva 0.9 geneva --view front --zoom 0.4
picture towed 3 towed-cable --no-grid
picture pressure 0.4 pressed-plate --view iso --zoom 1.1 --no-grid
picture governor 2 governor --view iso --zoom 1.2 --no-grid
picture cart 0.6 inverted-pendulum --view front
picture elbow - crank-stress --color stress --view iso --no-grid
picture twisted - twisted-beam --mode 2 --view iso --no-grid
picture column - euler-column --mode 3 --view iso --no-grid
picture whirl - stodola-rotor --mode 3 --view iso --no-grid
picture arch - shallow-arch --view front
unset size
"$sinew" run -q models/pendulum.yaml --set E=2e8 -o "$work/stiff.h5"
"$sinew" render "$work/pendulum.h5" "$work/stiff.h5" --time 0.8 --size 800x450 --view front -o docs/pictures/two.png

# ---- locking.png: beams against beam theory, and on the flexible pendulum ----

# A cantilever under a small force at its tip; v is what Euler and Bernoulli say.
cantilever() { # body keys
  cat > "$work/cantilever.yaml" <<EOF
sinew: 1
parameters: {L: 1, h: 0.02, E: 2e7, n: 8, v: 0.002, F: 3*E*h^4/12*v/L^3}
materials: {rubber: {density: 7200, young: E, poisson: 0.3}}
sections: {square: {type: rectangle, width: h, height: h}}
bodies: {beam: {$1, from: [0, 0, 0], to: [L, 0, 0], elements: n, material: rubber, section: square}}
joints: {clamp: {type: fixed, between: [ground, beam.start]}}
forces: {load: {type: force, at: beam.end, force: [0, F, 0]}}
outputs: {tip: {point: beam.end}}
analysis: {type: statics, steps: 1}
EOF
}
static_curve() { # name, body keys
  cantilever "$2"
  for n in 1 2 4 8 16 32; do
    "$sinew" run -q "$work/cantilever.yaml" --set n=$n -o "$work/s.h5"
    echo "$n $("$sinew" export "$work/s.h5" --output tip.y | tail -n 1 | cut -d, -f2)"
  done | awk '{print $1, $2/0.002}' > "$work/static-$1"
}
static_curve cable "type: cable"
static_curve selective "type: beam, elastic: selective"
static_curve continuum "type: beam, elastic: continuum"

# The pendulum: distance of the tip from that of 40 cables. Same steps, so what differs is the elements.
pendulum() { # name, model, sets
  local name=$1 model=$2 sets=()
  shift 2
  for set in "$@"; do sets+=(--set "$set"); done
  "$sinew" run -q "$model" "${sets[@]}" --step 1e-3 --until 2 -o "$work/p.h5"
  "$sinew" export "$work/p.h5" --output tip.x --output tip.y | tail -n +2 | tr , ' ' > "$work/tip-$name"
}
pendulum fine models/pendulum.yaml n=40
pendulum cable10 models/pendulum.yaml n=10
for n in 10 40; do
  pendulum selective$n models/beam-pendulum.yaml elastic=selective n=$n
  pendulum continuum$n models/beam-pendulum.yaml elastic=continuum n=$n
done
for name in cable10 selective10 selective40 continuum10 continuum40; do
  paste -d ' ' "$work/tip-fine" "$work/tip-$name" | awk 'NR > 2 {print $1, sqrt(($2-$5)^2 + ($3-$6)^2)}' > "$work/away-$name"
done

gnuplot <<EOF
set terminal pngcairo size 960,380 font "sans,10"
set output "docs/locking.png"
set multiplot layout 1,2
set key bottom right
set title "Cantilever: tip deflection / beam theory"
set xlabel "elements"
set logscale x 2
set yrange [0.5:1.05]
set grid
plot "$work/static-cable" w lp lw 2 pt 7 t "cable", \
     "$work/static-selective" w lp lw 2 pt 5 t "beam, selective", \
     "$work/static-continuum" w lp lw 2 pt 9 t "beam, continuum", \
     0.7429 w l dt 2 lc "gray40" t "(1+{/Symbol n})(1-2{/Symbol n})/(1-{/Symbol n})"
set title "Flexible pendulum: distance of the tip from that of 40 cables [m]"
set xlabel "t [s]"
unset logscale x
set logscale y
set yrange [1e-7:0.1]
set format y "10^{%L}"
set key bottom right
plot "$work/away-cable10" w l lw 2 lc 1 t "cable, 10 elements", \
     "$work/away-selective10" w l lw 1 dt 2 lc 2 t "selective, 10", "$work/away-selective40" w l lw 2 lc 2 t "selective, 40", \
     "$work/away-continuum10" w l lw 1 dt 2 lc 3 t "continuum, 10", "$work/away-continuum40" w l lw 2 lc 3 t "continuum, 40"
unset multiplot
EOF
