// Goal: a node whose database does not note the times of commits says so at its start.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { checkCommitTimes } from './commit-times.ts'
import { startEmbeddedPostgres } from './embedded-postgres.ts'

test('the database of a first start notes them', async () => {
  expect(await checkCommitTimes(inject('postgresUrl'))).toBeUndefined()
})

test('one that does not is named', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'megalot-commit-times-'))
  const postgres = await startEmbeddedPostgres({ dataDir, settings: ['fsync=off', 'track_commit_timestamp=off'] })
  try {
    expect(await checkCommitTimes(postgres.url)).toContain('set track_commit_timestamp to on')
  } finally {
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
})
