# shellcheck shell=bash
# package.sh - the Python package for tests (sourced): has_python, install_package FOLDER. Wants SINEW_BUILD, the build tree.
# They run in the source directory.
python=/usr/bin/python3

has_python() { "$python" -c 'import cffi, numpy, setuptools, wheel, yaml' 2> /dev/null; }

# install_package FOLDER: builds the wheel of a copy in FOLDER, as the build leaves files in the tree, and installs it into FOLDER/site.
install_package() {
  local folder=$1 pip=("$python" -m pip --disable-pip-version-check -q)
  cp -r pyproject.toml setup.py CMakeLists.txt include python "$folder"
  rm -f "$folder"/python/sinew/_engine.*.so
  (cd "$folder" && "${pip[@]}" wheel --no-build-isolation --no-deps --no-index .)
  "${pip[@]}" install --no-deps --no-index --root-user-action ignore --target "$folder/site" "$folder"/sinew-*.whl
}
