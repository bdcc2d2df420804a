# verification_index.awk - rows of the index of the verification manual, and what they add up to, from its pages (used by ./reproduce).
#
#   awk -f scripts/verification_index.awk PAGE.md...
# Why rows have no verdict, their cells say: not run to the end, audit bad.
#
# A page says its title in its first line, "**Verdict**: A reproduced, B not worse, C claims hold, D differ (F ours, G source, H open, I bound, J unexplained), E without a verdict", and "in N s, on MACHINE (load L), at commit HASH."

function between(text, from, to,    start) {
  start = index(text, from)
  if (!start) return ""
  text = substr(text, start + length(from))
  return substr(text, 1, index(text, to) - 1)
}
# Hours and minutes where seconds are many.
function duration(seconds) {
  if (seconds < 600) return seconds " s"
  if (seconds < 7200) return sprintf("%d min", seconds / 60)
  return sprintf("%d h %d min", seconds / 3600, seconds % 3600 / 60)
}

# The five papers Sinew follows; everything else are benchmarks of the field.
function paper_of(text,    n, i, name) {
  n = split("Bulin Huang Hussein Khude Orzechowski", name, " ")
  for (i = 1; i <= n; i++) if (index(text, name[i])) return name[i]
  return "other benchmarks of the field"
}

FNR == 1 {
  pages++
  file = FILENAME
  sub(/.*\//, "", file)
  name[pages] = file
  title[pages] = substr($0, 3)
}
/^\*\*Verdict\*\*: / && verdict[pages] == "" {
  verdict[pages] = substr($0, 14)
  paper[pages] = paper_of(title[pages])
  if (verdict[pages] !~ / reproduced, /) {
    if (verdict[pages] != "nothing to judge") older++
    next
  }
  split(verdict[pages], word, /[ ,()]+/)
  n = split("reproduced not claims differ without ours source open bound unexplained", key, " ")
  for (k = 1; k <= n; k++)
    for (i = 2; i in word; i++)
      if (word[i] == key[k]) tally[paper[pages], k] += word[i - 1]
}
/ \| not run to the end \| / { stopped[paper[pages]]++ }
/ \| audit bad \| / { bad[paper[pages]]++ }
/at commit .*\.$/ && commit[pages] == "" {
  seconds[pages] = between($0, ") in ", " s, on ") + 0
  machine[pages] = between($0, " s, on ", " (load ")
  commit[pages] = between($0, ", at commit ", ".")
  total += seconds[pages]
  if (!(commit[pages] in seen)) commits++
  seen[commit[pages]] = 1
  if (!(machine[pages] in met)) machines++
  met[machine[pages]] = 1
}

END {
  one = commits == 1 && machines == 1
  print "| source | reproduced | not worse | claim holds | differs | not run to the end | audit bad |\n|---|---|---|---|---|---|---|"
  n = split("Bulin Huang Hussein Khude Orzechowski other benchmarks of the field", name_of, " ")
  name_of[6] = "other benchmarks of the field"
  for (p = 1; p <= 6; p++) {
    printf "| %s |", name_of[p]
    for (k = 1; k <= 10; k++) {
      if (k <= 4) printf " %d |", tally[name_of[p], k]
      sum[k] += tally[name_of[p], k]
    }
    printf " %d | %d |\n", stopped[name_of[p]], bad[name_of[p]]
    not_ended += stopped[name_of[p]]
    not_sound += bad[name_of[p]]
  }
  printf "| all |"
  for (k = 1; k <= 4; k++) printf " %d |", sum[k]
  printf " %d | %d |\n\n", not_ended, not_sound
  if (not_ended + not_sound != sum[5]) print "**" sum[5] " rows without a verdict, " not_ended + not_sound " with a reason.**\n"
  if (sum[4]) {
    print "Of the " sum[4] " rows that differ, the result of Sinew is worse in " sum[6] " (*ours*); the source is wrong or contradicts itself in " sum[7] " (*source*), which a second computation shows; it does not state what decides in " sum[8] " (*open*); and in " sum[9] " there is no published value, and the bound is ours (*bound*). Each page states the reasons row by row."
    print ""
    sorted = sum[6] + sum[7] + sum[8] + sum[9] + sum[10]
    if (sorted < sum[4]) print "**Pages of an older form do not say this of " sum[4] - sorted " rows.**"
    if (sum[10]) print "**" sum[10] " differences are unexplained.**"
  }
  if (older) print "**" older " pages are of an older form, and not counted.**"
  if (one) printf "All pages were made at commit %s on %s", commit[1], machine[1]
  else printf "**The pages were made at %d commits on %d machine%s**: `./reproduce` makes all of them anew. They took", commits, machines, (machines > 1 ? "s" : "")
  printf (one ? ", in %s.\n" : " %s.\n"), duration(total)
  for (p = 1; p <= 6; p++) {
    first = 1
    for (i = 1; i <= pages; i++) {
      if (paper[i] != name_of[p]) continue
      if (first) {
        print "\n## " toupper(substr(name_of[p], 1, 1)) substr(name_of[p], 2) "\n"
        print "| study | verdict | time |" (one ? "" : " commit |")
        print "|---|---|---|" (one ? "" : "---|")
      }
      first = 0
      print "| [" title[i] "](" name[i] ") | " verdict[i] " | " duration(seconds[i]) " |" (one ? "" : " " commit[i] " |")
    }
  }
}
