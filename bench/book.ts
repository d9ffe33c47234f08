// The exposure shown on the risk board: how fast it is computed, how far it lags behind bets, what it costs intake, and
// whether it is correct.

import { setTimeout as pause } from 'node:timers/promises'
import { closePeriod } from '@megalot/contract'
import type pg from 'pg'
import { rebuildExposure, reconcileExposure } from '../server/src/exposure/index.ts'
import { openDataFolderDatabase } from '../server/test/data-folder-database.ts'
import type { Benchmark, BenchmarkContext, Measured } from './benchmark.ts'
import { Client } from './client.ts'
import { type App, withApp } from './app/with-app.ts'
import { addBettors, findDatabase, openAppDatabase } from './app/app-database.ts'
import { measureLag } from './book/lag.ts'
import { awaitCounted, type LoadTarget, measureLoad, prepareTarget } from './intake/load-target.ts'
import { percentile, rounded } from './percentile.ts'
import { planTickets, seedClosedPeriod, seedTickets } from './seeding/write-tickets.ts'
import { LINES_PER_TICKET } from './tickets/ticket.ts'

const BUILD_LINES = 1_000_000
const BUILDS = 3
const MEMBERS = 2_000
const LAG_SECONDS = Number(process.env.LAG_SECONDS ?? 10)
const TICKETS_PER_S = 500
const ROUNDS = Number(process.env.BOOK_ROUNDS ?? 6)
const WINDOW_S = Number(process.env.BOOK_SECONDS ?? 4)
const WARM_UP_S = Number(process.env.WARM_UP_SECONDS ?? 8)
const PATIENCE_MS = 60_000

interface Built {
  build_1m_lines_ms: number
  seal_1m_lines_ms: number
  differences: number
}

/** A period with a million items, computed three times, then sealed. */
async function measureBuild(app: App, { report }: BenchmarkContext): Promise<Built> {
  const database = await openAppDatabase(findDatabase(app.dataDir))
  const owner = await openDataFolderDatabase(app.dataDir)
  try {
    await addBettors(database, MEMBERS)
    const period = await seedTickets(database, async () => {
      const closed = await seedClosedPeriod(database, 'hanoi-vip', 900)
      await planTickets(database, closed.period_id, BUILD_LINES / LINES_PER_TICKET)
      return closed
    })
    const tookMs: number[] = []
    const sealedMs: number[] = []
    let differences = 0
    for (let build = 0; build < BUILDS; build += 1) {
      const startedAtMs = performance.now()
      const found = await rebuildExposure(owner.db, period.period_code, { isSealed: false })
      tookMs.push(performance.now() - startedAtMs)
      const builtAtMs = performance.now()
      const { differences: sealed } = await reconcileExposure(owner.db, period.period_id)
      sealedMs.push(performance.now() - builtAtMs)
      differences += Object.keys(found ?? {}).length + Object.keys(sealed).length
      report(`  built in ${Math.round(tookMs.at(-1)!)} ms, sealed in ${Math.round(sealedMs.at(-1)!)} ms`)
    }
    return { build_1m_lines_ms: percentile(tookMs, 0.5), seal_1m_lines_ms: percentile(sealedMs, 0.5), differences }
  } finally {
    await owner.close()
    await database.end()
  }
}

/** Holds the cursor, so that nothing is counted during the measurement. */
async function withoutBook<Result>(holder: pg.Client, measure: () => Promise<Result>): Promise<Result> {
  await holder.query('begin')
  await holder.query('select 1 from book_cursor for update')
  try {
    return await measure()
  } finally {
    await holder.query('rollback')
  }
}

/**
 * Alternates windows with and without counting, each going first equally often. Windows with counting also count the
 * tickets of those without.
 */
async function measureIntake(target: LoadTarget, holder: pg.Client, { report }: BenchmarkContext): Promise<number[]> {
  const ratios: number[] = []
  const window = async (): Promise<number> => (await measureLoad(target, WINDOW_S)).tickets_per_s
  for (let round = 0; round < ROUNDS; round += 1) {
    const isWithFirst = round % 2 === 0
    const first = isWithFirst ? await window() : await withoutBook(holder, window)
    const second = isWithFirst ? await withoutBook(holder, window) : await window()
    const [book, none] = isWithFirst ? [first, second] : [second, first]
    ratios.push(book / none)
    report(`  with the book ${Math.round(book)} tickets a second, without ${Math.round(none)}`)
  }
  return ratios
}

/**
 * Closes the period of the load and waits until its exposure is sealed.
 * @returns ms from the close, and whether it differs
 */
async function measureClose(app: App, target: LoadTarget): Promise<{ ms: number; isDifferent: boolean }> {
  const office = new Client(app.url)
  try {
    await office.logIn('office01')
    const { rows } = await target.database.query<{ period_code: string; period_id: number }>(
      'select period_code, period_id from book_periods join periods using (period_id) order by line_count desc, close_at desc',
    )
    const open = rows.find(({ period_code }) => !period_code.endsWith('-900'))!
    const path = closePeriod.path.replace(':period_code', open.period_code)
    const startedAtMs = performance.now()
    await office.call(closePeriod, path, { reason: 'a benchmark' })
    for (;;) {
      const { rows: seals } = await target.database.query<{ state: string }>(
        'select state from book_seals where period_id = $1',
        [open.period_id],
      )
      const ms = performance.now() - startedAtMs
      if (seals[0]) return { ms, isDifferent: seals[0].state !== 'sealed' }
      if (ms > PATIENCE_MS) throw new Error(`${open.period_code} was not sealed in time`)
      await pause(20)
    }
  } finally {
    office.close()
  }
}

async function measure(app: App, context: BenchmarkContext): Promise<Measured> {
  const { report } = context
  report('a period of a million lines …')
  const built = await withApp(context, {}, (other) => measureBuild(other, context))
  report('members and quotas …')
  const target = await prepareTarget(app)
  const holder = await openAppDatabase(target.at)
  try {
    await measureLoad(target, WARM_UP_S)
    await awaitCounted(target.database)
    report(`${TICKETS_PER_S} tickets a second …`)
    const lags = await measureLag(target, TICKETS_PER_S, LAG_SECONDS)
    report('as many tickets as it takes, with and without the book …')
    const ratios = await measureIntake(target, holder, context)
    const close = await measureClose(app, target)
    const figures = {
      build_1m_lines_ms: rounded(built.build_1m_lines_ms),
      seal_1m_lines_ms: rounded(built.seal_1m_lines_ms),
      lag_p50_ms: rounded(percentile(lags, 0.5)),
      lag_p95_ms: rounded(percentile(lags, 0.95)),
      intake_with_book_ratio: rounded(percentile(ratios, 0.5)),
      sealed_after_close_ms: rounded(close.ms),
      differences: built.differences + (close.isDifferent ? 1 : 0),
    }
    return {
      figures,
      goals: [
        { figure: 'build_1m_lines_ms', limit: 2_000, at: 'most' },
        { figure: 'lag_p95_ms', limit: 1_000, at: 'most' },
        { figure: 'intake_with_book_ratio', limit: 0.97, at: 'least' },
        { figure: 'differences', limit: 0, at: 'most' },
      ],
    }
  } finally {
    await holder.end()
    await target.database.end()
  }
}

export const bench: Benchmark = {
  name: 'book',
  description: 'the book of the risk board: a million lines built, its lag behind bets, its cost for intake',
  run: (context) => withApp(context, {}, (app) => measure(app, context)),
}
