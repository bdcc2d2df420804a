#!/usr/bin/env bash
# The Python package: its classes are those of the schema, its wheel installs, its tests pass (python/tests: also the examples
# and the programs of docs/python.md).
set -euo pipefail
# shellcheck source=tests/package.sh
source "$(dirname "$0")/../package.sh"
if ! has_python; then
  echo "python3-cffi, python3-numpy, python3-setuptools, python3-wheel or python3-yaml is missing: left out"
  exit 0
fi
"$SINEW" schema | "$python" python/generate_kinds.py | diff -u python/sinew/kinds.py - ||
  { echo "python/sinew/kinds.py is not current: sinew schema | python3 python/generate_kinds.py > python/sinew/kinds.py" && exit 1; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
install_package "$folder"
export PYTHONPATH=$folder/site
"$python" -m unittest discover -s python/tests -v

# An engine that was built anew is linked anew, though the declarations, and with them the source of the extension, are the same.
mkdir "$folder/engine"
cp -r "$SINEW_BUILD/libsinew.a" "$SINEW_BUILD/sinew.pc" "$SINEW_BUILD/include" "$folder/engine"
link() { (cd "$folder" && SINEW_BUILD=$folder/engine "$python" setup.py -q build_ext > "$folder/log" 2>&1) || { cat "$folder/log" && exit 1; }; }
link
extension=$(ls "$folder"/build/lib*/sinew/_engine*.so)
before=$(stat -c %y "$extension")
touch -d "1 minute" "$folder/engine/libsinew.a"
link
[ "$(stat -c %y "$extension")" != "$before" ] || { echo "an engine that is newer than the extension was not linked" && exit 1; }
