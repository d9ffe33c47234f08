// The console's reports and its ticket search, with 3,000,000 items, a third of them one member's: each step from the
// top of the tree to one ticket, each way of finding a ticket, and reports outside the tree.

import * as contract from '@megalot/contract'
import { findDatabase, openAppDatabase } from './app/app-database.ts'
import { withApp } from './app/with-app.ts'
import type { Benchmark, BenchmarkContext, Measured } from './benchmark.ts'
import { Client } from './client.ts'
import { percentile, rounded } from './percentile.ts'
import { measureFile, measureLiveMemory } from './reports/measure-file.ts'
import { type History, seedHistory } from './reports/seed-history.ts'

const ITEMS = Number(process.env.CONSOLE_REPORTS_ITEMS ?? 3_000_000)
const DAYS = 105
const WARM_UPS = 6
/** A third of the tickets and a tenth of the others have won: more than 100,000 of 300,000. */
const MANY_WIN = 'case when n % 3 = 1 then 0 else n end'
/** Longer than a minute, so that the integrity check runs. */
const AT_REST_MS = 70_000
const SHORT_DAYS = 26
const LONG_DAYS = 366
const SAMPLES = Number(process.env.CONSOLE_REPORTS_SAMPLES ?? 40)

interface Step {
  name: string
  method: contract.Method
  path: string
  body?: object
}

function get(name: string, route: contract.Route, query: Record<string, string>, params: Record<string, string> = {}) {
  const path = route.path.replaceAll(/:(\w+)/g, (_, each: string) => params[each] ?? '')
  return { name, method: 'GET' as const, path: `${path}?${new URLSearchParams(query).toString()}` }
}

/** The page's requests from the top to one ticket, over a month and over a year. */
function listDrill(history: History, agent_id: number): Step[] {
  const { last_day, period_code, busiest_id } = history
  const order_id = String(history.order_id)
  const user_id = String(busiest_id)
  return [30, 366].flatMap((days) => {
    const span = { date_from: dayBefore(last_day, days), date_to: last_day }
    const users = (name: string, of: object): Step => ({
      name: `${name}, ${days} days`,
      method: 'POST',
      path: contract.getWinLossSummary.path,
      body: { ...span, ...of, group_by: 'user', page: 0, ipp: 100 },
    })
    return [
      users('company', {}),
      users('agent', { user_id: agent_id }),
      get(`member, ${days} days`, contract.listPeriodWinLoss, { ...span, user_id, page: '0', ipp: '50' }),
      get('tickets of a period', contract.listPeriodWinLossTickets, { user_id, ipp: '50' }, { period_code }),
      get('ticket', contract.getOrder, {}, { order_id }),
    ]
  })
}

const find = (name: string, query: Record<string, string>) => get(name, contract.listOrders, { ...query, ipp: '50' })

function listSearches({ order_id, busiest_name, period_code, last_day }: History): Step[] {
  return [
    find('by its number', { search: `#${order_id}` }),
    find('by its id', { search: String(order_id) }),
    find('by its member', { search: busiest_name }),
    find('by its period', { search: period_code }),
    find('by a bet', { search: '42' }),
    find('by a bet of nobody', { search: '777' }),
    find('by an amount of nobody', { bet_from_satang: '99999900', bet_to_satang: '99999900' }),
    find('by time', { placed_from: `${last_day}T03:00:00Z`, placed_to: `${last_day}T04:00:00Z` }),
    find('by an address of nobody', { address: '203.0.113.250' }),
  ]
}

function listOthers({ last_day }: History): Step[] {
  const span = { date_from: dayBefore(last_day, 30), date_to: last_day }
  return [
    get('outstanding', contract.listOutstanding, { ipp: '50' }),
    get('by type and package', contract.listTypeSums, span),
    get('winners', contract.listWinners, { ...span, ipp: '50' }),
    get('changed tickets', contract.listChangedTickets, { ...span, ipp: '50' }),
  ]
}

function dayBefore(day: string, days: number): string {
  return new Date(Date.parse(day) - days * 86_400_000).toISOString().slice(0, 10)
}

