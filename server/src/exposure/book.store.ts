// The stored exposure: adding to its rows, and removing them for a rebuild.

import { sql } from 'kysely'
import { type Db, type Tx, unquotedArray } from '../postgres/db.ts'
import type { CompanyPart, PeriodSums } from './book-sums.ts'

/**
 * Adds sums to a period's exposure as a step. Updates rows first and inserts only missing ones, because `on conflict do
 * update` would lock each row first, which writes an extra log record. No one else inserts rows, because the caller has
 * locked the cursor.
 */
export async function addToBook(tx: Tx, period_id: number, version: number, sums: PeriodSums): Promise<void> {
  await addSlots(tx, period_id, version, sums)
  await addMembers(tx, period_id, sums)
  await sql`
    insert into book_periods as book (period_id, version, first_version, line_count, received_satang, discount_satang, own_received_satang,
      own_discount_satang)
    values (${period_id}, ${version}, ${version}, ${sums.lines}, ${sums.received}, ${sums.discount}, ${sums.own_received},
      ${sums.own_discount})
    on conflict (period_id) do update set version = excluded.version, line_count = book.line_count + excluded.line_count,
      received_satang = book.received_satang + excluded.received_satang,
      discount_satang = book.discount_satang + excluded.discount_satang,
      own_received_satang = book.own_received_satang + excluded.own_received_satang,
      own_discount_satang = book.own_discount_satang + excluded.own_discount_satang`.execute(tx)
}

async function addSlots(tx: Tx, period_id: number, version: number, sums: PeriodSums): Promise<void> {
  const slots = [...sums.touched].toSorted((one, other) => one - other)
  const column = (name: Parameters<PeriodSums['amount']>[1]) =>
    sql`${unquotedArray(slots.map((slot) => sums.amount(slot, name)))}::bigint[]`
  await sql`
    with given as (
      select * from unnest(${unquotedArray(slots)}::smallint[], ${column('lines')}, ${column('stake')}, ${column('payout')},
        ${column('own_stake')}, ${column('own_payout')}) as given (slot, lines, stake, payout, own_stake, own_payout)
    ), updated as (
      update book_slots book set line_count = line_count + given.lines, stake_satang = stake_satang + given.stake,
        payout_satang = payout_satang + given.payout, own_stake_satang = own_stake_satang + given.own_stake,
        own_payout_satang = own_payout_satang + given.own_payout, version = ${version}
      from given where book.period_id = ${period_id} and book.slot = given.slot
      returning book.slot
    )
    insert into book_slots (period_id, slot, line_count, stake_satang, payout_satang, own_stake_satang, own_payout_satang, version)
    select ${period_id}, slot, lines, stake, payout, own_stake, own_payout, ${version} from given
    where slot not in (select slot from updated)`.execute(tx)
}

async function addMembers(tx: Tx, period_id: number, { members }: PeriodSums): Promise<void> {
  const all = [...members.values()].toSorted((one, other) => one.user_id - other.user_id)
  const texts = (pick: (member: (typeof all)[number]) => readonly number[]) =>
    all.map((member) => `{${pick(member).join(',')}}`)
  await sql`
    with given as (
      select user_id, package_id, lines, received::bigint[] as received, discount::bigint[] as discount
      from unnest(${unquotedArray(all.map((member) => member.user_id))}::bigint[],
        ${unquotedArray(all.map((member) => member.package_id))}::int[],
        ${unquotedArray(all.map((member) => member.lines))}::int[],
        ${texts((member) => member.received)}::text[], ${texts((member) => member.discount)}::text[])
        as given (user_id, package_id, lines, received, discount)
    ), updated as (
      update book_members book set line_count = line_count + given.lines,
        received_satang = add_sums(received_satang, given.received), discount_satang = add_sums(discount_satang, given.discount)
      from given where book.period_id = ${period_id} and book.user_id = given.user_id and book.package_id = given.package_id
      returning book.user_id, book.package_id
    )
    insert into book_members (period_id, user_id, package_id, line_count, received_satang, discount_satang)
    select ${period_id}, user_id, package_id, lines, received, discount from given
    where (user_id, package_id) not in (select user_id, package_id from updated)`.execute(tx)
}

/** Removes a period's exposure. */
export async function removeBook(tx: Tx, period_id: number): Promise<void> {
  await sql`delete from book_slots where period_id = ${period_id}`.execute(tx)
  await sql`delete from book_members where period_id = ${period_id}`.execute(tx)
  await sql`delete from book_periods where period_id = ${period_id}`.execute(tx)
}

export interface ParentPart extends CompanyPart {
  parent_id: number
  /** The period's shares are a minute old, so no earlier change can still be uncommitted. */
  isFinal: boolean
}

/** The company's part of the items of these parents' members, by the terms in force at the period's `shares_at`. */
export async function listCompanyParts(
  db: Db,
  period_id: number,
  parent_ids: readonly number[],
): Promise<ParentPart[]> {
  const { rows } = await sql<ParentPart>`
    select parent.user_id as parent_id, (10000 - coalesce(sum(position_rate), 0))::int as left_rate,
      coalesce(max(commission_rate) filter (where depth = 2), 0) as commission_rate,
      (select shares_at < clock_timestamp() - interval '1 minute' from periods where period_id = ${period_id}) as "isFinal"
    from users parent cross join lateral unnest(parent.upline_ids || parent.user_id) with ordinality as level (user_id, depth)
      left join lateral (
        select position_rate, commission_rate from share_terms
        where share_terms.user_id = level.user_id
          and since_at <= (select shares_at from periods where period_id = ${period_id})
        order by since_at desc, share_id desc limit 1
      ) terms on depth > 1
    where parent.user_id = any(${unquotedArray(parent_ids)}::bigint[]) group by parent.user_id`.execute(db)
  return rows
}
