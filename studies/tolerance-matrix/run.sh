# The matrix by bench_matrix, one process for each model and method; then the worst cell of each method.
# models/simple-pendulum.yaml models/double-pendulum-springs.yaml models/slider-crank.yaml models/andrews.yaml models/physical-pendulum.yaml models/heavy-top.yaml models/governor.yaml
# models/spatial-slider-crank.yaml models/pendulum.yaml models/beam-pendulum.yaml models/huang-pendulum.yaml models/plate-pendulum.yaml models/flexible-slider-crank.yaml
set -euo pipefail
models='simple-pendulum,double-pendulum-springs,slider-crank,andrews,physical-pendulum,heavy-top,governor,spatial-slider-crank,pendulum,pendulum E=2e10,beam-pendulum,huang-pendulum E=0.7e6,plate-pendulum n=4,flexible-slider-crank'
methods=hht-i3,hht-add,hht-si2,newmark,nstiff,nstiff-si2,gssss,radau5,radau,gam,ida,adams,erk,tr-bdf2 tolerances=all
if [[ $QUICK ]]; then
  models=slider-crank,andrews,heavy-top methods=radau5,radau,gam,ida,adams,erk tolerances=1e-4,1e-6,1e-8
fi
# CELLS: a folder whose cells are not run again: those of a run that was interrupted, or of another machine with the same program
cells=${CELLS:-$WORK/cells}
mkdir -p "$cells"
# A file has its name when it is whole.
# shellcheck disable=SC2016 # what is in single quotes is for sh
while IFS= read -r model; do
  for method in ${methods//,/ }; do
    file=$cells/${model// /-}.$method.csv
    [[ -e $file ]] || printf '%s\0%s\0%s\0%s\0' "$model" "$method" $tolerances "$file"
  done
done < <(tr ',' '\n' <<< "$models") |
  xargs -r -0 -n 4 -P "$JOBS" sh -c '"$BENCH/bench_matrix" "$1" "$2" "$3" "$4.part" > /dev/null && mv "$4.part" "$4"' run

# model,method,tolerance,error,velocity,reaction,energy,rise,steps,cpu,is,kind,mean,trust; silent: outside the limits, and called good
cat "$cells"/*.csv | awk -F, -v methods="$methods" '
  $1 == "model" {next}
  {
    m = $2; cells[m]++; cpu[m] += $10
    if ($11 == "failed") {failed[m]++; next}
    if ($11 == "slow") {slow[m]++; next}
    if ($4 / $3 > error[m]) {error[m] = $4 / $3; at[m] = $1 " at " $3}
    if ($4 > $3 && $8 > rise[m]) rise[m] = $8
    if ($7 / $3 > energy[m]) energy[m] = $7 / $3
    if ($12 == "rigid" && $6 / $3 > reaction[m]) reaction[m] = $6 / $3
    if ($12 == "flexible" && $13 > mean[m]) mean[m] = $13
    if ($4 <= 10 * $3) within[m]++
    if ($11 != "good" && $14 == "good") silent[m]++
  }
  END {
    print "method,cells,within,error,worst,rise,energy,reaction,mean,failed,slow,cpu,silent"
    n = split(methods, name, ",")
    for (i = 1; i <= n; i++) {
      m = name[i]
      printf "%s,%d,%.3g,%.3g,%s,%.3g,%.3g,%.3g,%.3g,%d,%d,%.3g,%d\n", m, cells[m], within[m] / cells[m], error[m], at[m], rise[m], energy[m], reaction[m], mean[m], failed[m], slow[m], cpu[m], silent[m]
    }
  }' > "$WORK/table.csv"
