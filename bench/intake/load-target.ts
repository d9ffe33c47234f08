// A started application prepared for load, and one window of that load with its cost.

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

export interface LoadTarget {
  load: Omit<TicketLoad, 'isOver'>
  /** Tickets of one line: members and periods get cached, and the tables stay nearly empty. */
  smallLoad: Omit<TicketLoad, 'isOver'>
  database: Awaited<ReturnType<typeof openAppDatabase>>
  appPid: number
  at: DatabaseAddress
}

export interface Window {
  tickets_per_s: number
  tookMs: number[]
  walBytes: number
  /** Processor time in ms of all three: the load, Node, PostgreSQL. */
  processorMs: { load: number; node: number; postgres: number }
}

/** Makes the members, the quotas and the tickets. The caller ends `database`. */
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

/** Sends the load for a time and measures it. @throws Error for any reply but 200 */
export async function measureLoad(
  { load, database, appPid }: Omit<LoadTarget, 'smallLoad' | 'at'>,
  seconds: number,
): Promise<Window> {
  const walBefore = await readWalBytes(database)
  const processorBefore = readProcessorTimes(appPid)
  const startedAtMs = performance.now()
  const result = await sendTickets({ ...load, isOver: () => performance.now() - startedAtMs > seconds * 1_000 })
  refuseRefusals(result)
  const processorAfter = readProcessorTimes(appPid)
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
