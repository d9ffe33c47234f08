// The statement as its member thinks of it: one line for each thing that happened. The ledger has up to three entries of a
// ticket that waited: its credit is held, the hold is released, and the bet is taken.

import type { Transaction } from '@megalot/contract'

const kindsOfBet: readonly Transaction['kind'][] = ['bet_hold', 'bet', 'bet_release']

/** Entries, newest first, with those of one ticket's bet as one: at the place and with the balance of the newest. */
export function linesOfStatement(entries: readonly Transaction[]): readonly Transaction[] {
  const lines: Transaction[] = []
  const bets = new Map<number, number>()
  for (const entry of entries) {
    const { order_id, kind } = entry
    const at = order_id !== null && kindsOfBet.includes(kind) ? bets.get(order_id) : undefined
    if (at === undefined) {
      if (order_id !== null && kindsOfBet.includes(kind)) bets.set(order_id, lines.length)
      lines.push(entry)
      continue
    }
    const line = lines[at]!
    lines[at] = {
      ...line,
      kind: line.kind === 'bet' || kind === 'bet' ? 'bet' : line.kind,
      amount_satang: line.amount_satang + entry.amount_satang,
      held_satang: line.held_satang + entry.held_satang,
    }
  }
  return lines
}

/** What an entry did to the credit that is left: what is on hold cannot be spent. */
export function creditMovedBy({ amount_satang, held_satang }: Transaction): number {
  return amount_satang - held_satang
}
