// How long it takes to settle a period, and how many rows that writes, as the period grows with the same number of
// winners. As on a real day, each period's slot index is built after its close and before its result.

import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import type { Benchmark, BenchmarkContext, Measured } from './benchmark.ts'
import { Client } from './client.ts'
import { addBettors, findDatabase, openAppDatabase } from './app/app-database.ts'
import { percentile, rounded } from './percentile.ts'
import { withApp } from './app/with-app.ts'
import { awaitIndexes, settleClosedPeriod } from './seeding/settle-period.ts'
import { type ClosedPeriod, seedClosedPeriod, seedTickets } from './seeding/write-tickets.ts'
import { LINES_PER_TICKET } from './tickets/ticket.ts'

const SIZES = [100_000, 300_000, 1_000_000] as const
const ROUNDS = Number(process.env.SETTLE_ROUNDS ?? 3)
const WINNERS = 2_000
const MEMBERS = 2_000
const PRODUCT = 'hanoi-vip'

interface SeededPeriod extends ClosedPeriod {
  items: number
}

/** Closed periods full of tickets, with the same number of winning ones. Sizes take turns. */
async function planPeriods(database: pg.Client): Promise<SeededPeriod[]> {
  const periods: SeededPeriod[] = []
  let first_order_id = 1_000_000
  for (let round = 0; round < ROUNDS; round += 1)
    for (const items of SIZES) {
      const period = { ...(await seedClosedPeriod(database, PRODUCT, 1_000 + periods.length)), items }
      periods.push(period)
      const tickets = items / LINES_PER_TICKET
      // Spreads winners evenly among the others, whose numbers are all below the winning one.
      await database.query(
        `insert into planned_tickets
          select $1::bigint + n, bettors[1 + n * 7 % cardinality(bettors)], $2, 'CONFIRMED',
            now() - interval '20 hours' + n * interval '100 ms', '',
            case when n % ($3 / $4) = 0 then array[42, 41, 40, 39, 38, 37, 36, 35, 34, 33]
              else array(select (n * 13 + i * 3) % 40 from generate_series(0, ${LINES_PER_TICKET - 1}) i) end
          from generate_series(0, $3::int - 1) n,
            (select array_agg(user_id order by user_id) as bettors from users where username like 'bettor%') members`,
        [first_order_id, period.period_id, tickets, WINNERS],
      )
      first_order_id += tickets
    }
  return periods
}

/** The database's sessions report their statistics within this many ms. */
const STATISTICS_LATE_MS = 13_000

/** Rows inserted, updated and deleted in all tables so far. */
async function countWrites(database: pg.Client): Promise<number> {
  await pause(STATISTICS_LATE_MS)
  const { rows } = await database.query<{ rows: string }>(
    'select sum(n_tup_ins + n_tup_upd + n_tup_del) as rows from pg_stat_user_tables',
  )
  return Number(rows[0]!.rows)
}

interface Settled {
  items: number
  ms: number
  /** Rows written by the settlement, if they were counted. */
  rows: number | null
}

async function settleOne(
  database: pg.Client,
  office: readonly Client[],
  period: SeededPeriod,
  isCounted: boolean,
): Promise<Settled> {
  const before = isCounted ? await countWrites(database) : 0
  const ms = await settleClosedPeriod(database, office, period)
  return { items: period.items, ms, rows: isCounted ? (await countWrites(database)) - before : null }
}

async function measure(url: string, dataDir: string, { report }: BenchmarkContext): Promise<Measured> {
  const database = await openAppDatabase(findDatabase(dataDir))
  const office = [new Client(url), new Client(url)]
  try {
    report(`${MEMBERS} members, ${ROUNDS} periods each of ${SIZES.join(', ')} items …`)
    await addBettors(database, MEMBERS)
    const periods = await seedTickets(database, () => planPeriods(database))
    report('the slot index of each period …')
    const indexes = await awaitIndexes(database, periods)
    const largest = periods.filter(({ items }) => items === SIZES[2])
    const index_1m_ms = percentile(
      largest.map(({ period_id }) => indexes.get(period_id)!),
      0.5,
    )
    for (const [at, client] of office.entries()) await client.logIn(`office0${at + 1}`)
    const settled: Settled[] = []
    for (const [at, period] of periods.entries()) {
      const one = await settleOne(database, office, period, at < SIZES.length)
      settled.push(one)
      report(`  ${period.items} items: ${Math.round(one.ms)} ms${one.rows === null ? '' : `, ${one.rows} rows`}`)
    }
    return evaluate(settled, index_1m_ms)
  } finally {
    for (const client of office) client.close()
    await database.end()
  }
}

const growth = (values: readonly number[]): number => rounded(Math.max(...values) / values[0]!)

function evaluate(settled: readonly Settled[], index_1m_ms: number): Measured {
  const ofSize = (size: number) => settled.filter(({ items }) => items === size)
  const msOf = (size: number): number[] => ofSize(size).map((one) => one.ms)
  const ms = SIZES.map((size) => percentile(msOf(size), 0.5))
  const rows = SIZES.map((size) => ofSize(size)[0]!.rows!)
  const figures = {
    ms_100k: rounded(ms[0]!),
    ms_300k: rounded(ms[1]!),
    ms_1m: rounded(ms[2]!),
    rows_100k: rows[0]!,
    rows_1m: rows[2]!,
    index_1m_ms: rounded(index_1m_ms),
    winners: WINNERS,
    growth_ratio: growth(ms),
    rows_growth_ratio: growth(rows),
  }
  return {
    figures,
    goals: [
      { figure: 'growth_ratio', limit: 1.1, at: 'most' },
      { figure: 'rows_growth_ratio', limit: 1.05, at: 'most' },
    ],
  }
}

export const bench: Benchmark = {
  name: 'settle',
  description: 'settling periods of 100,000, 300,000 and a million items with the same winners',
  run: (context) => withApp(context, {}, (app) => measure(app.url, app.dataDir, context)),
}
