#!/bin/sh
# Runs a container's command in the image's files, in namespaces of its own: unshare --mount --pid --fork sh container.sh …
# The arguments are those of setpriv and env. ROOT, READ_ONLY, TMP_SIZE and HOSTS_FILE come from the environment.
set -eu
mount --make-rprivate /
mount --bind "$ROOT" "$ROOT"
[ "$READ_ONLY" = false ] || mount -o remount,bind,ro "$ROOT"
mount -t proc -o nosuid,nodev,noexec proc "$ROOT/proc"
mount -t tmpfs -o mode=755,nosuid tmpfs "$ROOT/dev"
for device in null zero full random urandom; do
  : > "$ROOT/dev/$device"
  mount --bind "/dev/$device" "$ROOT/dev/$device"
done
ln -s /proc/self/fd "$ROOT/dev/fd"
mkdir "$ROOT/dev/shm"
mount -t tmpfs -o mode=1777,size=64m,nosuid,nodev,noexec tmpfs "$ROOT/dev/shm"
mount -t tmpfs -o "mode=1777,size=$TMP_SIZE,nosuid,nodev,noexec" tmpfs "$ROOT/tmp"
mount --bind "$HOSTS_FILE" "$ROOT/etc/hosts"
exec chroot "$ROOT" setpriv "$@"
