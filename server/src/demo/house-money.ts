// What the demo's people have paid each other: every Monday most members pay what they lost and get what they won, and
// agents pass up their line's part. The last week is stated and still due between agents.

import { sql } from 'kysely'
import { addDays, bangkokDayOf, bangkokInstant } from '../lib/bangkok.ts'
import { insertClearings, mondayOf } from '../money/index.ts'
import { type Tx, unquotedArray } from '../postgres/db.ts'

/** When a house was set up, and the end of its history. */
interface Span {
  set_up_at: Date
  now: Date
}

/** What part of its balance a member pays on a Monday, by its place in the list and the week. */
function partOf(place: number, week: number): number {
  const roll = (place * 7 + week * 3) % 10
  if (roll === 0) return 0
  return roll <= 2 ? 0.5 : 1
}

const methods = ['cash', 'transfer', 'cash', 'transfer', 'cash'] as const

interface StagedPayment {
  child_id: number
  amount_satang: number
  balance_after_satang: number
  method: (typeof methods)[number]
  recorded_at: Date
  recorded_by: number
}

/** The Mondays after the history's weeks, in order. */
function listMondays({ now, set_up_at }: Span): string[] {
  const mondays: string[] = []
  const last = mondayOf(bangkokDayOf(now))
  for (let monday = mondayOf(bangkokDayOf(set_up_at)); monday <= last; monday = addDays(monday, 7)) mondays.push(monday)
  return mondays
}

/** Plans payments by the rollups of settled periods. */
export async function stagePayments(tx: Tx, house: Span): Promise<void> {
  const { rows: edges } = await sql<{ child_id: number; level: string; recorder: number }>`
    select child_id, level, case when parent_id = (select user_id from users where level = 'company' and not is_office)
      then (select user_id from users where username = 'office01') else parent_id end as recorder
    from edges join users on user_id = child_id order by level <> 'member', child_id`.execute(tx)
  const { rows: days } = await sql<{ child_id: number; day: string; satang: number }>`
    select child_id, day::text, sum(played_satang)::bigint as satang from counted_edge_days(null)
    group by child_id, day`.execute(tx)
  const played = new Map<number, { day: string; satang: number }[]>()
  for (const { child_id, ...of_day } of days) played.set(child_id, [...(played.get(child_id) ?? []), of_day])
  const paid = new Map<number, number>()
  const mondays = listMondays(house)
  const payments: StagedPayment[] = []
  for (const [week, monday] of mondays.entries())
    for (const [place, { child_id, level, recorder }] of edges.entries()) {
      const won = (played.get(child_id) ?? [])
        .filter(({ day }) => day < monday)
        .reduce((sum, { satang }) => sum + satang, 0)
      const balance = won + (paid.get(child_id) ?? 0)
      const isLast = week === mondays.length - 1
      // Between agents the last week is due.
      const part = level === 'member' ? partOf(place, week) : isLast ? 0 : 1
      // In whole Baht, unless all is paid.
      const amount_satang = part === 1 ? 0 - balance : Math.round((0 - balance * part) / 10_000) * 10_000
      const recorded_at = new Date(bangkokInstant(monday, '13:00').getTime() + place * 60_000)
      if (amount_satang === 0 || recorded_at >= house.now) continue
      paid.set(child_id, (paid.get(child_id) ?? 0) + amount_satang)
      const method = methods[(place + week) % methods.length]!
      payments.push({
        ...{ child_id, amount_satang, method, recorded_at },
        balance_after_satang: balance + amount_satang,
        recorded_by: recorder,
      })
    }
  const numbers = (pick: (payment: StagedPayment) => number) => unquotedArray(payments.map(pick))
  await sql`
    insert into seed_payments (child_id, amount_satang, balance_after_satang, method, recorded_at, recorded_by)
    select * from unnest(${numbers((each) => each.child_id)}::bigint[], ${numbers((each) => each.amount_satang)}::bigint[],
      ${numbers((each) => each.balance_after_satang)}::bigint[], ${payments.map(({ method }) => method)}::text[],
      ${payments.map(({ recorded_at }) => recorded_at)}::timestamptz[], ${numbers((each) => each.recorded_by)}::bigint[])`.execute(
    tx,
  )
}

/** The statements of all weeks that are over; all but the last are closed. */
export async function writeClearings(tx: Tx, house: Span): Promise<void> {
  const weeks = listMondays(house).map((monday) => addDays(monday, -7))
  for (const week of weeks) await insertClearings(tx, week)
  await sql`
    update clearings set state = case when week = ${weeks.at(-1)!}::date then 'sent' else 'closed' end,
      made_at = (week + 7 + time '12:00') at time zone 'Asia/Bangkok',
      changed_at = (week + 7 + time '12:30') at time zone 'Asia/Bangkok'`.execute(tx)
}
