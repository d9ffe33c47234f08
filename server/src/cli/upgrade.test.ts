// Goal: the data of an older PostgreSQL arrives whole in the one that comes along, the old folder can still be opened, and what
// cannot be copied is refused before anything is written.

import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findOlderPostgres, OLDER_MAJOR } from '../../test/older-postgres.ts'
import { makeTicket, openPeriod, placeTicket } from '../../test/scenes.ts'
import { appOn } from '../../test/test-app.ts'
import { makeAppLogin, makeDatabaseLogIns } from '../platform/database-log-ins.ts'
import { type Database, openDatabase } from '../platform/db.ts'
import { majorOf, readServerVersion, startEmbeddedPostgres } from '../platform/embedded-postgres.ts'
import { migrate, migrationFiles } from '../platform/migrate.ts'
import { seedDemo } from '../seed/demo.ts'
import { findFolderCommand } from './backup.commands.ts'

const settings = ['fsync=off']
const older = findOlderPostgres()
let root: string
let from: string
let before: Counts
/** The major version that comes along. */
let major: string
let ticket: ReturnType<typeof makeTicket>

const at = (...path: string[]): string => join(root, ...path)

function upgrade(into: string, given: { from?: string; with?: string } = {}): Promise<string> {
  const backup = { folder: at('backup'), everyHours: 0, keepDays: 7, verifyEveryHours: 0 }
  const config = { dataDir: from, backup, databaseUrl: undefined, ownerDatabaseUrl: undefined }
  const args = ['--from', given.from ?? from, '--with', given.with ?? older.binFolder, '--into', into]
  return findFolderCommand('upgrade')!.run({ config, args })
}

interface Counts {
  version: string
  tickets: number
  entries: number
  audit_head: string
}

async function count({ db }: Pick<Database, 'db'>): Promise<Counts> {
  const { rows } = await sql<Counts>`
    select split_part(current_setting('server_version'), '.', 1) as version, (select count(*)::int from orders) as tickets,
      (select count(*)::int from entries) as entries,
      (select encode(hash, 'hex') from audit_log order by chain_no desc limit 1) as audit_head`.execute(db)
  return rows[0]!
}

/** As in a database that has worked for long: what names a transaction. */
async function writeHighTransactionIds({ db }: Pick<Database, 'db'>): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx)
    await sql`
      insert into approvals (kind, payload, subject, state_after, figures, reason, state, proposed_by, decided_by, decided_at, executed_in)
      select 'raise_quota', '{}', 'a test', '{}', '{}', 'a test', 'executed', min(user_id), max(user_id), clock_timestamp(), '1000000000'
      from users`.execute(tx)
    await sql`update book_cursor set mark_xid = '1000000000'`.execute(tx)
    await sql`update auditor_state set snapshot = '1000000000:1000000000:', mark_xid = 1000000000`.execute(tx)
  })
}

const readTransactionIds = async ({ db }: Pick<Database, 'db'>): Promise<unknown> =>
  (
    await sql`
      select (select array_agg(distinct executed_in::text) from approvals) as executed_in, book_cursor.mark_xid::text as book_mark,
        snapshot, auditor_state.mark_xid as auditor_mark, isfinite(commits_count_after) as is_history_exempt
      from book_cursor, auditor_state`.execute(db)
  ).rows[0]

const openOwner = (url: string): Database => openDatabase({ url, role: 'owner', maxConnections: 3 })

beforeAll(async () => {
  major = majorOf(await readServerVersion())
  root = await mkdtemp(join(tmpdir(), 'megalot-upgrade-'))
  from = at('old data')
  const postgres = await startEmbeddedPostgres({ dataDir: from, binaries: older, settings })
  await migrate(postgres.url)
  const owner = openOwner(postgres.url)
  await seedDemo(owner.db, () => {}, 3)
  const application = openDatabase({ url: await makeAppLogin(postgres.url), role: 'megalot_app', maxConnections: 4 })
  const app = await appOn({ url: postgres.url, ...application, owner: owner.db })
  ticket = makeTicket(await openPeriod(owner.db))
  await placeTicket(await app.logIn('member02'), ticket)
  await writeHighTransactionIds(owner)
  before = await count(owner)
  await app.server.close()
  await application.close()
  await owner.close()
  await postgres.stop()
}, 240_000)

afterAll(() => rm(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }))