/** The 95th percentile of the slowest step. */
async function measure(client: Client, steps: readonly Step[], report: BenchmarkContext['report']): Promise<number> {
  let slowest = 0
  for (const { name, method, path, body } of steps) {
    const times: number[] = []
    for (let sample = -WARM_UPS; sample < SAMPLES; sample += 1) {
      const { ms } = await client.fetchTimed(method, path, body)
      if (sample >= 0) times.push(ms)
    }
    const p95 = percentile(times, 0.95)
    report(`  ${name}: median ${rounded(percentile(times, 0.5))} ms, p95 ${rounded(p95)} ms`)
    slowest = Math.max(slowest, p95)
  }
  return slowest
}

async function run(context: BenchmarkContext): Promise<Measured> {
  const { report } = context
  const memory = measureLiveMemory()
  return withApp<Measured>(context, memory.env, async ({ url, dataDir, pid }) => {
    report(`${ITEMS} items over ${DAYS} days …`)
    const database = await openAppDatabase(findDatabase(dataDir))
    const history = await seedHistory(database, ITEMS, DAYS, MANY_WIN)
    const { rows } = await database.query<{ user_id: number }>(
      "select user_id::int from users where username = 'agent01'",
    )
    await database.end()
    const client = new Client(url)
    await client.logIn('office01')
    report('from the company to one ticket …')
    const drill = await measure(client, listDrill(history, rows[0]!.user_id), report)
    report('where is my ticket …')
    const search = await measure(client, listSearches(history), report)
    report('the other reports …')
    const others = await measure(client, listOthers(history), report)
    report('winners as XLSX …')
    const winners = (days: number) =>
      measureFile(client, pid, {
        report: 'winners',
        format: 'xlsx',
        date_from: dayBefore(history.last_day, days),
        date_to: history.last_day,
      })
    const short = await winners(SHORT_DAYS)
    const long = await winners(LONG_DAYS)
    // Memory is measured separately, because collecting garbage takes time. At rest, because the server's jobs use
    // memory too.
    const atRest = await memory.measure(() => new Promise((resolve) => setTimeout(resolve, AT_REST_MS)))
    report(`  at rest: ${rounded(atRest.heap_mb)} MB of the heap and ${rounded(atRest.outside_mb)} MB outside of it`)
    const shortInUse = await memory.measure(() => winners(SHORT_DAYS))
    const longInUse = await memory.measure(() => winners(LONG_DAYS))
    for (const [file, { heap_mb, outside_mb }] of [
      [short, shortInUse],
      [long, longInUse],
    ] as const) {
      const { rows, bytes, seconds, peak_mb } = file
      const size = `${rounded(heap_mb)} MB of the heap and ${rounded(outside_mb)} MB outside of it in use, ${rounded(peak_mb)} MB resident`
      report(`  ${rows} rows, ${bytes} bytes: ${rounded(seconds)} s, at most ${size}`)
    }
    client.close()
    return {
      figures: {
        drill_p95_ms: rounded(drill),
        search_p95_ms: rounded(search),
        others_p95_ms: rounded(others),
        xlsx_rows: long.rows,
        xlsx_100k_rows_s: rounded((long.seconds * 100_000) / long.rows),
        xlsx_memory_growth_mb: rounded(
          longInUse.heap_mb + longInUse.outside_mb - shortInUse.heap_mb - shortInUse.outside_mb,
        ),
        xlsx_resident_mb: rounded(long.peak_mb),
        items: ITEMS,
      },
      goals: [
        { figure: 'drill_p95_ms', limit: 100, at: 'most' },
        { figure: 'search_p95_ms', limit: 100, at: 'most' },
        { figure: 'xlsx_100k_rows_s', limit: 10, at: 'most' },
        // Four times the rows in the same memory.
        { figure: 'xlsx_memory_growth_mb', limit: 32, at: 'most' },
      ],
    }
  }).finally(() => memory.end())
}

export const bench: Benchmark = {
  name: 'console-reports',
  description: 'win and loss from the company to one ticket, and any ticket found, with 3,000,000 items',
  run,
}
