// Goal: a log-in that only reads keeps no transaction of the application from its commit by the queue of notifications, nor the marks of
// auditor and book by the number of a transaction, and whoever keeps nothing is not ended.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { closeAtFileEnd } from '../../../test/file-end.ts'
import { waitForLock } from '../../../test/scenes.ts'
import { makeDatabaseLogIns } from '../../postgres/database-log-ins.ts'
import { type Db, openIntegrityReader, openDatabase } from '../../postgres/db.ts'
import { startEmbeddedPostgres } from '../../postgres/embedded-postgres.ts'
import { metricsRegistry } from '../../lib/metrics.ts'
import { migrate } from '../../postgres/migrate.ts'
import { writeDeferredAudits } from '../../changes/audit/index.ts'
import { type IntegrityChecker, checkPiece, requestFullCheck } from '../invariants/index.ts'
import { type EndedReader, endOffenders } from './readers.store.ts'
import { watchReaders } from './readers.service.ts'

const passwords = { owner: 'o', app: 'a', reader: 'r', auditor: 'u' }
type LogIn = keyof typeof passwords

const dataDir = await mkdtemp(join(tmpdir(), 'megalot-queue-'))
// Few pages, so that it is full at once, and one page is no more than a thousandth.
const postgres = await startEmbeddedPostgres({ dataDir, settings: ['max_notify_queue_pages=1024', 'fsync=off'] })
closeAtFileEnd(async () => {
  await postgres.stop()
  await rm(dataDir, { recursive: true, force: true })
})
const urls: Record<LogIn, string> = await makeDatabaseLogIns(postgres.url, passwords)
await migrate(urls.owner)
const database = openDatabase({ url: urls.owner, role: 'owner', maxConnections: 2 })
closeAtFileEnd(() => database.close())
const owner: Db = database.db

interface Session {
  client: pg.Client
  isEnded: () => boolean
}

async function connect(name: LogIn, role: string, database?: string): Promise<Session> {
  const url = new URL(urls[name])
  if (database !== undefined) url.pathname = `/${database}`
  const client = new pg.Client({ connectionString: url.toString() })
  let isEnded = false
  client.on('error', () => {})
  client.on('end', () => (isEnded = true))
  await client.connect()
  closeAtFileEnd(() => client.end())
  await client.query(
    `set role ${role}; set idle_in_transaction_session_timeout = 0; set idle_session_timeout = 0; set default_transaction_read_only = off`,
  )
  return { client, isEnded: () => isEnded }
}

async function listenInTransaction(name: LogIn, role: string, database?: string): Promise<Session> {
  const session = await connect(name, role, database)
  await session.client.query('listen mine')
  await session.client.query('begin')
  return session
}

/** Sends so many notifications that one more is refused. */
async function fillQueue(): Promise<void> {
  const { client } = await connect('reader', 'megalot_reader')
  let refusedWith: string | undefined
  while (refusedWith === undefined)
    await client
      .query(`select pg_notify('mine', repeat('x', 7900) || n) from generate_series(1, 100) n`)
      .catch(({ code }: { code: string }) => (refusedWith = code))
  expect(refusedWith).toBe('54000')
  await client.end()
}

const notify = () => sql`select pg_notify('other', '')`.execute(owner)
/** @param longestMs how long the transactions of readers may last */
async function watch(longestMs: number, longestSnapshotMs = HOUR_MS): Promise<EndedReader[]> {
  const ended: EndedReader[] = []
  await watchReaders(owner, { longestMs, longestSnapshotMs, onEnded: (readers) => ended.push(...readers) })
  return ended
}
const HOUR_MS = 3_600_000

/** As the metrics show it after a reading. */
async function readRatio(): Promise<number> {
  await watch(HOUR_MS)
  return Number(
    (await metricsRegistry.getSingleMetricAsString('megalot_database_notification_queue_ratio')).split(' ').at(-1),
  )
}

const readAudit = () =>
  owner
    .selectFrom('audit_log')
    .select(['actor_id', 'subject', 'after'])
    .where('action', '=', 'end_reader_sessions')
    .orderBy('audit_id')
    .execute()

test.each([
  ['reader', 'megalot_reader', undefined],
  // Its right to connect is everybody's, and the queue is that of the server.
  ['reader', 'megalot_reader_login', 'template1'],
  ['auditor', 'megalot_auditor', undefined],
] as const)('%s as %s that listens in a transaction is ended (database %s)', async (name, role, database) => {
  const holder = await listenInTransaction(name, role, database)
  const outside = await connect('reader', 'megalot_reader')
  await outside.client.query('listen mine')
  // As long as the queue is nearly empty a report may take its time.
  expect(await watch(0)).toEqual([])
  const before = await readAudit()
  await fillQueue()
  await expect(notify()).rejects.toMatchObject({ code: '54000' })
  expect(await watch(HOUR_MS)).toEqual([])
  await expect(notify()).rejects.toMatchObject({ code: '54000' })
  expect(await readRatio()).toBeGreaterThan(0.9)

  // It has read what was sent: until then it has a transaction, too.
  await expect
    .poll(async () => {
      const { pid } = (await outside.client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]!
      const { rows } = await sql`select from pg_stat_activity where pid = ${pid} and xact_start is null`.execute(owner)
      return rows.length
    })
    .toBe(1)
  const log_in = `megalot_${name}_login`
  expect(await watch(0)).toEqual([{ log_in, open_ms: expect.any(Number), offence: 'queue' }])
  await notify()
  await expect.poll(holder.isEnded).toBe(true)
  expect(outside.isEnded()).toBe(false)
  // Delivery to a listener is a short transaction of it: the tests below find none.
  await outside.client.end()
  await expect.poll(readRatio).toBeLessThan(0.01)
  expect((await readAudit()).slice(before.length)).toEqual([
    {
      actor_id: null,
      subject: `database_log_in:${log_in}`,
      after: {
        session_count: 1,
        longest_seconds: expect.any(Number),
        offences: ['queue'],
        queue_percent: expect.any(Number),
      },
    },
  ])
})

