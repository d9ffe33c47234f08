import type { OrderSummary, PlaceOrderBody } from '@megalot/contract'
import { isRecord } from '../../../lib/device/stored-value.ts'
import type { SlipRow } from './slip-rows.ts'
import type { NotPlaced } from '../ticket/kept-answers.ts'

// A slip with more items than a ticket takes is sent as several tickets. They are stored with their request ids before the
// first one is sent, and go one after the other: each has its own outcome, and a reload continues with the next.

/** A ticket of the batch that is not sent yet, or whose outcome is not known yet. */
export interface BatchPart {
  body: PlaceOrderBody
  /** The rows of the slip that it was made from; they leave the slip once it is placed. */
  rows: readonly SlipRow[]
}

export interface PartOutcome {
  item_count: number
  /** `null` for a ticket that was not placed. */
  answer: OrderSummary | null
  not_placed: NotPlaced | null
}

export interface TicketBatch {
  /** When the member sent it, in ms since 1970. */
  sent_ms: number
  waiting: readonly BatchPart[]
  outcomes: readonly PartOutcome[]
}

/** Stored by this application only, so its content needs no check. */
export function readBatch(stored: unknown): TicketBatch | null {
  return isRecord(stored) && Array.isArray(stored['waiting']) && Array.isArray(stored['outcomes'])
    ? (stored as unknown as TicketBatch)
    : null
}

/** The lines of a slip, in order, in as few tickets as fit; a row stays on one ticket. */
export function splitIntoTickets<Line extends { row: number }>(
  lines: readonly Line[],
  max_items: number,
): readonly (readonly Line[])[] {
  const tickets: (readonly Line[])[] = []
  let start = 0
  let rowStart = 0
  for (const [at, { row }] of lines.entries()) {
    if (row !== lines[rowStart]!.row) rowStart = at
    if (at - start < max_items || rowStart === start) continue
    tickets.push(lines.slice(start, rowStart))
    start = rowStart
  }
  return [...tickets, lines.slice(start)]
}
