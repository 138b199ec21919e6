#!/bin/sh
# PostgreSQL's restore_command: restore-wal.sh <name> <path to write>. PostgreSQL takes exit code 1 for the end of the
# archive, and stops the recovery on a code above 125.
set -eu

source=${BACKUPS:-/backups}/wal/$1.gz
if [ -e "$source" ]; then
  gunzip -c "$source" >"$2" || exit 255
  exit 0
fi

# A crashed server leaves segments that are not in the archive. Those of an earlier timeline are only in the data folder
# that an earlier restore replaced.
kept=$(ls -dr "${PGDATA:-$PWD}".replaced-*/pg_wal/"$1" 2>/dev/null | head -n 1)
[ -n "$kept" ] || exit 1
cp "$kept" "$2" || exit 255
