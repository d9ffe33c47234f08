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

/** Even ones kill the application, odd ones PostgreSQL; `CRASH_KILLS` for more. */
const KILLS = Number(process.env.CRASH_KILLS ?? 2)
const MEMBERS = 4

let postgres: EmbeddedPostgres
let app: RunningApp

const dataDir = await mkdtemp(join(tmpdir(), 'megalot-crash-'))
const port = await findFreePort()
postgres = await startEmbeddedPostgres({ dataDir })
afterAll(async () => {
  await app.kill()
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
  const owner = openOwnerDatabase(postgres.url)
  const period_code = await openPeriod(owner.db)
  await owner.close()

  const bettors: Bettor[] = []
  for (let number = 1; number <= MEMBERS; number += 1) {
    const sessionToken = await logIn(`member0${number}`)
    bettors.push({ sessionToken, unanswered: undefined, acknowledged: new Map(), isBetting: true })
  }
  const betting = bettors.map((bettor) => keepBetting(bettor, period_code))

  for (let kill = 0; kill < KILLS; kill += 1) {
    await waitForNewTickets(bettors)
    if (kill % 2 === 0) await killApp()
    else await killPostgres()
    await waitUntilReady()
  }
  await waitForNewTickets(bettors)
  for (const bettor of bettors) bettor.isBetting = false
  await Promise.all(betting)

  const after = openOwnerDatabase(postgres.url)
  const { rows } = await sql<{ request_id: string; order_id: number }>`
    select request_id, order_id from orders join periods using (period_id) where period_code = ${period_code}
  `.execute(after.db)
  const broken = await findViolatedInvariants(after.db)
  await after.close()
  const written = new Map(rows.map((row) => [row.request_id, row.order_id]))
  const acknowledged = bettors.flatMap((bettor) => [...bettor.acknowledged])
  expect(acknowledged.filter(([request_id, order_id]) => written.get(request_id) !== order_id)).toEqual([])
  // Every bettor repeated its last ticket until it got a reply, so no ticket was written without one.
  expect(rows).toHaveLength(acknowledged.length)
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

async function waitForNewTickets(bettors: readonly Bettor[]): Promise<void> {
  const targets = bettors.map((bettor) => bettor.acknowledged.size + 3)
  while (bettors.some((bettor, index) => bettor.acknowledged.size < targets[index]!)) await pause(5)
}

/** A demo without a history, so that only this test's tickets exist. */
function startDemo(): Promise<RunningApp> {
  const settings = { PORT: String(port), DATA_DIR: dataDir, DEMO: '1', DEMO_DAYS: '0', LOG_LEVEL: 'fatal' }
  return startApp(postgres.url, 0, settings)
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
