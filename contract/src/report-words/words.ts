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
  | 'minutes_before_close'
  | 'reason'

/** Each language has a file of its own: a browser loads one of them. */
export interface ReportWords {
  column: Readonly<Record<ColumnName, string>>
  /** What happened to a ticket. */
  event: Readonly<Record<OrderEventRow['event'], string>>
  /** The kinds of entries of a statement. */
  entry_kind: Readonly<Record<EntryKind, string>>
}
