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
