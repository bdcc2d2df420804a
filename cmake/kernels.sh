#!/bin/sh
# kernels.sh SET OBJECT NAMES OBJECTS... - join the objects of the kernels into one, add _SET to the names of their
# functions, and write the names, as KERNEL(name), to the file NAMES. Needs CC, NM, OBJCOPY, OBJDUMP.
set -eu
set=$1 joined=$2 names=$3
shift 3
mkdir -p "$(dirname "$joined")"
"$CC" -r -nostdlib -o "$joined" "$@"
changing=$("$OBJDUMP" -h "$joined" | awk '$2 ~ /^\.(data|bss|tdata|tbss)$/ && $3 !~ /^0+$/ { print $2 }')
if [ -n "$changing" ]; then
  echo "kernels: no data may change, but there is a section $changing; see cmake/kernels.cmake" >&2
  rm -f "$joined"
  exit 1
fi
"$NM" -g --defined-only "$joined" | sort -k 3 > "$joined.names"
awk '$2 == "T" { print "KERNEL(" $3 ")" }' "$joined.names" > "$names"
awk -v set="$set" '{ print $3, $3 "_" set }' "$joined.names" > "$joined.renamed"
"$OBJCOPY" --redefine-syms="$joined.renamed" "$joined"
rm "$joined.names" "$joined.renamed"
