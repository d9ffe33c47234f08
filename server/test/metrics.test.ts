// Operators can read what happened from metrics and logs, and the metrics are private.

import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readDatabaseMetrics } from '../src/postgres/database-metrics.ts'
import { startMetricsServer } from '../src/lib/metrics-server.ts'
import { DEMO_PASSWORD } from '../src/demo/demo.ts'
import { listenTo } from './live-listener.ts'
import { makeTicket, openPeriod, waitForLock } from './scenes.ts'
import { findFreePort, type RunningApp, startApp } from './start-app.ts'
import { CAPTCHA_ANSWER, startTestApp } from './test-app.ts'

const app = await startTestApp()
const member = await app.logIn('member01')
const period_code = await openPeriod(app.owner)

/** The metrics by name and labels, as they are written. */
async function readMetrics(port: number): Promise<Map<string, number>> {
  const response = await fetch(`http://127.0.0.1:${port}/metrics`)
  expect([response.status, response.headers.get('content-type')]).toEqual([
    200,
    'text/plain; version=0.0.4; charset=utf-8',
  ])
  const lines = (await response.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]))
}

describe('an application with a port for metrics', () => {
  let node: RunningApp
  let metricsPort: number

  beforeAll(async () => {
    metricsPort = await findFreePort()
    const settings = { METRICS_PORT: String(metricsPort), METRICS_HOST: '127.0.0.1', LOG_LEVEL: 'debug' }
    node = await startApp(app.url, 0, settings)
  })

  const sendTicket = (changes = {}) =>
    node.post(
      '/api/order/create',
      member.sessionToken,
      makeTicket(period_code, { ...changes, request_id: randomUUID() }),
    )

  async function logIn(password: string): Promise<void> {
    const request_id = randomUUID()
    await fetch(`${node.url}/megalot/auth/captcha?request_id=${request_id}`)
    const body = { username: 'member02', password, request_id, captcha_txt: CAPTCHA_ANSWER }
    await node.post('/megalot/auth/login', '', body)
  }

  test('counts tickets, refusals and log-ins without naming users', async () => {
    expect((await sendTicket()).http).toBe(200)
    expect((await sendTicket()).http).toBe(200)
    const refused = await sendTicket({ period_code: 'nowhere-2020-01-01-1' })
    expect(refused.json.error.code).toBe('unknown_period')
    await node.get('/api/order/1', 'x')
    await node.get('/api/no/such/route', 'x')
    await logIn(DEMO_PASSWORD)
    await logIn('wrong-password')

    // A request's duration is observed after its reply has left.
    const logIns = 'megalot_http_request_seconds_count{method="POST",route="/megalot/auth/login",status="422"}'
    await expect.poll(async () => (await readMetrics(metricsPort)).get(logIns)).toBe(1)
    const metrics = await readMetrics(metricsPort)
    const expected = {
      'megalot_http_request_seconds_count{method="POST",route="/api/order/create",status="200"}': 2,
      'megalot_http_request_seconds_count{method="POST",route="/api/order/create",status="404"}': 1,
      'megalot_http_request_seconds_count{method="GET",route="/api/order/:order_id",status="401"}': 1,
      'megalot_http_request_seconds_count{method="GET",route="none",status="404"}': 1,
      'megalot_http_request_seconds_count{method="POST",route="/megalot/auth/login",status="200"}': 1,
      'megalot_refusals_total{code="unknown_period"}': 1,
      'megalot_refusals_total{code="not_signed_in"}': 1,
      'megalot_refusals_total{code="route_not_found"}': 1,
      'megalot_refusals_total{code="wrong_login"}': 1,
      megalot_overload_refusals_total: 0,
      // A node's first ticket finds its caches empty, and so does the first one of another period.
      'megalot_intake_batch_tickets_sum{queue="cached"}': 3,
      'megalot_intake_batch_tickets_count{queue="cached"}': 3,
      'megalot_intake_batch_tickets_count{queue="read"}': 2,
      'megalot_intake_attempts_total{attempt="cached"}': 3,
      'megalot_cache_reads_total{cache="periods",result="hit"}': 1,
      'megalot_cache_reads_total{cache="periods",result="miss"}': 2,
      'megalot_cache_reads_total{cache="quotas",result="hit"}': 1,
      'megalot_cache_reads_total{cache="quotas",result="miss"}': 2,
      'megalot_cache_reads_total{cache="members",result="hit"}': 1,
      'megalot_cache_reads_total{cache="callers",result="hit"}': 2,
      'megalot_cache_reads_total{cache="callers",result="miss"}': 1,
      megalot_intake_queue_tickets: 0,
      megalot_live_streams: 0,
      'megalot_pool_connections{role="megalot_app",pool="batches",state="used"}': 0,
      'megalot_pool_waiting_calls{role="megalot_app",pool="calls"}': 0,
    }
    expect(Object.fromEntries(Object.keys(expected).map((name) => [name, metrics.get(name)]))).toEqual(expected)
    const decided = ['cached', 'read', 'readLocked', 'single'].map(
      (attempt) => metrics.get(`megalot_intake_decided_tickets_total{attempt="${attempt}"}`) ?? 0,
    )
    expect(decided.reduce((sum, count) => sum + count)).toBe(3)
    expect(metrics.get('megalot_intake_write_seconds_count')).toBeGreaterThanOrEqual(2)
    expect(metrics.get('megalot_pool_connections{role="megalot_app",pool="batches",state="idle"}')).toBeGreaterThan(0)
    expect(metrics.get('process_cpu_seconds_total')).toBeGreaterThan(0)
    expect(
      [...metrics.keys()].filter((name) => /^megalot_build_info\{version="\d+\.\d+\.\d+"\}$/.test(name)),
    ).toHaveLength(1)

    const text = [...metrics.keys()].join('\n')
    const named = ['member01', 'member02', member.sessionToken, period_code, 'nowhere', DEMO_PASSWORD]
    expect(named.filter((name) => text.includes(name))).toEqual([])
  })

  test('serves metrics and the application on separate ports only', async () => {
    const { http, json } = await node.get('/metrics', member.sessionToken)
    expect([http, json.error.code]).toEqual([404, 'route_not_found'])
    expect((await fetch(`http://127.0.0.1:${metricsPort}/live`)).status).toBe(404)
    expect((await fetch(`http://127.0.0.1:${metricsPort}/metrics`, { method: 'POST' })).status).toBe(404)
  })

  interface LogLine {
    level: number
    msg: string
    reqId?: string
    code?: string
  }

  function readLog(): LogLine[] {
    return node.log.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as LogLine)
  }

  test('logs refused calls, each under an id that callers cannot choose', async () => {
    const ask = () =>
      fetch(`${node.url}/api/admin/announcement/list/all`, {
        headers: { authorization: `Bearer ${member.sessionToken}`, 'x-request-id': 'chosen', 'request-id': 'chosen' },
      })
    expect([(await ask()).status, (await ask()).status]).toEqual([403, 403])
    const lines = () => readLog().filter(({ code }) => code === 'not_allowed')
    await expect.poll(lines).toMatchObject([
      { level: 30, msg: 'refused' },
      { level: 30, msg: 'refused' },
    ])
    const ids = lines().map(({ reqId }) => reqId!)
    const [run] = ids[0]!.split('-')
    expect(ids.every((id) => new RegExp(`^${run}-[0-9a-z]+$`).test(id))).toBe(true)
    expect(new Set(ids).size).toBe(2)
    expect(run).toMatch(/^[0-9a-f]{8}$/)
  })

  test('gives the id of a failed call to its caller, and logs it', async () => {
    await app.asOwner`alter table users rename column password_hash to hidden_hash`
    const request_id = randomUUID()
    await fetch(`${node.url}/megalot/auth/captcha?request_id=${request_id}`)
    const body = { username: 'member03', password: DEMO_PASSWORD, request_id, captcha_txt: CAPTCHA_ANSWER }
    const failed = await node.post('/megalot/auth/login', '', body)
    await app.asOwner`alter table users rename column hidden_hash to password_hash`
    expect(failed.http).toBe(500)
    const { request_id: id } = failed.json.error.details
    await expect
      .poll(() => readLog().filter(({ reqId }) => reqId === id))
      .toMatchObject([{ level: 50, msg: 'request failed' }])
  })
})

