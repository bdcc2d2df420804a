# Figures 71 and 72.
set -euo pipefail
# shellcheck source=../../scripts/curves.sh
source "$(dirname "$0")/../../scripts/curves.sh"

file=$(result . "n=100;E=2e7;T=4")
parts fig-71 "Car" m "$file" y car.y
parts fig-72 "Places on the cable, x" m "$file" "0.3 of the length" at3.x middle at5.x "0.7 of the length" at7.x wall wall.x
