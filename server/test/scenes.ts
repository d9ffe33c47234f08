// Scenes that several tests begin with.

import { randomUUID } from 'node:crypto'
import type { PlaceOrderBody, UserLevel } from '@megalot/contract'
import type { BetTypeCode } from '@megalot/rules'
import { sql } from 'kysely'
import { createPeriod } from '../src/modules/markets/markets.service.ts'
import { addUser } from '../src/modules/office/office.service.ts'
import { bangkokDayOf } from '../src/platform/bangkok.ts'
import type { Db } from '../src/platform/db.ts'
import { DEMO_PASSWORD } from '../src/seed/demo.ts'

let lastRound = 0

/** An open period of a market, in a round of its own, that closes in an hour unless told otherwise. */
export async function openPeriod(db: Db, product_code = 'thai-government', closesInMs = 3_600_000): Promise<string> {
  lastRound += 1
  const draw_at = new Date(Date.now() + closesInMs + 60_000)
  const period = await createPeriod(db, null, {
    product_code,
    period_date: bangkokDayOf(draw_at),
    round: lastRound,
    open_at: new Date(Date.now() - 3_600_000).toISOString(),
    close_at: new Date(Date.now() + closesInMs).toISOString(),
    draw_at: draw_at.toISOString(),
  })
  return period.period_code
}

/** The day a period code carries, as yyyy-mm-dd. */
export function dayOf(period_code: string): string {
  const [, year, month, day] = /(\d{4})(\d{2})(\d{2})/.exec(period_code)!
  return `${year}-${month}-${day}`
}

/** A whole ticket for package "70"; one line of 10 Baht on 3top 123 unless told otherwise. */
export function makeTicket(period_code: string, changes: Partial<PlaceOrderBody> = {}): PlaceOrderBody {
  return {
    request_id: randomUUID(),
    period_code,
    package_code: '70',
    items: [{ bet_type: '3top', number: '123', bet_satang: 1_000, rate: 55_000 }],
    ...changes,
  }
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

/** Everything that a refused ticket could have written: it must be the same before and after. */
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
