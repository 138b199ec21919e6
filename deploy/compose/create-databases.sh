#!/bin/sh
# Runs once, at the database's first start. Creates roles and databases for the service and for Temporal.
set -eu

: "${CHANNELS_DB_PASSWORD:?}" "${TEMPORAL_DB_PASSWORD:?}"

psql -v ON_ERROR_STOP=1 --username "${POSTGRES_USER:-postgres}" --dbname postgres <<SQL
create role channels login password '$CHANNELS_DB_PASSWORD';
create role temporal login password '$TEMPORAL_DB_PASSWORD';
create database channels owner channels;
create database temporal owner temporal;
create database temporal_visibility owner temporal;
revoke connect on database channels, temporal, temporal_visibility from public;
SQL
