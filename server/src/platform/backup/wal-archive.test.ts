// Goal: that a folder of backups was set up is not forgotten because the note of it cannot be read.

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { markerFile, readSystemIdentifier } from './backup-folder.ts'
import { ARCHIVE_FOLDERS_FILE, archiveSettings, isFolderSetUp, noteFolder } from './wal-archive.ts'

async function makeCluster(): Promise<string> {
  const cluster = await mkdtemp(join(tmpdir(), 'megalot-cluster-'))
  onTestFinished(() => rm(cluster, { recursive: true }))
  return cluster
}

test('no folder was set up before the first one is noted', async () => {
  const cluster = await makeCluster()
  expect(await isFolderSetUp(cluster, '/backups')).toBe(false)
  await noteFolder(cluster, '/backups')
  expect(await isFolderSetUp(cluster, '/backups')).toBe(true)
  expect(await isFolderSetUp(cluster, '/other')).toBe(false)
})

// Defect: any failure to read counted as "no folder was set up", and an empty mount point was taken for the disk.
test('a note that cannot be read is an error', async () => {
  const cluster = await makeCluster()
  await mkdir(join(cluster, ARCHIVE_FOLDERS_FILE))
  await expect(isFolderSetUp(cluster, '/backups')).rejects.toMatchObject({ code: 'EISDIR' })
  await expect(noteFolder(cluster, '/backups')).rejects.toMatchObject({ code: 'EISDIR' })
})

// Defect: a folder that was set up before there was a note of it was not protected until its next backup.
test('a folder that holds the marker of the database is noted at the start, and no other one', async () => {
  const cluster = await makeCluster()
  await mkdir(join(cluster, 'global'))
  await writeFile(join(cluster, 'global', 'pg_control'), '12345678')
  const [own, others, empty] = ['own', 'others', 'empty'].map((name) => join(cluster, name)) as [string, string, string]
  for (const folder of [own, others]) await mkdir(folder)
  await writeFile(markerFile(own, await readSystemIdentifier(cluster)), '')
  await writeFile(markerFile(others, '1'), '')
  for (const folder of [own, others, empty]) await archiveSettings(cluster, folder)
  const noted = []
  for (const folder of [own, others, empty]) noted.push(await isFolderSetUp(cluster, folder))
  expect(noted).toEqual([true, false, false])
})
