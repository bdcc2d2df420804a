# verification.awk - lays the table of a study beside the published values (used by ./reproduce).
#
#   awk -v part=compare [-v quick=1] -f scripts/csv.awk -f scripts/verification.awk TABLES [REASONS.csv] PUBLISHED.csv
#   awk -v part=reasons              -f scripts/csv.awk -f scripts/verification.awk TABLES REASONS.csv PUBLISHED.csv
#   awk -v part=cases                -f scripts/csv.awk -f scripts/verification.awk TABLES
#   awk -v part=remarks              -f scripts/csv.awk -f scripts/verification.awk TABLES REMARKS.md
#   awk -v part=find -v where=CASE   -f scripts/csv.awk -f scripts/verification.awk TABLES
#
# TABLES: table.csv and perhaps times.csv, whose cpu joins the table by the first column; of a study of several sweeps, sweep=NAME before
# those of each, which adds the column `sweep` to the table.
# A row of PUBLISHED.csv:
#   what       said of the row in the page
#   case       NAME=VALUE;NAME=VALUE: the row of the table; numbers are equal when they are the same number
#   against    another row, whose columns are called other_NAME in the formula; may be empty
#   ours       formula of the columns: + - * / ^ ( ) abs sqrt log, or the name of one column (also a word)
#   published  number or word as printed; may be empty where the source makes a claim without a number
#   agrees     rule, see holds(); empty: shown, not judged
#   quick      rule for the reduced study; empty: not looked at there
#   source     paper, table, row
# A row of REASONS.csv says why rows differ:
#   mark       letter that stands behind "differs"
#   rows       regular expression of `what`; the first reason that fits counts
#   whose      ours: our result is worse; source: the source is wrong, or contradicts itself; open: the source does not state what decides;
#              bound: there is no published value, and the bound is ours
#   why        text, with {{CASE | FORMULA}} as in remarks
# compare writes rows of a Markdown table and ends with a line
# "# JUDGED HELD REPRODUCED NOT-WORSE CLAIMS DIFFER NO-VERDICT OURS SOURCE OPEN BOUND UNEXPLAINED". What a row comes to:
#   reproduced    a rule with two sides holds (N%, +-N, xN, a word that was published); with the factor ours/published
#   not worse     a rule with one side holds against the published number
#   claim holds   a bound of its own, or a word where nothing was printed, holds
#   differs       the rule does not hold
#   not run to the end, audit bad   no verdict: a run behind it was stopped, or is bad by its own audit (column audit), unless the row is about just that
# Rows about CPU times state the error beside, by the first of the columns error, energy_error, energy, balance that the table has.
#
# remarks replaces {{CASE | FORMULA}}, {{CASE | AGAINST | FORMULA}} in the text by what the formula comes to, in four digits or as a printf format
# in one more place says: {{n=8 | 100*balance | %.1f}}. find writes the number of a case. Exits 2 when a case or column cannot be found.

function fail(text) {
  print "verification: " text > "/dev/stderr"
  failed = 1
  exit 2
}

