# Figure 2; figure 3 where there is a browser to draw with.
set -euo pipefail
# shellcheck source=../../scripts/curves.sh
source "$(dirname "$0")/../../scripts/curves.sh"

file=$(result . 'mu=0.4;integrator={type: newmark, delta: 0.05, step: 1e-4, newton: broyden, force_residual: 1e-5, constraint_residual: 1e-7}')
"$SINEW" export "$file" --output left.vy -o "$WORK/curve-fig-2-1"
"$SINEW" export "$file" --output pulley.angle_rate -o "$WORK/curve-fig-2-2"
draw fig-2 "Speed of a weight and of the rim" m/s \
  "'$WORK/curve-fig-2-1' using 1:2 with lines lw 2 title 'weight, upward', '$WORK/curve-fig-2-2' using 1:(-0.1*\$2) with lines lw 2 title 'rim'"
for time in 0 1 2 3; do
  "$SINEW" render "$file" --time $time --size 400x500 -o "$WORK/fig-3-$time.png" || break
done
