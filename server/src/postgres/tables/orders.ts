// Columns of tables of tickets. One line per column.

import type { OrderStatus } from '@megalot/contract'
import type { BetTypeCode } from '@megalot/rules'
import type { Generated, JSONColumnType } from 'kysely'
import type { Kept } from './kept.ts'

/** Statuses from the end of placing on. Earlier ones exist within one call, and a refused ticket is not stored. */
export type StoredOrderStatus = 'WAIT_CONFIRM' | 'CONFIRMED' | 'CANCELLED' | 'DELETED'

export interface OrdersTables {
  orders: {
    order_id: number
    request_id: string
    content_hash: Buffer
    user_id: number
    period_id: number
    package_id: number
    status: StoredOrderStatus
    note: string
    item_count: number
    bet_satang: number
    received_satang: number
    discount_satang: number
    win_satang: Generated<number>
    created_at: Date
    placed_at: Date
    slots: Kept<number[]>
    lines: Kept<Buffer>
    differences: Kept<number[]> | null
    returned_lines: number[] | null
    cancelled_by: number | null
    confirm_deadline_at: Date | null
    decided_at: Date | null
    discount_seen_satang: Kept<number> | null
  }
  /** A view. */
  order_items: {
    order_id: Kept<number>
    line_no: Kept<number>
    period_id: Kept<number>
    user_id: Kept<number>
    order_status: Kept<StoredOrderStatus>
    bet_type: Kept<BetTypeCode>
    number: Kept<string>
    asked_satang: Kept<number>
    bet_satang: Kept<number>
    received_satang: Kept<number>
    rate: Kept<number>
    rate_seen: Kept<number>
    discount_rate: Kept<number>
    discount_satang: Kept<number>
    is_half_pay: Kept<boolean>
    win_satang: Kept<number>
  }
  order_wins: {
    order_id: number
    line_no: number
    round: number
    sign: number
    period_id: number
    user_id: number
    slot: number
    bet_satang: number
    received_satang: number
    discount_satang: number
    rate: number
    win_satang: number
  }
  member_periods: {
    user_id: Kept<number>
    period_id: Kept<number>
    ticket_count: Kept<number>
    bet_satang: Kept<number>
    received_satang: Kept<number>
    discount_satang: Kept<number>
    win_satang: Kept<number>
  }
  taken_back_tickets: { user_id: Kept<number>; period_id: Kept<number>; tickets: Kept<number> }
  order_events: {
    event_id: Kept<number>
    order_id: number
    at: Kept<Date>
    event: string
    from_status: OrderStatus
    to_status: OrderStatus
    actor_id: number | null
    reason: string | null
    details: JSONColumnType<object> | null
  }
}
