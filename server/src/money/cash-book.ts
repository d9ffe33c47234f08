// The cash book: what each holder has collected and not passed on, by day. Holders are the principal and its
// assistants; for the office, its users.

import * as contract from '@megalot/contract'
import type { CashDay } from '@megalot/contract'
import { type RawBuilder, sql } from 'kysely'
import * as z from 'zod/mini'
import { defineChange, type Lock } from '../changes/index.ts'
import type { Caller, Scope } from '../http/caller.ts'
import { Refusal } from '../lib/refusal.ts'
import { type Db, unquotedArray } from '../postgres/db.ts'
import { findOwnerId } from './edges.store.ts'
import { findToday } from './week.ts'

interface Holder {
  user_id: number
  username: string
  display_name: string
  is_principal: boolean
}

/** Whose cash a caller reaches: a principal its own and its collectors', an assistant its own. */
async function listHolders(db: Db, caller: Scope & Pick<Caller, 'actor_id'>): Promise<Holder[]> {
  const isAssistant = caller.actor_id !== caller.principal_id
  const isOf = caller.is_office
    ? sql`is_office`
    : isAssistant
      ? sql`user_id = ${caller.actor_id}`
      : sql`user_id = ${caller.principal_id} or principal_id = ${caller.principal_id}`
  const { rows } = await sql<Holder>`
    select user_id, username, display_name, principal_id is null as is_principal from users where ${isOf}
    order by principal_id is not null, username`.execute(db)
  return rows
}

/**
 * The moves of cash of holders up to a day, as `moves (holder_id, day, kind, satang)`; satang above 0 raises the cash.
 * Payments between the owner and its parent are the principal's.
 */
const movesOf = (holder_ids: readonly number[], owner_id: number, day: string): RawBuilder<unknown> => {
  const ids = sql`any(${unquotedArray(holder_ids)}::bigint[])`
  const until = sql`day <= ${day}::date`
  return sql`(
    select holder_id, day, case when (amount_satang > 0) = (reverses_id is null) then 'received' else 'paid' end as kind,
      method, amount_satang as satang from payments
    where holder_id = ${ids} and ${until} and kind = 'payment' and parent_id = ${owner_id}
    union all
    select child_id, day, 'passed_up', method, -amount_satang from payments
    where child_id = ${owner_id} and child_id = ${ids} and ${until} and kind = 'payment'
    union all
    select from_id, day, 'handed', 'cash', -amount_satang from cash_handovers where from_id = ${ids} and ${until}
    union all
    select to_id, day, 'handed', 'cash', amount_satang from cash_handovers where to_id = ${ids} and ${until}
    union all
    select holder_id, day, 'counted', 'cash', counted_satang - expected_satang from cash_counts where holder_id = ${ids} and ${until}
  )`
}

type DayRecord = Omit<CashDay, 'holder' | 'counted'> & { holder_id: number }

const sum = (condition: RawBuilder<unknown>, sign: 1 | -1 = 1) =>
  sql`coalesce(${sql.lit(sign)} * sum(satang) filter (where ${condition}), 0)::bigint`

async function readDays(
  db: Db,
  holder_ids: readonly number[],
  owner_id: number,
  day: string,
): Promise<Map<number, DayRecord>> {
  const onDay = (kind: string) => sql`day = ${day}::date and kind = ${sql.lit(kind)} and method = 'cash'`
  const isTransfer = sql`day = ${day}::date and method = 'transfer' and kind <> 'counted'`
  const { rows } = await sql<DayRecord>`
    select holder_id, ${sum(sql`day < ${day}::date and method = 'cash'`)} as forward_satang,
      ${sum(onDay('received'))} as received_satang, count(*) filter (where ${onDay('received')} and satang > 0)::int as received_count,
      ${sum(onDay('paid'), -1)} as paid_satang, count(*) filter (where ${onDay('paid')} and satang < 0)::int as paid_count,
      ${sum(onDay('passed_up'), -1)} as passed_up_satang, ${sum(onDay('handed'))} as handed_in_satang,
      ${sum(onDay('counted'))} as difference_satang, ${sum(sql`method = 'cash'`)} as on_hand_satang,
      ${sum(sql`${isTransfer} and satang > 0`)} as transferred_in_satang,
      ${sum(sql`${isTransfer} and satang < 0`, -1)} as transferred_out_satang
    from ${movesOf(holder_ids, owner_id, day)} moves group by holder_id`.execute(db)
  return new Map(rows.map((row) => [row.holder_id, row]))
}

interface CountRecord {
  holder_id: number
  expected_satang: number
  counted_satang: number
  note: string | null
  counted_at: Date
}

async function readCounts(db: Db, holder_ids: readonly number[], day: string): Promise<Map<number, CountRecord>> {
  const { rows } = await sql<CountRecord>`
    select distinct on (holder_id) holder_id, expected_satang, counted_satang, note, counted_at from cash_counts
    where holder_id = any(${unquotedArray(holder_ids)}::bigint[]) and day = ${day}::date
    order by holder_id, count_id desc`.execute(db)
  return new Map(rows.map((row) => [row.holder_id, row]))
}

/** The cash of a day by holder. */
export async function getCashBook(
  db: Db,
  caller: Caller,
  given_day?: string,
): Promise<{ data: CashDay[]; top_level: { day: string } }> {
  const day = given_day ?? (await findToday(db))
  const holders = await listHolders(db, caller)
  return { data: await readCashDays(db, holders, await findOwnerId(db, caller), day), top_level: { day } }
}

