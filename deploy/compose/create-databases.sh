#!/bin/sh
# Runs once, at the database's first start. Creates roles and databases for the service and for Temporal.
set -eu

: "${CHANNELS_DB_PASSWORD:?}" "${TEMPORAL_DB_PASSWORD:?}"

# psql quotes the passwords. `channels` owns the tables, and `admin migrate` creates the roles of the processes with it.
psql -v ON_ERROR_STOP=1 --username "${POSTGRES_USER:-postgres}" --dbname postgres \
  -v channels="$CHANNELS_DB_PASSWORD" -v temporal="$TEMPORAL_DB_PASSWORD" <<'SQL'
create role channels login createrole password :'channels';
create role temporal login password :'temporal';
create database channels owner channels;
create database temporal owner temporal;
create database temporal_visibility owner temporal;
revoke connect on database channels, temporal, temporal_visibility from public;
SQL
