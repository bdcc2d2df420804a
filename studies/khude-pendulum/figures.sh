# Figures 24 to 29.
set -euo pipefail
# shellcheck source=../../scripts/curves.sh
source "$(dirname "$0")/../../scripts/curves.sh"

parts fig-24 "Energy, symplectic Euler, 1e-4 s" J "$(result energy "integrator={type: symplectic-euler, step: 1e-4}")" \
  kinetic energy.kinetic strain energy.strain gravity energy.gravity total energy.total
figure=25
for axis in x y z; do
  curves fig-$((figure++)) "$axis of the tip, 1 N out of the plane" tip.$axis m "10 cables" "$(result space "body=cable;n=10")" "40 beams" "$(result space "body=beam;n=40")"
done
curves fig-28 "y of the tip" tip.y m selective "$(result locking "elastic=selective;n=20")" elastic-line "$(result locking "elastic=elastic-line;n=20")" \
  "continuum (original)" "$(result locking "elastic=continuum;n=20")"
list=()
for n in 1 2 4 8 16 32; do list+=("$n elements" "$(result elements "integrator={type: newmark, step: 1e-4};n=$n")"); done
curves fig-29 "y of the tip, weight of 1 kg" tip.y m "${list[@]}"
