// Tickets for benchmarks: ten lines, as on a real day.

import { randomUUID } from 'node:crypto'
import type { BetTypeCode } from '@megalot/rules'
import type { OpenMarket } from '../client.ts'

export const LINES_PER_TICKET = 10

/**
 * The body of a ticket with this many lines, except its request_id, as JSON without the opening brace. Half of the
 * lines use a few popular numbers, as on a real day.
 */
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

/** A ticket of different two-digit numbers at the least stake; the numbers repeat every ten calls. */
export function makeTicket({ period_code, config }: OpenMarket, index: number): object {
  const terms = config.bet_types.find(({ bet_type }) => bet_type === '2top')
  if (!terms) throw new Error('the market does not offer 2top')
  const items = Array.from({ length: LINES_PER_TICKET }, (_, line) => ({
    bet_type: terms.bet_type,
    number: String(((index % 10) + line * 10) % 100).padStart(2, '0'),
    bet_satang: terms.min_satang,
    rate: terms.rate,
  }))
  return { request_id: randomUUID(), period_code, package_code: config.package_code, items }
}

function digitsOf(bet_type: BetTypeCode): number {
  return Number(bet_type[0])
}