test('neither the application nor the auditor’s own check is ended', async () => {
  const application = await connect('app', 'megalot_app')
  await application.client.query('begin')
  await application.client.query('select 1')
  const connection = openIntegrityReader({ url: urls.auditor })
  closeAtFileEnd(() => connection.close())
  const auditor: IntegrityChecker = { reader: connection.reader, owner, targets: { mails: [], hasWebhook: false } }
  // Something to check.
  await sql`
    insert into users (username, display_name, level, password_hash) values ('company', 'x', 'company', 'x')`.execute(
    owner,
  )
  const found: { ended?: EndedReader[] } = {}
  const holder = await listenInTransaction('reader', 'megalot_reader')
  await fillQueue()
  const pace = {
    isStopping: () => false,
    restAfter: async () => {
      // Between its statements it has no transaction: this one is as long as a statement.
      found.ended ??= await connection.reader.transaction().execute(async (tx) => {
        await sql`select 1`.execute(tx)
        return watch(0)
      })
    },
  }
  await requestFullCheck(owner)
  while ((await checkPiece(auditor, pace))?.isDone === false);
  expect(found.ended?.map(({ log_in }) => log_in)).toEqual(['megalot_reader_login'])
  await expect.poll(holder.isEnded).toBe(true)
  expect(application.isEnded()).toBe(false)
  await notify()
})

describe('with an empty queue', () => {
  const waitUntilEmpty = () => expect.poll(readRatio).toBeLessThan(0.01)

  // Defect: the auditor's and the book's marks stayed for as long as a reader liked.
  test('a reader whose transaction has a number is ended, whatever it reads', async () => {
    await waitUntilEmpty()
    const holder = await connect('reader', 'megalot_reader')
    const other = await connect('auditor', 'megalot_auditor')
    await other.client.query('begin transaction isolation level repeatable read')
    await other.client.query('select count(*) from products')
    await holder.client.query('begin transaction isolation level repeatable read read only')
    const { rows } = await holder.client.query(
      'select pg_current_xact_id()::text as xid, (select count(*) from products)',
    )
    expect(await watch(HOUR_MS)).toEqual([])
    expect(await watch(0)).toEqual([
      { log_in: 'megalot_reader_login', open_ms: expect.any(Number), offence: 'transaction_id' },
    ])
    await expect.poll(holder.isEnded).toBe(true)
    expect(other.isEnded()).toBe(false)
    const horizon = await sql<{ isPassed: boolean }>`
      select pg_snapshot_xmin(pg_current_snapshot()) > ${rows[0].xid}::xid8 as "isPassed"`.execute(owner)
    expect(horizon.rows).toEqual([{ isPassed: true }])
    await other.client.end()
  })

  test('a reader that keeps a snapshot for very long is ended, and the application is not', async () => {
    await waitUntilEmpty()
    const application = await connect('app', 'megalot_app')
    await application.client.query('begin transaction isolation level repeatable read')
    await application.client.query('select pg_current_xact_id()')
    const holder = await connect('auditor', 'megalot_auditor')
    await holder.client.query('begin transaction isolation level repeatable read')
    await holder.client.query('select count(*) from products')
    expect(await watch(0)).toEqual([])
    expect(await watch(0, 0)).toEqual([
      { log_in: 'megalot_auditor_login', open_ms: expect.any(Number), offence: 'snapshot' },
    ])
    await expect.poll(holder.isEnded).toBe(true)
    expect(application.isEnded()).toBe(false)
    await application.client.end()
  })

  test('neither the locks of the application nor the end of the audit log that it holds keep a reader alive', async () => {
    await waitUntilEmpty()
    const application = await connect('app', 'megalot_app')
    await application.client.query('begin')
    await application.client.query(`select write_audit('[{"action":"log_in","subject":"x"}]')`)
    await application.client.query('set constraints all immediate')
    const holder = await connect('reader', 'megalot_reader')
    await holder.client.query('begin')
    await holder.client.query('select pg_current_xact_id()')
    const before = await readAudit()
    expect(await watch(0)).toHaveLength(1)
    await expect.poll(holder.isEnded).toBe(true)
    expect(await readAudit()).toEqual(before)
    await application.client.end()
    await writeDeferredAudits(owner)
    expect((await readAudit()).slice(before.length)).toMatchObject([{ after: { offences: ['transaction_id'] } }])
  })
})

test('one node at a time ends sessions, so that each is reported once', async () => {
  const holder = await listenInTransaction('reader', 'megalot_reader')
  await fillQueue()
  const before = await readAudit()
  const { second } = await owner.transaction().execute(async (tx) => {
    expect(await endOffenders(tx, { isQueueFilling: true, longestMs: HOUR_MS, longestSnapshotMs: HOUR_MS })).toEqual([])
    const second = watch(0)
    await waitForLock(tx)
    expect(holder.isEnded()).toBe(false)
    return { second }
  })
  expect(await second).toHaveLength(1)
  expect(await watch(0)).toEqual([])
  expect((await readAudit()).length - before.length).toBe(1)
})
