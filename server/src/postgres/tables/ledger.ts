// Columns of tables of money. One line per column.

import type { EntryKind } from '@megalot/contract'
import type { Kept } from './kept.ts'

export interface LedgerTables {
  accounts: {
    account_id: Kept<number>
    kind: 'cash' | 'held' | 'period' | 'result' | 'purse'
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
  edges: {
    child_id: Kept<number>
    /** Above 0 if the parent owes the child. */
    balance_satang: Kept<number>
    settle_figure_satang: number | null
    clearing: 'weekly' | 'rolling' | 'at_figure'
  }
  edge_days: {
    child_id: Kept<number>
    day: Kept<string>
    played_satang: Kept<number>
    received_satang: Kept<number>
    paid_satang: Kept<number>
    adjusted_satang: Kept<number>
  }
  payments: {
    payment_id: Kept<number>
    child_id: number
    parent_id: number
    kind: 'payment' | 'adjustment'
    /** Above 0 if the child has paid. */
    amount_satang: number
    balance_after_satang: number
    method: 'cash' | 'transfer' | 'offset' | null
    day: string
    note: string | null
    reverses_id: number | null
    holder_id: number
    recorded_by: number
    recorded_at: Kept<Date>
  }
  payment_slips: {
    payment_id: number
    content_type: 'image/jpeg' | 'image/png' | 'image/webp'
    image: Buffer
    added_by: number
    added_at: Kept<Date>
  }
  payment_disputes: {
    payment_id: number
    note: string
    raised_at: Kept<Date>
    answer: string | null
    answered_by: number | null
    answered_at: Date | null
  }
  cash_handovers: {
    handover_id: Kept<number>
    from_id: number
    to_id: number
    amount_satang: number
    day: string
    note: string | null
    recorded_by: number
    recorded_at: Kept<Date>
  }
  cash_counts: {
    count_id: Kept<number>
    holder_id: number
    day: string
    expected_satang: number
    counted_satang: number
    note: string | null
    counted_by: number
    counted_at: Kept<Date>
  }
  clearings: {
    clearing_id: Kept<number>
    child_id: number
    week: string
    state: 'draft' | 'sent' | 'confirmed' | 'disputed' | 'paid' | 'closed'
    forward_satang: number
    carried_satang: number
    made_at: Kept<Date>
    changed_at: Date
    disputed_line: number | null
    dispute_note: string | null
  }
  clearing_lines: {
    clearing_id: number
    line_no: number
    child_id: number
    kind: 'period' | 'correction' | 'payment' | 'adjustment'
    period_id: number | null
    payment_id: number | null
    received_satang: number
    discount_satang: number
    commission_satang: number
    win_satang: number
    change_satang: number
  }
}
