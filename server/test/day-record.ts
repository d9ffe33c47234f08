// The expected state of a draw day's tickets, in plain objects: each event of a ticket adds its effect on the member's
// balance. It shares no code with the application.

import type { EntryKind } from '@megalot/contract'
import { isLive, netOf, type Result, type Ticket, winOf } from './report-model.ts'

export interface DayTicket extends Ticket {
  username: string
  /** As in a statement, oldest first: `bet -670`. */
  movements: string[]
  /** The sum of what moved. */
  moved: number
}

export const netOfTicket = ({ lines }: Ticket): number => lines.reduce((sum, line) => sum + netOf(line), 0)

export const winOfTicket = ({ lines }: Ticket, result: Result): number =>
  lines.reduce((sum, line) => sum + winOf(line, result), 0)

function move(ticket: DayTicket, kind: EntryKind, amount: number): void {
  ticket.movements.push(`${kind} ${amount}`)
  ticket.moved += amount
}

/** A placed ticket: it costs its net, or holds it while waiting. */
export function recordPlaced(ticket: Omit<DayTicket, 'movements' | 'moved'>): DayTicket {
  const placed: DayTicket = { ...ticket, movements: [], moved: 0 }
  const net = netOfTicket(placed)
  if (net > 0)
    move(placed, placed.status === 'CONFIRMED' ? 'bet' : 'bet_hold', placed.status === 'CONFIRMED' ? -net : 0)
  return placed
}

/** The member's decision on a waiting ticket. */
export function recordAnswer(ticket: DayTicket, isReturned: readonly boolean[]): void {
  const back = ticket.lines.reduce((sum, line, index) => sum + (isReturned[index] ? netOf(line) : 0), 0)
  const stays = netOfTicket(ticket) - back
  if (back > 0) move(ticket, 'bet_release', 0)
  if (stays > 0) move(ticket, 'bet', -stays)
  ticket.status = isReturned.every(Boolean) ? 'CANCELLED' : 'CONFIRMED'
  ticket.lines.forEach((line, index) => (line.isReturned = isReturned[index]!))
}

/** Cancelled by its member, or deleted or voided by others. */
export function recordEnd(ticket: DayTicket, status: 'CANCELLED' | 'DELETED'): void {
  const net = netOfTicket(ticket)
  if (net > 0 && ticket.status === 'CONFIRMED') move(ticket, 'refund', net)
  else if (net > 0) move(ticket, 'bet_release', 0)
  ticket.status = status
}

/** The close confirms tickets that still wait. */
export function recordClose(ticket: DayTicket): void {
  if (ticket.status !== 'WAIT_CONFIRM') return
  ticket.status = 'CONFIRMED'
  const net = netOfTicket(ticket)
  if (net > 0) move(ticket, 'bet', -net)
}

export function recordSettlement(ticket: DayTicket, result: Result): void {
  const win = isLive(ticket) ? winOfTicket(ticket, result) : 0
  if (win > 0) move(ticket, 'win', win)
}

/** Whether one of its items wins a different amount than before. */
export const isChanged = (ticket: Ticket, before: Result, after: Result): boolean =>
  isLive(ticket) && ticket.lines.some((line) => winOf(line, before) !== winOf(line, after))

export function recordCorrection(ticket: DayTicket, before: Result, after: Result): void {
  if (!isChanged(ticket, before, after)) return
  const [old_win, new_win] = [winOfTicket(ticket, before), winOfTicket(ticket, after)]
  if (old_win > 0) move(ticket, 'reversal', -old_win)
  if (new_win > 0) move(ticket, 'win', new_win)
}

/** Its period is void. */
export function recordVoid(ticket: DayTicket): void {
  recordClose(ticket)
  const net = netOfTicket(ticket)
  if (isLive(ticket) && net > 0) move(ticket, 'refund', net)
}
