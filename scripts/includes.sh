#!/usr/bin/env bash
# Include graph. Prints the arrows between the folders of src/; fails on an arrow against the order, on a cycle, and when the drawing in
# docs/developers.md is not current. With --update, puts the drawing there.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

page=docs/developers.md
begin='<!-- drawn by scripts/includes.sh -->'
files=(src/*/*.[ch])

awk -v part=check -f scripts/includes.awk "${files[@]}"
drawing=$(mktemp)
trap 'rm -f "$drawing" "$drawing.page"' EXIT
awk -v part=drawing -f scripts/includes.awk "${files[@]}" > "$drawing"

# The page with the lines between the mark and the end of the drawing replaced.
awk -v begin="$begin" -v drawing="$drawing" '
  !inside { print }
  $0 == begin { inside = 1; while ((getline line < drawing) > 0) print line }
  inside && $0 == "```" { inside = 0 }' "$page" > "$drawing.page"

if [[ ${1:-} == --update ]]; then
  cp "$drawing.page" "$page"
elif ! cmp -s "$drawing.page" "$page"; then
  echo "the drawing in $page is not current: scripts/includes.sh --update" >&2
  exit 1
fi
