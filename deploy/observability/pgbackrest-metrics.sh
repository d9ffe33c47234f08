#!/usr/bin/env bash
# Writes the age of the newest backup of pgBackRest for node_exporter. Usage: pgbackrest-metrics.sh CONFIG FOLDER, by cron each ten
# minutes as postgres; FOLDER is that of --collector.textfile.directory.
set -euo pipefail
file=$2/megalot_backup.prom
pgbackrest --config="$1" --stanza=megalot --log-level-console=off --output=json info |
  python3 -c '
import json, sys
backups = json.load(sys.stdin)[0]["backup"]
print("# HELP megalot_backup_timestamp_seconds When the newest base backup was complete, in Unix time; 0: there is none")
print("# TYPE megalot_backup_timestamp_seconds gauge")
print("megalot_backup_timestamp_seconds", max([backup["timestamp"]["stop"] for backup in backups], default=0))
' >"$file.new"
# Never read half-written.
mv "$file.new" "$file"
