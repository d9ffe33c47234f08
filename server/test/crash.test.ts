// Acknowledged tickets are durable. The application and PostgreSQL are killed (SIGKILL) repeatedly in the middle of
// betting. Afterwards every acknowledged ticket exists once, every unanswered one has a definite outcome, and the money
// adds up.

import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PlaceOrderBody } from '@megalot/contract'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../src/postgres/embedded-postgres.ts'
import { DEMO_PASSWORD } from '../src/demo/demo.ts'
import { findViolatedInvariants } from './invariants.ts'
import { openOwnerDatabase } from './data-folder-database.ts'
import { openPeriod } from './scenes.ts'
import { findFreePort, type RunningApp, startApp } from './start-app.ts'
import { CAPTCHA_ANSWER } from './test-app.ts'

/** Kills one of two nodes, PostgreSQL, and the other node in turn; `CRASH_KILLS` for more. */
const KILLS = Number(process.env.CRASH_KILLS ?? 3)
const MEMBERS = 4

let postgres: EmbeddedPostgres
let app: RunningApp
/** A second node on the same database, through which the agent records payments, too. */
let second: RunningApp

const dataDir = await mkdtemp(join(tmpdir(), 'megalot-crash-'))
const port = await findFreePort()
postgres = await startEmbeddedPostgres({ dataDir })
afterAll(async () => {
  await app.kill()
  await second.kill()
  await postgres.stop()
  await rm(dataDir, { recursive: true, force: true })
})

/** A member who bets without pause and records what was acknowledged. */
interface Bettor {
  sessionToken: string
  /** Sent at least once with an unknown outcome. */
  unanswered: PlaceOrderBody | undefined
  /** Ticket id by request_id. */
  acknowledged: Map<string, number>
  isBetting: boolean
}

// Regression: a reply leaves before its commit is durable, or a half-written ticket survives the crash.
test(`${KILLS} kills lose no acknowledged ticket`, { timeout: 240_000 }, async () => {
  app = await startDemo()
  await waitUntilReady()
  second = await startSecond()
  const owner = openOwnerDatabase(postgres.url)
  const period_code = await openPeriod(owner.db)
  await owner.close()

  const bettors: Bettor[] = []
  for (let number = 1; number <= MEMBERS; number += 1) {
    const sessionToken = await logIn(`member0${number}`)
    bettors.push({ sessionToken, unanswered: undefined, acknowledged: new Map(), isBetting: true })
  }
  const betting = bettors.map((bettor) => keepBetting(bettor, period_code))
  const agent: Collector = {
    sessionToken: await logIn('agent01'),
    unanswered: undefined,
    acknowledged: new Set(),
    isCollecting: true,
  }
  const collecting = keepCollecting(agent)

  for (let kill = 0; kill < KILLS; kill += 1) {
    await waitForNewTickets(bettors)
    await waitForPayments(agent)
    if (kill % 3 === 0) await killApp()
    else if (kill % 3 === 1) await killPostgres()
    else await killSecond()
    await waitUntilReady()
  }
  await waitForNewTickets(bettors)
  await waitForPayments(agent)
  for (const bettor of bettors) bettor.isBetting = false
  agent.isCollecting = false
  await Promise.all([...betting, collecting])

  const after = openOwnerDatabase(postgres.url)
  const { rows } = await sql<{ request_id: string; order_id: number }>`
    select request_id, order_id from orders join periods using (period_id) where period_code = ${period_code}
  `.execute(after.db)
  const { rows: payments } = await sql<{ note: string }>`select note from payments`.execute(after.db)
  const broken = await findViolatedInvariants(after.db)
  await after.close()
  const written = new Map(rows.map((row) => [row.request_id, row.order_id]))
  const acknowledged = bettors.flatMap((bettor) => [...bettor.acknowledged])
  expect(acknowledged.filter(([request_id, order_id]) => written.get(request_id) !== order_id)).toEqual([])
  // Every bettor repeated its last ticket until it got a reply, so no ticket was written without one.
  expect(rows).toHaveLength(acknowledged.length)
  expect(payments.map(({ note }) => note).toSorted()).toEqual([...agent.acknowledged].toSorted())
  expect(broken).toEqual({})
})

