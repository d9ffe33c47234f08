// A managed PostgreSQL gives no superuser: the house works with the owner of its database, and the checks of the set-up
// name what is not separated.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { closeAtFileEnd } from '../../test/file-end.ts'
import { findCaller, openNode } from '../../test/nodes.ts'
import { addPerson, makeTicket, openPeriod, toNewTicket } from '../../test/scenes.ts'
import { startApp } from '../../test/start-app.ts'
import { runSql, withDatabase } from '../../test/start-postgres.ts'
import { testConfig } from '../../test/test-app.ts'
import { placeTicket } from '../betting/index.ts'
import { runChecks } from '../oversight/readiness/index.ts'
import { makeDatabaseLogIns } from './database-log-ins.ts'
import { openDatabase } from './db.ts'
import { startEmbeddedPostgres } from './embedded-postgres.ts'
import { migrate } from './migrate.ts'

let server = ''

beforeAll(async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'megalot-managed-'))
  const settings = ['fsync=off', 'track_commit_timestamp=off']
  const postgres = await startEmbeddedPostgres({ dataDir, settings })
  closeAtFileEnd(async () => {
    await postgres.stop()
    await rm(dataDir, { recursive: true })
  })
  server = postgres.url
})

/** A database with its owner, as a provider makes them. */
async function createDatabase(name: string, rights: 'createrole' | 'nocreaterole'): Promise<string> {
  await runSql(server, `create role ${name} login password 'secret' ${rights}`)
  await runSql(server, `create database ${name} owner ${name}`)
  const url = new URL(withDatabase(server, name))
  url.username = name
  url.password = 'secret'
  return url.toString()
}

/** Starts the application, which migrates the database, and places a ticket. @returns its status */
async function placeFirstTicket(url: string, ownerUrl = url): Promise<string> {
  await (await startApp(url, 0, { OWNER_DATABASE_URL: ownerUrl })).stop()
  const owner = openDatabase({ url: ownerUrl, role: 'owner', maxConnections: 1 })
  closeAtFileEnd(() => owner.close())
  await sql`update products set is_enabled = true`.execute(owner.db)
  await addPerson(owner.db, 'member1', 'member', 'company', 5_000)
  await sql`
    insert into user_packages (user_id, package_id) select user_id, package_id from users, packages
    on conflict do nothing`.execute(owner.db)
  const ticket = toNewTicket(await findCaller(owner.db, 'member1'), makeTicket(await openPeriod(owner.db)))
  await placeTicket(openNode(url).intake, ticket)
  const { rows } = await sql<{ status: string }>`select status from orders`.execute(owner.db)
  return rows[0]!.status
}

async function findUnseparated(url: string, ownerUrl: string, auditorUrl: string): Promise<string[]> {
  const database = openDatabase({ url, role: 'megalot_app', maxConnections: 1 })
  closeAtFileEnd(() => database.close())
  const urls = { databaseUrl: url, ownerDatabaseUrl: ownerUrl, auditorDatabaseUrl: auditorUrl }
  const found = await runChecks(database.db, { ...testConfig(), ...urls })
  const ofTheDatabase = ['separate_log_ins', 'database_guards', 'log_in_settings', 'commit_timestamps', 'disk']
  return found.filter(({ check, state }) => ofTheDatabase.includes(check) && state !== 'ok').map(({ check }) => check)
}

describe('with an owner that may create roles', () => {
  test('one log-in does everything', async () => {
    const url = await createDatabase('plain', 'createrole')
    expect(await placeFirstTicket(url)).toBe('CONFIRMED')
    expect(await findUnseparated(url, url, url)).toEqual([
      'separate_log_ins',
      'database_guards',
      'commit_timestamps',
      'disk',
    ])
  })
})

describe('with an owner that may not', () => {
  test('the start names what the administrator has to make, and works once it is there', async () => {
    const url = await createDatabase('poor', 'nocreaterole')
    await runSql(server, 'alter role megalot_app rename to megalot_app_of_another')
    await expect(migrate(url)).rejects.toThrow('may not create roles. Ask whoever administers the server')
    await runSql(server, 'alter role megalot_app_of_another rename to megalot_app')
    await expect(migrate(url)).rejects.toThrow('is not granted to poor. Ask whoever administers the server')
    await runSql(server, 'grant megalot_app, megalot_reader, megalot_auditor to poor')
    expect(await placeFirstTicket(url)).toBe('CONFIRMED')
  })
})

test('server/roles.sql separates the log-ins without a superuser', async () => {
  const url = await createDatabase('separate', 'createrole')
  await runSql(server, 'grant megalot_app, megalot_reader, megalot_auditor to separate with admin option')
  const passwords = { app: 'a', checker: 'c', reader: 'r' }
  // Twice: a password may be changed.
  await makeDatabaseLogIns(url, passwords)
  const urls = await makeDatabaseLogIns(url, passwords)
  expect(await placeFirstTicket(urls.app, url)).toBe('CONFIRMED')
  expect(await findUnseparated(urls.app, url, urls.checker)).toEqual(['database_guards', 'commit_timestamps', 'disk'])
  const reader = openDatabase({ url: urls.reader, role: 'owner', maxConnections: 1 })
  closeAtFileEnd(() => reader.close())
  await sql`set role megalot_reader`.execute(reader.db)
  await expect(sql`insert into users (username) values ('x')`.execute(reader.db)).rejects.toThrow(
    /permission|read-only/,
  )
})
