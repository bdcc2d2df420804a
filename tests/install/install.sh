#!/usr/bin/env bash
# Install into a temporary prefix, then build and run ten_lines.c against it in every documented way.
# Environment: SINEW_BUILD, the build tree.
set -euo pipefail
source=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix=$work/prefix
failed=0

fail() { echo "FAILED: $*"; failed=1; }

cmake --install "$SINEW_BUILD" --prefix "$prefix" > "$work/install.log" || { cat "$work/install.log"; exit 1; }

for file in bin/sinew include/sinew/sinew.h include/sinew/version.h share/man/man1/sinew.1 \
  share/sinew/models/pendulum.yaml share/bash-completion/completions/sinew share/zsh/site-functions/_sinew \
  share/fish/vendor_completions.d/sinew.fish; do
  [[ -s $prefix/$file ]] || fail "$file is missing or empty"
done
"$prefix/bin/sinew" --version || fail "the installed program does not run"

# The viewer is part of the program: a report needs no other file.
"$prefix/bin/sinew" run -q "$prefix/share/sinew/models/simple-pendulum.yaml" --until 0.1 -o "$work/p.h5" || fail "sinew run"
if "$prefix/bin/sinew" report "$work/p.h5" -o "$work/p.html" 2> "$work/report.log"; then
  grep -q 'id="sinew-data"' "$work/p.html" || fail "the report has no data"
else
  grep -q 'was built without its viewer' "$work/report.log" || fail "sinew report: $(cat "$work/report.log")"
fi

# All but the interface stays hidden.
library=$(find "$prefix" -name libsinew.so)
strangers=$(nm -D --defined-only "$library" | awk '{ print $3 }' | grep -v '^sn_' | grep -v '^SINEW_' || true)
[[ -z $strangers ]] || fail "libsinew.so exports $strangers"

# Every function of the headers is there, with the version that brought it; and no other.
declared=$(sed 's|/\*.*\*/||' "$prefix"/include/sinew/*.h | tr '\n' ' ' | grep -oE 'SN_API [^(;]*\(' | grep -oE 'sn_[a-z_]+\($' | tr -d '(' | sort -u)
exported=$(nm -D --defined-only "$library" | awk '$2 == "T" && $3 ~ /@@?SINEW_/ { sub(/@.*/, "", $3); print $3 }' | sort -u)
[[ $declared == "$exported" ]] || fail "headers and libsinew.so differ: $(diff <(echo "$declared") <(echo "$exported"))"
readelf -d "$library" | grep -q 'SONAME.*libsinew.so.0' || fail "SONAME"

# Every header compiles alone, in C and in C++.
for header in "$prefix"/include/sinew/*.h; do
  printf "#include <sinew/%s>\nint main(void) { return 0; }\n" "$(basename "$header")" > "$work/alone.c"
  "${CC:-cc}" -std=c11 -Wall -Wextra -Wpedantic -Werror -I"$prefix/include" -fsyntax-only "$work/alone.c" || fail "$header in C"
  if command -v "${CXX:-c++}" > /dev/null; then
    "${CXX:-c++}" -x c++ -std=c++17 -Wall -Wextra -Wpedantic -Werror -I"$prefix/include" -fsyntax-only "$work/alone.c" || fail "$header in C++"
  fi
done

PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name sinew.pc)")
export PKG_CONFIG_PATH
cc=${CC:-cc}
read -ra shared <<< "$(pkg-config --cflags --libs sinew)"
# With both libraries in one directory the linker takes the shared one; naming the archive settles it.
read -ra static <<< "$(pkg-config --static --cflags --libs sinew | sed 's/-lsinew\b/-l:libsinew.a/')"
"$cc" "$source/ten_lines.c" -o "$work/pc_shared" "${shared[@]}" || fail "pkg-config"
"$cc" "$source/ten_lines.c" -o "$work/pc_static" "${static[@]}" || fail "pkg-config --static"
outside() { cmake -G Ninja -S "$source" -B "$work" -DCMAKE_PREFIX_PATH="$prefix" && cmake --build "$work"; }
if ! outside &> "$work/cmake.log"; then
  cat "$work/cmake.log"
  fail "find_package(Sinew)"
fi

model=$prefix/share/sinew/models/pendulum.yaml
for program in pc_shared pc_static cmake_shared cmake_static; do
  echo "$program:"
  LD_LIBRARY_PATH=$(dirname "$library") "$work/$program" "$model" || fail "$program does not run"
  linked=$(readelf -d "$work/$program" | grep -c libsinew.so || true)
  [[ $program == *shared ]] && expected=1 || expected=0
  [[ $linked == "$expected" ]] || fail "$program has the wrong library"
done
LD_LIBRARY_PATH=$(dirname "$library") bash "$source/guide.sh" "$source/../../docs/c.md" "${shared[@]}" || fail "docs/c.md"
exit "$failed"
