#!/bin/sh
# The first word selects the process. `exec` lets signals reach Node.
set -eu
process="${1:-}"
[ $# -eq 0 ] || shift

case "$process" in
  api | worker | gateway | admin) exec node --max-semi-space-size=16 --heap-growing-percent=50 --no-allocation-site-pretenuring "$process/main.ts" "$@" ;;
  node | sh) exec "$process" "$@" ;;
  *)
    echo "Usage: api | worker | gateway | admin <command> [options]" >&2
    exit 2
    ;;
esac
