# The ways of the tips of figure 47.
set -euo pipefail
# shellcheck source=../../scripts/curves.sh
source "$(dirname "$0")/../../scripts/curves.sh"

plot=()
for n in 1 2 3 4 6 8 24; do
  "$SINEW" export "$(result . "section=round;method=penalty;n=$n")" --output tip.x --output tip.y -o "$WORK/curve-fig-47-$n"
  plot+=("'$WORK/curve-fig-47-$n' using 2:3 with lines lw 2 title '$n elements'")
done
plot+=("'+' using (1):(-1.5) every ::0::0 with points pt 7 ps 2 lc 'black' title 'peg'")
draw fig-47 "Way of the tip, penalty" m "$(IFS=, && echo "${plot[*]}")" "x [m]"
