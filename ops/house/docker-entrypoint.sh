#!/usr/bin/env bash
# Stands in for the entrypoint of the image `postgres`, as its page describes it: the first start makes the database.
set -Eeuo pipefail
if [[ $1 == postgres && $(id -u) == 0 ]]; then
  install -d -o postgres -g postgres -m 700 "$PGDATA"
  install -d -o postgres -g postgres -m 3775 /var/run/postgresql
  exec setpriv --reuid=postgres --regid=postgres --init-groups "$0" "$@"
fi
if [[ $1 == postgres && ! -s $PGDATA/PG_VERSION ]]; then
  # shellcheck disable=SC2086 # Several arguments.
  initdb --username=postgres --pwfile="$POSTGRES_PASSWORD_FILE" $POSTGRES_INITDB_ARGS
  printf '\nhost all all all scram-sha-256\n' >>"$PGDATA/pg_hba.conf"
  pg_ctl start --wait -o "$(printf '%q ' "${@:2}") -c listen_addresses=''"
  psql --username=postgres --dbname=postgres --quiet --command="create database \"$POSTGRES_DB\""
  for file in /docker-entrypoint-initdb.d/*.sh; do "$file"; done
  pg_ctl stop --wait --mode=fast
fi
exec "$@"
