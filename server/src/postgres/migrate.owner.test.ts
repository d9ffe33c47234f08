// Goal: a plain owner of a database, without the rights of a superuser, can migrate it from scratch and run the application.

import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { closeAtFileEnd } from '../../test/file-end.ts'
import { runSql, withDatabase } from '../../test/start-postgres.ts'
import { openDatabase } from './db.ts'
import { migrate, migrationFiles } from './migrate.ts'

/** A database of an owner with these attributes, on the server of the tests. @returns the owner's connection string */
async function createOwnedDatabase(attributes: string, grants: (owner: string) => string): Promise<string> {
  const server = inject('postgresUrl')
  const name = `owned_${randomBytes(6).toString('hex')}`
  await runSql(server, `create role ${name} login nosuperuser ${attributes} password 'plain'`)
  await runSql(server, grants(name))
  await runSql(server, `create database ${name} owner ${name}`)
  closeAtFileEnd(async () => {
    await runSql(server, `drop database ${name} with (force)`)
    await runSql(server, `drop role ${name}`)
  })
  const url = new URL(withDatabase(server, name))
  url.username = name
  url.password = 'plain'
  return url.toString()
}

test.each([
  [
    'that finds the role made and granted',
    'nocreaterole',
    (owner: string) => `grant megalot_app, megalot_reader, megalot_auditor to ${owner}`,
  ],
  [
    'that grants the role to itself',
    'createrole',
    (owner: string) => `grant megalot_app, megalot_reader, megalot_auditor to ${owner} with admin option`,
  ],
])('an owner %s migrates from scratch, and the application reads as its role', async (_name, attributes, grants) => {
  const url = await createOwnedDatabase(attributes, grants)
  expect(await migrate(url)).toEqual(await migrationFiles())
  const database = openDatabase({ url, role: 'megalot_app', maxConnections: 1 })
  closeAtFileEnd(() => database.close())
  const { rows } = await database.pool.query('select current_user as name, count(*)::int as orders from orders')
  expect(rows).toEqual([{ name: 'megalot_app', orders: 0 }])
})

test('an owner without the role is refused, and nothing is written', async () => {
  const url = await createOwnedDatabase('nocreaterole', () => 'select 1')
  await expect(migrate(url)).rejects.toThrow(
    '0001-foundation.sql failed: The role megalot_app exists and is not granted',
  )
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query(
    'select count(*)::int as tables from pg_class where relnamespace = $1::regnamespace',
    ['public'],
  )
  await client.end()
  // The list of migrations and its index.
  expect(rows).toEqual([{ tables: 2 }])
})
