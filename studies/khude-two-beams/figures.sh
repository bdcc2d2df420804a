# Figures 48 to 51, 53, 57, 60, 63 and 64.
set -euo pipefail
# shellcheck source=../../scripts/curves.sh
source "$(dirname "$0")/../../scripts/curves.sh"

tips() { # NAME TITLE SERIES MODULUS
  curves "$1" "$2, E = $4 Pa, friction 0.1" "left.$3" m "8 elements" "$(result meshes "E=$4;mu=0.1;method=penalty;n=8")" \
    "24 elements" "$(result meshes "E=$4;mu=0.1;method=penalty;n=24")"
}
tips fig-48 "x of the left tip" x 2e8
tips fig-49 "y of the left tip" y 2e8
tips fig-50 "x of the left tip" x 2e9
tips fig-51 "y of the left tip" y 2e9
for axis in x y; do
  figure=63
  [[ $axis == x ]] || figure=64
  curves fig-$figure "$axis of the left tip, E = 2e9 Pa, no friction" left.$axis m DVI "$(result meshes "E=2e9;mu=0;method=dvi;n=8")" \
    "DVI, 24 elements" "$(result meshes "E=2e9;mu=0;method=dvi;n=24")" penalty "$(result meshes "E=2e9;mu=0;method=penalty;n=8")"
done
energy() { # NAME TITLE RESULT
  parts "$1" "$2" J "$3" kinetic energy.kinetic strain energy.strain gravity energy.gravity "contact springs" energy.contact total energy.total
}
energy fig-53 "Energy, penalty, E = 2e9 Pa" "$(result energy "method=penalty;E=2e9;h=1e-5")"
energy fig-57 "Energy, DVI, e = 0" "$(result energy "method=dvi;E=2e9;e=0;h=1e-5")"
energy fig-60 "Energy, DVI, e = 1" "$(result energy "method=dvi;E=2e9;e=1;h=1e-5")"
