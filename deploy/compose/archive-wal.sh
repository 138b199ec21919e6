#!/bin/sh
# PostgreSQL's archive_command: archive-wal.sh <path of the file> <its name>. Success means that the copy is on disk.
set -eu

archive=${BACKUPS:-/backups}/wal
target=$archive/$2.gz
if [ -e "$target" ]; then
  # PostgreSQL repeats the command after a crash. A different file of this name must never be replaced.
  gunzip -c "$target" | cmp -s - "$1" && exit 0
  echo "archive-wal: $2 is in the archive with other contents" >&2
  exit 1
fi
draft=$archive/.$2.draft
gzip -c "$1" >"$draft"
sync "$draft"
mv "$draft" "$target"
sync "$archive"
