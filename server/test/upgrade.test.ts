// Goal: the house of each release goes on with this version. Its money and its audit log are as they were, its members
// bet and are paid. The house of this version itself stands in for the next release: migrations that would break it, and
// edited ones, are found.

import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { verifyAuditChain } from '../src/changes/audit/index.ts'
import { migrate, migrationFiles, migrationsFolder } from '../src/postgres/migrate.ts'
import type { Db } from '../src/postgres/db.ts'
import { passOverCommits } from './auditor.ts'
import { closeAtFileEnd } from './file-end.ts'
import { findViolatedInvariants } from './invariants.ts'
import { dumpData, listReleases, releaseFile, restoreRelease } from './release-data.ts'
import { buildReleaseHouse, tablesWithoutData } from './release-house.ts'
import { makeResult, openPeriod, placeTicket, readOrder, settleWith, ticketOn } from './scenes.ts'
import { appOn } from './test-app.ts'
import { createUnmigratedDatabase, openTestDatabase } from './test-database.ts'

/** Where `npm run release` wants the data of the release. */
const releaseInto = process.env['RELEASE_DATA']

let data: Buffer
let last: string
let emptyTables: string[]

beforeAll(async () => {
  last = (await migrationFiles()).at(-1)!
  const { url, owner } = await buildReleaseHouse()
  emptyTables = await listEmptyTables(owner)
  data = await dumpData(url)
  if (releaseInto === undefined) return
  await mkdir(dirname(releaseInto), { recursive: true })
  await writeFile(releaseInto, data)
})

async function listEmptyTables(owner: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'
      and (xpath('/row/count/text()', query_to_xml(format('select count(*) from %I', table_name), false, true, '')))[1]::text = '0'
    order by table_name collate "C"`.execute(owner)
  return rows.map(({ name }) => name)
}

/** What no upgrade may change; one from before the results of levels adds theirs. */
async function readSums(owner: Db): Promise<object> {
  const { rows } = await sql<object>`
    select (select count(*) from users) as users, (select count(*) from audit_log) as audits,
      (select sum(balance_satang) from accounts where kind = 'cash') as cash,
      (select sum(floor_satang) from accounts) as floors,
      (select array[count(*), sum(postings.amount_satang) filter (where postings.amount_satang > 0)]
        from postings join entries using (entry_id) where kind <> 'result') as postings,
      (select array[count(*), sum(received_satang), sum(win_satang)] from orders) as tickets`.execute(owner)
  return rows[0]!
}

interface Upgraded {
  areSumsKept: boolean
  auditProblems: number
  violated: readonly string[]
  /** Of a bet that was placed afterwards; null where something else is wrong already. */
  win_satang: number | null
}

const intact: Upgraded = { areSumsKept: true, auditProblems: 0, violated: [], win_satang: 550_000 }

/** Migrates a release's database, and lets a member bet and win. */
async function upgrade(lastOfRelease: string, ofRelease: Buffer, folder = migrationsFolder): Promise<Upgraded> {
  const url = await createUnmigratedDatabase()
  await restoreRelease(url, lastOfRelease, ofRelease, folder)
  const database = openTestDatabase(url)
  // The data does not say when its rows were committed.
  await passOverCommits(database.owner)
  const before = await readSums(database.owner)
  await migrate(url, folder)
  const areSumsKept = isDeepStrictEqual(await readSums(database.owner), before)
  const upgraded = { areSumsKept, ...(await check(database.owner)), win_satang: null }
  if (!isDeepStrictEqual(upgraded, { ...intact, win_satang: null })) return upgraded
  const app = await appOn(database)
  const member = await app.logIn('member07')
  const period_code = await openPeriod(app.owner)
  const ticket = await placeTicket(member, ticketOn(period_code, [['123', 10]]))
  await settleWith(app, period_code, makeResult('123'))
  const { win_satang } = await readOrder(member, ticket)
  return { areSumsKept, ...(await check(app.owner)), win_satang }
}

async function check(owner: Db): Promise<Pick<Upgraded, 'auditProblems' | 'violated'>> {
  const { problems } = await verifyAuditChain(owner)
  return { auditProblems: problems.length, violated: Object.keys(await findViolatedInvariants(owner)) }
}

/** A copy of the migrations in which files are added or replaced. */
async function changedMigrations(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'megalot-migrations-'))
  closeAtFileEnd(() => rm(folder, { recursive: true }))
  await cp(migrationsFolder, folder, { recursive: true })
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  return folder
}

test.each(Object.entries(listReleases()))(
  'the house of %s goes on with this version',
  async (version, lastOfRelease) => {
    expect(await upgrade(lastOfRelease, await readFile(releaseFile(version)))).toEqual(intact)
  },
)

describe('the house of the next release', () => {
  test('has rows in every table, but for those of incidents', () => {
    expect(emptyTables).toEqual(tablesWithoutData)
  })

  test('goes on with migrations that only add', async () => {
    const folder = await changedMigrations({ '9999-add.sql': 'alter table orders add column of_next_release text' })
    expect(await upgrade(last, data, folder)).toEqual(intact)
  })

  test('shows which data a migration changes', async () => {
    const text = `
      set local session_replication_role = replica;
      delete from orders where order_id = (select max(order_id) from orders);
      update level_periods set received_satang = received_satang + 1;
      update audit_log set action = 'log_in' where audit_id = (select max(audit_id) from audit_log)`
    const folder = await changedMigrations({ '9999-break.sql': text })
    const { areSumsKept, auditProblems, violated } = await upgrade(last, data, folder)
    expect({ areSumsKept, auditProblems }).toEqual({ areSumsKept: false, auditProblems: 1 })
    expect(violated).toContain('levels_follow_members')
  })

  test('refuses a migration that was edited', async () => {
    const name = '0004-ledger.sql'
    const edited = `${await readFile(join(migrationsFolder, name), 'utf8')}\n-- edited`
    await expect(upgrade(last, data, await changedMigrations({ [name]: edited }))).rejects.toThrow(
      `${name} was edited after it ran`,
    )
  })
})
