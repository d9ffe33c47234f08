// Goal: nodes that would run out of connections under load say so at their start.

import { expect, inject, test } from 'vitest'
import { createUnmigratedDatabase } from '../../test/test-database.ts'
import { makeDatabaseLogIns } from './database-log-ins.ts'
import { checkConnections } from './connection-budget.ts'

// The server of the tests has 100, of which 3 are kept for its superuser.
test('nodes that exceed max_connections are refused, with what can be done', async () => {
  await expect(checkConnections(inject('postgresUrl'), { perNode: 33, nodes: 3 })).rejects.toThrow(
    'The nodes may open 3 × 33 = 99 connections, and the database admits 97. Raise max_connections',
  )
})

test('a node that finds too few free is warned, one that finds enough is not', async () => {
  const url = inject('postgresUrl')
  // Another file of tests, at least, has connections open.
  expect(await checkConnections(url, { perNode: 1, nodes: 1 })).toBeUndefined()
  const holder = new (await import('pg')).default.Client({ connectionString: url })
  await holder.connect()
  expect(await checkConnections(url, { perNode: 97, nodes: 1 })).toMatch(/97 connections.* are in use/)
  await holder.end()
})

test('an owner without rights over other log-ins counts their connections too', async () => {
  const url = await createUnmigratedDatabase()
  const { owner } = await makeDatabaseLogIns(url, { owner: 'o-secret' })
  const holder = new (await import('pg')).default.Client({ connectionString: url })
  await holder.connect()
  expect(await checkConnections(owner, { perNode: 97, nodes: 1 })).toMatch(/97 connections.* are in use/)
  await holder.end()
})
