# Rows PROBLEM,COMPARE... (the columns of `sinew compare -o`) to a table with, for each run, the method that is fastest at the same error:
# the least CPU time of a run with an error that is not larger, or on the line between two runs of a method with tolerances that follow each
# other, logarithms of both; auto itself where no other run is as exact. Runs that are repeated count with their least time. Fixed steps are a world of their own: there is no best. Two rows
# more sum up what auto takes over the best with tolerances down to 1e-8: the geometric mean, and the largest.

# {type: NAME} is NAME; {type: NAME, scheme: WORD} is NAME WORD.
function short(method) {
  gsub(/[{}]|type: |scheme: |, bounds: step/, "", method)
  gsub(/,/, "", method)
  return method
}

{
  cut($0, f)
  method = short(f[2])
  key = f[1] "," method "," f[3] "," f[4]
  if (!(key in cpu)) {
    order[++rows] = key
    problem[key] = f[1]
    of[key] = method
    fixed[key] = f[3] > 0
    tolerance[key] = f[4] + 0
    error[key] = f[5] + 0
    energy[key] = f[6] + 0
    noise[key] = f[10] == "nan" ? "" : sprintf("%.2g", f[10])
    steps[key] = f[11]
    rejections[key] = f[12]
    status[key] = f[17]
    cpu[key] = f[15] + 0
  } else if (f[15] + 0 < cpu[key]) cpu[key] = f[15] + 0
}

function usable(key) { return status[key] == "done" && error[key] > 0 }

# Least time for the error e; names the method in `who`.
function least(where, e,    i, key, last, c, best) {
  best = -1
  who = ""
  last = ""
  for (i = 1; i <= rows; i++) {
    key = order[i]
    if (problem[key] != where || fixed[key] || of[key] == "auto") continue
    if (!usable(key)) {
      last = ""
      continue
    }
    c = -1
    if (error[key] <= e) c = cpu[key]
    if (last != "" && of[last] == of[key] && error[last] > e && error[key] < e) {
      c = exp(log(cpu[last]) + (log(cpu[key]) - log(cpu[last])) * log(error[last] / e) / log(error[last] / error[key]))
      if (cpu[key] < c) c = cpu[key]
    }
    if (c >= 0 && (best < 0 || c < best)) {
      best = c
      who = of[key]
    }
    last = key
  }
  return best
}

END {
  print "problem,method,step,tolerance,status,error,energy,noise,steps,rejections,cpu_ms,best,best_ms,over_best"
  for (i = 1; i <= rows; i++) {
    key = order[i]
    printf "%s,%s,", key, status[key]
    if (status[key] == "done") printf "%.3g,%.3g,%s,", error[key], energy[key], noise[key]
    else printf ",,,"
    printf "%d,%d,%.4g,", steps[key], rejections[key], 1000 * cpu[key]
    time = fixed[key] || !usable(key) ? -1 : least(problem[key], error[key] * 1.000001)
    if (time > 0) printf "%s,%.4g,%.3g\n", who, 1000 * time, cpu[key] / time
    else if (of[key] == "auto" && usable(key)) printf "auto,%.4g,1\n", 1000 * cpu[key] # no other run is as exact
    else print ",,"
    if (time > 0 && of[key] == "auto" && tolerance[key] > 0.9e-8) {
      runs++
      logarithms += log(cpu[key] / time)
      if (cpu[key] / time > largest) largest = cpu[key] / time
    }
  }
  printf "all,auto: mean,0,,done,,,,,,,,,%.3g\n", exp(logarithms / runs)
  printf "all,auto: largest,0,,done,,,,,,,,,%.3g\n", largest
}
