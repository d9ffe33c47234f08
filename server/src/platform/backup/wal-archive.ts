// Continuous archiving of the write-ahead log: PostgreSQL calls a script with each finished segment. Until the first backup the
// script does nothing, because segments without a base backup restore nothing.

import { mkdir, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { readSystemIdentifier } from './backup-folder.ts'

/** After this time a segment is finished although it is not full: so much can be lost with the disk, in seconds. */
export const ARCHIVE_TIMEOUT_S = 60

/**
 * Arguments: the folder of the backups, the identifier of the database, the file and its name. An archived segment is never
 * written over: the same one again is success, because the server asks again after a crash; another one is a failure.
 */
const ARCHIVE_SCRIPT = `#!/bin/sh
set -e
umask 077
[ -f "$1/archiving-$2" ] || exit 0
target="$1/wal/$4.gz"
if [ -f "$target" ]; then gzip -dc "$target" | cmp -s - "$3"; exit; fi
gzip -1 -c "$3" > "$target.part"
# The time of the last write says up to when the archive is complete.
touch -r "$3" "$target.part"
sync "$target.part"
mv "$target.part" "$target"
sync "$1/wal"
`

/**
 * Arguments: the folder of the backups, the folder of a data folder's log or "", name and target of the segment. The data folder,
 * where it is left, has what was not archived yet.
 */
const FETCH_SCRIPT = `#!/bin/sh
if [ -f "$1/wal/$3.gz" ]; then exec gzip -dc "$1/wal/$3.gz" > "$4"; fi
if [ -n "$2" ] && [ -f "$2/$3" ]; then exec cp "$2/$3" "$4"; fi
exit 1
`

/** Settings of the server of a cluster whose log is archived in a folder; writes the script there. */
export async function archiveSettings(cluster: string, folder: string): Promise<string[]> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const script = resolve(cluster, 'archive-wal.sh')
  await writeFile(script, ARCHIVE_SCRIPT, { mode: 0o755 })
  const system = await readSystemIdentifier(cluster)
  return [
    'archive_mode=on',
    `archive_command=sh ${quoteForServer(script)} ${quoteForServer(folder)} ${system} "%p" "%f"`,
  ]
}

/** The setting with which a restored server fetches the log. @param liveWal the log of the data folder, where it is left */
export async function fetchSetting(restored: string, folder: string, liveWal: string | undefined): Promise<string> {
  const script = resolve(restored, 'fetch-wal.sh')
  await writeFile(script, FETCH_SCRIPT, { mode: 0o755 })
  return `restore_command=sh ${quoteForServer(script)} ${quoteForServer(folder)} ${quoteForServer(liveWal ?? '')} "%f" "%p"`
}

/** A path for the shell, in a setting where a percent sign begins a placeholder. */
export function quoteForServer(path: string): string {
  return `'${path.replaceAll("'", `'\\''`).replaceAll('%', '%%')}'`
}
