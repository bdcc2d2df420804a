#!/usr/bin/env bash
# Fuzz one target, or all of them: scripts/fuzz.sh [TARGET...] [SECONDS]
# Targets: reader study result checkpoint table expression http interface (tests/fuzz/fuzz_TARGET.c). Each is run for SECONDS
# (3600: an hour each, as every night; .ci/run takes a minute for all). What it finds lies in build/fuzz/found/, inputs
# that lead to new code in build/fuzz/work/TARGET, from where the next run goes on.
set -euo pipefail
# shellcheck source=scripts/setup.sh
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
cd "$root"
targets=() seconds=3600
for word in "$@"; do
  if [[ $word =~ ^[0-9]+$ ]]; then seconds=$word; else targets+=("$word"); fi
done
((${#targets[@]})) || targets=(reader study result checkpoint table expression http interface)

configure fuzz
build fuzz fuzz_targets
mkdir -p build/fuzz/found
# Pieces of YAML, and the names of all fields and kinds.
{ grep '^"' tests/fuzz/model.dict && grep -oE '`[A-Za-z_-]{2,32}`' docs/reference.md | tr '`' '"'; } | sort -u > build/fuzz/names.dict
for target in "${targets[@]}"; do
  work=build/fuzz/work/$target more=() length=4096
  mkdir -p "$work"
  case $target in
    reader) more=(models tests/wrong) ;;
    study) more=(studies) ;;
    result) length=131072 ;;
  esac
  say "---- $target, $seconds s"
  build/fuzz/"fuzz_$target" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=4096 -max_len="$length" \
    -print_final_stats=1 -verbosity=0 -dict=build/fuzz/names.dict \
    -artifact_prefix="build/fuzz/found/$target-" "$work" "tests/fuzz/corpus/$target" "${more[@]}"
done
