#!/usr/bin/env bash
# Unpacks Debian 13's Patroni (4.0.7) for a Debian 12, whose own (3.0.2) may lose acknowledged tickets: a leader that was frozen
# takes the lock back from its successor. Usage: get-patroni.sh FOLDER (by default .cache/patroni). Installs nothing.
set -euo pipefail
folder=$(realpath -m "${1:-$(dirname "$0")/../../.cache/patroni}")
mkdir -p "$folder/apt/lists/partial" "$folder/apt/cache/archives/partial"
echo 'deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian trixie main' >"$folder/apt/sources.list"
options=(-o "Dir::Etc::SourceList=$folder/apt/sources.list" -o Dir::Etc::SourceParts=/dev/null
  -o "Dir::State::Lists=$folder/apt/lists" -o "Dir::Cache=$folder/apt/cache" -o APT::Sandbox::User=root)
apt-get "${options[@]}" -qq update
(cd "$folder" && apt-get "${options[@]}" -qq download patroni)
dpkg-deb -x "$folder"/patroni_*.deb "$folder"
PYTHONPATH="$folder/usr/lib/python3/dist-packages" /usr/bin/python3 "$folder/usr/bin/patroni" --version
