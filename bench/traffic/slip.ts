// Tickets of simulated members: few lines and small stakes, most on two digits, some on numbers at half pay.

import type { BetTypeTerms } from '@megalot/rules'
import { randomInt } from 'node:crypto'

export interface Line {
  bet_type: BetTypeTerms['bet_type']
  number: string
  bet_satang: number
  rate: number
}

export function pick<T>(from: readonly T[]): T {
  return from[randomInt(from.length)]!
}

/** @param yellow numbers at half pay or nearly full */
export function makeLines(
  terms: readonly BetTypeTerms[],
  yellow: readonly Pick<Line, 'bet_type' | 'number'>[],
): Line[] {
  const offered = terms.filter(({ is_on }) => is_on)
  const twos = offered.filter(({ bet_type }) => bet_type.startsWith('2'))
  const lines = new Map<string, Line>()
  const count = 1 + randomInt(6)
  while (lines.size < count) {
    const { bet_type, rate, min_satang } = pick(randomInt(10) < 7 && twos.length > 0 ? twos : offered)
    const digits = Number(bet_type[0])
    const number = String(randomInt(10 ** digits)).padStart(digits, '0')
    lines.set(`${bet_type} ${number}`, { bet_type, number, rate, bet_satang: min_satang * pick([1, 2, 2, 4, 10]) })
  }
  const chosen = randomInt(20) === 0 && yellow.length > 0 ? pick(yellow) : undefined
  const known = offered.find(({ bet_type }) => bet_type === chosen?.bet_type)
  if (chosen && known) {
    const { bet_type, number } = chosen
    lines.set(`${bet_type} ${number}`, { bet_type, number, rate: known.rate, bet_satang: known.min_satang * 4 })
  }
  return [...lines.values()]
}
