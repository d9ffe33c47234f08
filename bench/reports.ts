// How long every report and list takes to its first data, with 300,000 items and with 3,000,000, a third of them one
// member's. Two applications run side by side and are measured in turn, so that a slow moment of the machine affects
// both.

import type { Benchmark, BenchmarkContext, Measured } from './benchmark.ts'
import { Client } from './client.ts'
import { findDatabase, openAppDatabase } from './app/app-database.ts'
import { percentile, rounded } from './percentile.ts'
import { withApp } from './app/with-app.ts'
import { type Role, listCalls, type MeasuredCall } from './reports/calls.ts'
import { type History, seedHistory } from './reports/seed-history.ts'

const FEW_ITEMS = Number(process.env.REPORTS_FEW_ITEMS ?? 300_000)
const MANY_ITEMS = Number(process.env.REPORTS_MANY_ITEMS ?? 3_000_000)
/** The same for both; the larger one has more tickets per day. */
const DAYS = 105
const WARM_UPS = 6
const SAMPLES = Number(process.env.REPORTS_SAMPLES ?? 40)

interface SeededApp {
  history: History
  clients: Record<Role, Client>
}

async function prepareApp(url: string, dataDir: string, items: number, days: number): Promise<SeededApp> {
  const database = await openAppDatabase(findDatabase(dataDir))
  const history = await seedHistory(database, items, days)
  await database.end()
  const clients = {} as Record<Role, Client>
  for (const [as, username] of [
    ['agent', 'agent01'],
    ['company', 'company'],
    ['office', 'office01'],
  ] as const) {
    clients[as] = new Client(url)
    await clients[as].logIn(username)
  }
  clients.member = new Client(url)
  clients.member.sessionToken = history.busiest_session_token
  return { history, clients }
}

interface Times {
  call: MeasuredCall
  few: number[]
  many: number[]
}

async function measureCalls(few: SeededApp, many: SeededApp, report: BenchmarkContext['report']): Promise<Times[]> {
  const time = async ({ clients }: SeededApp, { as, method, path, body }: MeasuredCall) =>
    (await clients[as].fetchTimed(method, path, body)).ms
  const callsToMany = listCalls(many.history)
  const all: Times[] = []
  for (const [at, call] of listCalls(few.history).entries()) {
    const times: Times = { call, few: [], many: [] }
    for (let sample = -WARM_UPS; sample < SAMPLES; sample += 1) {
      const ms = { few: await time(few, call), many: await time(many, callsToMany[at]!) }
      if (sample < 0) continue
      times.few.push(ms.few)
      times.many.push(ms.many)
    }
    all.push(times)
    const middles = [times.few, times.many].map((values) => rounded(percentile(values, 0.5)))
    report(`  ${call.as} ${call.name}: ${middles.join(' → ')} ms, p95 ${rounded(percentile(times.many, 0.95))}`)
  }
  return all
}

function evaluate(times: readonly Times[], many: SeededApp): Measured {
  const slowest = Math.max(...times.map((one) => percentile(one.many, 0.95)))
  // Compares the faster calls, because other load on the machine affects slower ones, and not both applications
  // equally.
  const growth = times.map((one) => percentile(one.many, 0.25) / percentile(one.few, 0.25))
  const figures = {
    p95_ms: rounded(slowest),
    growth_ratio: rounded(Math.max(...growth)),
    median_ms: rounded(
      percentile(
        times.map((one) => percentile(one.many, 0.5)),
        0.5,
      ),
    ),
    calls: times.length,
    tickets_of_busiest: many.history.tickets_of_busiest,
    items: MANY_ITEMS,
  }
  return {
    figures,
    goals: [
      { figure: 'p95_ms', limit: 50, at: 'most' },
      { figure: 'growth_ratio', limit: 1.5, at: 'most' },
      { figure: 'tickets_of_busiest', limit: 100_000, at: 'least' },
    ],
  }
}

async function run(context: BenchmarkContext): Promise<Measured> {
  const { report } = context
  return withApp(context, {}, (one) =>
    withApp(context, {}, async (other) => {
      report(`${FEW_ITEMS} items over ${DAYS} days …`)
      const few = await prepareApp(one.url, one.dataDir, FEW_ITEMS, DAYS)
      report(`${MANY_ITEMS} items over ${DAYS} days …`)
      const many = await prepareApp(other.url, other.dataDir, MANY_ITEMS, DAYS)
      report('every report and list …')
      const times = await measureCalls(few, many, report)
      for (const seeded of [few, many]) for (const client of Object.values(seeded.clients)) client.close()
      return evaluate(times, many)
    }),
  )
}

export const bench: Benchmark = {
  name: 'reports',
  description: 'every report and list with 300,000 and 3,000,000 items, a third of them of one member',
  run,
}
