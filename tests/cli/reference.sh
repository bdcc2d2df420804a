#!/usr/bin/env bash
# The committed model reference must be what the program prints today.
set -euo pipefail
if ! "$SINEW" reference | diff -u docs/reference.md -; then
  echo "docs/reference.md is stale; renew it with: sinew reference > docs/reference.md"
  exit 1
fi
