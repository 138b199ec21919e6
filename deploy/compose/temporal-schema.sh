#!/bin/sh
# Creates or upgrades Temporal's two databases. Repeatable, also with the tools of the next version.
set -eu

for part in temporal visibility; do
  database=temporal
  [ "$part" = temporal ] || database=temporal_visibility
  temporal-sql-tool --db "$database" setup-schema -v 0.0
  temporal-sql-tool --db "$database" update-schema --schema-name "postgresql/v12/$part"
done
