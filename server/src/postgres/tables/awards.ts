// Columns of tables of results, settlement and voids. One line per column.

import type { DrawResult } from '@megalot/rules'
import type { Generated, JSONColumnType } from 'kysely'
import type { Kept } from './kept.ts'

export interface AwardsTables {
  awards: {
    period_id: number
    state: 'entered' | 'locked' | 'agreed'
    result: JSONColumnType<DrawResult>
    entered_by: number | null
    entered_at: Generated<Date>
    repeated_by: number | null
    repeated_result: JSONColumnType<DrawResult> | null
    repeated_at: Date | null
    /** Generated for the demo, not drawn. */
    is_demo: Generated<boolean>
  }
  period_slots: { period_id: Kept<number>; slot: Kept<number>; order_ids: Kept<number[]> }
  slot_indexes: {
    period_id: Kept<number>
    started_at: Kept<Date>
    indexed_up_to_order_id: Kept<number>
    built_at: Date | null
  }
  settlements: {
    period_id: number
    paid_up_to_order_id: Generated<number>
    paid_orders: Generated<number>
    paid_satang: Generated<number>
    started_at: Kept<Date>
    finished_at: Date | null
    round: Generated<number>
  }
  award_corrections: {
    correction_id: Kept<number>
    period_id: number
    round: number
    state: Generated<'entered' | 'locked' | 'agreed' | 'settled'>
    old_result: JSONColumnType<DrawResult>
    new_result: JSONColumnType<DrawResult>
    reason: string
    entered_by: number
    entered_at: Kept<Date>
    repeated_by: number | null
    repeated_result: JSONColumnType<DrawResult> | null
    repeated_at: Date | null
    settled_at: Date | null
    taken_back_satang: Generated<number>
    paid_satang: Generated<number>
  }
  overdraft_allowances: { correction_id: Kept<number>; account_id: Kept<number>; allowed_satang: Kept<number> }
  period_voids: {
    period_id: number
    approval_id: Kept<number>
    refunded_up_to_order_id: Generated<number>
    refunded_orders: Generated<number>
    refunded_satang: Generated<number>
    finished_at: Date | null
  }
  /** A view. */
  waiting_period_voids: { subject: Kept<string> }
  /** A view. */
  refunded_orders: {
    order_id: Kept<number>
    user_id: Kept<number>
    period_id: Kept<number>
    net_satang: Kept<number>
  }
}
