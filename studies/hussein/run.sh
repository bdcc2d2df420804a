# The sweep, then from its results the differences between the methods (columns tip, middle, variation) and figures 2 to 7.
# models/hussein-pendulum.yaml
set -euo pipefail
here=$(dirname "$0")
study=$here/study.yaml
[[ ! $QUICK ]] || study=$here/quick.yaml
"$SINEW" sweep -q --jobs "$JOBS" "$study" -o "$WORK"

# t, y of the tip, deformation of the middle.
curve() { # CASE
  "$SINEW" export "$WORK/results/$(printf %04d "$1").h5" --output tip.x --output tip.y --output middle.x --output middle.y |
    awk -F, 'NR > 1 {print $1, $3, ($2*$5 - $3*$4)/sqrt($2*$2 + $3*$3)}' > "$WORK/curve-$1"
}

figure() { # FILE TITLE COLUMN CASE
  gnuplot << END
set terminal pngcairo size 800,400 font "sans,10"
set output "$WORK/$1.png"
set title "$2"
set xlabel "t [s]"
set ylabel "[m]"
set grid
plot "$WORK/curve-$(($4 + 2))" using 1:$3 with lines lw 1 lc 2 title "adams", \
  "$WORK/curve-$4" using 1:$3 with lines lw 2 lc 1 title "hht-i3, 1e-5", \
  "$WORK/curve-$(($4 + 1))" using 1:$3 with lines lw 1 lc 4 title "hht-i3, 1e-6"
END
}

# Cases come in fours: two of hht-i3, adams, and hht-i3 with the printed step control, of one E.
mv "$WORK/table.csv" "$WORK/sweep.csv"
count=$(($(wc -l < "$WORK/sweep.csv") - 1))
echo "tip,middle,variation" > "$WORK/columns"
for ((k = 1; k <= count; k += 4)); do
  for i in 0 1 2 3; do curve $((k + i)); done
  for i in 0 1 2 3; do
    paste -d ' ' "$WORK/curve-$((k + i))" "$WORK/curve-$((k + 2))" | awk '
      function abs(x) { return x < 0 ? -x : x }
      {
        tip = abs($2 - $5) > tip ? abs($2 - $5) : tip
        middle = abs($3 - $6) > middle ? abs($3 - $6) : middle
        largest = abs($6) > largest ? abs($6) : largest
        if (NR > 1) variation += abs($3 - before)
        before = $3
      }
      END { printf "%.6g,%.6g,%.6g\n", tip/0.4, middle/largest, variation }' >> "$WORK/columns"
  done
  case $(awk -F, -v k="$k" '$1 == k {printf "%.0e", $2}' "$WORK/sweep.csv") in
    2e+05)
      figure fig-2-tip "Vertical position of the tip, E = 2e5 Pa" 2 "$k"
      figure fig-3-middle "Deformation of the mid-point, E = 2e5 Pa" 3 "$k"
      ;;
    2e+08) figure fig-5-middle "Deformation of the mid-point, E = 2e8 Pa" 3 "$k" ;;
    2e+11)
      figure fig-6-tip "Vertical position of the tip, E = 2e11 Pa" 2 "$k"
      figure fig-7-middle "Deformation of the mid-point, E = 2e11 Pa" 3 "$k"
      ;;
  esac
done
# Behind the number of the case: settings and messages may hold commas.
awk 'NR == FNR {columns[FNR] = $0; next} {i = index($0, ","); print substr($0, 1, i) columns[FNR] substr($0, i)}' \
  "$WORK/columns" "$WORK/sweep.csv" > "$WORK/table.csv"
rm -r "$WORK/results"
