#!/bin/sh
# Takes a base backup into $BACKUPS/base/<time of its end, UTC>. Then deletes all but the newest $BACKUP_KEEP, and the
# WAL that only the deleted ones need.
set -eu

backups=${BACKUPS:-/backups}
keep=${BACKUP_KEEP:-7}
case $keep in
  '' | *[!0-9]* | 0*)
    echo "Invalid BACKUP_KEEP '$keep'. Use a whole number from 1." >&2
    exit 2
    ;;
esac

draft=$backups/base/.draft
rm -rf "$draft"
# The WAL of the backup is in the archive: pg_basebackup waits for it.
pg_basebackup --pgdata="$draft" --format=tar --gzip --checkpoint=fast --wal-method=none --no-password
sync
name=$(date -u +%Y-%m-%dT%H-%M-%SZ)
mv "$draft" "$backups/base/$name"
echo "base-backup: $backups/base/$name"

all=$(ls "$backups/base" | sort)
count=$(echo "$all" | wc -l)
for old in $(echo "$all" | head -n "$((count > keep ? count - keep : 0))"); do
  rm -rf "${backups:?}/base/$old"
  echo "base-backup: deleted $old"
done

# The names of segments are a timeline (8 digits) and a position (16). Histories of timelines are always kept.
oldest=$(ls "$backups/base" | sort | head -n 1)
first=$(tar -xzOf "$backups/base/$oldest/base.tar.gz" backup_label | sed -n 's/^START WAL LOCATION: .*(file \([0-9A-F]*\)).*/\1/p')
[ ${#first} = 24 ]
ls "$backups/wal" | awk -v first="$first" '/^[0-9A-F]+[.]/ && length($1) > 24 && substr($1, 9, 16) < substr(first, 9)' |
  while read -r segment; do rm -f "$backups/wal/$segment"; done