function is_number(x) { return x ~ /^[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?$/ }
function abs(x) { x += 0; return x < 0 ? -x : x }
function same(a, b) { return is_number(a) && is_number(b) ? a + 0 == b + 0 : a == b }

# ---- the table ----

FNR == 1 { kind = FILENAME ~ /\.md$/ ? "remarks" : FILENAME ~ /reasons\.csv$/ ? "reasons" : FILENAME ~ /times\.csv$/ ? "times" : FILENAME ~ /table\.csv$/ ? "table" : "published" }
kind == "remarks" {
  if (part == "remarks") print filled($0)
  next
}
kind == "reasons" {
  if (cut($0, field) != 4) fail("four columns are expected: " $0)
  if (FNR == 1) next
  if (field[3] !~ /^(ours|source|open|bound)$/) fail("unknown word " field[3] " in: " $0)
  reasons++
  mark_of[reasons] = field[1]
  rows_of[reasons] = field[2]
  whose_of[reasons] = field[3]
  why_of[reasons] = field[4]
  next
}
FNR == 1 {
  width = cut($0, head)
  for (i = 1; i <= width; i++) gsub(/[^A-Za-z0-9_]/, "_", head[i])
  if (kind == "table" && sweep != "") add_column("sweep")
  for (i = 1; i <= width; i++) if (kind == "table" || (kind == "times" && head[i] == "cpu")) add_column(head[i])
  next
}
kind == "table" {
  cut($0, value)
  rows++
  sweep_of[rows] = sweep
  if (sweep != "") cell[rows, "sweep"] = sweep
  for (i = 1; i <= width; i++) cell[rows, head[i]] = value[i]
  row_of[sweep, value[1]] = rows
}
kind == "times" {
  cut($0, value)
  for (i = 1; i <= width; i++) if (head[i] == "cpu") cell[row_of[sweep, value[1]], "cpu"] = value[i]
}

# Columns in the order of each table.
function add_column(name) {
  known[name] = 1
  column[sweep, ++columns[sweep]] = name
}

function find(where,    n, part, i, r, name, good) {
  n = split(where, part, ";")
  for (r = 1; r <= rows; r++) {
    good = 1
    for (i = 1; i <= n && good; i++) {
      name = substr(part[i], 1, index(part[i], "=") - 1)
      gsub(/[^A-Za-z0-9_]/, "_", name)
      if (!(name in known)) fail("no column " name " for " where)
      good = (r, name) in cell && same(cell[r, name], substr(part[i], index(part[i], "=") + 1))
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
  if ((here, text) in cell && !is_number(cell[here, text]) && cell[here, text] != "") return cell[here, text]
  if (text != "reached" && cell[here, "status"] == "failed") return "failed"
  if ((here, text) in cell && cell[here, text] == "") return "-"
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

# Is the row about how the run ended, or about its audit itself?
function is_audit(text) {
  return text ~ /^(other_)?(class|status|trust|audit|reached|word)$/ || text ~ /(energy|drift|balance|noise|violation|constraint)/
}
# Why there is no verdict; "": there is one.
function no_verdict(text, ours) {
  if (text == "end" && cell[here, "end"] == "stopped") return "not run to the end"
  if (text !~ /^(reached|end)$/ && (cell[here, "end"] ~ /^(stopped|failed)$/ || (there && cell[there, "end"] ~ /^(stopped|failed)$/))) return "not run to the end"
  if (is_audit(text)) return ""
  if (cell[here, "status"] == "failed" || (there && cell[there, "status"] == "failed")) return "not run to the end"
  if (cell[here, "audit"] == "bad" || (there && cell[there, "audit"] == "bad")) return "audit bad"
  return ""
}
# What a rule that holds says.
function achieved(rule, ours, published) {
  if (rule ~ /^[<>]=$/) return "not worse"
  if (rule ~ /^[<>]=/ || (rule ~ /^=/ && published == "")) return "claim holds"
  if (rule ~ /^=/ || !is_number(published) || published == 0) return "reproduced"
  return sprintf("reproduced (factor %.3g)", ours / published)
}
# Speed says nothing without accuracy.
function beside(text,    i, n, name) {
  if (text !~ /cpu/) return ""
  n = split("error energy_error energy balance", name, " ")
  for (i = 1; i <= n; i++)
    if ((here, name[i]) in cell && is_number(cell[here, name[i]]))
      return sprintf(" (%s %.2g%s)", name[i], cell[here, name[i]], there && is_number(cell[there, name[i]]) ? sprintf(", beside %.2g", cell[there, name[i]]) : "")
  return " (error not measured)"
}

# The first reason that fits a row that differs, counted; 0: none.
function reason_for(what,    i) {
  for (i = 1; i <= reasons; i++)
    if (what ~ rows_of[i]) {
      times_of[i]++
      whose[whose_of[i]]++
      return i
    }
  unexplained++
  return 0
}

kind == "published" && (part == "compare" || part == "reasons") {
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
    good = holds(rule, ours, field[5])
    result = quick ? "" : no_verdict(field[4], ours)
    if (result != "") without++
    else {
      judged++
      held += good
      result = good ? achieved(rule, ours, field[5]) : "**differs**"
      if (!good) {
        differ++
        reason = quick ? 0 : reason_for(field[1])
        if (reason) result = result " (" mark_of[reason] ")"
      }
      else if (result ~ /^reproduced/) reproduced++
      else if (result == "not worse") not_worse++
      else claims++
    }
  }
  if (part == "compare") printf "| %s | %s%s | %s | %s | %s | %s |\n", field[1], shown(ours, field[5]), beside(field[4]), field[5], in_words(rule), result, field[8]
}

# ---- remarks ----

function trimmed(text) {
  gsub(/^ +| +$/, "", text)
  return text
}
# What stands between {{ and }}.
function quoted(text,    n, part, format, x) {
  n = split(text, part, "|")
  format = "%.4g"
  if (trimmed(part[n]) ~ /^%/) format = trimmed(part[n--])
  if (n < 2 || n > 3) fail("{{case | formula}} or {{case | against | formula}} is expected: " text)
  here = find(trimmed(part[1]))
  there = n == 3 ? find(trimmed(part[2])) : 0
  if (!here || (n == 3 && !there)) fail("no case for {{" text "}}")
  x = evaluate(trimmed(part[n]))
  return is_number(x) ? sprintf(format, x) : x
}
function filled(line,    out) {
  while (match(line, /\{\{[^}]*(\}[^}]+)*\}\}/)) {
    out = out substr(line, 1, RSTART - 1)
    text = substr(line, RSTART + 2, RLENGTH - 4)
    line = substr(line, RSTART + RLENGTH)
    out = out quoted(text)
  }
  return out line
}

