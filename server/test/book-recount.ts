// A second calculation of exposure, in plain objects, from tickets as their owners see them. It shares no code with the
// application.

import type { Order } from '@megalot/contract'

/** A sum by name: `3top 123 stake`, `member 7 70 2top received`, `total stake`, … */
export type Recount = Record<string, number>

const isRoll = (bet_type: string): boolean => bet_type === '3roll' || bet_type === '2roll'

/** @param left the company's percentage of each member's items, by username */
export function recountTickets(tickets: readonly Order[], left: Readonly<Record<string, number>>): Recount {
  const sums: Recount = {}
  const add = (name: string, amount: number): void => {
    sums[name] = (sums[name] ?? 0) + amount
  }
  for (const { status, username, package_code, items } of tickets) {
    if (status !== 'CONFIRMED' && status !== 'WAIT_CONFIRM') continue
    for (const { bet_type, number, received_satang, rate, discount_satang } of items) {
      if (received_satang === 0) continue
      const key = isRoll(bet_type) ? [...number].toSorted().join('') : number
      const payout = Math.round((received_satang * rate) / 100)
      const own = (amount: number) => Math.round((amount * (left[username] ?? 100)) / 100)
      add(`${bet_type} ${key} lines`, 1)
      add(`${bet_type} ${key} stake`, received_satang)
      add(`${bet_type} ${key} payout`, payout)
      add(`${bet_type} ${key} own_stake`, own(received_satang))
      add(`${bet_type} ${key} own_payout`, own(payout))
      add(`member ${username} ${package_code} ${bet_type} received`, received_satang)
      add(`member ${username} ${package_code} ${bet_type} discount`, discount_satang)
      add('total lines', 1)
      add('total stake', received_satang)
      add('total discount', discount_satang)
    }
  }
  return Object.fromEntries(Object.entries(sums).filter(([, amount]) => amount !== 0))
}
