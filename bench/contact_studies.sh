#!/usr/bin/env bash
# The contact problems of Khude's thesis, chapters 5 and 6, beside ours: bench/contact_studies.sh [PROGRAM] [FOLDER]. Runs studies/contact-*.yaml,
# prints the tables of docs/contact.md and leaves tables and plots in FOLDER (contact-studies). With gnuplot it draws docs/contact.png and docs/contact-elements.png.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
sinew=$(realpath "${1:-$root/build/release/sinew}")
out=$(realpath -m "${2:-contact-studies}")
mkdir -p "$out"

study() { # NAME: runs it, one case at a time so that CPU times mean something; leaves $table, with the CPU time as last column
  "$sinew" sweep -q -j 1 "$root/studies/contact-$1.yaml" -o "$out/$1" || true # cases that fail are rows of the tables
  table=$out/$1/all.csv
  paste -d, <(sed 's/,[^,]*$//; s/,"[^"]*$//' "$out/$1/table.csv") <(cut -d, -f"$(column "$out/$1/times.csv" cpu)" "$out/$1/times.csv") > "$table"
}
column() { # TABLE NAME: its number
  head -1 "$1" | tr , '\n' | grep -nx "$2" | cut -d: -f1
}
tips() { # RESULT...: x and y of the tip of each, side by side, after the time
  local file first=1
  for file in "$@"; do
    "$sinew" export "$file" --output tip.x --output tip.y -o "$out/tip.csv"
    if ((first)); then tail -n +2 "$out/tip.csv" > "$out/tips.csv"; else
      paste -d, "$out/tips.csv" <(tail -n +2 "$out/tip.csv" | cut -d, -f2-) > "$out/more.csv"
      mv "$out/more.csv" "$out/tips.csv"
    fi
    first=0
  done
  rm "$out/tip.csv"
  cat "$out/tips.csv"
}
result() { # STUDY CASE: its result file
  printf '%s/%s/results/%04d.h5' "$out" "$1" "$2"
}

refined() { # STUDY TITLE: cases that differ in the last of what varies, beside the finest: largest distance of the tips until the end
  study "$1"
  echo
  echo "$2: tip at 0.6 s [m], and the largest distance so far from the tip of the finest [m]"
  awk -F, 'NR > 1 {key = $2 " " $3; if (key != last) {if (NR > 2) print last, first, NR - 2; first = NR - 1; last = key}}
           END {print last, first, NR - 1}' "$table" | while read -r yc method first last; do
    echo "peg at $yc, $method"
    for ((k = first; k <= last; k++)); do
      tips "$(result "$1" "$k")" "$(result "$1" "$last")" |
        awk -F, -v n="$(sed -n "$((k + 1))p" "$table" | cut -d, -f4)" '
          {d = sqrt(($2 - $4)^2 + ($3 - $5)^2); if (d > far) far = d; x = $2; y = $3}
          END {printf "  %4d  %8.4f %8.4f  %8.4f\n", n, x, y, far}'
    done
  done
}
refined elements "C1 by elements"
refined spheres "C1 by spheres"

show() { # STUDY TITLE COLUMN...: some columns of its table
  study "$1"
  echo
  echo "$2"
  awk -F, -v names="${*:3}" '
    NR == 1 {for (i = 1; i <= NF; i++) at[$i] = i; count = split(names, name, " ")}
    {for (j = 1; j <= count; j++) {v = $at[name[j]]; w = NR > 1 && v ~ /^-?[0-9]/ ? sprintf("%.4g", v) : v; printf "%-10s ", w} print ""}' "$table"
}
show steps "Table 5: 2 s of C1 (thesis, CPU: DVI 8.52 s, 74.6 s, 781.9 s; penalty unstable, 72.9 s, 765.3 s)" \
  n integrator.elastic method step status reached x y energy balance overlap cpu
show stiffness "C1 by penalty: modulus of the springs" Ec step status reached balance overlap cpu
show energy "C1 by DVI: energy [J] left of 0 at the start" y e step kinetic left balance
show wrap "C3: 1 to 8 elements" method n status reached left x y balance overlap cpu

