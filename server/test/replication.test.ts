// A commit that is not replicated is never acknowledged, and a database that cannot write is an outage, never a server
// error.
// The server of this file has no standby: with an absent standby's name, each commit waits for it, as on a cluster that
// has just lost its standby.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterEach, expect, test, vi } from 'vitest'
import { isDatabaseAway, isDatabaseError, openDatabase } from '../src/postgres/db.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../src/postgres/embedded-postgres.ts'
import { migrate } from '../src/postgres/migrate.ts'
import { seedDemo } from '../src/demo/demo.ts'
import { closeAtFileEnd } from './file-end.ts'
import { makeTicket, openPeriod, placeTicket } from './scenes.ts'
import { appOn } from './test-app.ts'
import { handlesOf } from './test-database.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let server: EmbeddedPostgres

const dataDir = await mkdtemp(join(tmpdir(), 'megalot-replication-'))
server = await startEmbeddedPostgres({
  dataDir,
  // As on a cluster. Waiting commits do not notice clients that have gone, and the tests would pass without the
  // cancelling.
  settings: ['fsync=off', 'client_connection_check_interval=500ms'],
})
const { url } = server
await migrate(url)
const owner = openDatabase({ url, role: 'owner', maxConnections: 3 })
await seedDemo(owner.db, () => {})
const application = openDatabase({ url, role: 'megalot_app', maxConnections: 6 })
closeAtFileEnd(async () => {
  await application.close()
  await owner.close()
  await server.stop()
  await rm(dataDir, { recursive: true, force: true })
})
const { db, batches, reports, lists } = application
const app = await appOn({ url, db, batches, reports, lists, ...handlesOf(owner.db) })
const member = await app.logIn('member01')
const period_code = await openPeriod(app.owner)
// The period and the member are cached from here on.
await placeTicket(member, makeTicket(period_code))

afterEach(() => askFor(null))

/** Runs statements as the superuser, on a connection that waits for no standby. */
async function run<Row extends pg.QueryResultRow>(...statements: string[]): Promise<Row[]> {
  const client = new pg.Client({ connectionString: server.url })
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query('set synchronous_commit = local')
    let rows: Row[] = []
    for (const statement of statements) ({ rows } = await client.query<Row>(statement))
    return rows
  } finally {
    await client.end()
  }
}

/** From now on each commit waits for this standby; null for none. */
async function askFor(standby: string | null): Promise<void> {
  await run(`alter system set synchronous_standby_names = '${standby ?? ''}'`, 'select pg_reload_conf()')
  await expect
    .poll(async () => (await run<{ names: string }>(`select current_setting('synchronous_standby_names') as names`))[0])
    .toEqual({ names: standby ?? '' })
  // The checkpointer publishes whether commits wait, and reads the setting before a checkpoint.
  await run('checkpoint')
}

const WAITERS = `from pg_stat_activity where wait_event = 'SyncRep'`

async function waitForWaiter(): Promise<void> {
  await expect.poll(async () => (await run(`select pid ${WAITERS}`)).length, { timeout: 30_000 }).toBeGreaterThan(0)
}

const find = (request_id: string) => member.get(`/api/order/request_id/${request_id}`)
const isOpen = async (promise: Promise<unknown>): Promise<boolean> =>
  (await Promise.race([promise, Promise.resolve('open')])) === 'open'

test.each([
  ['looked up', (body: ReturnType<typeof makeTicket>) => find(body.request_id)],
  ['sent again', (body: ReturnType<typeof makeTicket>) => member.post('/api/order/create', body)],
])(
  'a ticket that was cut off from its standby is promised once it is replicated, when it is %s',
  async (_name, ask) => {
    const body = makeTicket(period_code)
    await askFor('absent')
    const sent = member.post('/api/order/create', body)
    await waitForWaiter()
    await run(`select pg_terminate_backend(pid) ${WAITERS}`)
    expect((await sent).json).toMatchObject({ status: { code: 503 }, error: { code: 'unavailable' } })
    // It is visible, and only on this server.
    expect(await run(`select 1 from orders where request_id = '${body.request_id}'`)).toHaveLength(1)

    const asked = ask(body)
    await waitForWaiter()
    expect(await isOpen(asked)).toBe(true)
    await askFor(null)
    expect((await asked).json).toMatchObject({ data: { request_id: body.request_id, status: 'CONFIRMED' } })
  },
)

test('a commit whose wait an operator has cancelled is not acknowledged', async () => {
  const body = makeTicket(period_code)
  await askFor('absent')
  const sent = member.post('/api/order/create', body)
  await waitForWaiter()
  await run(`select pg_cancel_backend(pid) ${WAITERS}`)
  expect((await sent).json).toMatchObject({ status: { code: 503 }, error: { code: 'unavailable' } })
})

