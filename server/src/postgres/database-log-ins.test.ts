// Goal: on the embedded PostgreSQL the application can act as `megalot_app`, and as no other role.

import pg from 'pg'
import { expect, test } from 'vitest'
import { cloneDatabase } from '../../test/test-database.ts'
import { makeAppLogin } from './database-log-ins.ts'
import { openDatabase } from './db.ts'

test('several nodes share one log-in, which has no rights until it becomes `megalot_app`, and becomes no owner', async () => {
  const { url } = await cloneDatabase()
  const addresses = await Promise.all([1, 2, 3].map(() => makeAppLogin(url)))
  expect(new Set(addresses).size).toBe(1)

  const client = new pg.Client({ connectionString: addresses[0]! })
  await client.connect()
  const refused = (statement: string) => expect(client.query(statement)).rejects.toMatchObject({ code: '42501' })
  await refused('select 1 from orders')
  await client.query('set role megalot_app')
  await client.query('select 1 from orders')
  await refused('set role postgres')
  await refused('delete from entries')
  await client.query('reset role')
  for (const statement of ['select 1 from orders', 'delete from entries', 'create table mine ()', 'create role more'])
    await refused(statement)
  await client.end()

  const database = openDatabase({ url: addresses[0]!, role: 'megalot_app' })
  expect(await database.db.selectFrom('users').select('user_id').limit(1).execute()).toHaveLength(1)
  await database.close()
})
