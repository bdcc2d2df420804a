#!/usr/bin/env bash
# The Python package: its classes are those of the schema, its wheel installs, its tests pass (python/tests: also the examples
# and the programs of docs/python.md).
set -euo pipefail
python=/usr/bin/python3
if ! "$python" -c 'import cffi, numpy, setuptools, wheel, yaml' 2> /dev/null; then
  echo "python3-cffi, python3-numpy, python3-setuptools, python3-wheel or python3-yaml is missing: left out"
  exit 0
fi
"$SINEW" schema | "$python" python/generate_kinds.py | diff -u python/sinew/kinds.py - ||
  { echo "python/sinew/kinds.py is not current: sinew schema | python3 python/generate_kinds.py > python/sinew/kinds.py" && exit 1; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp -r pyproject.toml setup.py CMakeLists.txt include python "$folder" # the build leaves files in the tree
rm -f "$folder"/python/sinew/_engine.*.so
pip=("$python" -m pip --disable-pip-version-check -q)
(cd "$folder" && "${pip[@]}" wheel --no-build-isolation --no-deps --no-index .)
"${pip[@]}" install --no-deps --no-index --root-user-action ignore --target "$folder/site" "$folder"/sinew-*.whl
export PYTHONPATH=$folder/site
"$python" -m unittest discover -s python/tests -v
