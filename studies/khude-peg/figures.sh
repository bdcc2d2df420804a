# Figures 40, 41, 52, 56, 58, 59, 61 and 62.
set -euo pipefail
# shellcheck source=../../scripts/curves.sh
source "$(dirname "$0")/../../scripts/curves.sh"

by_elements() { # NAME TITLE SERIES
  local n list=()
  for n in 1 2 4 8 16 24; do list+=("$n elements" "$(result elements "yc=-0.5;method=penalty;n=$n")"); done
  curves "$1" "$2" "$3" m "${list[@]}"
}
by_elements fig-40 "x of the tip, peg at (0.5, -0.5), penalty" tip.x
by_elements fig-41 "y of the tip, peg at (0.5, -0.5), penalty" tip.y

for axis in x y; do
  figure=61
  [[ $axis == x ]] || figure=62
  curves fig-$figure "$axis of the tip, friction 0.1, 100 spheres" tip.$axis m \
    DVI "$(result agree "spheres=100;method=dvi;h=1e-5")" penalty "$(result agree "spheres=100;method=penalty;h=1e-5")"
done

energy() { # NAME TITLE RESULT
  parts "$1" "$2" J "$3" kinetic energy.kinetic strain energy.strain gravity energy.gravity "contact springs" energy.contact total energy.total
}
energy fig-52 "Energy, penalty, no friction" "$(result springs "yc=-0.1;n=8")"
energy fig-56-58 "Energy, DVI, e = 0, no friction" "$(result energy "y=-0.1;e=0;h=1e-5")"
energy fig-59 "Energy, DVI, e = 1, no friction" "$(result energy "y=-0.1;e=1;h=1e-5")"
