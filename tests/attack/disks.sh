#!/usr/bin/env bash
# Disks that fill up while a run writes, at any size: exit code 4 and one clear line, what was there before stays, what
# fitted can be read. The disk is a file system in memory of its own, or a limit on the size of files where none can be
# made.
set -u
usual=4
# shellcheck source=tests/attack/attack.sh
source "$(dirname "$0")/attack.sh"
model=$models/pendulum.yaml
mkdir disk kept
"$sinew" run "$model" --until 1 --checkpoint 0.1 -q -o peace.h5 || exit 1
"$sinew" export peace.h5 --csv -o peace.csv
# twice the result: journal and checksums lie beside it
most=$((2 * $(stat -c %s peace.h5) / 1024))

# on_disk KIB COMMAND...: with a disk of that size at disk/; what it holds at the end is in kept/
on_disk() {
  local size=$1
  shift
  unshare -rm bash -c 'mount -t tmpfs -o size="$0k" none disk && cp old.csv disk/out.csv && { "$@"; code=$?; cp -a disk/. kept/; exit $code; }' "$size" "$@"
}
echo old >old.csv
if ! on_disk 64 true 2>/dev/null; then
  on_disk() { (cp old.csv disk/out.csv; ulimit -f "$1"; shift; "$@"; code=$?; mv disk/* kept/; exit $code) }
fi

while ((tried < count)); do
  size=$((4 + $(random_below $most))) reason=
  rm -rf kept/*
  on_disk $size timeout 60 "$sinew" run "$model" --until 1 --checkpoint 0.1 -q -o disk/r.h5 >out 2>err
  code=$?
  file=kept/r.h5
  [[ -e $file ]] || file=kept/r.h5.part
  case $code in
  0) "$sinew" export kept/r.h5 --csv -o r.csv 2>err && cmp -s r.csv peace.csv || reason="exit 0 with other numbers" ;;
  4)
    grep -q '^sinew: cannot write' err || reason="says: $(head -1 err)"
    # before the first rows there is nothing to read; after that all that was written
    if [[ -e $file ]] && "$sinew" export "$file" --csv -o r.csv >out 2>&1; then
      # the row at the end is the last that fitted
      head -n -1 r.csv | cmp -s -n "$(head -n -1 r.csv | wc -c)" - peace.csv || reason="other numbers"
    elif [[ -e $file && $(stat -c %s "$file") -gt 65536 ]]; then
      reason="cannot be read: $(head -1 out)"
    fi
    ;;
  *) reason="exit $code: $(head -1 err)" ;;
  esac
  end_of "disk of $size KiB, run" "$reason"
  ((tried < count)) || break
  # A table in place of another: the whole new one, or the old one.
  reason=
  size=$((4 + $(random_below $(($(stat -c %s peace.csv) / 1024)))))
  rm -rf kept/*
  on_disk $size timeout 60 "$sinew" export peace.h5 --csv -o disk/out.csv >out 2>err
  code=$?
  wanted=old.csv
  ((code == 0)) && wanted=peace.csv
  cmp -s kept/out.csv $wanted || reason="exit $code, and the table is another"
  [[ $code == 0 || $code == 4 ]] || reason="exit $code: $(head -1 err)"
  [[ $(ls kept) == out.csv ]] || reason="left behind: $(echo kept/*)"
  end_of "disk of $size KiB, export" "$reason"
done
tally
