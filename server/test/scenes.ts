// Common initial states of tests.

import { randomUUID } from 'node:crypto'
import type { PlaceOrderBody, UserLevel } from '@megalot/contract'
import type { BetTypeCode } from '@megalot/rules'
import { sql } from 'kysely'
import { makePeriodCode } from '../src/modules/markets/index.ts'
import { type NewTicket, readTicket } from '../src/modules/orders/index.ts'
import { addUser } from '../src/cli/users.ts'
import { bangkokDayOf } from '../src/platform/bangkok.ts'
import type { Db } from '../src/platform/db.ts'
import { DEMO_PASSWORD } from '../src/seed/demo.ts'

let lastRound = 0

interface PeriodTimes {
  open_at: Date
  close_at: Date
  draw_at: Date
}

/**
 * Writes a period in a round of its own, past the rules for periods that the office creates: it may have opened before
 * now, and others of its day may have been drawn.
 */
export async function addPeriod(
  db: Db,
  product_code: string,
  period_date: string,
  times: PeriodTimes,
): Promise<{ period_id: number; period_code: string }> {
  lastRound += 1
  const period_code = makePeriodCode(product_code, period_date, lastRound)
  return db
    .insertInto('periods')
    .values({ period_code, product_code, period_date, round: lastRound, ...times })
    .returning(['period_id', 'period_code'])
    .executeTakeFirstOrThrow()
}

/** A period of a market that opened an hour ago and, by default, closes in an hour. */
export async function openPeriod(db: Db, product_code = 'thai-government', closesInMs = 3_600_000): Promise<string> {
  const now = Date.now()
  const draw_at = new Date(now + closesInMs + 60_000)
  const times = { open_at: new Date(now - 3_600_000), close_at: new Date(now + closesInMs), draw_at }
  const { period_code } = await addPeriod(db, product_code, bangkokDayOf(draw_at), times)
  return period_code
}

/**
 * Moves the draw of a closed period to this moment, so that its result can be entered.
 * @param owner the database as its owner: nobody else may move a draw
 */
export async function holdDraw(owner: Db, period_code: string): Promise<void> {
  await sql`update periods set draw_at = clock_timestamp() where period_code = ${period_code}`.execute(owner)
}

/** The day a period code carries, as yyyy-mm-dd. */
export function dayOf(period_code: string): string {
  const [, year, month, day] = /(\d{4})(\d{2})(\d{2})/.exec(period_code)!
  return `${year}-${month}-${day}`
}

/** A whole ticket for package "70"; one line of 10 Baht on 3top 123 by default. */
export function makeTicket(period_code: string, changes: Partial<PlaceOrderBody> = {}): PlaceOrderBody {
  return {
    request_id: randomUUID(),
    period_code,
    package_code: '70',
    items: [{ bet_type: '3top', number: '123', bet_satang: 1_000, rate: 55_000 }],
    ...changes,
  }
}

/** A ticket of a member as intake gets it. @param changes to what was read from the body */
export function makeNewTicket(user_id: number, body: PlaceOrderBody, changes: Partial<NewTicket> = {}): NewTicket {
  return { ...readTicket({ user_id, session_id: 0 }, body), ...changes }
}

/** The rates of package "70". */
export const rates70: Readonly<Record<BetTypeCode, number>> = {
  '3top': 55_000,
  '3roll': 10_500,
  '3front': 12_500,
  '3bottom': 12_500,
  '2top': 7_000,
  '2bottom': 7_000,
  '2roll': 1_200,
  '1top': 300,
  '1bottom': 400,
}

/** An announcement that is shown. @returns its id */
export async function announce(owner: Db, is_enabled = true): Promise<number> {
  const content = {
    type: 'news' as const,
    title_th: 'ประกาศ',
    title_en: 'Notice',
    body_th: '',
    body_en: '',
    is_enabled,
  }
  const { announce_id } = await owner
    .insertInto('announcements')
    .values(content)
    .returning('announce_id')
    .executeTakeFirstOrThrow()
  return announce_id
}

/** All data that a refused ticket could have written: it must be the same before and after. */
export async function countWrites(db: Db): Promise<object> {
  const { rows } = await sql<object>`
    select (select count(*) from orders) as orders, (select count(*) from order_items) as items,
      (select count(*) from entries) as entries, (select count(*) from postings) as postings,
      (select sum(balance_satang) from accounts where kind = 'cash') as cash`.execute(db)
  return rows[0]!
}

/** Adds a user with the demo's password under another, with the packages of its parent. */
export async function addPerson(
  db: Db,
  username: string,
  level: UserLevel,
  parent: string,
  credit_limit_satang = 0,
): Promise<number> {
  return addUser(db, { username, level, parent, is_office: false, password: DEMO_PASSWORD, credit_limit_satang })
}
