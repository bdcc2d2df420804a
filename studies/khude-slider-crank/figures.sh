# Figures 10 and 11 as one, 17 to 19 as one: over time, not one part against the other.
set -euo pipefail
# shellcheck source=../../scripts/curves.sh
source "$(dirname "$0")/../../scripts/curves.sh"
of() { result . "integrator=$1;step=1e-3;until=10"; }

curves fig-10-11 "Error of the total energy, HHT-I3, h = 1e-3 s" energy.error J \
  "alpha = -0.3" "$(of "{type: hht-i3, alpha: -0.3}")" "alpha = -0.05" "$(of "{type: hht-i3, alpha: -0.05}")"
curves fig-17-19 "Violation of the velocity constraints, h = 1e-3 s" constraint.velocity "m/s, rad/s" \
  NSTIFF "$(of nstiff)" HHT-I3 "$(of "{type: hht-i3, alpha: -0.05}")" NEWMARK "$(of newmark)"
