// The ticket of the loads: ten lines, as on a real day.

import type { BetTypeCode } from '@megalot/rules'
import type { OpenMarket } from '../client.ts'

export const LINES_PER_TICKET = 10

/** All of a ticket of so many lines but its request_id, as JSON without the opening brace. Half of the lines go on a few hot numbers, as on a real day; the others anywhere. */
export function makeTail({ period_code, config }: OpenMarket, lines: number): string {
  const items = new Map<string, object>()
  while (items.size < lines) {
    const terms = config.bet_types[Math.floor(Math.random() * config.bet_types.length)]!
    const digits = digitsOf(terms.bet_type)
    const space = 10 ** digits
    const isHot = Math.random() < 0.5
    const drawn = Math.floor(Math.random() * (isHot ? Math.min(20, space) : space))
    const number = String(isHot ? (drawn * 37) % space : drawn).padStart(digits, '0')
    const bet_satang = terms.min_satang * (1 + Math.floor(Math.random() * 3))
    items.set(`${terms.bet_type} ${number}`, { bet_type: terms.bet_type, number, bet_satang, rate: terms.rate })
  }
  const { package_code } = config
  return JSON.stringify({ period_code, package_code, items: [...items.values()] }).slice(1)
}

function digitsOf(bet_type: BetTypeCode): number {
  return Number(bet_type[0])
}
