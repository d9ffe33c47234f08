// Continuous archiving of the write-ahead log: PostgreSQL calls a script with each finished segment. Until the first backup the
// script does nothing, because segments without a base backup restore nothing. From then on the folder holds a marker, and the cluster
// notes that it was set up. A folder that was set up and has no marker is not the disk of the backups: it may be the empty mount point.

import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { ignoreMissing, markerFile, readSystemIdentifier, writeDurably } from './backup-folder.ts'

/** After this time a segment is finished although it is not full: so much can be lost with the disk, in seconds. */
export const ARCHIVE_TIMEOUT_S = 60

/** In the cluster: the folders of backups that were set up for it, a line each. It is no part of a backup. */
export const ARCHIVE_FOLDERS_FILE = 'archive-folders'

/** The folders of backups that were set up for a cluster. */
async function readFolders(cluster: string): Promise<string[]> {
  const text = await readFile(join(cluster, ARCHIVE_FOLDERS_FILE), 'utf8').catch(ignoreMissing(''))
  return text.split('\n').filter((line) => line !== '')
}

export async function isFolderSetUp(cluster: string, folder: string): Promise<boolean> {
  return (await readFolders(cluster)).includes(folder)
}

/** Notes that a folder was set up: archiving fails from now on while it has no marker. */
export async function noteFolder(cluster: string, folder: string): Promise<void> {
  const folders = await readFolders(cluster)
  if (folders.includes(folder)) return
  // The server reads it, under an account of its own.
  await writeDurably(join(cluster, ARCHIVE_FOLDERS_FILE), [...folders, folder, ''].join('\n'), 0o644)
}

/**
 * Arguments: the folder of the backups, the identifier of the database, the file and its name. An archived segment is never
 * written over: the same one again is success, because the server asks again after a crash; another one is a failure.
 */
const ARCHIVE_SCRIPT = `#!/bin/sh
set -e
umask 077
if [ ! -f "$1/archiving-$2" ]; then
  folders="\${0%/*}/${ARCHIVE_FOLDERS_FILE}"
  [ -e "$folders" ] || exit 0
  found=0
  grep -qxF -e "$1" "$folders" || found=$?
  # More than 1: it could not be read.
  [ "$found" -ne 1 ] || exit 0
  echo "$1 has no file archiving-$2: the disk of the backups is not mounted, or was replaced (docs/runbooks/backup-and-restore.md)" >&2
  exit 1
fi
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
 * Settings of a server that archives nothing for now. The log is kept, so that a later start with the folder of the backups archives all of
 * it, and a restore finds it in the data folder. No segment is finished before it is full.
 */
export const keepLogSettings: readonly string[] = ['archive_mode=on', 'archive_command=', 'archive_timeout=0']

/**
 * Arguments: the folder of the backups, the folder of a data folder's log or "", name and target of the segment. The data folder,
 * where it is left, has what was not archived yet.
 */
const FETCH_SCRIPT = `#!/bin/sh
if [ -f "$1/wal/$3.gz" ]; then exec gzip -dc "$1/wal/$3.gz" > "$4"; fi
if [ -n "$2" ] && [ -f "$2/$3" ]; then exec cp "$2/$3" "$4"; fi
exit 1
`

/** Settings of the server of a cluster whose log is archived in a folder; writes the script there, and notes a folder that holds the marker of this database. */
export async function archiveSettings(cluster: string, folder: string): Promise<string[]> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const script = resolve(cluster, 'archive-wal.sh')
  await writeFile(script, ARCHIVE_SCRIPT, { mode: 0o755 })
  const system = await readSystemIdentifier(cluster)
  // It may have been set up before there were notes, or the cluster may be a restored one: no backup holds the note.
  if (existsSync(markerFile(folder, system))) await noteFolder(cluster, folder)
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
