// The last minute of a period: ten times as many tickets as before, and a thousand within half a second before and
// after the close. No ticket may be accepted at or after the close, and every reply must be an acceptance or a clear
// refusal.

import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import type { Benchmark, BenchmarkContext, Measured } from './benchmark.ts'
import { Client, findOpenMarket } from './client.ts'
import { addBettors, findDatabase, openAppDatabase, setWideQuotas } from './app/app-database.ts'
import { LINES_PER_TICKET, makeTail } from './tickets/ticket.ts'
import { type Connection, makeRequest, openConnection } from './tickets/ticket-load.ts'
import { percentile, rounded } from './percentile.ts'
import { withApp } from './app/with-app.ts'

const BETTORS = 2_000
const CONNECTIONS = 256
const QUIET_PER_S = 100
const SPIKE_PER_S = 1_000
const QUIET_S = 20
const SPIKE_S = 60
/** Spread evenly over the half second before and after the close. */
const AT_CLOSE = 1_000
const AT_CLOSE_S = 0.5
const CLEAR_NO = '409 period_closed'

interface Sent {
  /** By this process's clock. The database runs on the same machine and has the same clock. */
  dueAtMs: number
  /** Measured from the planned instant, so that a late start counts as waiting. */
  tookMs: number
  /** Null for an accepted ticket. */
  refusal: string | null
}

/** Sends a ticket at each instant, on the first free connection. */
async function sendAt(
  instants: readonly number[],
  connections: readonly Connection[],
  makeOne: () => string,
): Promise<Sent[]> {
  const sent: Sent[] = []
  let next = 0
  const work = async (connection: Connection): Promise<void> => {
    for (let index = next++; index < instants.length; index = next++) {
      const dueAtMs = instants[index]!
      const waitMs = dueAtMs - now()
      if (waitMs > 0) await pause(waitMs)
      const refusal = await connection.send(makeOne())
      sent.push({ dueAtMs, tookMs: now() - dueAtMs, refusal })
    }
  }
  await Promise.all(connections.map(work))
  return sent
}

/** The time of day in ms, with fractions. */
function now(): number {
  return performance.timeOrigin + performance.now()
}

function spread(fromMs: number, toMs: number, count: number): number[] {
  return Array.from({ length: count }, (_each, index) => fromMs + ((toMs - fromMs) * index) / count)
}

async function measure(url: string, dataDir: string, { report }: BenchmarkContext): Promise<Measured> {
  const database = await openAppDatabase(findDatabase(dataDir))
  const client = new Client(url)
  const port = Number(new URL(url).port)
  try {
    await client.logIn('member01')
    const market = await findOpenMarket(client)
    await setWideQuotas(database, market.config.product_code)
    const bettors = await addBettors(database, BETTORS)
    await database.query('vacuum analyze')
    const ticketTails = Array.from({ length: 1_000 }, () => makeTail(market, LINES_PER_TICKET))
    const makeOne = () => makeRequest({ bettors, ticketTails })
    const connections = await Promise.all(Array.from({ length: CONNECTIONS }, () => openConnection(port)))
    // A node's first calls are slow, so they are not measured.
    await sendAt(spread(now(), now() + 3_000, 3 * QUIET_PER_S), connections, makeOne)

    const closeAtMs = now() + 1_000 + (QUIET_S + SPIKE_S) * 1_000
    const { period_code } = market
    await database.query('update periods set close_at = to_timestamp($1) where period_code = $2', [
      closeAtMs / 1_000,
      period_code,
    ])
    const spikeAtMs = closeAtMs - SPIKE_S * 1_000
    const edgeMs = AT_CLOSE_S * 1_000
    report(`${QUIET_S} s at ${QUIET_PER_S} tickets a second, ${SPIKE_S} s at ${SPIKE_PER_S}, the close …`)
    const sent = await sendAt(
      [
        ...spread(spikeAtMs - QUIET_S * 1_000, spikeAtMs, QUIET_S * QUIET_PER_S),
        ...spread(spikeAtMs, closeAtMs - edgeMs, (SPIKE_S - AT_CLOSE_S) * SPIKE_PER_S),
        ...spread(closeAtMs - edgeMs, closeAtMs + edgeMs, AT_CLOSE),
      ],
      connections,
      makeOne,
    )
    for (const connection of connections) connection.end()

    const between = (fromMs: number, toMs: number) =>
      sent.filter(({ dueAtMs }) => dueAtMs >= fromMs && dueAtMs < toMs).map(({ tookMs }) => tookMs)
    const taken = sent.filter(({ refusal }) => refusal === null)
    const { rows } = await database.query<{ late: string; tickets: string }>(
      `select count(*) filter (where placed_at >= close_at) as late, count(*) as tickets
       from orders join periods using (period_id) where period_code = $1`,
      [period_code],
    )
    const unclear = sent.filter(({ refusal }) => refusal !== null && refusal !== CLEAR_NO)
    const spike = between(spikeAtMs, closeAtMs - edgeMs)
    const figures = {
      quiet_p99_ms: rounded(percentile(between(0, spikeAtMs), 0.99)),
      spike_p50_ms: rounded(percentile(spike, 0.5)),
      spike_p99_ms: rounded(percentile(spike, 0.99)),
      at_close_p99_ms: rounded(percentile(between(closeAtMs - edgeMs, Number.POSITIVE_INFINITY), 0.99)),
      sent: sent.length,
      taken: taken.length,
      refused_as_closed: sent.length - taken.length - unclear.length,
      unclear_replies: unclear.length,
      sent_after_close_taken: taken.filter(({ dueAtMs }) => dueAtMs >= closeAtMs).length,
      placed_at_or_after_close: Number(rows[0]!.late),
      taken_without_ticket: Math.max(0, taken.length - Number(rows[0]!.tickets)),
    }
    return {
      figures,
      goals: (
        ['unclear_replies', 'sent_after_close_taken', 'placed_at_or_after_close', 'taken_without_ticket'] as const
      ).map((figure) => ({ figure, limit: 0, at: 'most' })),
    }
  } finally {
    client.close()
    await database.end()
  }
}

export const bench: Benchmark = {
  name: 'close',
  description: 'ten times the tickets in the last minute of a period, and a thousand within half a second of its close',
  run: (context) => withApp(context, {}, (app) => measure(app.url, app.dataDir, context)),
}
