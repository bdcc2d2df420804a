#!/usr/bin/env bash
# The manual as a site, in build/site: the pages of docs/ by Sphinx, equations by KaTeX.
set -euo pipefail
# shellcheck source=scripts/setup.sh
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

usage() {
  cat << 'END'
Usage: scripts/site.sh [--no-install] [--gallery]

Build the manual from docs/ into build/site; open it with 'sinew docs'. Pages that have not changed are not made
again. A link that leads nowhere, or an equation that cannot be set, is an error.

  --no-install   install nothing; if something is missing, say what and stop
  --gallery      first make films of the bundled models whose files have changed (minutes)
  --help         this text
END
}

install=yes gallery=
for argument; do
  case $argument in
    --no-install) install=no ;;
    --gallery) gallery=1 ;;
    -h | --help) usage && exit ;;
    *) usage >&2 && die "unknown argument: $argument" ;;
  esac
done

need_packages "$install" site
cd "$root"
[[ ! $gallery ]] || scripts/gallery.sh
if [[ ! -e docs/site/node_modules/.package-lock.json || docs/site/package-lock.json -nt docs/site/node_modules/.package-lock.json ]]; then
  (cd docs/site && quietly site-npm.log npm ci --no-fund --no-audit --ignore-scripts)
fi
# After an error everything is made again: pages that were read would not be checked a second time.
sphinx-build -b html -c docs/site -d build/site.cache -W --keep-going -q docs build/site ||
  { rm -rf build/site.cache && die "the manual has errors, see above"; }
say "The manual is in build/site; open it with 'sinew docs'."
