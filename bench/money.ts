// How long the week sheet, payments in bulk and clearing statements take with 3,000,000 items behind an agent, and what
// money between people adds to settlement and to intake.

import * as contract from '@megalot/contract'
import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { makeClearings } from '../server/src/money/index.ts'
import { openDataFolderDatabase } from '../server/test/data-folder-database.ts'
import { findDatabase, openAppDatabase } from './app/app-database.ts'
import { type App, withApp } from './app/with-app.ts'
import type { Benchmark, BenchmarkContext, Measured } from './benchmark.ts'
import { Client } from './client.ts'
import type { Window } from './intake/load-target.ts'
import { measureIntakeInPairs } from './money/intake-pairs.ts'
import { AGENTS, CHILDREN, type House, PERIODS_OF_DAY, seedHouse } from './money/seed-house.ts'
import { settleInPairs, type SettleTimes } from './money/settle-pairs.ts'
import { percentile, rounded } from './percentile.ts'
import { awaitIndexes } from './seeding/settle-period.ts'

const ROWS = 500
const BULK_ROUNDS = 6
const WARM_UPS = 8
const SHEETS = 120
const PAYMENT_SATANG = 100

const median = (values: readonly number[]): number => percentile(values, 0.5)

/** Statements of each played week in turn, so that later ones look at earlier ones. @returns the slowest, in ms */
async function measureClearings(app: App, { mondays }: House, report: BenchmarkContext['report']): Promise<number> {
  const opened = await openDataFolderDatabase(app.dataDir)
  try {
    const times: number[] = []
    for (const monday of mondays) {
      const startedAtMs = performance.now()
      const made = await makeClearings(opened.db, monday)
      times.push(performance.now() - startedAtMs)
      report(`  ${made} statements of ${monday}: ${Math.round(times.at(-1)!)} ms`)
      if (made < AGENTS) throw new Error(`only ${made} statements were made`)
    }
    return Math.max(...times)
  } finally {
    await opened.close()
  }
}

async function listChildren(database: pg.Client): Promise<number[]> {
  const { rows } = await database.query<{ user_id: string }>(
    `select user_id from users where username like 'bettor%' order by user_id limit $1`,
    [ROWS],
  )
  return rows.map(({ user_id }) => Number(user_id))
}

/** @returns ms of each call */
async function measureBulk(client: Client, user_ids: readonly number[]): Promise<number[]> {
  const times: number[] = []
  for (let round = 0; round < BULK_ROUNDS; round += 1) {
    // Towards 0: past it by more than a limit takes two people.
    const { value: sheet } = await client.call(contract.getWeekSheet, contract.getWeekSheet.path)
    const balances = new Map(sheet.data.map((edge) => [edge.user_id, edge.balance_satang]))
    const rows = user_ids.map((user_id) => ({
      user_id,
      amount_satang: balances.get(user_id)! < 0 ? -PAYMENT_SATANG : PAYMENT_SATANG,
      method: 'cash' as const,
    }))
    const { path } = contract.recordPayments
    const { value, ms } = await client.call(contract.recordPayments, path, { request_id: randomUUID(), rows })
    if (value.data.ok_count !== rows.length) throw new Error(`${value.data.refused_count} payments were refused`)
    times.push(ms)
  }
  return times
}

/** @returns ms of each call, in the played weeks and the current one in turn */
async function measureSheet(client: Client, { mondays }: House, rows: number): Promise<number[]> {
  const times: number[] = []
  for (let sample = -WARM_UPS; sample < SHEETS; sample += 1) {
    const week = mondays[(sample + WARM_UPS) % (mondays.length + 1)]
    const path = week === undefined ? contract.getWeekSheet.path : `${contract.getWeekSheet.path}?week=${week}`
    const { value, ms } = await client.call(contract.getWeekSheet, path)
    if (value.row_count < rows) throw new Error(`the sheet has only ${value.row_count} rows`)
    if (sample >= 0) times.push(ms)
  }
  return times
}

/** Items of the members below a user. */
async function countItemsBelow(database: pg.Client, username: string): Promise<number> {
  const { rows } = await database.query<{ items: string }>(
    `select sum(item_count) as items from orders join users using (user_id)
      where upline_ids @> array[(select user_id from users where username = $1)]`,
    [username],
  )
  return Number(rows[0]!.items)
}

