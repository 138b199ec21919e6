#!/bin/sh
# restore.sh <time>|latest [<timeline>]: prepares $PGDATA from the newest base backup before the time. The server then
# replays the archived WAL up to the time, and opens. The present data folder is kept beside it.
set -eu

usage() {
  echo "Usage: restore '2026-01-31 12:00:00+00' | latest [timeline]" >&2
  exit 2
}
moment=${1:-}
timeline=${2:-latest}
[ -n "$moment" ] || usage
case $moment$timeline in *\'*) usage ;; esac

: "${PGDATA:?}"
backups=${BACKUPS:-/backups}
scripts=$(cd "$(dirname "$0")" && pwd)

# 2: nothing listens. A file postmaster.pid says nothing here: its process is of another container.
is_up=0
pg_isready -q || is_up=$?
if [ "$is_up" != 2 ]; then
  echo "PostgreSQL is running (pg_isready: $is_up). Stop it first." >&2
  exit 1
fi

if [ "$moment" = latest ]; then
  before=9
else
  before=$(date -u -d "$moment" +%Y-%m-%dT%H-%M-%SZ) || usage
fi
base=$(ls "$backups/base" | sort | awk -v before="$before" '$0 < before' | tail -n 1)
if [ -z "$base" ]; then
  echo "No base backup ended before $moment. The first one is $(ls "$backups/base" | sort | head -n 1)." >&2
  exit 1
fi

kept=$PGDATA.replaced-$(date -u +%Y-%m-%dT%H-%M-%SZ)
if [ -e "$PGDATA" ]; then mv "$PGDATA" "$kept"; fi
mkdir -m 700 "$PGDATA"
tar -xzf "$backups/base/$base/base.tar.gz" -C "$PGDATA"
mkdir -p "$PGDATA/pg_wal"
# The last segments may not be in the archive. The server takes them from here if they are missing there.
if [ -d "$kept/pg_wal" ]; then find "$kept/pg_wal" -maxdepth 1 -type f -exec cp -p {} "$PGDATA/pg_wal/" \;; fi

# Later lines replace those of an earlier restore.
target=
[ "$moment" = latest ] || target=$moment
cat >>"$PGDATA/postgresql.auto.conf" <<CONF
restore_command = 'sh $scripts/restore-wal.sh %f %p'
recovery_target_time = '$target'
recovery_target_timeline = '$timeline'
recovery_target_action = 'promote'
CONF
touch "$PGDATA/recovery.signal"
if [ "$(id -u)" = 0 ]; then chown -R --reference="$backups/wal" "$PGDATA"; fi
sync
echo "restore: $base, to be replayed to $moment"
if [ -e "$kept" ]; then echo "restore: the replaced data is in $kept"; fi
