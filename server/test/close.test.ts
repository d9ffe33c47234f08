// A close is exact to the millisecond of the database's clock, for any number of concurrent bets and on any node.
// Nothing is accepted at or after it, each refusal is clear, costs nothing and is logged, and nothing else fails.

import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { expect, test, vi } from 'vitest'
import { findViolatedInvariants } from './invariants.ts'
import { makeTicket, openPeriod, readCredit } from './scenes.ts'
import { type RunningApp, startApp } from './start-app.ts'
import { startTestApp, type TestCaller } from './test-app.ts'

// No time limit, for busy machines.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 })

/** 10 Baht at 33 % discount. */
const NET_SATANG = 670

const app = await startTestApp()
const nodes: [RunningApp, RunningApp] = await Promise.all([startApp(app.url), startApp(app.url)])
const members: TestCaller[] = []
for (let number = 1; number <= 10; number += 1)
  members.push(await app.logIn(`member${String(number).padStart(2, '0')}`))
// A node's first calls are slow, which is not what is tested here.
await betAt(
  await openPeriod(app.owner),
  Array.from({ length: 100 }, () => 0),
)

interface Bet {
  member: TestCaller
  request_id: string
  sentAtMs: number
  /** ok, or the code of the refusal. */
  outcome: string
  order_id: number | undefined
}

/** Bets at these instants, alternating between the members and the nodes. */
function betAt(period_code: string, instants: readonly number[]): Promise<Bet[]> {
  return Promise.all(
    instants.map(async (atMs, index) => {
      await new Promise((resolve) => setTimeout(resolve, atMs - Date.now()))
      const member = members[index % members.length]!
      const sentAtMs = Date.now()
      const ticket = makeTicket(period_code)
      const { json } = await nodes[index % 2]!.post('/api/order/create', member.sessionToken, ticket)
      const { request_id } = ticket
      return { member, request_id, sentAtMs, outcome: json.error?.code ?? 'ok', order_id: json.data?.order_id }
    }),
  )
}

/** The database runs on this machine, so both clocks agree. */
async function closeOf(period_code: string): Promise<number> {
  const { rows } = await app.asOwner<{ close_at: Date }>`
    select close_at from periods where period_code = ${period_code}`
  return rows[0]!.close_at.getTime()
}

async function listPlaced(period_code: string): Promise<number[]> {
  const { rows } = await app.asOwner<{ order_id: number }>`
    select order_id from orders join periods using (period_id)
    where period_code = ${period_code} and placed_at < close_at order by order_id`
  return rows.map((row) => row.order_id)
}

const remaining = async (member: TestCaller): Promise<number> => (await readCredit(member)).credit_remain_satang

/** The results of a close while these bets were made; `correctClose` has the expected values. */
async function betAroundClose(
  period_code: string,
  instants: (closeAtMs: number) => number[],
): Promise<typeof correctClose> {
  const credits = await Promise.all(members.map(remaining))
  const closeAtMs = await closeOf(period_code)
  const bets = await betAt(period_code, instants(closeAtMs))

  const accepted = bets.filter((bet) => bet.outcome === 'ok')
  const late = bets.filter((bet) => bet.sentAtMs >= closeAtMs)
  const ids = accepted.map((bet) => bet.order_id!).toSorted((a, b) => a - b)
  const after = await Promise.all(members.map(remaining))
  const debits = credits.map((credit, index) => credit - after[index]!)
  const owed = members.map((member) => accepted.filter((bet) => bet.member === member).length * NET_SATANG)
  const refused = bets.filter((bet) => bet.outcome !== 'ok').map((bet) => bet.request_id)
  await untilLogIsWritten()
  return {
    outcomes: [...new Set(bets.map((bet) => bet.outcome))].toSorted(),
    wereSomeLate: late.length > 0,
    late_taken: late.filter((bet) => bet.outcome === 'ok').length,
    areAcceptedThePlaced: isDeepStrictEqual(ids, await listPlaced(period_code)),
    areDebitsOfThoseAlone: isDeepStrictEqual(debits, owed),
    isEachRefusalLoggedOnce: isDeepStrictEqual(listLogged(period_code), refused.toSorted()),
    broken: await findViolatedInvariants(app.owner),
  }
}

const correctClose = {
  outcomes: ['ok', 'period_closed'],
  wereSomeLate: true,
  late_taken: 0,
  areAcceptedThePlaced: true,
  areDebitsOfThoseAlone: true,
  isEachRefusalLoggedOnce: true,
  broken: {} as Record<string, unknown[]>,
}

/** A reply may arrive a moment before its log line. An attempt on another route is logged after all of them. */
async function untilLogIsWritten(): Promise<void> {
  for (const { url, log } of nodes) {
    const countAttempts = () => log.filter((line) => line.includes('"code":"wrong_captcha"')).length
    const before = countAttempts()
    const body = { username: 'nobody', password: 'nothing', request_id: randomUUID(), captcha_txt: 'none' }
    await fetch(`${url}/megalot/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    while (countAttempts() === before) await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** Bets that were too late according to the log, by request_id. */
function listLogged(period_code: string): string[] {
  const lines = nodes.flatMap((node) => node.log).filter((line) => line.includes('"code":"period_closed"'))
  const late = lines.map((line) => JSON.parse(line) as { period_code: string; request_id: string })
  return late.flatMap((bet) => (bet.period_code === period_code ? bet.request_id : [])).toSorted()
}

// Regression: a node compares the time before it waits for locks, and accepts a bet that is written after the close.
test('1,000 bets within half a second of the close, on two nodes', async () => {
  const period_code = await openPeriod(app.owner, 'thai-government', 2_500)
  const found = await betAroundClose(period_code, (closeAtMs) => [
    ...Array.from({ length: 10 }, (_, index) => closeAtMs - 2_000 + index * 100),
    ...Array.from({ length: 1_000 }, (_, index) => closeAtMs - 500 + index),
  ])
  expect(found).toEqual(correctClose)
})

// Regression: a long queue before the close delays bets past it, or calls fail without a clear refusal.
test('ten times the usual load before the close', async () => {
  const period_code = await openPeriod(app.owner, 'thai-government', 3_000)
  const found = await betAroundClose(period_code, (closeAtMs) => [
    ...Array.from({ length: 50 }, (_, index) => closeAtMs - 2_000 + index * 20),
    ...Array.from({ length: 600 }, (_, index) => closeAtMs - 1_000 + index * 2),
  ])
  expect(found).toEqual(correctClose)
})
