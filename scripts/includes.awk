# includes.awk - who includes whom, of the files given (used by scripts/includes.sh).
#
#   awk -v part=check   -f scripts/includes.awk src/*/*.[ch]    arrows between rooms; ends with 1 if one is against the order
#   awk -v part=drawing -f scripts/includes.awk src/*/*.[ch]    the graph of the rooms in Mermaid
#
# A file may include files of its own room and of rooms before it in the order, `|` between the tiers. Rooms of one tier may know each other
# as long as no cycle comes of it.
#
# The program (cli, view) is written on the public interface: of other rooms it may include the tools below alone, which hold nothing of
# a model, a simulation or a result; and of base.h nothing of contexts, whose public functions are in sinew/message.h.
BEGIN {
  split("base/base.h base/memory.h base/temporary.h base/whole_file.h base/utf8.h", tool_list, " ")
  for (i in tool_list) tool[tool_list[i]] = 1
  order = "base math | sparse | model | body joint force control contact output | system | integrator | analysis | result | run study | kinds | view | cli"
  words = split(order, word, " ")
  tiers = 0
  for (i = 1; i <= words; i++)
    if (word[i] == "|") tiers++
    else { tier[word[i]] = tiers; room[++rooms] = word[i] }
}

function room_of(path) { return substr(path, 1, index(path, "/") - 1) }

FNR == 1 { file = FILENAME; sub(/^(.*\/)?src\//, "", file); files[++count] = file }

/^[ \t]*#[ \t]*include[ \t]*"/ {
  split($0, part_of, "\"")
  other = part_of[2]
  if (other ~ /^sinew\// || other !~ /\//) next # the public interface
  included[file] = included[file] " " other
  from = room_of(file); to = room_of(other)
  if (!(from in tier)) wrong(file ":" FNR ": room '" from "' has no place in the order of scripts/includes.awk")
  if (!(to in tier)) wrong(file ":" FNR ": " other " is in no room of the order of scripts/includes.awk")
  if (from == to) next
  if ((from == "cli" || from == "view") && to != "view" && !(other in tool))
    wrong(file ":" FNR ": " from " must not include " other ": it is written on the public interface (sinew/) and the tools of scripts/includes.awk")
  arrow[from, to]++
  if (tier[to] > tier[from]) wrong(file ":" FNR ": " from " must not include " other ": " to " stands above it")
}

/sn_fail\(|sn_append\(|context->[a-z]/ {
  if ((room_of(file) == "cli" || room_of(file) == "view"))
    wrong(file ":" FNR ": " room_of(file) " must not look into a context: sinew/message.h has functions")
}

function wrong(text) { print text > "/dev/stderr"; failed = 1 }

# ---- cycles: depth first; state 1: on the way, 2: done ----

function visit_file(name,   list, n, i) {
  state[name] = 1; path[++depth] = name
  n = split(included[name], list, " ")
  for (i = 1; i <= n; i++) {
    if (state[list[i]] == 1) cycle(list[i])
    else if (!state[list[i]]) visit_file(list[i])
  }
  state[name] = 2; depth--
}
function visit_room(name,   i) {
  state[name] = 1; path[++depth] = name
  for (i = 1; i <= rooms; i++) {
    if (!((name, room[i]) in arrow)) continue
    if (state[room[i]] == 1) cycle(room[i])
    else if (!state[room[i]]) visit_room(room[i])
  }
  state[name] = 2; depth--
}
function cycle(name,   i, text) {
  for (i = depth; path[i] != name; i--) text = " -> " path[i] text
  wrong("a cycle: " name text " -> " name)
}

# ---- the graph ----

# Is there a way from a to b by other rooms? Then the drawing needs no arrow.
function reaches(a, b, direct,   i) {
  if (a == b) return 1
  for (i = 1; i <= rooms; i++)
    if (((a, room[i]) in arrow) && !(direct && room[i] == b) && reaches(room[i], b, 0)) return 1
  return 0
}
function print_arrows(   i, k, line) {
  for (i = 1; i <= rooms; i++) {
    line = ""
    for (k = 1; k <= rooms; k++)
      if ((room[i], room[k]) in arrow) line = line " " room[k] "(" arrow[room[i], room[k]] ")"
    printf "%-12s ->%s\n", room[i], line == "" ? " nothing" : line
  }
}
function print_drawing(   i, k) {
  print "```mermaid"
  print "flowchart TD"
  for (i = rooms; i >= 1; i--)
    for (k = rooms; k >= 1; k--)
      if (((room[i], room[k]) in arrow) && !reaches(room[i], room[k], 1)) print "  " room[i] " --> " room[k]
  print "```"
}

END {
  for (i = 1; i <= count; i++) if (!state[files[i]]) visit_file(files[i])
  for (i = 1; i <= rooms; i++) if (!state[room[i]]) visit_room(room[i])
  if (part == "check") print_arrows()
  if (part == "drawing" && !failed) print_drawing()
  exit failed
}
