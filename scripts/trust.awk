# trust.awk - verdicts beside errors: the confusion table of scripts/trust.sh (with csv.awk).
#
# A run is right when its error is at most ten times its tolerance. It is left out when it did not run, when there is no reference, or when the reference
# itself is no better than that.

FNR == 1 {
  columns = cut($0, head)
  for (i = 1; i <= columns; i++) at[head[i]] = i
  model = FILENAME
  sub(/.*\//, "", model)
  sub(/\.csv$/, "", model)
  next
}

{
  cut($0, cell)
  if (cell[at["status"]] != "done") {
    stopped++
    next
  }
  error = cell[at["error"]]
  tolerance = cell[at["tolerance"]]
  verdict = cell[at["trust"]]
  if (error ~ /nan/ || tolerance + 0 <= 0) {
    unknown++
    next
  }
  right = error + 0 <= 10 * tolerance
  count[verdict, right]++
  if (verdict == "good" && !right) {
    print "good, but off: " model ", " cell[at["integrator"]] ", tolerance " tolerance ": error " error ", energy " cell[at["energy_error"]]
    wrong++
  }
  if (verdict == "bad" && right) print "bad, but right: " model ", " cell[at["integrator"]] ", tolerance " tolerance ": error " error ": " cell[at["reasons"]]
}

END {
  print "\n| verdict | error at most 10 tolerances | more |\n|---|---|---|"
  split("good doubtful bad", names, " ")
  for (i = 1; i <= 3; i++) printf "| %s | %d | %d |\n", names[i], count[names[i], 1], count[names[i], 0]
  printf "\n%d runs stopped with a reason; %d have no reference.\n", stopped, unknown
  exit wrong > 0
}
