#!/usr/bin/env bash
# Makes the log-ins of the database at its first start, with the passwords of /run/secrets.
set -euo pipefail
secrets=${SECRETS:-/run/secrets}
{
  echo "set log_statement = 'none'; set client_min_messages = warning;"
  echo '\o /dev/null'
  for name in owner app reader auditor checker; do
    echo "set megalot.${name}_password = '$(<"$secrets/${name}_password")';"
  done
  echo "\\i ${ROLES_SQL:-/roles.sql}"
} | psql -v ON_ERROR_STOP=1 --quiet --username "${POSTGRES_USER:-postgres}" --dbname "${POSTGRES_DB:-megalot}"
