// Columns of tables of money. One line per column.

import type { EntryKind } from '@megalot/contract'
import type { Kept } from './kept.ts'

export interface LedgerTables {
  accounts: {
    account_id: Kept<number>
    kind: 'cash' | 'held' | 'period'
    user_id: number | null
    period_id: number | null
    balance_satang: Kept<number>
    floor_satang: number | null
    /** What corrections have taken back beyond the floor. */
    overdraft_satang: Kept<number>
    given_satang: Kept<number>
  }
  entries: {
    entry_id: Kept<number>
    kind: EntryKind
    order_id: number | null
    idempotency_key: string | null
    actor_id: number | null
    at: Kept<Date>
    from_account_id: number
    to_account_id: number
    amount_satang: number
  }
  postings: { entry_id: number; account_id: number; amount_satang: number }
  entry_marks: { day: string; entry_id: number }
  balance_marks: { user_id: number; entry_id: number; balance_satang: number }
}