describe('the metrics of this process', () => {
  let port: number

  beforeAll(async () => {
    const server = await startMetricsServer({ host: '127.0.0.1', port: 0 })
    port = server.port
    afterAll(() => server.close())
  })

  test('say how many live streams are open', async () => {
    const count = async () => (await readMetrics(port)).get('megalot_live_streams')
    // Earlier test files count in the same process.
    const before = (await count())!
    const listener = await listenTo(app.server, member.sessionToken)
    expect(await count()).toBe(before + 1)
    listener.leave()
    await expect.poll(count).toBe(before)
  })

  test("say how many sessions wait for a lock, and how far this node's clock is ahead", async () => {
    const lock = sql`select pg_advisory_xact_lock(1, 1)`
    const waiting = await app.owner.transaction().execute(async (tx) => {
      await lock.execute(tx)
      const second = lock.execute(app.owner)
      await waitForLock(app.owner)
      await readDatabaseMetrics(app.owner, () => Date.now() + 3_600_000)
      return { second }
    })
    await waiting.second
    const metrics = await readMetrics(port)
    expect(metrics.get('megalot_database_lock_waits')).toBeGreaterThanOrEqual(1)
    expect(metrics.get('megalot_clock_offset_seconds')).toBeGreaterThan(3_500)
    expect(metrics.get('megalot_clock_offset_seconds')).toBeLessThan(3_700)
  })
})
