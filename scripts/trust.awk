# trust.awk - verdicts beside errors: the page that scripts/trust.sh prints (with csv.awk).
#
# Points and angles are right when their error is at most ten times the tolerance; other outputs also when it is at most 5 %, the limit of the rules
# for forces. A run is left out when it did not reach its end, or when there is no reference.

FNR == 1 {
  model = FILENAME
  sub(/.*\//, "", model)
  sub(/\.(csv|csv\.part|none)$/, "", model)
}

FILENAME ~ /\.none$/ {
  sub(/^sinew: /, "")
  without[++withouts] = "`" model "`: " $0
  next
}

FNR == 1 {
  columns = cut($0, head)
  for (i = 1; i <= columns; i++) at[head[i]] = i
  next
}

function number(x) {
  return x ~ /nan|inf/ || x == "" ? -1 : x + 0
}

function run_is_out(method) {
  if (cell[at["status"]] != "done") {
    if (cell[at["message"]] ~ /CPU time/) slow++
    else stopped++
    ended[method]++
    return 1
  }
  if (number(cell[at["error"]]) < 0 || cell[at["tolerance"]] + 0 <= 0) {
    unknown++
    return 1
  }
  return 0
}

# The first of them.
function first_reason(text) {
  sub(/^(doubtful|bad): /, "", text)
  sub(/;(doubtful|bad): .*/, "", text)
  sub(/; possible remedy: .*/, "", text)
  return text
}

# A line of a list: the run that is worst of its model and output, and how many there are.
function keep(list, key, text, size) {
  if (!((list, key) in runs)) order[list, ++entries[list]] = key
  runs[list, key]++
  if (runs[list, key] > 1 && size <= worst[list, key]) return
  worst[list, key] = size
  words[list, key] = text
}

function print_list(list,    i, key) {
  print ""
  for (i = 1; i <= entries[list]; i++) {
    key = order[list, i]
    print "- " words[list, key] (runs[list, key] > 1 ? " (the worst of " runs[list, key] ")" : "")
  }
  if (!entries[list]) print "None."
}

{
  cut($0, cell)
  rows++
  method = cell[at["integrator"]]
  if (run_is_out(method)) next
  verdict = cell[at["trust"]]
  tolerance = cell[at["tolerance"]] + 0
  error = number(cell[at["error"]])
  angle = number(cell[at["angle_error"]])
  if (angle > error) error = angle
  output = number(cell[at["output_error"]])
  name = cell[at["output"]]
  right = error <= 10 * tolerance
  judged++
  points[verdict, right]++
  each[method, verdict, right]++
  where = sprintf("`%s`, `%s`, tolerance %g: %.2g", model, method, tolerance, error)
  if (verdict == "good" && !right) keep("wrong", model SUBSEP method SUBSEP tolerance, where ", " sprintf("%.3g tolerances", error / tolerance), error)
  if (verdict != "good" && right) keep("strict", model SUBSEP verdict, where ", " verdict ": " first_reason(cell[at["reasons"]]), -error)
  if (output < 0) next
  compared++
  class = output <= 10 * tolerance ? "within" : output <= 0.05 ? "small" : "beyond"
  outputs[verdict, class]++
  if (verdict == "good" && class == "beyond") keep("off", model SUBSEP name, sprintf("`%s`, `%s`, tolerance %g: `%s` is off by %.2g", model, method, tolerance, name, output), output)
}

function print_head_of_page() {
  print "# Verdicts and errors\n"
  print "Is a run that is called *good* right, and a run that is called *doubtful* or *bad* wrong? Every bundled model that moves in time (but those by complementarity, which has no tolerance) is run with the adaptive integrators and five tolerances from 1e-3 to 1e-7. The verdict of each run is laid beside its error against a run of `radau` with a tolerance of 1e-10. [The verdict](results.md#the-verdict) explains the rules.\n"
  printf "`%s` wrote this page on %s (commit %s, %s, %d s): %d models, %d integrators, %d runs with at most %g s of CPU time each.\n\n", command, date, commit, machine, elapsed, models, split(integrators, unused, " "), planned, seconds
  printf "- %d runs were judged: they reached their end, and there is a reference.\n", judged
  printf "- %d runs exceeded their CPU time, or were left out because a looser tolerance did. %d stopped with another reason.\n", slow, stopped
  printf "- %d runs have no reference.\n", unknown + withouts * planned / models
  printf "- %d runs were not run: the time of the whole was over.\n", planned - rows - withouts * planned / models
}

END {
  split("good doubtful bad", names, " ")
  print_head_of_page()
  print "\n## Points and angles\n\nThe largest error of recorded points, relative to their largest displacement (without any: of all coordinates), and of recorded angles, relative to the largest, at least 1 rad.\n"
  print "| verdict | within 10 tolerances | beyond |\n|---|---|---|"
  for (i = 1; i <= 3; i++) printf "| %s | %d | %d |\n", names[i], points[names[i], 1], points[names[i], 0]
  print "\n## Other outputs\n\nThe largest error of velocities, forces, stresses, strains and expressions, relative to the largest value of each. Accelerations are not part of it. A jump at an event or an impact counts where it falls on an output time.\n"
  print "| verdict | within 10 tolerances | more, but at most 5 % | beyond |\n|---|---|---|---|"
  for (i = 1; i <= 3; i++) printf "| %s | %d | %d | %d |\n", names[i], outputs[names[i], "within"], outputs[names[i], "small"], outputs[names[i], "beyond"]
  print "\n## Integrators\n\nErrors of points and angles: within 10 tolerances, and beyond.\n"
  print "| integrator | good | beyond | doubtful, within | beyond | bad, within | beyond | not to the end |\n|---|---|---|---|---|---|---|---|"
  methods = split(integrators, method_of, " ")
  for (k = 1; k <= methods; k++) {
    printf "| `%s` ", method_of[k]
    for (i = 1; i <= 3; i++) printf "| %d | %d ", each[method_of[k], names[i], 1], each[method_of[k], names[i], 0]
    printf "| %d |\n", ended[method_of[k]]
  }
  print "\n## Good, but points or angles beyond 10 tolerances"
  print_list("wrong")
  print "\n## Good, but another output beyond 10 tolerances and 5 %"
  print_list("off")
  print "\n## Doubtful or bad, but points and angles within 10 tolerances\n\nFor each model and verdict the run with the smallest error, and its first reason. Some of these doubts are about forces or about the mesh, which the errors of points do not show."
  print_list("strict")
  if (withouts) print "\n## No reference\n"
  for (i = 1; i <= withouts; i++) print "- " without[i]
  exit entries["wrong"] > 0
}
