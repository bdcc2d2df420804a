#!/bin/bash
# run.sh - Sinew beside other engines: the same problems, CPU time with the error of each result.
#
#   bench/peers/run.sh [--no-install] [--rounds N] [--limit S] [CASE...]
#
# Cases (default: all):
#   chain10, chain100  chain of rigid rods on spherical joints, released from the horizontal, to 1 s: at equal step, and
#                      at equal accuracy (largest step or tolerance with a tip error below 1e-3 m and below 2e-5 m)
#   fourbar            four-bar linkage driven by a motor on its crank, to 1 s: as the chains, with the gap of the joint
#                      that closes the loop
#   spheres27,         27, 125 and 1,000 rigid spheres at rest in a box: time per step, penetration, speeds that remain;
#   spheres125,        DART and Simbody, which would take minutes for more, with 27 alone
#   spheres
#
#   --no-install       use the engines that are installed; by default Debian's packages are installed (apt-get, as root)
#   --rounds N         rounds of interleaved timed runs (default 5)
#   --limit S          CPU time of one run that the search for equal accuracy does not exceed [s] (default 5)
#
# Engines: MuJoCo, Bullet, ODE, Simbody, DART as Debian packages them; what is not available is named and skipped.
# exudyn_chain.py and chrono_chain.py run the chain in Exudyn and Chrono where those are installed; they are separate.
# Sinew is built in build/release, the drivers in build/peers. Nothing of this is part of Sinew or its tests.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
build=$root/build/peers
install=1
arguments=()
while (($#)); do
  case $1 in
    -h | --help) sed -n '2,24s/^# \{0,1\}//p' "$0"; exit 0 ;;
    --no-install) install= ;;
    --rounds | --limit)
      (($# > 1)) || { echo "$1 needs a number" >&2; exit 2; }
      arguments+=("$1" "$2"); shift ;;
    chain10 | chain100 | fourbar | spheres27 | spheres125 | spheres) arguments+=("$1") ;;
    *) echo "unknown argument '$1': see --help" >&2; exit 2 ;;
  esac
  shift
done

# ---- packages: engine, and what its driver needs ----
declare -A packages=(
  [mujoco]="libmujoco-dev" [bullet]="libbullet-dev" [ode]="libode-dev" [simbody]="libsimbody-dev"
  [dart]="libdart-dev libdart-external-ikfast-dev libdart-external-odelcpsolver-dev"
)
engines=(mujoco bullet ode simbody dart)

installed() {
  local package
  for package in ${packages[$1]}; do
    [[ $(dpkg-query -W -f '${Status}' "$package" 2> /dev/null) == *" installed" ]] || return 1
  done
}

for engine in "${engines[@]}"; do
  if [[ -n $install ]] && ! installed "$engine"; then
    echo "installing ${packages[$engine]}"
    # shellcheck disable=SC2086
    apt-get install -y -q --no-install-recommends ${packages[$engine]} > /dev/null ||
      echo "$engine: ${packages[$engine]} cannot be installed" >&2
  fi
done

# ---- drivers ----
mkdir -p "$build"
rm -f "$build"/{mujoco,bullet,ode,simbody,dart} # none of an earlier run is left where the engine is missing now

flags() { pkg-config "$@" | sed 's/-I/-isystem /g; s/-std=[^ ]*//g'; } # no warnings of their headers, our standard

compile() {
  local engine=$1 c=(cc -std=c17 -O3) cxx=(c++ -std=c++17 -O3)
  # shellcheck disable=SC2046
  case $engine in
    mujoco) "${c[@]}" "$here/mujoco.c" -o "$build/mujoco" -lmujoco -lm ;;
    ode) "${c[@]}" "$here/ode.c" -o "$build/ode" $(flags --cflags --libs ode) -lm ;;
    bullet) "${cxx[@]}" "$here/bullet.cpp" -o "$build/bullet" $(flags --cflags --libs bullet) ;;
    simbody) "${cxx[@]}" "$here/simbody.cpp" -o "$build/simbody" -isystem /usr/include/simbody \
      -lSimTKsimbody -lSimTKmath -lSimTKcommon ;;
    dart) "${cxx[@]}" "$here/dart.cpp" -o "$build/dart" $(flags --cflags dart) -ldart -lassimp ;;
  esac
}

for engine in "${engines[@]}"; do
  if ! installed "$engine"; then
    echo "$engine is not installed (${packages[$engine]}): skipped"
  elif ! compile "$engine" 2> "$build/$engine.log"; then
    echo "$engine: its driver cannot be compiled ($build/$engine.log): skipped"
  fi
done

[[ -f $root/build/release/build.ninja ]] || (cd "$root" && cmake --preset release > "$build/cmake.log")
ninja -C "$root/build/release" --quiet peers_sinew sinew
cp "$root/build/release/bench/peers_sinew" "$build/sinew"

for engine in "${engines[@]}"; do
  [[ -x $build/$engine ]] && dpkg-query -W -f '${Package} ${Version}\n' "${packages[$engine]%% *}"
done > "$build/versions"
{
  "$root/build/release/sinew" --version | head -1
  git -C "$root" describe --always --dirty 2> /dev/null || true
} | paste -sd ' ' >> "$build/versions"
exec python3 "$here/measure.py" "$build" "${arguments[@]}"