async function readCashDays(db: Db, holders: readonly Holder[], owner_id: number, day: string): Promise<CashDay[]> {
  const ids = holders.map(({ user_id }) => user_id)
  const days = await readDays(db, ids, owner_id, day)
  const counts = await readCounts(db, ids, day)
  return holders.map((holder) => {
    const count = counts.get(holder.user_id)
    const { holder_id: _id, ...sums } = days.get(holder.user_id) ?? emptyDay
    return {
      holder,
      ...sums,
      counted: count
        ? {
            expected_satang: count.expected_satang,
            counted_satang: count.counted_satang,
            note: count.note,
            at: count.counted_at.toISOString(),
          }
        : null,
    }
  })
}

const emptyDay: DayRecord = {
  holder_id: 0,
  forward_satang: 0,
  received_satang: 0,
  received_count: 0,
  paid_satang: 0,
  paid_count: 0,
  passed_up_satang: 0,
  handed_in_satang: 0,
  difference_satang: 0,
  on_hand_satang: 0,
  transferred_in_satang: 0,
  transferred_out_satang: 0,
}

/** Serialises changes of a holder's cash book. Payments do not wait for it. */
const lockOfHolders = (ids: readonly number[]): Lock => ({
  rank: 'users',
  key: `cash ${ids.join()}`,
  take: (tx) =>
    sql`select from users where user_id = any(${unquotedArray(ids)}::bigint[]) order by user_id for no key update`.execute(
      tx,
    ),
})

/** An agent, not its assistant, records for all of its collectors. Users of the office record for themselves. */
const leads = ({ is_office, actor_id, principal_id }: Scope & Pick<Caller, 'actor_id'>): boolean =>
  !is_office && actor_id === principal_id

/** What a holder has today. */
async function readOnHand(
  db: Db,
  holder_id: number,
  owner_id: number,
): Promise<{ day: string; on_hand_satang: number }> {
  const day = await findToday(db)
  return { day, on_hand_satang: (await readDays(db, [holder_id], owner_id, day)).get(holder_id)?.on_hand_satang ?? 0 }
}

/** @throws Refusal not_found */
function requireHolder(holders: readonly Holder[], user_id: number): Holder {
  const holder = holders.find((each) => each.user_id === user_id)
  if (!holder) throw new Refusal('not_found')
  return holder
}

/**
 * Records a count of cash and its difference from the book. An agent may count for its collectors too.
 * @throws Refusal not_found (no holder that the caller reaches), not_allowed (another user of the office), cash_changed
 */
export const countCash = defineChange({
  name: 'count_cash',
  needs: 'money.do',
  input: z.omit(contract.countCash.body, { request_id: true }),
  async find(db, { holder_id }, caller) {
    requireHolder(await listHolders(db, caller), holder_id)
    if (!leads(caller) && holder_id !== caller.actor_id) throw new Refusal('not_allowed')
    return { owner_id: await findOwnerId(db, caller) }
  },
  locks: ({ holder_id }) => [lockOfHolders([holder_id])],
  load: ({ tx }, { holder_id }, { owner_id }) => readOnHand(tx, holder_id, owner_id),
  decide({ day, on_hand_satang }, input) {
    if (on_hand_satang !== input.expected_satang) throw new Refusal('cash_changed', { expected_satang: on_hand_satang })
    const { holder_id, counted_satang, expected_satang, note = null } = input
    return {
      plan: { holder_id, counted_satang, expected_satang, note, day },
      rows: [
        { subject: `user:${holder_id}`, before: { on_hand_satang }, after: { on_hand_satang: counted_satang, note } },
      ],
    }
  },
  async write({ tx, by }, count) {
    await tx
      .insertInto('cash_counts')
      .values({ ...count, counted_by: by.caller.actor_id })
      .execute()
    return { outcome: count.holder_id }
  },
})

/**
 * Records cash that one holder has handed to another of the same principal. Who takes it records it, or the agent
 * itself, so that nobody passes on what it no longer has.
 * @throws Refusal not_found, not_allowed (the caller is neither), bad_input (to oneself), cash_changed (more than the
 * giver has on hand)
 */
export const handOverCash = defineChange({
  name: 'hand_over_cash',
  needs: 'money.do',
  input: z.omit(contract.handOverCash.body, { request_id: true }),
  async find(db, { from_id, to_id }, caller) {
    if (from_id === to_id) throw new Refusal('bad_input', { fields: ['to_id'] })
    const holders = await listHolders(db, { ...caller, actor_id: caller.principal_id })
    requireHolder(holders, from_id)
    requireHolder(holders, to_id)
    if (!leads(caller) && to_id !== caller.actor_id) throw new Refusal('not_allowed')
    return { owner_id: await findOwnerId(db, caller) }
  },
  locks: ({ from_id, to_id }) => [lockOfHolders([from_id, to_id])],
  load: ({ tx }, { from_id }, { owner_id }) => readOnHand(tx, from_id, owner_id),
  decide({ day, on_hand_satang }, { from_id, to_id, amount_satang, note = null }) {
    if (amount_satang > on_hand_satang) throw new Refusal('cash_changed', { expected_satang: on_hand_satang })
    return {
      plan: { from_id, to_id, amount_satang, note, day },
      rows: [{ subject: `user:${from_id}`, after: { from_id, to_id, amount_satang, note } }],
    }
  },
  async write({ tx, by }, handover) {
    await tx
      .insertInto('cash_handovers')
      .values({ ...handover, recorded_by: by.caller.actor_id })
      .execute()
    return { outcome: handover.to_id }
  },
})

/** A holder's cash today, for the reply to a change. */
export async function getCashToday(db: Db, caller: Caller, holder_id: number): Promise<CashDay> {
  const holder = requireHolder(await listHolders(db, caller), holder_id)
  const [today] = await readCashDays(db, [holder], await findOwnerId(db, caller), await findToday(db))
  return today!
}
