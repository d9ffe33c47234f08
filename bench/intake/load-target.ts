// A started application prepared for load, and one measured window of that load.

import { setTimeout as pause } from 'node:timers/promises'
import { listDescendants } from '../../scripts/run-app.mjs'
import { Client, findOpenMarket } from '../client.ts'
import { readProcessorMs } from './processor-time.ts'
import {
  addBettors,
  type DatabaseAddress,
  findDatabase,
  openAppDatabase,
  readWalBytes,
  setWideQuotas,
} from '../app/app-database.ts'
import { LINES_PER_TICKET, makeTail } from '../tickets/ticket.ts'
import { type LoadResult, sendTickets, type TicketLoad } from '../tickets/ticket-load.ts'

export const BETTORS = 10_000
const CONNECTIONS = 256
const PREPARED_TICKETS = 5_000
/**
 * How long a load runs before its window begins, in seconds, because all its connections open and send at the same
 * moment.
 */
const LEAD_S = 1
/** How long to wait for pending tickets to be counted in the exposure, in ms. */
const PATIENCE_MS = 300_000

export interface LoadTarget {
  load: Omit<TicketLoad, 'isOver'>
  /** One-item tickets, which fill caches of members and periods but leave the tables nearly empty. */
  smallLoad: Omit<TicketLoad, 'isOver'>
  database: Awaited<ReturnType<typeof openAppDatabase>>
  appPid: number
  at: DatabaseAddress
}

export interface Window {
  tickets_per_s: number
  tookMs: number[]
  walBytes: number
  /** CPU time in ms of all three: the load, Node, PostgreSQL. */
  processorMs: { load: number; node: number; postgres: number }
}

/** Creates the members, quotas and tickets. The caller ends `database`. */
export async function prepareTarget(app: { url: string; dataDir: string; pid: number }): Promise<LoadTarget> {
  const { url, dataDir, pid } = app
  const at = findDatabase(dataDir)
  const database = await openAppDatabase(at)
  const client = new Client(url)
  try {
    await client.logIn('member01')
    const market = await findOpenMarket(client)
    await setWideQuotas(database, market.config.product_code)
    const bettors = await addBettors(database, BETTORS)
    await database.query('vacuum analyze')
    const makeTails = (lines: number) => Array.from({ length: PREPARED_TICKETS }, () => makeTail(market, lines))
    const load = {
      port: Number(new URL(url).port),
      bettors,
      ticketTails: makeTails(LINES_PER_TICKET),
      connections: CONNECTIONS,
    }
    return { load, smallLoad: { ...load, ticketTails: makeTails(1) }, database, appPid: pid, at }
  } finally {
    client.close()
  }
}

/**
 * Measures a window in the middle of a load, whose connections send before and after it too.
 * @param lead sent until the window begins
 * @throws Error for any reply but 200
 */
export async function measureLoad(
  { load, database, appPid }: Pick<LoadTarget, 'load' | 'database' | 'appPid'>,
  seconds: number,
  { lead = load, leadSeconds = LEAD_S }: { lead?: LoadTarget['load']; leadSeconds?: number } = {},
): Promise<Window> {
  let isOver = false
  const running = { ...lead, isOver: () => isOver }
  const sending = sendTickets(running)
  const read = async () => ({
    wal: await readWalBytes(database),
    processor: readProcessorTimes(appPid),
    atMs: performance.now(),
  })
  const measureWindow = async () => {
    try {
      await pause(leadSeconds * 1_000)
      running.ticketTails = load.ticketTails
      const before = await read()
      await pause(seconds * 1_000)
      return { before, after: await read() }
    } finally {
      isOver = true
    }
  }
  // Sending ends before the window only if it fails.
  const [result, { before, after }] = await Promise.all([sending, measureWindow()])
  refuseRefusals(result)
  const isWithin = (_: number, index: number): boolean => {
    const atMs = result.answeredAtMs[index]!
    return atMs > before.atMs && atMs <= after.atMs
  }
  const tookMs = result.tookMs.filter(isWithin)
  return {
    tickets_per_s: (tookMs.length * 1_000) / (after.atMs - before.atMs),
    tookMs,
    walBytes: after.wal - before.wal,
    processorMs: {
      load: after.processor.load - before.processor.load,
      node: after.processor.node - before.processor.node,
      postgres: after.processor.postgres - before.processor.postgres,
    },
  }
}

/**
 * Waits until every ticket is counted in the exposure. Otherwise the server would still be working for a load that has
 * ended.
 */
export async function awaitCounted(database: LoadTarget['database']): Promise<void> {
  const startedAtMs = performance.now()
  for (;;) {
    const { rows } = await database.query(
      'select 1 from orders, book_cursor where order_id > orders_up_to and not order_id <@ orders_beyond limit 1',
    )
    if (rows.length === 0) return
    if (performance.now() - startedAtMs > PATIENCE_MS) throw new Error('tickets were not counted in time')
    await pause(200)
  }
}

/** How long no integrity check has run before the last one counts as ended, in ms. */
const AUDITED_MS = 2_000

/**
 * Waits for the end of an integrity check. Beside the baseline it would run without the pauses that it makes for
 * tickets.
 */
export async function awaitAudited(database: LoadTarget['database']): Promise<void> {
  const startedAtMs = performance.now()
  let seenAtMs = startedAtMs
  while (performance.now() - seenAtMs < AUDITED_MS) {
    const { rows } = await database.query(
      `select 1 from pg_locks where relation = 'auditor_state'::regclass and mode = 'ShareUpdateExclusiveLock' and granted`,
    )
    const nowMs = performance.now()
    if (rows.length > 0) seenAtMs = nowMs
    if (nowMs - startedAtMs > PATIENCE_MS) throw new Error('the auditor did not end in time')
    await pause(200)
  }
}

/**
 * Vacuums the tables and makes a checkpoint, so that neither falls into a window. The load must warm up again
 * afterwards.
 */
export async function tidyTables({ database }: Pick<LoadTarget, 'database'>): Promise<void> {
  await awaitCounted(database)
  await database.query('vacuum analyze')
  await database.query('checkpoint')
}

function readProcessorTimes(appPid: number): Window['processorMs'] {
  const others = listDescendants(appPid).filter(({ pid }) => pid !== appPid)
  return {
    load: readProcessorMs(process.pid),
    node: readProcessorMs(appPid),
    postgres: others.reduce((sum, { pid }) => sum + readProcessorMs(pid), 0),
  }
}

export function refuseRefusals({ refusals }: LoadResult): void {
  if (Object.keys(refusals).length > 0) throw new Error(`the application refused tickets: ${JSON.stringify(refusals)}`)
}