async function keepBetting(bettor: Bettor, period_code: string): Promise<void> {
  while (bettor.isBetting || bettor.unanswered) {
    bettor.unanswered ??= {
      request_id: randomUUID(),
      period_code,
      package_code: '90',
      items: [
        {
          bet_type: '3top',
          number: String(Math.floor(Math.random() * 1_000)).padStart(3, '0'),
          bet_satang: 500,
          rate: 90_000,
        },
        { bet_type: '1top', number: '7', bet_satang: 500, rate: 320 },
      ],
    }
    const { request_id } = bettor.unanswered
    try {
      const response = await fetch(`http://127.0.0.1:${port}/api/order/create`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${bettor.sessionToken}` },
        body: JSON.stringify(bettor.unanswered),
        signal: AbortSignal.timeout(10_000),
      })
      const { data, error } = (await response.json()) as { data?: { order_id: number }; error?: { code: string } }
      if (data) {
        bettor.acknowledged.set(request_id, data.order_id)
        bettor.unanswered = undefined
      } else if (response.status < 500) throw new Error(`refused: ${error?.code}`, { cause: 'refusal' })
      else await pause(50)
    } catch (error) {
      // The connection was lost or the server is unreachable, so the same ticket is sent again until its outcome is
      // known.
      if (error instanceof Error && error.cause === 'refusal') throw error
      await pause(50)
    }
  }
}

/** An agent who records payments without pause, each under a note of its own. */
interface Collector {
  sessionToken: string
  unanswered: { request_id: string; rows: object[] } | undefined
  acknowledged: Set<string>
  isCollecting: boolean
}

/** Sends to both nodes in turn; a payment without a reply is sent again to the other one. */
async function keepCollecting(agent: Collector): Promise<void> {
  const members = await findChildren(agent)
  for (let turn = 0; agent.isCollecting || agent.unanswered; turn += 1) {
    agent.unanswered ??= {
      request_id: randomUUID(),
      rows: [{ user_id: members[turn % members.length], amount_satang: 100, method: 'cash', note: randomUUID() }],
    }
    const base = turn % 2 === 0 ? `http://127.0.0.1:${port}` : second.url
    try {
      const response = await fetch(`${base}/mgluser/money/payments`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${agent.sessionToken}` },
        body: JSON.stringify(agent.unanswered),
        signal: AbortSignal.timeout(10_000),
      })
      const { data, error } = (await response.json()) as {
        data?: { ok_count: number; outcomes: { after: { note: string } }[] }
        error?: { code: string }
      }
      if (data) {
        if (data.ok_count !== 1) throw new Error('a row was refused', { cause: 'refusal' })
        agent.acknowledged.add(data.outcomes[0]!.after.note)
        agent.unanswered = undefined
      } else if (response.status < 500 && response.status !== 429)
        throw new Error(`refused: ${error?.code}`, { cause: 'refusal' })
      await pause(20)
    } catch (error) {
      if (error instanceof Error && error.cause === 'refusal') throw error
      await pause(50)
    }
  }
}

async function findChildren({ sessionToken }: Collector): Promise<number[]> {
  const response = await fetch(`http://127.0.0.1:${port}/mgluser/money/sheet`, {
    headers: { authorization: `Bearer ${sessionToken}` },
  })
  return ((await response.json()) as { data: { user_id: number }[] }).data.map(({ user_id }) => user_id)
}

async function waitForPayments(agent: Collector): Promise<void> {
  const target = agent.acknowledged.size + 3
  while (agent.acknowledged.size < target) await pause(5)
}

async function waitForNewTickets(bettors: readonly Bettor[]): Promise<void> {
  const targets = bettors.map((bettor) => bettor.acknowledged.size + 3)
  while (bettors.some((bettor, index) => bettor.acknowledged.size < targets[index]!)) await pause(5)
}

/** A demo without a history, so that only this test's tickets exist. */
function startDemo(): Promise<RunningApp> {
  const settings = { PORT: String(port), DATA_DIR: dataDir, DEMO: '1', DEMO_DAYS: '0', LOG_LEVEL: 'fatal' }
  return startApp(postgres.url, 0, settings)
}

/** Without the demo, which the first node has made. */
function startSecond(): Promise<RunningApp> {
  return startApp(postgres.url, 0, { DATA_DIR: dataDir, LOG_LEVEL: 'info' })
}

async function killSecond(): Promise<void> {
  await second.kill()
  second = await startSecond()
}

async function killApp(): Promise<void> {
  await app.kill()
  app = await startDemo()
}

async function killPostgres(): Promise<void> {
  process.kill(postgres.pid, 'SIGKILL')
  await postgres.ended
  // On the same address.
  postgres = await startEmbeddedPostgres({ dataDir })
}

async function isReady(): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/ready`).then(
    (response) => response.ok,
    () => false,
  )
}

async function waitUntilReady(): Promise<void> {
  while (!(await isReady())) await pause(25)
}

async function logIn(username: string): Promise<string> {
  const request_id = randomUUID()
  await fetch(`http://127.0.0.1:${port}/megalot/auth/captcha?request_id=${request_id}`)
  const response = await fetch(`http://127.0.0.1:${port}/megalot/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password: DEMO_PASSWORD, request_id, captcha_txt: CAPTCHA_ANSWER }),
  })
  return ((await response.json()) as { sessionId: string }).sessionId
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
