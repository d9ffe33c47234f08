import type { OrderEventRow } from '../routes/orders.ts'
import type { EntryKind } from '../routes/reports.ts'

type ColumnName =
  | 'user'
  | 'bet_type'
  | 'package'
  | 'ticket'
  | 'period'
  | 'placed_at'
  | 'items'
  | 'winning_items'
  | 'tickets'
  | 'received'
  | 'discount'
  | 'net'
  | 'win'
  | 'member_total'
  | 'changed_at'
  | 'change'
  | 'actor'
  | 'system'
  | 'office'
  | 'minutes_before_close'
  | 'given_back'
  | 'net_left'
  | 'reason'
  | 'market'
  | 'day'
  | 'month'
  | 'result_state'
  | 'awaiting_result'
  | 'settled'
  | 'total'
  | 'pending'
  | 'between_share'
  | 'between_win'
  | 'between_commission'
  | 'between_total'
  | 'own_share'
  | 'own_win'
  | 'own_commission'
  | 'own_total'
  | 'upline_share'
  | 'upline_win'
  | 'upline_commission'
  | 'upline_total'
  | 'due'

/** Each language has its own file, so a browser loads only one. */
export interface ReportWords {
  column: Readonly<Record<ColumnName, string>>
  /** What happened to a ticket. */
  event: Readonly<Record<OrderEventRow['event'], string>>
  /** Kinds of statement entries. */
  entry_kind: Readonly<Record<EntryKind, string>>
}
