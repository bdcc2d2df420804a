#!/usr/bin/env bash
# The Python package: its classes are those of the schema, it installs, its tests pass, its examples run.
set -euo pipefail
python=/usr/bin/python3
if ! "$python" -c 'import cffi, numpy, setuptools' 2> /dev/null; then
  echo "python3-cffi, python3-numpy or python3-setuptools is missing: left out"
  exit 0
fi
"$SINEW" schema | "$python" python/generate_kinds.py | diff -u python/sinew/kinds.py - ||
  { echo "python/sinew/kinds.py is not current: sinew schema | python3 python/generate_kinds.py > python/sinew/kinds.py" && exit 1; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp -r pyproject.toml setup.py CMakeLists.txt include python "$folder" # the build leaves files in the tree
(cd "$folder" && "$python" -m pip install -q --no-build-isolation --no-deps --no-index --root-user-action ignore --target site .)
export PYTHONPATH=$folder/site
"$python" python/tests/test_sinew.py
for example in python/examples/*.py; do
  "$python" "$example" > "$folder/log" || { cat "$folder/log" && exit 1; }
done
