import { readAmount } from '../bet/slip/cell-text.ts'
import { listKeptSlips } from '../bet/slip/kept-slips.ts'
import { amountColumns } from '../bet/slip/slip-columns.ts'

/** What a market's card says of a slip that was not sent. */
export interface Draft {
  rows: number
  /** The amounts as typed, in whole Baht. */
  baht: number
}

/** A member's last drafts on this device, by market; not those that were sent and have no outcome yet. */
export function findDrafts(user_id: number): ReadonlyMap<string, Draft> {
  const drafts = new Map<string, Draft>()
  for (const { product_code, rows, is_pending } of listKeptSlips(user_id)) {
    if (is_pending || drafts.has(product_code)) continue
    const amounts = rows.flatMap((row) => amountColumns.map((column) => readAmount(row[column])))
    const baht = amounts.reduce<number>((sum, amount) => sum + (typeof amount === 'number' ? amount : 0), 0)
    drafts.set(product_code, { rows: rows.length, baht })
  }
  return drafts
}
