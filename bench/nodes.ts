// Whether a second node is worth having: tickets over 1,024 connections through HAProxy, accepted by one node and by two in turn.

import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openOwnerDatabase } from '../server/test/data-folder-database.ts'
import { addBettors, setWideQuotas } from './app/app-database.ts'
import type { Benchmark, BenchmarkContext, Measured } from './benchmark.ts'
import { Client, findOpenMarket } from './client.ts'
import { type Cluster, nodeSettings } from './failover/faults.ts'
import { requireFreePort } from './failover/free-port.ts'
import { percentile, rounded } from './percentile.ts'
import { sendTickets, type TicketLoad } from './tickets/ticket-load.ts'
import { LINES_PER_TICKET, makeTail } from './tickets/ticket.ts'

const BETTORS = 5_000
const CONNECTIONS = 1_024
const PREPARED_TICKETS = 2_000
const ROUNDS = 3
const WARM_UP_S = 5
const MEASURE_S = 8
/** The limit until HAProxy has noticed a node that came or went. */
const NOTICED_MS = 15_000

interface Window {
  tickets_per_s: number
  tookMs: readonly number[]
  refused: number
}

async function measureWindow(load: Omit<TicketLoad, 'isOver'>, seconds: number): Promise<Window> {
  const startedAtMs = performance.now()
  const result = await sendTickets({ ...load, isOver: () => performance.now() - startedAtMs > seconds * 1_000 })
  return {
    tickets_per_s: (result.answeredAtMs.length * 1_000) / (performance.now() - startedAtMs),
    tookMs: result.tookMs,
    refused: Object.values(result.refusals).reduce((sum, times) => sum + times, 0),
  }
}

async function waitForNodes(cluster: Cluster, count: number): Promise<void> {
  const deadline = performance.now() + NOTICED_MS
  for (;;) {
    const rows = await cluster.readBalancer()
    const used = rows.filter(
      ({ pxname, svname, status }) => pxname === 'ready' && svname !== 'BACKEND' && status === 'UP',
    )
    if (used.length === count) return
    if (performance.now() > deadline) throw new Error(`HAProxy uses ${used.length} nodes`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

async function measure(cluster: Cluster, { report }: BenchmarkContext): Promise<Measured> {
  const database = openOwnerDatabase(cluster.ownerUrl())
  const client = new Client(`http://127.0.0.1:${cluster.WEB_PORT}`)
  await client.logIn('member01')
  const market = await findOpenMarket(client)
  client.close()
  const connection = await database.pool.connect()
  await setWideQuotas(connection, market.config.product_code)
  const bettors = await addBettors(connection, BETTORS)
  connection.release()
  await database.close()
  const ticketTails = Array.from({ length: PREPARED_TICKETS }, () => makeTail(market, LINES_PER_TICKET))
  const load = { port: cluster.WEB_PORT, bettors, ticketTails, connections: CONNECTIONS }
  const windows: Record<'one' | 'two', Window[]> = { one: [], two: [] }
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of ['two', 'one'] as const) {
      if (name === 'one') await cluster.stopNode('b')
      else if (round > 0) await cluster.startNode('b', nodeSettings)
      await waitForNodes(cluster, name === 'one' ? 1 : 2)
      await measureWindow(load, WARM_UP_S)
      const window = await measureWindow(load, MEASURE_S)
      windows[name].push(window)
      report(`  ${name}: ${Math.round(window.tickets_per_s)} tickets a second, ${window.refused} refused`)
    }
  }
  const figuresOf = (name: 'one' | 'two') => ({
    [`${name}_tickets_per_s`]: rounded(
      percentile(
        windows[name].map((window) => window.tickets_per_s),
        0.5,
      ),
    ),
    [`${name}_p99_ms`]: rounded(
      percentile(
        windows[name].flatMap(({ tookMs }) => tookMs),
        0.99,
      ),
    ),
    [`${name}_refused`]: windows[name].reduce((sum, { refused }) => sum + refused, 0),
  })
  const figures: Record<string, number> = { ...figuresOf('one'), ...figuresOf('two') }
  figures.two_to_one = rounded(figures.two_tickets_per_s! / figures.one_tickets_per_s!)
  return { figures, goals: [{ figure: 'two_to_one', limit: 1, at: 'least' }] }
}

export const bench: Benchmark = {
  name: 'nodes',
  description:
    'tickets over 1,024 connections through HAProxy, by one node and by two in turn, on the loopback cluster',
  async run(context) {
    process.env.CLUSTER_DIR ||= join(tmpdir(), `megalot-nodes-${process.pid}`)
    const cluster = await import('../scripts/cluster/cluster.mjs')
    await cluster.requirePrograms()
    await requireFreePort(cluster.WEB_PORT)
    try {
      await cluster.start(context.report, nodeSettings)
      return await measure(cluster, context)
    } finally {
      await cluster.destroy()
    }
  },
}
