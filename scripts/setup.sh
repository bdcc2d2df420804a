# shellcheck shell=bash
# setup.sh - packages and builds, shared by quickstart, runtests and .ci/run (sourced, not run).

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
log_dir=$root/build

say() { printf '%s\n' "$*"; }
die() { printf '%s: %s\n' "$(basename "$0")" "$*" >&2; exit 1; }

# Run a command with its output in a log, and show the end of the log if it fails.
quietly() { # LOG COMMAND...
  local log=$log_dir/$1 && shift
  mkdir -p "$log_dir"
  "$@" > "$log" 2>&1 || {
    tail -n 30 "$log" >&2
    die "failed: $* (all of it is in $log)"
  }
}

# ---- packages ----

# The lines of the given sections of packages.txt.
listed_packages() { # SECTION...
  local line section=
  while read -r line; do
    case $line in
      '' | '#'*) ;;
      '['*) section=${line//[][]/} ;;
      *) [[ " $* " != *" $section "* ]] || say "$line" ;;
    esac
  done < "$root/scripts/packages.txt"
}

# Of those, what is not installed (of alternatives the first).
missing_packages() { # SECTION...
  local installed line name found
  installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' | sed -n 's/^installed //p')
  installed=" ${installed//$'\n'/ } "
  while read -r line; do
    found=
    for name in ${line//|/}; do
      [[ $installed != *" $name "* ]] || found=1
      [[ $name != command:* ]] || ! command -v "${name#command:}" > /dev/null || found=1
    done
    [[ $found ]] || say "${line%% *}"
  done < <(listed_packages "$@")
}

as_root() {
  if ((EUID == 0)); then
    "$@"
  else
    sudo "$@"
  fi
}

# Install what is missing, or with install=no tell and stop.
need_packages() { # INSTALL SECTION...
  local install=$1 && shift
  if ! command -v dpkg-query > /dev/null; then
    say "This is not Debian, so packages are not checked. Needed: $(listed_packages "$@" | paste -sd ' ')"
    return
  fi
  local missing
  mapfile -t missing < <(missing_packages "$@")
  ((${#missing[@]})) || return 0
  if [[ $install == no ]]; then
    say "Missing packages: ${missing[*]}"
    say "Install them, as root, with: apt-get install --no-install-recommends ${missing[*]}"
    exit 1
  fi
  ((EUID == 0)) || command -v sudo > /dev/null ||
    die "packages are missing and there is no sudo; as root: apt-get install --no-install-recommends ${missing[*]}"
  say "Installing ${missing[*]}"
  quietly apt-update.log as_root apt-get update
  # --no-remove: never at the price of something that is there.
  quietly apt-install.log as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y --no-install-recommends --no-remove "${missing[@]}"
}

# ---- build ----

# Configure if needed; ninja itself sees changes in the CMake files, but not in the presets.
configure() { # PRESET [again]
  local tree=$root/build/$1
  if [[ ${2-} == again || ! -e $tree/build.ninja || $root/CMakePresets.json -nt $tree/build.ninja ]]; then
    say "Configuring build/$1"
    quietly "configure-$1.log" cmake -S "$root" --preset "$1"
    touch "$tree/build.ninja"
  fi
}

build() { # PRESET [TARGET...]
  local tree=$root/build/$1
  say "Building build/$1"
  shift
  # A first build takes a while, so show progress; --quiet still shows warnings and errors.
  local quiet=(--quiet)
  [[ -e $tree/.ninja_log || ! -t 1 ]] || quiet=()
  NINJA_STATUS='[%f/%t] ' ninja -C "$tree" "${quiet[@]}" "$@" || die "the build in $tree failed; the message is above"
}
