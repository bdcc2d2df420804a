# Figures 31, 32, 34 and 35.
set -euo pipefail
# shellcheck source=../../scripts/curves.sh
source "$(dirname "$0")/../../scripts/curves.sh"

for way in along across; do
  figure=31
  [[ $way == along ]] || figure=32
  curves fig-$figure "Tip, $way the hub frame" $way.travel m "10 cables" "$(result printed-straight "body=cable;n=10")" "40 beams" "$(result printed-straight "body=beam;n=40")"
  figure=$((figure + 3))
  curves fig-$figure "Tip of the curved beam, $way the hub frame" $way.travel m "10 cables" "$(result printed-curved n=10)" "40 beams" "$(result printed-curved-beam n=40)"
done