study beams
echo
echo "Table 3: tips of C2 at 0.55 s from those of 200 spheres [m] (thesis: 25 0.004286 3.0288e-4, 50 0.002805 1.3836e-4, 100 0.001183 7.1951e-5)"
awk -F, 'NR > 1 {E[NR] = $2; n[NR] = $3; x[NR] = $6; y[NR] = $7; if ($3 == 200) {x0[$2] = $6; y0[$2] = $7}}
         END {for (i = 2; i <= NR; i++) printf "%-6g %4d  %.6f %.6f  %.2e %.2e\n", E[i], n[i], x[i], y[i],
              sqrt((x[i] - x0[E[i]])^2), sqrt((y[i] - y0[E[i]])^2)}' "$table"

study plates
echo
echo "Two plates: smooth or not, distance of spheres [m], how far they slide on each other [m] (smooth: 0.1390), end speed (0.1818) [m/s], balance, CPU [s]"
awk -F, 'NR > 1 {printf "%-5s %-6g %.4f  %.4f  %.4f  %.1f\n", $2, $3, ($6 - 0.2 - 0.4/5.5)*5.5/4.5, $7, $8, $NF}' "$table" # x = 0.2 + 0.4 v/5.5 + m2/(m1 + m2) way

study agree # 1 to 4: 100 spheres, penalty and then DVI, each with h and h/2; 5 to 8: 800 spheres
echo
echo "C1 by both: largest distance of the tips until t [m]: penalty from DVI; with 800 spheres; penalty from itself at half the step; DVI likewise"
tips "$(result agree 1)" "$(result agree 3)" "$(result agree 5)" "$(result agree 7)" "$(result agree 2)" "$(result agree 4)" |
  awk -F, -v plot="$out/agree.txt" '
    function apart(i, j) {return sqrt(($i - $j)^2 + ($(i + 1) - $(j + 1))^2)}
    {d[1] = apart(2, 4); d[2] = apart(6, 8); d[3] = apart(2, 10); d[4] = apart(4, 12)
     printf "%s %s %s %s %s", $1, $2, $3, $4, $5 > plot
     for (k = 1; k <= 4; k++) {if (d[k] > far[k]) far[k] = d[k]; printf " %g", far[k] > plot}
     print "" > plot
     if (NR > 1 && (NR - 1) % 40 == 0) printf "%.1f  %.5f  %.5f  %.5f  %.5f\n", $1, far[1], far[2], far[3], far[4]}'

if command -v gnuplot > /dev/null; then
  cp "$out/elements/y.png" "$root/docs/contact-elements.png"
  gnuplot <<EOF
set terminal pngcairo size 960,380 font "sans,10"
set output "$root/docs/contact.png"
set multiplot layout 1,2
set grid
set xlabel "t [s]"
set yrange [-1.1:1.1]
set key bottom left maxrows 2
set title "Tip of the pendulum [m]"
plot "$out/agree.txt" u 1:2 w l lw 2 lc 1 t "x, penalty", "" u 1:4 w l lw 2 dt 2 lc 2 t "x, DVI", \
     "" u 1:3 w l lw 2 lc 3 t "y, penalty", "" u 1:5 w l lw 2 dt 2 lc 4 t "y, DVI"
set title "Largest distance of the tips so far [m]"
set key bottom right maxrows 4
set logscale y
set format y "10^{%L}"
set yrange [1e-6:0.2]
plot "$out/agree.txt" u 1:6 w l lw 2 lc 1 t "penalty and DVI, 100 spheres", "" u 1:7 w l lw 2 lc 2 t "penalty and DVI, 800 spheres", \
     "" u 1:8 w l lw 1 lc 3 t "penalty, half the step", "" u 1:9 w l lw 1 lc 4 t "DVI, half the step"
unset multiplot
EOF
fi
rm "$out/tips.csv"
