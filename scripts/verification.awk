# verification.awk - lays the table of a study beside the published values (used by ./reproduce).
#
#   awk -v part=compare [-v quick=1] -f scripts/verification.awk TABLE.csv [TIMES.csv] PUBLISHED.csv
#   awk -v part=cases                -f scripts/verification.awk TABLE.csv [TIMES.csv]
#
# The first column of tables and times that have the column `case` numbers the cases; cpu and wall join the table by it.
# A row of PUBLISHED.csv:
#   what       said of the row in the page
#   case       NAME=VALUE;NAME=VALUE: the row of the table; numbers are equal when they are the same number
#   against    another row, whose columns are called other_NAME in the formula; may be empty
#   ours       formula of the columns: + - * / ^ ( ) abs sqrt log, or the name of one column (also a word)
#   published  number or word as printed; may be empty where the source makes a claim without a number
#   agrees     rule, see holds(); empty: shown, not judged
#   quick      rule for the reduced study; empty: not looked at there
#   source     paper, table, row
# compare writes rows of a Markdown table and ends with a line "# JUDGED HELD". Exits 2 when a row cannot be found.

function fail(text) {
  print "verification: " text > "/dev/stderr"
  failed = 1
  exit 2
}

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

function is_number(x) { return x ~ /^[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?$/ }
function abs(x) { x += 0; return x < 0 ? -x : x }
function same(a, b) { return is_number(a) && is_number(b) ? a + 0 == b + 0 : a == b }

# ---- the table ----

FNR == 1 {
  file++
  width = cut($0, head)
  kind = head[1] == "what" ? "published" : file == 1 ? "table" : "times"
  for (i = 1; i <= width; i++) {
    gsub(/[^A-Za-z0-9_]/, "_", head[i])
    if (kind == "table" || (kind == "times" && head[i] == "cpu")) column[++columns] = head[i]
  }
  next
}
kind == "table" {
  cut($0, value)
  rows++
  for (i = 1; i <= width; i++) cell[rows, head[i]] = value[i]
  row_of[value[1]] = rows
}
kind == "times" {
  cut($0, value)
  for (i = 1; i <= width; i++) if (head[i] == "cpu") cell[row_of[value[1]], "cpu"] = value[i]
}

function find(where,    n, part, i, r, name, good) {
  n = split(where, part, ";")
  for (r = 1; r <= rows; r++) {
    good = 1
    for (i = 1; i <= n && good; i++) {
      name = substr(part[i], 1, index(part[i], "=") - 1)
      gsub(/[^A-Za-z0-9_]/, "_", name)
      if (!((r, name) in cell)) fail("no column " name " for " where)
      good = same(cell[r, name], substr(part[i], index(part[i], "=") + 1))
    }
    if (good) return r
  }
  return 0
}

# ---- formulas ----

# What the formula begins with at `at`, which moves behind it.
function token(    rest) {
  while (substr(formula, at, 1) == " ") at++
  rest = substr(formula, at)
  if (match(rest, /^([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?/) || match(rest, /^[A-Za-z_][A-Za-z0-9_]*/)) {
    at += RLENGTH
    return substr(rest, 1, RLENGTH)
  }
  at++
  return substr(rest, 1, 1)
}
function next_is(set,    c, was) {
  was = at
  c = token()
  if (c != "" && index(set, c)) return c
  at = was
  return ""
}
function look(name,    r, key) {
  r = here
  key = name
  if (sub(/^other_/, "", key)) r = there
  if (!((r, key) in cell)) fail("no column " name " in the formula " formula)
  if (!is_number(cell[r, key])) undefined = 1
  return cell[r, key] + 0
}
function atom(    t, x) {
  t = token()
  if (t == "-") return -power()
  if (t == "(") {
    x = sum()
    token()
    return x
  }
  if (is_number(t)) return t + 0
  if (t == "abs" || t == "sqrt" || t == "log") {
    token()
    x = sum()
    token()
    return t == "abs" ? abs(x) : t == "sqrt" ? sqrt(x) : log(x)
  }
  return look(t)
}
function power(    x) {
  x = atom()
  return next_is("^") ? x ^ power() : x
}
function product(    x, c, y) {
  x = power()
  while ((c = next_is("*/")) != "") {
    y = power()
    if (c == "/" && y == 0) undefined = 1
    x = c == "*" ? x * y : undefined ? 0 : x / y
  }
  return x
}
function sum(    x, c) {
  x = product()
  while ((c = next_is("+-")) != "") x = c == "+" ? x + product() : x - product()
  return x
}

# Number or word; "-" where the case does not have it, "failed" where it did not reach its end.
function evaluate(text,    x) {
  if ((here, text) in cell && !is_number(cell[here, text])) return cell[here, text] == "" ? "-" : cell[here, text]
  if (text != "reached" && cell[here, "status"] == "failed") return "failed"
  if (there && cell[there, "status"] == "failed") return "failed"
  formula = text
  at = 1
  undefined = 0
  x = sum()
  return undefined ? "-" : x
}

# ---- rules ----

# N%: off by at most N percent of the published number; +-N: by at most N; xN: by at most a factor of N;
# <=N, >=N: a bound, without N the published number, absolute values; =WORD: the word, without it the published one.
function holds(rule, ours, published,    n, bound) {
  if (rule ~ /^=/) return ours == (rule == "=" ? published : substr(rule, 2))
  if (!is_number(ours)) return 0
  if (rule ~ /%$/) return abs(ours - published) <= rule / 100 * abs(published)
  if (rule ~ /^\+-/) return abs(ours - published) <= substr(rule, 3) + 0
  if (rule ~ /^x/) {
    n = substr(rule, 2) + 0
    return ours * published > 0 && abs(ours) <= n * abs(published) && abs(published) <= n * abs(ours)
  }
  if (rule ~ /^[<>]=/) {
    bound = substr(rule, 3) == "" ? abs(published) : substr(rule, 3) + 0
    n = substr(rule, 3) == "" ? abs(ours) : ours
    return rule ~ /^</ ? n <= bound : n >= bound
  }
  fail("unknown rule " rule)
}
function in_words(rule) {
  if (rule == "") return ""
  if (rule == "=") return "same word"
  if (rule ~ /^=/) return substr(rule, 2)
  if (rule ~ /%$/) return "within " rule
  if (rule ~ /^\+-/) return "within " substr(rule, 3)
  if (rule ~ /^x/) return "within a factor of " substr(rule, 2)
  if (rule == "<=") return "not larger"
  if (rule == ">=") return "not smaller"
  return (rule ~ /^</ ? "at most " : "at least ") substr(rule, 3)
}

# One digit more than the source prints, at least four.
function shown(x, published,    digits) {
  if (!is_number(x)) return x
  digits = published
  sub(/[eE].*/, "", digits)
  gsub(/[^0-9]/, "", digits)
  sub(/^0+/, "", digits)
  digits = length(digits) + 1
  return sprintf("%." (digits < 4 ? 4 : digits > 15 ? 15 : digits) "g", x)
}

kind == "published" && part == "compare" {
  n = cut($0, field)
  if (n != 8) fail("eight columns are expected: " $0)
  rule = quick ? field[7] : field[6]
  if (quick && rule == "") next
  here = find(field[2])
  there = field[3] == "" ? 0 : find(field[3])
  if (!here || (field[3] != "" && !there)) fail("no case " field[2] " " field[3])
  ours = evaluate(field[4])
  result = ""
  if (rule != "") {
    judged++
    good = holds(rule, ours, field[5])
    held += good
    result = good ? "yes" : "**no**"
  }
  printf "| %s | %s | %s | %s | %s | %s |\n", field[1], shown(ours, field[5]), field[5], in_words(rule), result, field[8]
}

# ---- all cases ----

function show_cases(    i, r, keep, line) {
  for (i = 1; i <= columns; i++) {
    keep[i] = 0
    for (r = 1; r <= rows; r++) if (cell[r, column[i]] != "" && column[i] != "reached") keep[i] = 1
  }
  for (r = -1; r <= rows; r++) {
    line = "|"
    for (i = 1; i <= columns; i++)
      if (keep[i])
        line = line (r == -1 ? " " column[i] : r == 0 ? "---" : " " (is_number(cell[r, column[i]]) ? sprintf("%.6g", cell[r, column[i]]) : cell[r, column[i]])) (r ? " |" : "|")
    print line
  }
}

END {
  if (failed) exit 2
  if (part == "compare") print "# " judged + 0 " " held + 0
  if (part == "cases") show_cases()
}
