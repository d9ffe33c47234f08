// Columns of the exposure's tables. One line per column.

import type { Generated, JSONColumnType } from 'kysely'

export interface BookTables {
  book_cursor: {
    is_only: Generated<boolean>
    version: Generated<number>
    orders_up_to: Generated<number>
    orders_beyond: Generated<string>
    events_up_to: Generated<number>
    events_beyond: Generated<string>
    mark_xid: Generated<string>
    mark_order_id: Generated<number>
    mark_event_id: Generated<number>
    stepped_at: Generated<Date>
  }
  book_slots: {
    period_id: number
    slot: number
    line_count: number
    stake_satang: number
    payout_satang: number
    own_stake_satang: number
    own_payout_satang: number
    version: number
  }
  /** Sums by bet type, in the order of `betTypes`. */
  book_members: {
    period_id: number
    user_id: number
    package_id: number
    line_count: number
    received_satang: number[]
    discount_satang: number[]
  }
  book_periods: {
    period_id: number
    version: number
    first_version: number
    line_count: number
    received_satang: number
    discount_satang: number
    own_received_satang: number
    own_discount_satang: number
  }
  book_seals: {
    period_id: number
    state: 'sealed' | 'differs'
    version: number
    book_hash: string
    sealed_at: Generated<Date>
    differences: JSONColumnType<object>
  }
}
