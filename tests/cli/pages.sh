#!/usr/bin/env bash
# The pages of the manual run as printed and print what they state (scripts/run_pages.py); and the comparison sees what is wrong.
# Arguments: pages instead of all. Environment: SINEW, the program; SINEW_BUILD, the build tree.
set -uo pipefail
# shellcheck source=tests/package.sh
source "$(dirname "$0")/../package.sh"
cd "$(dirname "$0")/../.." || exit 1
if ! [[ -x $python ]]; then
  echo "python3 is missing: left out"
  exit 0
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0

say() { # say RESULT NAME
  if [[ $1 == ok ]]; then echo "ok    $2"; else echo "FAIL  $2" && failed=1; fi
}

# ---- the comparison: pages that are right, and wrong ones ----

page() { sed 's/^| \?//' > "$folder/page.md"; } # lines after '|', so that they may begin with anything
runs() { "$python" scripts/run_pages.py "$@" "$folder/page.md" > "$folder/out" 2>&1; }
right() { if page && runs; then say ok "page: $1"; else say no "page: $1: $(cat "$folder/out")"; fi; }
wrong() { # wrong NAME LINE TEXT: the page on the input fails in that line, and says the text
  page
  if runs; then
    say no "page: $1 is not seen"
  elif grep -q "page.md:$2: " "$folder/out" && grep -qF -- "$3" "$folder/out"; then
    say ok "page: $1"
  else
    say no "page: $1: $(cat "$folder/out")"
  fi
}

right "all that a page may contain" << 'EOF_PAGE'
| <!-- file: a.txt -->
| ```text
| one 1
| two 2
| three 3
| ```
| <!-- change: a.txt -->
| ```diff
|  one 1
| -two 2
| +two 2.0001
| @@
| +more
|  three 3
| ```
| Some text.
| ```console
| $ cat a.txt
| one 1
| two 2.001
| ...
| three 3.0
| $ echo "it took 0.12 s (12 %)" \
|     and more
| it took ... s (... %) and more
| $ echo within a word, or two
| within a word...
| $ true
| ```
| <!-- tolerance: 0.1 -->
| <!-- exit: 3 -->
| ```console
| $ printf 'about 10,\n1e-14\n'; exit 3
| about 10.5,
| 0
| ```
| <!-- not run: only shown -->
| ```yaml
| a: 1
| ```
EOF_PAGE
wrong "a wrong number" 3 "got:" << 'EOF_PAGE'
| ```console
| $ echo length 1.002
| length 1
| ```
EOF_PAGE
wrong "a wrong word" 4 "expected: b" << 'EOF_PAGE'
| ```console
| $ printf 'a\nc\n'
| a
| b
| ```
EOF_PAGE
wrong "a line too many" 4 "no more lines" << 'EOF_PAGE'
| ```console
| $ printf 'a\nb\n'
| a
| ```
EOF_PAGE
wrong "a line that is missing" 5 "expected: b" << 'EOF_PAGE'
| ```console
| $ printf 'a\n'
| a
| ...
| b
| ```
EOF_PAGE
wrong "an exit code" 2 "exit code 1, not 0" << 'EOF_PAGE'
| ```console
| $ false | cat
| ```
EOF_PAGE
wrong "an exit code of the page" 3 "exit code 0, not 2" << 'EOF_PAGE'
| <!-- exit: 2 -->
| ```console
| $ true
| ```
EOF_PAGE
wrong "a change of lines that occur twice" 7 "occur 2 times" << 'EOF_PAGE'
| <!-- file: a -->
| ```text
| a
| a
| ```
| <!-- change: a -->
| ```diff
| -a
| +b
| ```
EOF_PAGE
wrong "a block that is nothing" 1 "no file, no change" << 'EOF_PAGE'
| ```yaml
| a: 1
| ```
EOF_PAGE
wrong "a picture that is missing" 2 "there is no picture" << 'EOF_PAGE'
| <!-- picture: sinew render a.h5 -o a.png -->
| ![a](pictures/a.png)
EOF_PAGE
page << 'EOF_PAGE'
| ```console
| $ printf 'took 3 s\nlength 2\n'
| took ... s
| length 1
| ```
EOF_PAGE
if runs --update && runs && grep -q 'took ... s' "$folder/page.md" && grep -q 'length 2$' "$folder/page.md"; then
  say ok "page: --update"
else
  say no "page: --update: $(cat "$folder/page.md")"
fi

# ---- the pages; those in Python have the package, those in C the installed library ----

pages=("$@")
if ((${#pages[@]} == 0)); then mapfile -t pages < <(ls docs/start.md docs/tutorials/*.md docs/howto/*.md 2> /dev/null); fi
if grep -qE '^\$ .*python3' "${pages[@]}"; then
  if has_python; then
    mkdir "$folder/package"
    install_package "$folder/package" || exit 1
    export PYTHONPATH=$folder/package/site
  else
    echo "python3-cffi, python3-numpy, python3-setuptools, python3-wheel or python3-yaml is missing: pages with Python are left out"
    mapfile -t pages < <(grep -LE '^\$ .*python3' "${pages[@]}")
  fi
fi
if grep -qE 'import.* scipy|from scipy' "${pages[@]}" && ! "$python" -c 'import matplotlib, scipy' 2> /dev/null; then
  echo "python3-scipy or python3-matplotlib is missing: pages that fit data are left out"
  mapfile -t pages < <(grep -LE 'import.* scipy|from scipy' "${pages[@]}")
fi
if grep -qE '^\$ .*pkg-config' "${pages[@]}"; then
  cmake --install "$SINEW_BUILD" --prefix "$folder/prefix" > "$folder/out" || { cat "$folder/out" && exit 1; }
  PKG_CONFIG_PATH=$(dirname "$(find "$folder/prefix" -name sinew.pc)")
  LD_LIBRARY_PATH=$(dirname "$(find "$folder/prefix" -name libsinew.so)")
  export PKG_CONFIG_PATH LD_LIBRARY_PATH
fi
"$python" scripts/run_pages.py "${pages[@]}" || failed=1
exit "$failed"