interface HouseFigures {
  items: number
  clearing: number
  settle: SettleTimes
  bulk: number[]
  sheet: number[]
  agentsSheet: number[]
}

async function measureHouse(app: App, { report, readOption }: BenchmarkContext): Promise<HouseFigures> {
  const database = await openAppDatabase(findDatabase(app.dataDir))
  // The application stops its database if a measurement fails; that error is the one to report.
  database.on('error', () => {})
  const clients = { agent: new Client(app.url), above: new Client(app.url) }
  const office = [new Client(app.url), new Client(app.url)]
  try {
    const large = { count: readOption('periods', 4), items: readOption('items', 1_000_000) }
    report(`weeks of up to ${PERIODS_OF_DAY} periods a day, ${large.count} periods of ${large.items} items …`)
    const house = await seedHouse(database, large)
    report('clearing statements …')
    // Measure these first: within the hour, a job creates last week's statements.
    const clearing = await measureClearings(app, house, report)
    report('settlement …')
    await awaitIndexes(database, house.large)
    for (const [at, client] of office.entries()) await client.logIn(`office0${at + 1}`)
    const settle = await settleInPairs(database, office, house.large, report)
    report('payments and sheets …')
    const { rows } = await database.query<{ username: string }>(
      `select username from users where user_id = (select parent_id from users where username = 'agent01')`,
    )
    await clients.agent.logIn('agent01')
    await clients.above.logIn(rows[0]!.username)
    const bulk = await measureBulk(clients.agent, await listChildren(database))
    report(`  ${ROWS} payments: ${bulk.map(rounded).join(', ')} ms`)
    return {
      items: await countItemsBelow(database, 'agent01'),
      clearing,
      settle,
      bulk,
      sheet: await measureSheet(clients.agent, house, CHILDREN),
      agentsSheet: await measureSheet(clients.above, house, AGENTS),
    }
  } finally {
    for (const client of [...Object.values(clients), ...office]) client.close()
    await database.end()
  }
}

async function run(context: BenchmarkContext): Promise<Measured> {
  const { report, readOption } = context
  const house = await withApp(context, {}, (app) => measureHouse(app, context))
  report('tickets …')
  const intake = await withApp(context, {}, (app) => measureIntakeInPairs(app, readOption('pairs', 8), report))
  const ratioOf = (pick: (window: Window) => number) =>
    rounded(median(intake.with.map((window, pair) => pick(window) / pick(intake.without[pair]!))))
  const figures = {
    sheet_p95_ms: rounded(percentile(house.sheet, 0.95)),
    sheet_p50_ms: rounded(median(house.sheet)),
    agents_sheet_p95_ms: rounded(percentile(house.agentsSheet, 0.95)),
    bulk_500_ms: rounded(median(house.bulk)),
    clearing_500_ms: rounded(house.clearing),
    settle_ms: rounded(median(house.settle.with)),
    settle_without_ms: rounded(median(house.settle.without)),
    settle_ratio: rounded(sum(house.settle.with) / sum(house.settle.without)),
    tickets_per_s: rounded(median(intake.with.map(({ tickets_per_s }) => tickets_per_s))),
    tickets_per_s_ratio: ratioOf(({ tickets_per_s }) => tickets_per_s),
    // By processor time, which other work on the machine affects less.
    intake_ratio: ratioOf(({ tookMs, processorMs }) => tookMs.length / (processorMs.node + processorMs.postgres)),
    items: house.items,
  }
  return {
    figures,
    goals: [
      { figure: 'sheet_p95_ms', limit: 100, at: 'most' },
      { figure: 'bulk_500_ms', limit: 2_000, at: 'most' },
      { figure: 'clearing_500_ms', limit: 5_000, at: 'most' },
      { figure: 'settle_ratio', limit: 1.15, at: 'most' },
      { figure: 'intake_ratio', limit: 0.98, at: 'least' },
      { figure: 'items', limit: 3_000_000, at: 'least' },
    ],
  }
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

export const bench: Benchmark = {
  name: 'money',
  description:
    'the week sheet of 800 children, 500 payments, 500 clearing statements, settlement and intake beside them (--items=20000 for a short one)',
  run,
}