const countWaiters = async (): Promise<number> => (await run(`select pid ${WAITERS}`)).length

/** A ticket whose commit waits for the standby, and a lookup of it that waits too. */
async function lookUpWhileCommitting() {
  const body = makeTicket(period_code)
  await askFor('absent')
  const sent = member.post('/api/order/create', body)
  await waitForWaiter()
  const [placing] = await run<{ pid: number }>(`select pid ${WAITERS}`)
  // It is not visible yet.
  expect(await run(`select 1 from orders where request_id = '${body.request_id}'`)).toEqual([])
  const asked = find(body.request_id)
  await expect.poll(countWaiters, { timeout: 30_000 }).toBe(2)
  expect(await isOpen(asked)).toBe(true)
  const stands = { data: { request_id: body.request_id, status: 'CONFIRMED' } }
  return { pid: placing!.pid, sent, asked, stands }
}

test('a lookup does not say that a ticket is absent while its commit waits for the standby', async () => {
  const { sent, asked, stands } = await lookUpWhileCommitting()
  await askFor(null)
  expect([(await sent).json, (await asked).json]).toMatchObject([stands, stands])
})

test('nor if the commit is replicated but not yet visible', async () => {
  const { pid, sent, asked, stands } = await lookUpWhileCommitting()
  process.kill(pid, 'SIGSTOP')
  try {
    await askFor(null)
    await expect.poll(async () => run(`select pid ${WAITERS} and pid <> ${pid}`)).toEqual([])
    expect(await Promise.race([asked, pause(1_000, 'open')])).toBe('open')
  } finally {
    process.kill(pid, 'SIGCONT')
  }
  expect([(await sent).json, (await asked).json]).toMatchObject([stands, stands])
})

test('abandoned commits do not pile up in the server, and are acknowledged once replicated', async () => {
  const body = makeTicket(period_code)
  await askFor('absent')
  const sent = member.post('/api/order/create', body)
  await waitForWaiter()
  const asked = await find(body.request_id)
  // Neither placed nor absent.
  expect(asked.json).toMatchObject({ status: { code: 503 }, error: { code: 'unavailable' } })
  expect((await sent).json).toMatchObject({ status: { code: 503 }, error: { code: 'unavailable' } })
  await expect.poll(countWaiters, { timeout: 10_000 }).toBe(0)
  await askFor(null)
  expect((await find(body.request_id)).json).toMatchObject({
    data: { request_id: body.request_id, status: 'CONFIRMED' },
  })
})

test('/ready is false while no commit is acknowledged, and no second write starts while one waits', async () => {
  expect((await app.server.inject('/ready')).statusCode).toBe(200)
  await askFor('absent')
  // The earlier result is cached for a moment.
  await expect.poll(async () => (await app.server.inject('/ready')).statusCode, { timeout: 20_000 }).toBe(503)
  const [first] = await run<{ pid: number }>(`select pid ${WAITERS}`)
  // Longer than the result is cached and a load balancer waits.
  for (let round = 0; round < 5; round += 1) {
    const asked = Array.from({ length: 5 }, () => app.server.inject('/ready'))
    for (const reply of await Promise.all(asked)) expect(reply.json()).toEqual({ status: 'database away' })
    expect(await run(`select pid ${WAITERS}`)).toEqual([first])
    await pause(800)
  }
  await askFor(null)
  await expect.poll(async () => (await app.server.inject('/ready')).statusCode, { timeout: 20_000 }).toBe(200)
})

// Must be the last test, because the server does not become a leader again.
test('a standby is an outage: calls get 503, and /ready is false', async () => {
  await server.stop()
  await writeFile(join(dataDir, 'postgres', 'standby.signal'), '')
  server = await startEmbeddedPostgres({ dataDir, settings: ['fsync=off'] })
  expect(await run('select pg_is_in_recovery() as is_standby')).toEqual([{ is_standby: true }])
  await expect.poll(async () => (await app.server.inject('/ready')).statusCode).toBe(503)
  const replies = [
    await member.post('/api/order/create', makeTicket(period_code)),
    await member.get('/api/order'),
    await app.call('GET', '/megalot/auth/captcha?request_id=00000000-0000-4000-8000-000000000001'),
  ]
  for (const { http, json } of replies) expect([http, json.error.code]).toEqual([503, 'unavailable'])
  // Like a leader that has become a standby while a connection was open.
  const owner = openDatabase({ url: server.url, role: 'owner', maxConnections: 1 })
  const refused = await owner.pool.query('create table late ()').catch((error: unknown) => error)
  await owner.close()
  expect(refused).toMatchObject({ code: '25006' })
  expect([isDatabaseAway(refused), isDatabaseError(refused)]).toEqual([true, false])
})
