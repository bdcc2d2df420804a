#!/usr/bin/env bash
# The manual as a site: it builds without a warning, is whole without a network, and `sinew docs` finds its way in it.
# Left out where Sphinx, its theme or KaTeX is missing.
set -uo pipefail
# shellcheck source=tests/checks.sh
source "$(dirname "$0")/../checks.sh"

left_out() { echo "$1: left out" && exit 77; }

for module in sphinx myst_parser furo; do
  /usr/bin/python3 -c "import $module" 2> /dev/null || left_out "python3 has no $module (scripts/packages.txt, section site)"
done
command -v node > /dev/null || left_out "node is missing"
[[ -e $root/docs/site/node_modules/katex ]] || (cd "$root/docs/site" && npm ci --no-fund --no-audit --ignore-scripts > /dev/null 2>&1) ||
  left_out "KaTeX cannot be fetched"

# ---- the build: links, equations ----

if "$root/scripts/site.sh" --no-install > build.log 2>&1; then say ok "site builds"; else say no "site builds" "$(tail -n 20 build.log)"; fi
site=$root/build/site
pages() { find "$site" -name '*.html' -print0; }
# absent NAME PATTERN: no page has it
absent() {
  local found
  found=$(pages | xargs -0 grep -lE -- "$2" | head -n 3 | tr '\n' ' ')
  if [[ ! $found ]]; then say ok "$1"; else say no "$1" "$found"; fi
}
absent "equations are set" 'class="tex"|katex-error|<p>\$\$|\\begin\{aligned\}[^<]*\\end\{aligned\}[^<]*</(p|div)>'
has "$site/theory.html" 'class="katex-display"' "theory has equations"
has "$site/theory.html" 'katex.min.css' "theory has the styles of equations"
fonts=$(find "$site/_static/katex/fonts" -name '*.woff2' | wc -l)
((fonts >= 16)) && say ok "fonts of equations" || say no "fonts of equations" "$fonts"

# ---- nothing from outside: resources, not links ----

absent "no outside resources" '(src|poster|data)="(https?:)?//|<link[^>]*(stylesheet|icon|preload)[^>]*href="(https?:)?//|url\((https?:)?//'
outside=$(find "$site/_static" -name '*.css' -exec grep -lE '@import|url\(["'\'']?(https?:|/)' {} + | tr '\n' ' ')
[[ ! $outside ]] && say ok "no outside styles" || say no "no outside styles" "$outside"
# Every file that a page asks for is there.
missing=$(cd "$site" && pages | xargs -0 grep -oHE '(src|poster)="[^"#?:]+' | sed "s|^$site/||" |
  while IFS= read -r line; do
    page=${line%%:*} file=${line#*=\"}
    [[ -e $(dirname "$page")/$file ]] || echo "$page: $file"
  done | sort -u | head -n 3)
[[ ! $missing ]] && say ok "all resources are there" || say no "all resources are there" "$missing"

# ---- search, contents, gallery ----

has "$site/searchindex.js" 'Search.setIndex' "search index"
has "$site/searchindex.js" 'cabl' "search index has words"
for page in start tutorials howto/README reference theory verification/README developers; do
  [[ $page != tutorials || -e $root/docs/tutorials ]] || continue
  [[ $page != tutorials ]] || page=tutorials/README
  has "$site/README.html" "href=\"$page.html\"" "contents: $page"
done
if /usr/bin/python3 "$root/docs/site/gallery.py" | diff "$root/docs/gallery.md" - > diff.log; then
  say ok "gallery is current"
else
  say no "gallery is current" "renew it with: python3 docs/site/gallery.py > docs/gallery.md"
fi

# ---- in a browser: search, equations, phone and desk, no errors, nothing from outside ----

node "$root/web/tests/site.mjs" "$site" > browser.log 2>&1
case $? in
  0) say ok "in Chromium" ;;
  77) echo "no Chromium, or the viewer was not built: the site was not opened" ;;
  *) say no "in Chromium" "$(grep -v '^    at' browser.log | head -n 12)" ;;
esac

# ---- sinew docs ----

export SINEW_DOCS=$site
unset DISPLAY WAYLAND_DISPLAY
exits 0 "docs" "$sinew" docs
has out "file://$site/README.html" "docs: the first page"
exits 0 "docs cable" "$sinew" docs cable
has out "/reference.html#cable" "docs: a kind"
exits 0 "docs Theory" "$sinew" docs Theory
has out "/theory.html" "docs: a page"
exits 0 "docs of any words" "$sinew" docs 'no such word' --no-browser
has out "/search.html?q=no%20such%20word" "docs: a search"
SINEW_DOCS=$work exits 4 "docs without a manual" "$sinew" docs
has err "scripts/site.sh" "docs says how to build it"
awk -F'\t' '{sub(/#.*/, "", $2); print $2}' "$site/words.txt" | sort -u | while read -r page; do
  [[ -e $site/$page ]] || echo "$page"
done > lost
[[ ! -s lost ]] && say ok "words lead to pages" || say no "words lead to pages" "$(head -n 3 lost)"

# ---- a link that leads nowhere, and an equation that cannot be set, are errors ----

mkdir broken
build_broken() { # TEXT: a site of one page
  printf '# Page\n\n%s\n' "$1" > broken/README.md
  sphinx-build -b html -c "$root/docs/site" -d cache -W -q -E broken broken-site > broken.log 2>&1
}
build_broken 'A [link](README.md#page) and $x^2$.' && say ok "a page that is right" || say no "a page that is right" "$(tail -n 3 broken.log)"
build_broken '[link](nowhere.md)' && say no "a broken link is seen" || say ok "a broken link is seen"
build_broken '[link](README.md#nowhere)' && say no "a broken heading is seen" || say ok "a broken heading is seen"
build_broken '$\nosuchcommand{x}$' && say no "a broken equation is seen" || say ok "a broken equation is seen"
exit "$failed"
