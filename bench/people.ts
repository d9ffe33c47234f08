// How long the console takes to search people, show a page with its count, expand a node of the tree, and change 1,000
// users at once, in a house of 100,000 members and 10,000 agents.

import * as contract from '@megalot/contract'
import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { findDatabase, openAppDatabase } from './app/app-database.ts'
import { type App, withApp } from './app/with-app.ts'
import type { Benchmark, BenchmarkContext, Measured } from './benchmark.ts'
import { Client } from './client.ts'
import { type Caller, listExpansions, listPages, listSearches, pathOf, type PeopleCall } from './people/calls.ts'
import { seedHouse } from './people/seed-people.ts'
import { percentile, rounded } from './percentile.ts'

const WARM_UPS = 3
const BULK_ROWS = 1_000
const names: Readonly<Record<Caller, string>> = {
  office: 'office01',
  company: 'company',
  super_senior: 'ss000001',
  agent: 'ag000001',
}

type Clients = Record<Caller, Client>

/** @returns times of all samples of all calls, in ms */
async function measureCalls(
  clients: Clients,
  calls: readonly PeopleCall[],
  samples: number,
  report: BenchmarkContext['report'],
): Promise<number[]> {
  const all: number[] = []
  for (const { as, name, query } of calls) {
    const times: number[] = []
    for (let sample = -WARM_UPS; sample < samples; sample += 1) {
      const { ms } = await clients[as].fetchTimed('GET', pathOf(query(sample + WARM_UPS)))
      if (sample >= 0) times.push(ms)
    }
    report(`  ${as} ${name}: ${rounded(percentile(times, 0.5))} ms, p95 ${rounded(percentile(times, 0.95))}`)
    all.push(...times)
  }
  return all
}

async function listParents(database: pg.Client): Promise<Record<Caller, number[]>> {
  const nodesOf = async (username: string): Promise<number[]> => {
    const { rows } = await database.query<{ user_id: string }>(
      `select below.user_id from users below join users upline on below.upline_ids @> array[upline.user_id] or below = upline
        where upline.username = $1 and below.level <> 'member' and not below.is_office order by below.user_id * 7919 % 10007 limit 60`,
      [username],
    )
    return rows.map(({ user_id }) => Number(user_id))
  }
  const ofCompany = await nodesOf('company')
  const [ofSuperSenior, ofAgent] = [await nodesOf(names.super_senior), await nodesOf(names.agent)]
  return { office: ofCompany, company: ofCompany, super_senior: ofSuperSenior, agent: ofAgent }
}

interface BulkCall {
  name: string
  route: contract.Route
  body: (round: number) => object
}

function listBulkCalls(user_ids: readonly number[]): BulkCall[] {
  const rowsWith = (fields: object) => user_ids.map((user_id) => ({ user_id, ...fields }))
  const packages = [{ product_code: 'thai-government', package_code: '70' }]
  return [
    {
      name: 'status',
      route: contract.changeStatuses,
      body: (round) => ({ user_ids, own_status: round % 2 === 0 ? 'DISABLED_BET' : 'NORMAL' }),
    },
    {
      name: 'suspension',
      route: contract.changeStatuses,
      body: (round) => ({ user_ids, own_status: round % 2 === 0 ? 'SUSPENDED' : 'NORMAL' }),
    },
    {
      name: 'credit',
      route: contract.changeCreditLimits,
      body: (round) => ({ rows: rowsWith({ credit_limit_satang: 100_000_000 + round * 100 }) }),
    },
    {
      name: 'packages',
      route: contract.changePackages,
      body: (round) => ({ user_ids, packages, change: round % 2 === 0 ? 'take' : 'give' }),
    },
    {
      name: 'names',
      route: contract.changeDisplayNames,
      body: (round) => ({ rows: user_ids.map((user_id) => ({ user_id, display_name: `ชื่อใหม่ ${user_id} ${round}` })) }),
    },
    { name: 'sessions', route: contract.endPeopleSessions, body: () => ({ user_ids }) },
  ]
}

/** @returns the slowest call, in ms */
async function measureBulk(
  client: Client,
  user_ids: readonly number[],
  rounds: number,
  report: BenchmarkContext['report'],
): Promise<number> {
  let slowest = 0
  for (const { name, route, body } of listBulkCalls(user_ids)) {
    const times: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      const call = { request_id: randomUUID(), reason: 'for the benchmark', ...body(round) }
      const { value, ms } = await client.call(route as typeof contract.changeStatuses, route.path, call)
      if (value.data.ok_count !== user_ids.length)
        throw new Error(`${name}: ${value.data.refused_count} rows were refused`)
      times.push(ms)
    }
    report(`  ${user_ids.length} × ${name}: ${times.map(rounded).join(', ')} ms`)
    slowest = Math.max(slowest, ...times)
  }
  return slowest
}

async function measure(app: App, { report, readOption }: BenchmarkContext): Promise<Measured> {
  const samples = readOption('samples', 20)
  const database = await openAppDatabase(findDatabase(app.dataDir))
  // The application stops its database if a measurement fails; that error is the one to report.
  database.on('error', () => {})
  report('100,000 members below 10,000 agents …')
  const house = await seedHouse(database, readOption('members', 100_000), readOption('tickets', 60_000))
  const parents = await listParents(database)
  const { rows } = await database.query<{ user_id: string }>(
    `select users.user_id from users join users parent on parent.user_id = users.parent_id
      where parent.username = 'ag000001' order by users.user_id limit $1`,
    [BULK_ROWS],
  )
  const user_ids = rows.map(({ user_id }) => Number(user_id))
  const clients = {} as Clients
  for (const as of Object.keys(names) as Caller[]) {
    clients[as] = new Client(app.url)
    await clients[as].logIn(names[as])
  }
  report('searches …')
  const searches = await measureCalls(clients, listSearches(), samples, report)
  report('pages with their counts …')
  const pages = await measureCalls(clients, listPages(), samples, report)
  report('nodes of the tree …')
  const expansions = await measureCalls(clients, listExpansions(parents), samples * 5, report)
  report(`changes of ${user_ids.length} users …`)
  const bulk_1000_ms = await measureBulk(clients.agent, user_ids, readOption('rounds', 6), report)
  await database.end()
  for (const client of Object.values(clients)) client.close()
  const figures = {
    search_p95_ms: rounded(percentile(searches, 0.95)),
    page_p95_ms: rounded(percentile(pages, 0.95)),
    expand_p95_ms: rounded(percentile(expansions, 0.95)),
    bulk_1000_ms: rounded(bulk_1000_ms),
    search_p50_ms: rounded(percentile(searches, 0.5)),
    page_p50_ms: rounded(percentile(pages, 0.5)),
    expand_p50_ms: rounded(percentile(expansions, 0.5)),
    bulk_rows: user_ids.length,
    members: house.members,
    agents: house.agents,
  }
  return {
    figures,
    goals: [
      { figure: 'search_p95_ms', limit: 100, at: 'most' },
      { figure: 'page_p95_ms', limit: 50, at: 'most' },
      { figure: 'expand_p95_ms', limit: 100, at: 'most' },
      { figure: 'bulk_1000_ms', limit: 2_000, at: 'most' },
      { figure: 'bulk_rows', limit: BULK_ROWS, at: 'least' },
      { figure: 'members', limit: 100_000, at: 'least' },
      { figure: 'agents', limit: 10_000, at: 'least' },
    ],
  }
}

export const bench: Benchmark = {
  name: 'people',
  description: 'searches, pages, the tree and changes of 1,000 users, with 100,000 members below 10,000 agents',
  run: (context) => withApp(context, {}, (app) => measure(app, context)),
}
