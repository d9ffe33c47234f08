// What a result changes: which bets now win, and by how much the wins of items and tickets change. Used by settlement,
// and by its preview.

import { type Bottom3Set, type DrawResult, listWinningBets, slotOf, winSatang } from '@megalot/rules'
import type { LineWin, MatchingLine } from './settlement.store.ts'

/** Bets that win now and were not paid before, and bets that were paid and no longer win; as slots. */
export interface BetChange {
  newlyWinning: ReadonlySet<number>
  noLongerWinning: ReadonlySet<number>
}

/** @param paid the result that was paid before, if any */
export function compareWinningBets(
  result: DrawResult,
  paid: DrawResult | undefined,
  bottom3Set: Bottom3Set,
): BetChange {
  const slotsOf = (one: DrawResult): Set<number> =>
    new Set(listWinningBets(one, bottom3Set).map(({ bet_type, number }) => slotOf(bet_type, number)))
  const newSlots = slotsOf(result)
  if (paid === undefined) return { newlyWinning: newSlots, noLongerWinning: new Set() }
  const oldSlots = slotsOf(paid)
  return { newlyWinning: without(newSlots, oldSlots), noLongerWinning: without(oldSlots, newSlots) }
}

function without(some: ReadonlySet<number>, others: ReadonlySet<number>): Set<number> {
  return new Set([...some].filter((slot) => !others.has(slot)))
}

export function listChangedSlots({ newlyWinning, noLongerWinning }: BetChange): number[] {
  return [...newlyWinning, ...noLongerWinning]
}

/** Changed wins of items; negative for items that no longer win. */
export function listLineWins(lines: readonly MatchingLine[], change: BetChange): LineWin[] {
  return lines
    .map((line): LineWin => {
      const sign = change.newlyWinning.has(line.slot) ? 1 : -1
      return { ...line, sign, win_satang: sign * winSatang(line.received_satang, line.rate) }
    })
    .filter((win) => win.win_satang !== 0)
}

/** A ticket whose win changes, with its whole win before and after. */
export interface TicketChange {
  order_id: number
  user_id: number
  old_win_satang: number
  new_win_satang: number
}

export function listTicketChanges(wins: readonly LineWin[]): TicketChange[] {
  const tickets = new Map<number, TicketChange>()
  for (const { order_id, user_id, ticket_win_satang, win_satang } of wins) {
    const ticket = tickets.get(order_id) ?? {
      order_id,
      user_id,
      old_win_satang: ticket_win_satang,
      new_win_satang: ticket_win_satang,
    }
    ticket.new_win_satang += win_satang
    tickets.set(order_id, ticket)
  }
  return [...tickets.values()]
}
