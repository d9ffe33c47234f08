// How many tickets per second the application accepts through HTTP with all its real work, compared with pgbench's
// TPC-B on the same server in the same run, and whether it stays as fast with full tables.

import type { Benchmark, BenchmarkContext, Measured } from './benchmark.ts'
import { percentile, rounded } from './percentile.ts'
import { type App, withApp } from './app/with-app.ts'
import { type Growth, measureGrowth } from './intake/growth.ts'
import {
  awaitAudited,
  awaitCounted,
  BETTORS,
  measureLoad,
  type LoadTarget,
  prepareTarget,
  refuseRefusals,
  tidyTables,
  type Window,
} from './intake/load-target.ts'
import { countItems } from './app/app-database.ts'
import { LINES_PER_TICKET } from './tickets/ticket.ts'
import { sendTickets } from './tickets/ticket-load.ts'
import { fillTpcb, measureTpcb } from './intake/tpcb.ts'

const WARM_UP_S = readSeconds('WARM_UP_SECONDS', 12)
const MEASURE_S = readSeconds('INTAKE_SECONDS', 8)
const TPCB_S = readSeconds('TPCB_SECONDS', 5)
const GROWTH_S = readSeconds('GROWTH_SECONDS', 4)
/** Rounds that measure both in turn, because the speed of a shared host varies from minute to minute. */
const ROUNDS = 5
const FULL_ITEMS = Number(process.env.INTAKE_FULL_ITEMS ?? 3_000_000)
/** Time limit for filling the tables. */
const FILL_LIMIT_S = 400

function readSeconds(name: string, fallback: number): number {
  return Number(process.env[name] ?? fallback)
}

/** Sends tickets until the tables have that many items. */
async function fillTables(target: LoadTarget, items: number, report: BenchmarkContext['report']): Promise<void> {
  const startedAtMs = performance.now()
  const isLate = () => performance.now() - startedAtMs > FILL_LIMIT_S * 1_000
  for (;;) {
    const missing = items - (await countItems(target.database))
    if (missing <= 0 || isLate()) return
    report(`  ${missing} items to go …`)
    let sent = 0
    const isOver = () => isLate() || (sent += 1) > missing / LINES_PER_TICKET
    refuseRefusals(await sendTickets({ ...target.load, isOver }))
  }
}

async function measure(app: App, context: BenchmarkContext): Promise<Measured> {
  const { report } = context
  report(`${BETTORS} members, the yardstick's tables …`)
  const target = await prepareTarget(app)
  try {
    await target.database.query('create database tpcb')
    fillTpcb(target.at)
    await tidyTables(target)
    report('tickets, warming up …')
    await measureLoad(target, WARM_UP_S)
    const tpcb: number[] = []
    const windows: Window[] = []
    for (let round = 0; round < ROUNDS; round++) {
      // Otherwise TPC-B would run beside work left from the last window's tickets.
      await awaitCounted(target.database)
      await awaitAudited(target.database)
      tpcb.push(measureTpcb(target.at, TPCB_S))
      windows.push(await measureLoad(target, MEASURE_S))
      report(`  TPC-B ${Math.round(tpcb.at(-1)!)} a second, tickets ${Math.round(windows.at(-1)!.tickets_per_s)}`)
    }
    report('filling the tables …')
    await fillTables(target, FULL_ITEMS, report)
    const items = await countItems(target.database)
    report('tickets into full tables, in turn with empty ones …')
    const growth = await withApp(context, {}, (other) => measureBeside(target, other, report))
    return evaluate(windows, growth, tpcb, items)
  } finally {
    await target.database.end()
  }
}

async function measureBeside(full: LoadTarget, other: App, report: BenchmarkContext['report']): Promise<Growth> {
  const empty = await prepareTarget(other)
  try {
    return await measureGrowth(full, empty, { seconds: GROWTH_S, warmUpSeconds: WARM_UP_S }, report)
  } finally {
    await empty.database.end()
  }
}

function median(values: readonly number[]): number {
  return percentile(values, 0.5)
}

function evaluate(windows: readonly Window[], growth: Growth, tpcb: readonly number[], items: number): Measured {
  const tookMs = windows.flatMap((window) => window.tookMs)
  const tickets = tookMs.length
  const sum = (pick: (window: Window) => number) => windows.reduce((total, window) => total + pick(window), 0)
  const microseconds = (pick: (window: Window) => number) => rounded((sum(pick) * 1_000) / tickets)
  const tickets_per_s = median(windows.map((window) => window.tickets_per_s))
  const tpcb_tps = median(tpcb)
  const figures = {
    tickets_per_s: rounded(tickets_per_s),
    tpcb_tps: rounded(tpcb_tps),
    ratio_to_tpcb: rounded(tickets_per_s / tpcb_tps),
    p50_ms: rounded(percentile(tookMs, 0.5)),
    p99_ms: rounded(percentile(tookMs, 0.99)),
    wal_bytes_per_ticket: Math.round(sum((window) => window.walBytes) / tickets),
    node_us_per_ticket: microseconds((window) => window.processorMs.node),
    postgres_us_per_ticket: microseconds((window) => window.processorMs.postgres),
    load_us_per_ticket: microseconds((window) => window.processorMs.load),
    empty_tickets_per_s: rounded(median(growth.empty.map((window) => window.tickets_per_s))),
    full_tickets_per_s: rounded(median(growth.full.map((window) => window.tickets_per_s))),
    full_p99_ms: rounded(
      percentile(
        growth.full.flatMap((window) => window.tookMs),
        0.99,
      ),
    ),
    growth_ratio: rounded(growth.growth_ratio),
    items_when_full: items,
    items_when_empty: growth.emptyItems,
  }
  return {
    figures,
    goals: [
      { figure: 'ratio_to_tpcb', limit: 1.9, at: 'least' },
      { figure: 'growth_ratio', limit: 0.95, at: 'least' },
      { figure: 'p99_ms', limit: 60, at: 'most' },
      { figure: 'wal_bytes_per_ticket', limit: 1_500, at: 'most' },
      { figure: 'items_when_full', limit: FULL_ITEMS, at: 'least' },
    ],
  }
}

export const bench: Benchmark = {
  name: 'intake',
  description:
    "tickets of ten lines through HTTP at 256 connections, beside pgbench TPC-B, empty and with 3 million items; needs Debian's pgbench",
  run: (context) => withApp(context, {}, (app) => measure(app, context)),
}
