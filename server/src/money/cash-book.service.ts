// The cash book: the cash of a day by holder.

import type { CashDay } from '@megalot/contract'
import type { Caller } from '../http/caller.ts'
import { Refusal } from '../lib/refusal.ts'
import type { Db } from '../postgres/db.ts'
import { type DayRecord, type Holder, listHolders, readCounts, readDays } from './cash-book.store.ts'
import { findOwnerId } from './edges.store.ts'
import { findToday } from './week.ts'

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

/** A holder's cash today, for the reply to a change. */
export async function getCashToday(db: Db, caller: Caller, holder_id: number): Promise<CashDay> {
  const holder = requireHolder(await listHolders(db, caller), holder_id)
  const [today] = await readCashDays(db, [holder], await findOwnerId(db, caller), await findToday(db))
  return today!
}

/** @throws Refusal not_found */
export function requireHolder(holders: readonly Holder[], user_id: number): Holder {
  const holder = holders.find((each) => each.user_id === user_id)
  if (!holder) throw new Refusal('not_found')
  return holder
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
