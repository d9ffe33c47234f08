// How many tickets the product itself takes a second, through HTTP and with everything it does in earnest, beside
// pgbench's TPC-B on the same server in the same run; and whether it stays as fast when the tables are full.

import { listDescendants } from '../scripts/run-product.mjs'
import type { Benchmark, BenchmarkContext, Measured } from './benchmark.ts'
import { Client, findOpenMarket } from './client.ts'
import { percentile, rounded } from './percentile.ts'
import { withProduct } from './product.ts'
import { readProcessorMs } from './intake/processor-time.ts'
import {
  addBettors,
  countItems,
  type DatabasePlace,
  findDatabase,
  openProductDatabase,
  readWalBytes,
  setWideQuotas,
} from './intake/product-database.ts'
import { type LoadResult, sendTickets, type TicketLoad } from './intake/ticket-load.ts'
import { LINES_PER_TICKET, makeTail } from './intake/ticket.ts'
import { fillTpcb, measureTpcb } from './intake/tpcb.ts'

const BETTORS = 10_000
const CONNECTIONS = 256
const PREPARED_TICKETS = 5_000
const WARM_UP_S = readSeconds('WARM_UP_SECONDS', 12)
const MEASURE_S = readSeconds('INTAKE_SECONDS', 8)
const TPCB_S = readSeconds('TPCB_SECONDS', 5)
/** Both are measured in turn, so many times: a machine that shares its host is faster in one minute than in the next. */
const ROUNDS = 5
const FULL_ITEMS = Number(process.env.INTAKE_FULL_ITEMS ?? 3_000_000)
/** Filling the tables is given up after this, so that the run stays bounded. */
const FILL_LIMIT_S = 400

function readSeconds(name: string, fallback: number): number {
  return Number(process.env[name] ?? fallback)
}

interface Place {
  load: Omit<TicketLoad, 'isOver'>
  database: Awaited<ReturnType<typeof openProductDatabase>>
  productPid: number
}

interface Window {
  tickets_per_s: number
  tookMs: number[]
  walBytes: number
  /** Processor time in ms of all three: the load, Node, PostgreSQL. */
  processorMs: { load: number; node: number; postgres: number }
}

/** Sends the load for a time and measures it. @throws Error for any reply but 200 */
async function measureLoad({ load, database, productPid }: Place, seconds: number): Promise<Window> {
  const walBefore = await readWalBytes(database)
  const processorBefore = readProcessorTimes(productPid)
  const startedAtMs = performance.now()
  const result = await sendTickets({ ...load, isOver: () => performance.now() - startedAtMs > seconds * 1_000 })
  refuseRefusals(result)
  const processorAfter = readProcessorTimes(productPid)
  const elapsedS = (performance.now() - startedAtMs) / 1_000
  return {
    tickets_per_s: result.answeredAtMs.length / elapsedS,
    tookMs: result.tookMs,
    walBytes: (await readWalBytes(database)) - walBefore,
    processorMs: {
      load: processorAfter.load - processorBefore.load,
      node: processorAfter.node - processorBefore.node,
      postgres: processorAfter.postgres - processorBefore.postgres,
    },
  }
}

function readProcessorTimes(productPid: number): Window['processorMs'] {
  const others = listDescendants(productPid).filter(({ pid }) => pid !== productPid)
  return {
    load: readProcessorMs(process.pid),
    node: readProcessorMs(productPid),
    postgres: others.reduce((sum, { pid }) => sum + readProcessorMs(pid), 0),
  }
}

function refuseRefusals({ refusals }: LoadResult): void {
  if (Object.keys(refusals).length > 0) throw new Error(`the product refused tickets: ${JSON.stringify(refusals)}`)
}

/** Sends tickets until the tables hold that many items. */
async function fillTables(place: Place, items: number, report: BenchmarkContext['report']): Promise<void> {
  const startedAtMs = performance.now()
  const isLate = () => performance.now() - startedAtMs > FILL_LIMIT_S * 1_000
  for (;;) {
    const missing = items - (await countItems(place.database))
    if (missing <= 0 || isLate()) return
    report(`  ${missing} items to go …`)
    let sent = 0
    const isOver = () => isLate() || (sent += 1) > missing / LINES_PER_TICKET
    refuseRefusals(await sendTickets({ ...place.load, isOver }))
  }
}

async function preparePlace(url: string, dataDir: string, productPid: number): Promise<Place & { at: DatabasePlace }> {
  const at = findDatabase(dataDir)
  const database = await openProductDatabase(at)
  const client = new Client(url)
  try {
    await client.logIn('member01')
    const market = await findOpenMarket(client)
    await setWideQuotas(database, market.config.product_code)
    const bettors = await addBettors(database, BETTORS)
    await database.query('vacuum analyze')
    const ticketTails = Array.from({ length: PREPARED_TICKETS }, () => makeTail(market))
    const load = { port: Number(new URL(url).port), bettors, ticketTails, connections: CONNECTIONS }
    return { load, database, productPid, at }
  } finally {
    client.close()
  }
}

async function measure(url: string, dataDir: string, pid: number, { report }: BenchmarkContext): Promise<Measured> {
  report(`${BETTORS} members, the yardstick's tables …`)
  const place = await preparePlace(url, dataDir, pid)
  try {
    await place.database.query('create database tpcb')
    fillTpcb(place.at)
    report('tickets, warming up …')
    await measureLoad(place, WARM_UP_S)
    const tpcb: number[] = []
    const windows: Window[] = []
    for (let round = 0; round < ROUNDS; round++) {
      tpcb.push(measureTpcb(place.at, TPCB_S))
      windows.push(await measureLoad(place, MEASURE_S))
      report(`  TPC-B ${Math.round(tpcb.at(-1)!)} a second, tickets ${Math.round(windows.at(-1)!.tickets_per_s)}`)
    }
    report('filling the tables …')
    await fillTables(place, FULL_ITEMS, report)
    report('tickets into full tables …')
    const full = await measureLoad(place, MEASURE_S)
    report(`  ${Math.round(full.tickets_per_s)} a second`)
    const items = await countItems(place.database)
    return judge(windows, full, tpcb, items)
  } finally {
    await place.database.end()
  }
}

function median(values: readonly number[]): number {
  return percentile(values, 0.5)
}

function judge(windows: readonly Window[], full: Window, tpcb: readonly number[], items: number): Measured {
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
    full_tickets_per_s: rounded(full.tickets_per_s),
    full_p99_ms: rounded(percentile(full.tookMs, 0.99)),
    growth_ratio: rounded(full.tickets_per_s / tickets_per_s),
    items_at_end: items,
  }
  return {
    figures,
    goals: [
      { figure: 'ratio_to_tpcb', limit: 1.35, at: 'least' },
      { figure: 'growth_ratio', limit: 0.85, at: 'least' },
      { figure: 'items_at_end', limit: FULL_ITEMS, at: 'least' },
    ],
  }
}

export const bench: Benchmark = {
  name: 'intake',
  description:
    'tickets of ten lines through HTTP at 256 connections, beside pgbench TPC-B, empty and with 3 million items',
  run: (context) => withProduct(context, {}, (product) => measure(product.url, product.dataDir, product.pid, context)),
}