# ---- all cases ----

# A table for each sweep, with the columns that hold something there.
function show_cases(    r, first) {
  for (r = 1; r <= rows; r = first) {
    for (first = r; first <= rows && sweep_of[first] == sweep_of[r]; first++);
    if (r > 1) print ""
    if (sweep_of[r] != "") print "**" sweep_of[r] "**\n"
    show_rows(r, first - 1)
  }
}
function show_rows(from, to,    i, r, name, keep, line, x) {
  for (i = 1; i <= columns[sweep_of[from]]; i++) {
    keep[i] = 0
    name = column[sweep_of[from], i]
    for (r = from; r <= to; r++) if (cell[r, name] != "" && name != "reached" && name != "sweep") keep[i] = 1
  }
  for (r = from - 2; r <= to; r++) {
    line = "|"
    for (i = 1; i <= columns[sweep_of[from]]; i++) {
      if (!keep[i]) continue
      name = column[sweep_of[from], i]
      x = r == from - 2 ? name : r == from - 1 ? "---" : cell[r, name]
      if (is_number(x)) x = sprintf("%.6g", x)
      line = line (r == from - 1 ? x "|" : " " x " |")
    }
    print line
  }
}

END {
  if (failed) exit 2
  if (part == "find") {
    here = find(where)
    if (!here) fail("no case " where)
    print cell[here, "case"]
  }
  if (part == "compare") print "# " judged + 0 " " held + 0 " " reproduced + 0 " " not_worse + 0 " " claims + 0 " " differ + 0 " " without + 0 " " whose["ours"] + 0 " " whose["source"] + 0 " " whose["open"] + 0 " " whose["bound"] + 0 " " unexplained + 0
  if (part == "reasons")
    for (i = 1; i <= reasons; i++)
      if (times_of[i]) printf "| %s | %d | %s | %s |\n", mark_of[i], times_of[i], whose_of[i], filled(why_of[i])
  if (part == "cases") show_cases()
}
