# csv.awk - reading CSV, for other awk programs: awk -f scripts/csv.awk -f PROGRAM.awk

# Fields of a line of CSV; quotes may hold commas and doubled quotes.
function cut(line, out,    n, i, c, field, quoted) {
  n = 0
  field = ""
  quoted = 0
  sub(/\r$/, "", line)
  for (i = 1; i <= length(line); i++) {
    c = substr(line, i, 1)
    if (quoted && c == "\"" && substr(line, i + 1, 1) == "\"") {
      field = field c
      i++
    } else if (c == "\"") quoted = !quoted
    else if (c == "," && !quoted) {
      out[++n] = field
      field = ""
    } else field = field c
  }
  out[++n] = field
  return n
}