describe(`from PostgreSQL ${OLDER_MAJOR}`, { timeout: 240_000 }, () => {
  test('a plain owner migrates from scratch', async () => {
    const postgres = await startEmbeddedPostgres({ dataDir: at('plain'), binaries: older, settings })
    const logIns = await makeDatabaseLogIns(postgres.url, { owner: 'owner', app: 'app' })
    expect(await migrate(logIns.owner)).toEqual(await migrationFiles())
    const database = openDatabase({ url: logIns.app, role: 'megalot_app', maxConnections: 1 })
    expect(await database.db.selectFrom('orders').select('order_id').execute()).toEqual([])
    await database.close()
    await postgres.stop()
  })

  test('the server that comes along refuses the old folder at once, in Thai and English, and changes nothing', async () => {
    const files = await readdir(join(from, 'postgres'))
    await expect(startEmbeddedPostgres({ dataDir: from })).rejects.toThrow(
      new RegExp(`[ก-๙].*\\n.*was made by PostgreSQL ${OLDER_MAJOR}, .* brings ${major}\\. Nothing was touched`),
    )
    expect(await readdir(join(from, 'postgres'))).toEqual(files)
  })

  test('everything is copied and proven, the application goes on with the next ticket, and the old folder is left', async () => {
    const into = at('new')
    const report = await upgrade(into)
    expect(report).toMatch(new RegExp(`Copied from PostgreSQL ${OLDER_MAJOR} to ${major}: \\d+ rows of \\d+ tables`))
    expect(report).toMatch(/invariants +all \d+ hold/)
    expect(report).toMatch(/audit log +intact/)

    const postgres = await startEmbeddedPostgres({ dataDir: into, settings })
    const owner = openOwner(postgres.url)
    expect(await count(owner)).toEqual({ ...before, version: major })
    // The new server counts its transactions anew: an id of the old one would name another transaction.
    expect(await readTransactionIds(owner)).toEqual({
      executed_in: ['3'],
      book_mark: '0',
      snapshot: null,
      auditor_mark: 0,
      is_history_exempt: true,
    })
    const application = openDatabase({ url: await makeAppLogin(postgres.url), role: 'megalot_app', maxConnections: 4 })
    const app = await appOn({ url: postgres.url, ...application, owner: owner.db })
    const member = await app.logIn('member02')
    const [first, next] = [
      await placeTicket(member, ticket),
      await placeTicket(member, { ...makeTicket(ticket.period_code) }),
    ]
    // The one of before is known by its request, and the next number follows.
    expect(next.order_id).toBeGreaterThan(first.order_id)
    expect((await count(owner)).tickets).toBe(before.tickets + 1)
    await app.server.close()
    await application.close()
    await owner.close()
    await postgres.stop()

    const old = await startEmbeddedPostgres({ dataDir: from, binaries: older, settings })
    const oldOwner = openOwner(old.url)
    expect(await count(oldOwner)).toEqual(before)
    await oldOwner.close()
    await old.stop()
  })

  test('what cannot be copied is refused, in Thai and English, and nothing is written', async () => {
    await mkdir(at('used'))
    await writeFile(at('used', 'file'), '')
    await mkdir(at('empty'))
    await mkdir(at('same', 'postgres'), { recursive: true })
    await writeFile(at('same', 'postgres', 'PG_VERSION'), `${major}\n`)
    const refused = async (into: string, given: Parameters<typeof upgrade>[1] = {}): Promise<string> => {
      const error = await upgrade(into, given).then(
        () => undefined,
        (failure: unknown) => failure as Error & { code: string },
      )
      expect(error?.message).toMatch(/^.*[ก-๙].*\n[^ก-๙]*[a-z][^ก-๙]*$/)
      return error!.code
    }
    const empty = at('empty')
    const fresh = at('fresh')
    const refuseRunning = async (): Promise<string> => {
      const running = await startEmbeddedPostgres({ dataDir: from, binaries: older, settings })
      try {
        return await refused(fresh)
      } finally {
        await running.stop()
      }
    }
    expect({
      used: await refused(at('used')),
      inside: await refused(join(from, 'new')),
      absent: await refused(fresh, { from: at('absent') }),
      programs: await refused(fresh, { with: empty }),
      same: await refused(fresh, { from: at('same') }),
      running: await refuseRunning(),
    }).toEqual({
      used: 'folder_not_empty',
      inside: 'folder_in_use',
      absent: 'no_old_database',
      programs: 'no_old_server',
      same: 'same_server',
      running: 'database_runs',
    })
    expect([existsSync(fresh), await readdir(at('used')), await readdir(empty)]).toEqual([false, ['file'], []])
  })

  test('a table that the migrations do not make stops the copy, and nothing is kept', async () => {
    const odd = at('odd')
    await cp(from, odd, { recursive: true })
    const postgres = await startEmbeddedPostgres({ dataDir: odd, binaries: older, settings })
    const owner = openOwner(postgres.url)
    await owner.pool.query('alter table announcements add by_hand text')
    await owner.close()
    await postgres.stop()
    await expect(upgrade(at('fresh'), { from: odd })).rejects.toThrow(
      'The migrations do not make the tables of the old database: public.announcements',
    )
    expect(existsSync(at('fresh'))).toBe(false)
  })
})
