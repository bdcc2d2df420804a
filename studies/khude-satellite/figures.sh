# Figure 68, and what the body does meanwhile.
set -euo pipefail
# shellcheck source=../../scripts/curves.sh
source "$(dirname "$0")/../../scripts/curves.sh"

file=$(result . "n=8;late=2;integrator={type: radau, tolerance: 1e-8};arms=cable")
parts fig-68 "Driven angles, right wing" rad "$file" shoulder shoulder.angle elbow elbow.angle
parts attitude "Angle of the body" rad "$file" body attitude.angle
