// Whether a second node of the application helps: tickets per second with 1,024 connections to one node, compared with
// half of them to each of two nodes on the same database, in turn in one run. Both share this machine's processors with
// the database.

import { findFreePort, launchApp, waitUntilReady } from '../scripts/run-app.mjs'
import { type App, withApp } from '../bench/app/with-app.ts'
import type { Benchmark, BenchmarkContext, Measured } from '../bench/benchmark.ts'
import { captchaAnswer } from '../bench/client.ts'
import { type LoadTarget, prepareTarget, refuseRefusals } from '../bench/intake/load-target.ts'
import { percentile, rounded } from '../bench/percentile.ts'
import { sendTickets } from '../bench/tickets/ticket-load.ts'

const CONNECTIONS = 1_024
const ROUNDS = 7
const WARM_UP_S = 10
/** Unmeasured time before each window, to open connections and refill a node's caches. */
const LEAD_S = 2
const WINDOW_S = 6
const settings = { DATABASE_NODES: '2', MAX_LOOP_DELAY_MS: '0' }

interface Window {
  tickets_per_s: number
  tookMs: number[]
}

/** @param ports of the nodes that share the connections */
async function sendFor({ load }: LoadTarget, ports: readonly number[], seconds: number): Promise<Window> {
  const startedAtMs = performance.now()
  const isOver = () => performance.now() - startedAtMs > seconds * 1_000
  const connections = CONNECTIONS / ports.length
  const results = await Promise.all(ports.map((port) => sendTickets({ ...load, port, connections, isOver })))
  results.forEach(refuseRefusals)
  const elapsedS = (performance.now() - startedAtMs) / 1_000
  const tookMs = results.flatMap((result) => result.tookMs)
  return { tickets_per_s: tookMs.length / elapsedS, tookMs }
}

async function measure(target: LoadTarget, first: number, second: number, { report }: BenchmarkContext) {
  const nodes = { one: [first], two: [first, second] }
  report('warming up …')
  await sendFor(target, nodes.two, WARM_UP_S)
  const windows: Record<keyof typeof nodes, Window[]> = { one: [], two: [] }
  for (let round = 0; round < ROUNDS; round++) {
    // Each goes first in turn.
    const order = round % 2 === 0 ? (['one', 'two'] as const) : (['two', 'one'] as const)
    for (const which of order) {
      await sendFor(target, nodes[which], LEAD_S)
      windows[which].push(await sendFor(target, nodes[which], WINDOW_S))
    }
    const [one, two] = [windows.one, windows.two].map((of) => Math.round(of.at(-1)!.tickets_per_s))
    report(`  one node ${one} a second, two nodes ${two}`)
  }
  return windows
}

function median(values: readonly number[]): number {
  return percentile(values, 0.5)
}

function evaluate({ one, two }: Record<'one' | 'two', Window[]>): Measured {
  const ratios = two.map((window, round) => window.tickets_per_s / one[round]!.tickets_per_s)
  const p99 = (windows: readonly Window[]): number =>
    rounded(
      percentile(
        windows.flatMap(({ tookMs }) => tookMs),
        0.99,
      ),
    )
  return {
    figures: {
      connections: CONNECTIONS,
      one_node_tickets_per_s: rounded(median(one.map(({ tickets_per_s }) => tickets_per_s))),
      two_nodes_tickets_per_s: rounded(median(two.map(({ tickets_per_s }) => tickets_per_s))),
      two_to_one_ratio: rounded(median(ratios)),
      one_node_p99_ms: p99(one),
      two_nodes_p99_ms: p99(two),
    },
    goals: [{ figure: 'two_to_one_ratio', limit: 1, at: 'least' }],
  }
}

/** Measures with a second node on the first one's database. */
async function withSecondNode(app: App, context: BenchmarkContext): Promise<Measured> {
  const target = await prepareTarget(app)
  const port = await findFreePort()
  const env = { CAPTCHA_TEST_ANSWER: captchaAnswer, ...settings }
  const second = launchApp({ port, dataDir: app.dataDir, env })
  try {
    await waitUntilReady(`http://localhost:${port}`, second.hasEnded)
    return evaluate(await measure(target, target.load.port, port, context))
  } finally {
    second.kill('SIGTERM')
    await second.ended
    await target.database.end()
  }
}

export const bench: Benchmark = {
  name: 'nodes',
  description: 'tickets a second of two nodes on one database, compared with one, at 1,024 connections',
  run: (context) => withApp(context, settings, (app) => withSecondNode(app, context)),
}
