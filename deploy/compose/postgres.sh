#!/bin/sh
# Starts PostgreSQL with memory settings that follow POSTGRES_MEMORY. Further arguments are passed on.
set -eu

memory=${POSTGRES_MEMORY:-1GB}
case $memory in
  *[!0-9]*GB | *[!0-9]*MB) number= ;;
  ?*GB) number=${memory%GB} factor=1024 ;;
  ?*MB) number=${memory%MB} factor=1 ;;
  *) number= ;;
esac
if [ -z "$number" ] || [ ${#number} -gt 6 ] || [ $((number * factor)) -lt 256 ]; then
  echo "Invalid POSTGRES_MEMORY '$memory'. Use at least 256MB, for example 1GB or 1536MB." >&2
  exit 2
fi
megabytes=$((number * factor))

# A segment with few changes is archived after this time. The loss of the disk costs at most the changes of this time.
archive_timeout=${POSTGRES_ARCHIVE_TIMEOUT:-60s}

backups=${BACKUPS:-/backups}
if [ "$(id -u)" = 0 ]; then
  install -d -m 700 -o postgres -g postgres "$backups/wal" "$backups/base"
else
  mkdir -p "$backups/wal" "$backups/base"
fi

# docs/self-hosting.md has the reason of each share.
exec docker-entrypoint.sh postgres \
  -c "shared_buffers=$((megabytes / 4))MB" \
  -c "effective_cache_size=$((megabytes * 3 / 4))MB" \
  -c "work_mem=$((megabytes / 128))MB" \
  -c "maintenance_work_mem=$((megabytes / 16))MB" \
  -c "archive_timeout=$archive_timeout" \
  "$@"
