// A ticket as its member thinks of it: one line for each number, with the stake of each column.

import type { Order, OrderItem } from '@megalot/contract'
import { findBestWin, winSatang } from '@megalot/rules'

export interface TicketLine {
  number: string
  /** The number's items, in the ticket's order. */
  items: readonly OrderItem[]
  /** What the number has won, in satang. */
  win_satang: number
  /** What the number pays if it comes out in every column, in satang. */
  possible_satang: number
}

/** The items of each number, in the order in which the numbers are met. */
export function groupByNumber<Item extends { number: string }>(
  items: readonly Item[],
): readonly (readonly [number: string, items: readonly Item[]])[] {
  const groups = new Map<string, Item[]>()
  for (const item of items) {
    const group = groups.get(item.number)
    if (group === undefined) groups.set(item.number, [item])
    else group.push(item)
  }
  return [...groups]
}

/** The lines of a ticket's items: numbers that have won first, then in the order of the slip. */
export function linesOfItems(items: readonly OrderItem[]): readonly TicketLine[] {
  const all = groupByNumber(items).map(([number, own]) => ({
    number,
    items: own,
    win_satang: sum(own.map(({ win_satang }) => win_satang)),
    possible_satang: sum(own.map(({ received_satang, rate }) => winSatang(received_satang, rate))),
  }))
  return [...all.filter(({ win_satang }) => win_satang > 0), ...all.filter(({ win_satang }) => win_satang === 0)]
}

/** The most that a ticket can win in one draw, in satang; null if its outcome is decided. */
export function possibleWin({ status, period, items }: Pick<Order, 'status' | 'period' | 'items'>): number | null {
  const isUndecided = status === 'WAIT_CONFIRM' || status === 'CONFIRMED'
  if (!isUndecided || period.status === 'settled' || period.status === 'void') return null
  return findBestWin(items.filter(({ received_satang }) => received_satang > 0)).win_satang
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0)
}
