// The house in which the tasks are done: the demo of five levels, thousands of further members, a period with 100,000 tickets,
// and periods that the tasks open for themselves.

import {
  type DataOf,
  getGameConfig,
  listPackages,
  listProductPeriod,
  type Order,
  placeOrder,
  type ProductPeriod,
  WEB_VERSION,
} from '@megalot/contract'
import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import type { BrowserContext, Page } from 'playwright-core'
import { addBettors, findDatabase, openAppDatabase } from '../app/app-database.ts'
import type { App } from '../app/with-app.ts'
import { Client } from '../client.ts'
import { signIn } from '../lighthouse.ts'
import { planTickets, planVoidPeriod } from '../seeding/void-period.ts'
import { type ClosedPeriod, seedTickets, WINNING_RESULT } from '../seeding/write-tickets.ts'

const MEMBERS = 2_000
const SETTLED_TICKETS = 20_000
const FIRST_SETTLED_ORDER_ID = 2_000_000

/** Two people of the office, and an agent whose credit is not used up. */
const operators = ['office01', 'office02', 'agent01', 'agent02'] as const
export type Operator = (typeof operators)[number]

export interface Bet {
  bet_type: string
  number: string
  bet_satang?: number
}

export interface OpenPeriod {
  period_id: number
  period_code: string
  product_code: string
}

export interface Scene {
  url: string
  database: pg.Client
  clients: Readonly<Record<Operator, Client>>
  /** The member who places the bets of the tasks. It belongs to the line of `agent01`. */
  member: Client
  /** Markets with a period that takes bets now or next. */
  markets: readonly ProductPeriod[]
  /** Closed and without a result, with 100,000 tickets. */
  voidable: ClosedPeriod
  settled: ClosedPeriod
  place: (period: Pick<OpenPeriod, 'product_code' | 'period_code'>, bets: readonly Bet[]) => Promise<Order>
  close: () => Promise<void>
}

/** @param tickets of the period that will be voided */
export async function openScene({ url, dataDir }: App, tickets: number): Promise<Scene> {
  const database = await openAppDatabase(findDatabase(dataDir))
  // The application stops its database where a measurement fails: that error is the one to see.
  database.on('error', () => {})
  const [bettor] = await addBettors(database, MEMBERS)
  const [voidable, settled] = await seedTickets(database, async () => {
    const first = await planVoidPeriod(database, tickets)
    // The demo enters results of the timetable's periods by itself.
    await database.query('update periods set is_manual = true where period_id = $1', [first.period_id])
    return [first, await planSettledPeriod(database)] as const
  })
  const clients = {} as Record<Operator, Client>
  for (const name of operators) {
    clients[name] = new Client(url)
    await clients[name].logIn(name)
  }
  const member = new Client(url)
  member.sessionToken = bettor!.sessionToken
  const { value } = await member.call(listProductPeriod, listProductPeriod.path)
  const termsOf = createTerms(member)
  return {
    url,
    database,
    clients,
    member,
    markets: value.data.products.filter(({ current_period }) => current_period !== null),
    voidable,
    settled,
    place: async ({ product_code, period_code }, bets) => {
      const { package_code, terms } = await termsOf(product_code)
      const items = bets.map(({ bet_type, number, bet_satang }) => {
        const { min_satang, rate } = terms.get(bet_type)!
        return { bet_type, number, bet_satang: bet_satang ?? min_satang, rate }
      })
      const body = { request_id: randomUUID(), period_code, package_code, items }
      return (await member.call(placeOrder, placeOrder.path, body)).value.data
    },
    close: async () => {
      for (const client of [member, ...Object.values(clients)]) client.close()
      await database.end()
    },
  }
}

/** A period of today that is paid. */
async function planSettledPeriod(database: pg.Client): Promise<ClosedPeriod> {
  const { rows } = await database.query<ClosedPeriod>(
    `insert into periods (period_code, product_code, period_date, open_at, close_at, draw_at, outcome)
      select 'hanoi-' || to_char(now() at time zone 'Asia/Bangkok', 'YYYYMMDD') || '-1000', 'hanoi',
        (now() at time zone 'Asia/Bangkok')::date, now() - interval '1 day', now() - interval '1 hour', now(), 'settled'
      returning period_id, period_code, period_date::text`,
  )
  const period = rows[0]!
  await database.query(
    "insert into awards (period_id, state, result, entered_at) values ($1, 'agreed', $2::jsonb, now())",
    [period.period_id, JSON.stringify(WINNING_RESULT)],
  )
  await planTickets(database, period, SETTLED_TICKETS, FIRST_SETTLED_ORDER_ID)
  return period
}

type Terms = DataOf<typeof getGameConfig>['bet_types'][number]

/** The first package of the member in each market, and its terms by bet type. */
function createTerms(member: Client) {
  const known = new Map<string, { package_code: string; terms: ReadonlyMap<string, Terms> }>()
  return async (product_code: string) => {
    const before = known.get(product_code)
    if (before) return before
    const packages = await member.call(listPackages, listPackages.path.replace(':product_code', product_code))
    const { package_code } = packages.value.data[0]!
    const path = getGameConfig.path.replace(':product_code', product_code).replace(':package_code', package_code)
    const { bet_types } = (await member.call(getGameConfig, path)).value.data
    const found = { package_code, terms: new Map<string, Terms>(bet_types.map((one) => [one.bet_type, one])) }
    known.set(product_code, found)
    return found
  }
}

let lastRound = 900

/** An extra round of a market, open for the last hour and for another one. */
export async function openPeriod(database: pg.Client, product_code: string): Promise<OpenPeriod> {
  lastRound += 1
  const { rows } = await database.query<OpenPeriod>(
    `insert into periods (period_code, product_code, period_date, round, open_at, close_at, draw_at, is_manual)
      select $1 || '-' || to_char(day, 'YYYYMMDD') || '-' || $2::int, $1, day, $2::int,
        now() - interval '1 hour', now() + interval '1 hour', now() + interval '2 hours', true
      from (select (now() at time zone 'Asia/Bangkok')::date as day) today
      returning period_id, period_code, product_code`,
    [product_code, lastRound],
  )
  return rows[0]!
}

/** Moves the draw of a closed period to now, so that its result can be entered. */
export async function holdDraw(database: pg.Client, { period_id }: OpenPeriod): Promise<void> {
  await database.query('update periods set draw_at = clock_timestamp() where period_id = $1', [period_id])
}

/** The browser becomes an operator and opens a page of the console, in Thai. */
export async function openConsole(
  { url, clients }: Scene,
  context: BrowserContext,
  page: Page,
  operator: Operator,
  path: string,
): Promise<void> {
  await signIn(context, url, clients[operator].sessionToken!, WEB_VERSION)
  await page.goto(`${url}/console${path}`)
  // The heading of the frame before says that the page is loading.
  await page
    .getByRole('heading', { level: 1, name: /^(?!กำลังโหลด)/ })
    .first()
    .waitFor()
}
