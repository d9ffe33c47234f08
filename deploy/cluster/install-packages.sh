#!/usr/bin/env bash
# Installs what the loopback cluster needs on Debian 12, as root.
set -euo pipefail
# Else the package would start a PostgreSQL of its own.
mkdir -p /etc/postgresql-common
[ -e /etc/postgresql-common/createcluster.conf ] || echo 'create_main_cluster = false' >/etc/postgresql-common/createcluster.conf
apt-get -qq update
DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends \
  postgresql-15 etcd-server etcd-client haproxy openssl pgbackrest patroni python3-psycopg2 python3-idna
"$(dirname "$0")/get-patroni.sh"
