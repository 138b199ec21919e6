#!/bin/sh
# Takes a base backup whenever the newest one is older than $BACKUP_EVERY_HOURS. Repeats a failed one after a minute.
# `check` is the health check. `once` looks once.
set -eu

backups=${BACKUPS:-/backups}
every=${BACKUP_EVERY_HOURS:-24}
case $every in
  '' | *[!0-9]* | 0*)
    echo "Invalid BACKUP_EVERY_HOURS '$every'. Use a whole number from 1." >&2
    exit 2
    ;;
esac

is_due() {
  [ -z "$(find "$backups/base" -mindepth 1 -maxdepth 1 -name '2*' -mmin "-$((every * 60))")" ]
}

# For the health check: one more than a whole interval without a backup is a fault.
if [ "${1:-}" = check ]; then
  every=$((every + 1))
  ! is_due
  exit
fi

# After a start, PostgreSQL's checkpointer ignores archive_timeout for as long as checkpoint_timeout, unless it is woken.
awake=
wake_checkpointer() {
  started=$(psql -qAtX -c 'select pg_postmaster_start_time()')
  [ "$started" = "$awake" ] || psql -qAtX -c checkpoint
  awake=$started
}

look() {
  wake_checkpointer || echo "schedule-backups: PostgreSQL is not reachable, trying again in a minute" >&2
  if is_due; then sh "$(dirname "$0")/base-backup.sh" || echo "schedule-backups: failed, trying again in a minute" >&2; fi
}

if [ "${1:-}" = once ]; then
  look
  exit
fi

trap 'exit 0' TERM INT
while :; do
  look
  sleep 60 &
  wait $!
done
