#!/usr/bin/env bash
# sysroot.sh FOLDER - the Debian packages that Sinew is built on, for arm64, unpacked in a folder.
#
# Nothing on this machine is changed: apt works on a state of its own, and packages are unpacked, not installed.
# (Multiarch installation does not do: the arm64 packages of HDF5 and SUNDIALS exclude those of this machine.)
set -euo pipefail
# shellcheck source=scripts/setup.sh
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

sysroot=$(mkdir -p "$1" && cd "$1" && pwd)
[[ ! -e $sysroot/done ]] || exit 0
mkdir -p "$sysroot"/state/lists/partial "$sysroot"/cache/archives/partial
: > "$sysroot/state/status"

apt_arm64() {
  apt-get -q -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o APT::Sandbox::User= \
    -o Dir::State="$sysroot/state" -o Dir::State::status="$sysroot/state/status" -o Dir::Cache="$sysroot/cache" \
    -o Debug::NoLocking=1 "$@"
}

# The first of the alternatives of each line that this release of Debian has.
offered() { # SECTION
  local line name
  while read -r line; do
    for name in ${line//|/}; do
      if [[ $(apt-cache policy "$name" 2> /dev/null) == *Candidate:* ]]; then
        say "$name"
        break
      fi
    done
  done < <(listed_packages "$1")
}

apt_arm64 update
mapfile -t libraries < <(offered arm64)
mapfile -t headers < <(offered arm64-headers)
apt_arm64 install -y --download-only --no-install-recommends "${libraries[@]}"
(cd "$sysroot/cache/archives" && apt_arm64 download "${headers[@]}")
for package in "$sysroot"/cache/archives/*.deb; do
  dpkg-deb --extract "$package" "$sysroot"
done
# Links to /lib are meant within the folder: the linker would follow them to this machine, and take archives instead.
find "$sysroot" -lname '/*' -print0 | while IFS= read -r -d '' link; do
  ln -sfn "$sysroot$(readlink "$link")" "$link"
done
# The links that installation would make, since these are alternatives.
cd "$sysroot/usr/lib/aarch64-linux-gnu"
ln -s lapack/liblapack.* blas/libblas.* .
ln -s lapack-netlib.pc pkgconfig/lapack.pc
ln -s blas-netlib.pc pkgconfig/blas.pc
rm -r "$sysroot/state" "$sysroot/cache"
touch "$sysroot/done"
