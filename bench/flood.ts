// Whether members can bet, and honest people can log in, during floods of log-ins: the time that a ticket takes during
// each flood, compared with quiet windows around it, and how many correct log-ins from unknown browsers succeed. The
// last flood comes from the address of a carrier's members, who log in meanwhile.

import { placeOrder } from '@megalot/contract'
import { setTimeout as pause } from 'node:timers/promises'
import type { Benchmark, BenchmarkContext, Measured } from './benchmark.ts'
import { Client, findOpenMarket, type OpenMarket } from './client.ts'
import { addBettors, findDatabase, openAppDatabase } from './app/app-database.ts'
import { percentile, rounded } from './percentile.ts'
import { callSteadily } from './app/call-steadily.ts'
import { runInOwnProcess } from './app/own-process.ts'
import { withApp } from './app/with-app.ts'
import { type Answers, floods, type FloodTask } from './flood/floods.ts'
import { CARRIER, carrierNotes, measureCarrier } from './flood/carrier.ts'
import { enter } from './flood/enter.ts'
import { type ProofSolver, startProofSolver } from './flood/proof-solver.ts'
import { makeTicket } from './tickets/ticket.ts'

const BETTORS = 50
const TICKETS_PER_S = 40
const WARM_UP_S = 3
/** Before and after each flood. The slowest 5 % of a window are twenty bets. */
const QUIET_S = 10
/** Time for the server to finish a flood's requests. */
const REST_S = 3
const FLOOD_S = 30

/**
 * Places tickets at a steady rate.
 * @returns how long each took, in ms
 */
async function measureTickets(clients: readonly Client[], market: OpenMarket, seconds: number): Promise<number[]> {
  const times: number[] = []
  await callSteadily(TICKETS_PER_S, seconds, async (index) => {
    const client = clients[index % clients.length]!
    times.push((await client.call(placeOrder, placeOrder.path, makeTicket(market, index))).ms)
  })
  return times
}

/**
 * Members who log in from unknown browsers, one per second, as the screen does: with a proof of work if the server asks
 * for one.
 */
async function comeNew(
  url: string,
  solver: ProofSolver,
  seconds: number,
): Promise<{ letIn: number; tried: number; waits: number[] }> {
  const waits: number[] = []
  let tried = 0
  await callSteadily(1, seconds - 5, async (index) => {
    tried += 1
    const startedAtMs = performance.now()
    const who = { username: `member${String((index % 24) + 1).padStart(2, '0')}`, password: 'demo1234' }
    if (await enter(url, { address: `192.0.${index % 250}.7` }, who, solver))
      waits.push(performance.now() - startedAtMs)
  })
  return { letIn: waits.length, tried, waits }
}

async function measure(url: string, dataDir: string, { report, readOption }: BenchmarkContext): Promise<Measured> {
  const database = await openAppDatabase(findDatabase(dataDir))
  const clients: Client[] = []
  const solver = startProofSolver()
  try {
    const carrier_s = readOption('carrier-seconds', CARRIER.seconds)
    const carrierMembers = Math.round((CARRIER.members * carrier_s) / CARRIER.seconds)
    const bettors = await addBettors(database, BETTORS + carrierMembers)
    for (const { sessionToken } of bettors.slice(0, BETTORS)) {
      const client = new Client(url)
      client.sessionToken = sessionToken
      clients.push(client)
    }
    const market = await findOpenMarket(clients[0]!)
    report('warming up …')
    await measureTickets(clients, market, WARM_UP_S)
    const during: number[] = []
    const figures: Record<string, number> = {}
    const waits: number[] = []
    let worst_ratio = 0
    let least_let_in = 1
    let unanswered = 0
    let before = await measureTickets(clients, market, QUIET_S)
    const quiet = [...before]
    for (const [name, each] of Object.entries(floods)) {
      const task: FloodTask = { url, bettors: BETTORS, flood: each, seconds: FLOOD_S }
      const [times, answers, news] = await Promise.all([
        measureTickets(clients, market, FLOOD_S),
        runInOwnProcess<Answers>(new URL('flood/flood-log-ins.ts', import.meta.url), task),
        comeNew(url, solver, FLOOD_S),
      ])
      await pause(REST_S * 1_000)
      const after = await measureTickets(clients, market, QUIET_S)
      const around = [...before, ...after]
      before = after
      quiet.push(...after)
      during.push(...times)
      waits.push(...news.waits)
      const ratio = percentile(times, 0.95) / percentile(around, 0.95)
      const let_in = news.letIn / news.tried
      report(
        `  ${name}: p95 × ${rounded(ratio)}, ${news.letIn} of ${news.tried} let in, answered ${JSON.stringify(answers)}`,
      )
      figures[`${name}_p95_ratio`] = rounded(ratio)
      figures[`${name}_let_in_ratio`] = rounded(let_in)
      worst_ratio = Math.max(worst_ratio, ratio)
      least_let_in = Math.min(least_let_in, let_in)
      unanswered += answers.unknown ?? 0
    }
    const names = Array.from({ length: carrierMembers }, (_, index) => `bettor${BETTORS + index + 1}`)
    const [times, carrier] = await Promise.all([
      measureTickets(clients, market, carrier_s),
      measureCarrier(url, database, names, carrier_s, solver),
    ])
    await pause(REST_S * 1_000)
    const around = [...before, ...(await measureTickets(clients, market, QUIET_S))]
    const carrier_ratio = percentile(times, 0.95) / percentile(around, 0.95)
    during.push(...times)
    worst_ratio = Math.max(worst_ratio, carrier_ratio)
    unanswered += carrier.answers.unknown ?? 0
    report(`  carrier: p95 × ${rounded(carrier_ratio)}, ${JSON.stringify(carrier)}`)
    return {
      figures: {
        ...figures,
        ...carrier.figures,
        carrier_bets_p95_ratio: rounded(carrier_ratio),
        quiet_p95_ms: rounded(percentile(quiet, 0.95)),
        flood_p95_ms: rounded(percentile(during, 0.95)),
        p95_ratio: rounded(worst_ratio),
        new_browser_let_in_ratio: rounded(least_let_in),
        new_browser_wait_p50_ms: rounded(percentile(waits, 0.5)),
        new_browser_wait_p95_ms: rounded(percentile(waits, 0.95)),
        log_ins_unanswered: unanswered,
      },
      notes: carrierNotes,
      goals: [
        { figure: 'carrier_let_in_ratio', limit: 1, at: 'least' },
        { figure: 'carrier_p95_ms', limit: 3_000, at: 'most' },
        { figure: 'carrier_phone_p95_ms', limit: 3_000, at: 'most' },
        { figure: 'p95_ratio', limit: 2.5, at: 'most' },
        { figure: 'new_browser_let_in_ratio', limit: 0.9, at: 'least' },
        { figure: 'log_ins_unanswered', limit: 0, at: 'most' },
      ],
    }
  } finally {
    solver.stop()
    for (const client of clients) client.close()
    await database.end()
  }
}

export const bench: Benchmark = {
  name: 'flood',
  description: 'what a ticket takes during floods of wrong log-ins, beside quiet, and whether honest newcomers get in',
  run: (context) =>
    withApp(context, { CALL_LIMITS_FACTOR: '1', TRUST_PROXY: '1' }, (app) => measure(app.url, app.dataDir, context)),
}
