// A market for tests that change its timetable and holidays, and queries about its periods.

import type { PeriodChanges, Timetable } from '@megalot/contract'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { makePeriods } from '../src/markets/index.ts'
import { addDays, bangkokDayOf } from '../src/lib/bangkok.ts'
import { readClock } from '../src/postgres/db.ts'
import { changeByHand } from './auditor.ts'
import type { Reply, TestApp, TestCaller } from './test-app.ts'

export const product_code = 'hanoi'

/** One draw each day, for which the market opens at 05:00. */
export const sameDay = (close: string, draw: string): Timetable => ({
  days: 'every_day',
  open: { time: '05:00' },
  close: { time: close },
  draw: { time: draw },
})

export class Calendar {
  readonly #app: TestApp
  /** The caller of the changes. */
  readonly #office: TestCaller
  #today = ''

  constructor(app: TestApp, office: TestCaller) {
    this.#app = app
    this.#office = office
  }

  /** Undoes the changes of earlier tests: its periods are those of its timetable. */
  async reset(): Promise<void> {
    const { owner, db } = this.#app
    this.#today = bangkokDayOf(await readClock(owner))
    await sql`delete from market_holidays`.execute(owner)
    for (const table of ['number_settings', 'quotas', 'quota_changes', 'limit_rule_rows', 'limit_rules'])
      await changeByHand(owner, sql`delete from ${sql.table(table)}`)
    await sql`
      update products set timetable = ${JSON.stringify(sameDay('18:10', '18:30'))}, next_timetable = null, next_timetable_from = null
      where product_code = ${product_code}`.execute(owner)
    await sql`delete from accounts where period_id in (select period_id from periods where product_code = ${product_code})`.execute(
      owner,
    )
    await sql`delete from periods where product_code = ${product_code}`.execute(owner)
    await makePeriods(db)
  }

  /** A day relative to today. */
  day(days: number): string {
    return addDays(this.#today, days)
  }

  /** The code of the market's period of a day. */
  codeOn(days: number): string {
    return `${product_code}-${this.day(days).replaceAll('-', '')}`
  }

  /** The closes of the market's periods, by their codes. */
  async closes(): Promise<Record<string, string>> {
    const { rows } = await sql<{ period_code: string; close: string }>`
      select period_code, to_char(close_at at time zone 'Asia/Bangkok', 'HH24:MI') as close from periods
      where product_code = ${product_code} order by period_code`.execute(this.#app.owner)
    return Object.fromEntries(rows.map(({ period_code, close }) => [period_code, close]))
  }

  /** Sets or removes a holiday of the market. */
  setHoliday(days: number, is_on: boolean, changes: object = {}, caller = this.#office): Promise<Reply> {
    return caller.post('/api/admin/product/holiday', {
      product_codes: [product_code],
      day: this.day(days),
      is_on,
      ...(is_on ? { name: 'Tet' } : {}),
      reason: 'no draw',
      ...changes,
    })
  }

  /** The newest row of the audit log about an action. */
  async readAudit(action: string) {
    const { rows } = await sql<{ before: object; after: object; reason: string }>`
      select before, after, reason from audit_log where action = ${action} order by audit_id desc limit 1`.execute(
      this.#app.owner,
    )
    return rows[0]
  }
}

/** What a holiday did to the periods; it must not be refused. */
export async function changesOf(reply: Promise<Reply>): Promise<PeriodChanges> {
  const { http, json } = await reply
  expect(http).toBe(200)
  return json.data as PeriodChanges
}
