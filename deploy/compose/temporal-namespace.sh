#!/bin/sh
# Creates the namespace if it does not exist. An existing one keeps its retention.
set -eu

temporal operator cluster health --command-timeout 10s
temporal operator namespace describe -n "$NAMESPACE" --command-timeout 10s >/dev/null 2>&1 ||
  temporal operator namespace create -n "$NAMESPACE" --retention "$RETENTION" --command-timeout 30s
