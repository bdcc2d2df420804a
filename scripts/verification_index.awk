# verification_index.awk - rows of the index of the verification manual, and what they add up to, from its pages (used by ./reproduce).
#
#   awk -f scripts/verification_index.awk PAGE.md...
#
# A page says its title in its first line, "**Verdict**: ... H of J ..." or "differs in D of J", and "in N s, on MACHINE (load L), at commit HASH."

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

FNR == 1 {
  pages++
  file = FILENAME
  sub(/.*\//, "", file)
  name[pages] = file
  title[pages] = substr($0, 3)
}
/^\*\*Verdict\*\*: / && verdict[pages] == "" {
  verdict[pages] = substr($0, 14)
  count = split(verdict[pages], word, /[ ,]+/)
  for (i = 2; i < count; i++)
    if (word[i] == "of") {
      judged += word[i + 1]
      differ += word[1] == "differs" ? word[i - 1] : word[i + 1] - word[i - 1]
      if (word[1] == "differs") differing++
      if (verdict[pages] ~ /unexplained/) unexplained++
    }
}
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
  printf "Of %d numbers that are judged %d agree; %d differ, in %d of %d studies", judged, judged - differ, differ, differing, pages
  print (unexplained ? ", **" unexplained " of these unexplained**." : differ ? ", with reasons given." : ".")
  if (one) printf "All pages were made at commit %s on %s", commit[1], machine[1]
  else printf "**The pages were made at %d commits on %d machine%s**: `./reproduce` makes all of them anew. They took", commits, machines, (machines > 1 ? "s" : "")
  printf (one ? ", in %s.\n\n" : " %s.\n\n"), duration(total)
  print "| study | verdict | time |" (one ? "" : " commit |")
  print "|---|---|---|" (one ? "" : "---|")
  for (i = 1; i <= pages; i++)
    print "| [" title[i] "](" name[i] ") | " verdict[i] " | " duration(seconds[i]) " |" (one ? "" : " " commit[i] " |")
}
