// Quotas of the demo's house: default quotas of every market, and popular numbers that the office has limited by hand.

import type { BetTypeCode } from '@megalot/rules'
import { createRandom } from './random.ts'

export interface DefaultQuota {
  bet_type: BetTypeCode
  full_satang: number
  half_satang: number
}

/** In Baht: accepted on a number at the full rate, and after that at half. No allowed stake exceeds the first. */
const quotaSizes = {
  large: { threes: [30_000, 15_000], twos: [100_000, 50_000], ones: [300_000, 0] },
  small: { threes: [5_000, 3_000], twos: [20_000, 10_000], ones: [100_000, 0] },
} as const

const popularProducts = ['thai-government', 'lao-pattana', 'lao-vip', 'hanoi-special', 'hanoi', 'hanoi-vip', 'malay']

/** How much the house accepts on each number of a market's bet types. */
export function listDefaultQuotas(product_code: string, bet_types: readonly BetTypeCode[]): DefaultQuota[] {
  const sizes = quotaSizes[popularProducts.includes(product_code) ? 'large' : 'small']
  return bet_types.map((bet_type) => {
    const [full, half] = sizes[({ '3': 'threes', '2': 'twos', '1': 'ones' } as const)[bet_type[0] as '1' | '2' | '3']]
    return { bet_type, full_satang: full * 100, half_satang: half * 100 }
  })
}

export interface PopularNumbers {
  twos: readonly string[]
  threes: readonly string[]
}

/** Popular numbers of a period, from dreams, car plates and news; or a member's favourites. */
export function popularNumbersOf(name: string): PopularNumbers {
  const random = createRandom(`popular numbers of ${name}`)
  const draw = (count: number, digits: number): string[] => {
    const found = new Set<string>()
    while (found.size < count) found.add(String(random.between(0, 10 ** digits - 1)).padStart(digits, '0'))
    return [...found]
  }
  return { twos: draw(6, 2), threes: draw(4, 3) }
}

export interface DemoNumberSetting {
  bet_type: BetTypeCode
  number: string
  set_to: 'half' | 'closed'
}

/** Manual settings in a period: the most popular numbers of popular markets pay half, the next ones are closed. */
export function listNumberSettings(product_code: string, { twos, threes }: PopularNumbers): DemoNumberSetting[] {
  if (!popularProducts.includes(product_code)) return []
  return [
    { bet_type: '2top', number: twos[0]!, set_to: 'half' },
    { bet_type: '2bottom', number: twos[0]!, set_to: 'half' },
    { bet_type: '2bottom', number: twos[1]!, set_to: 'half' },
    { bet_type: '2top', number: twos[1]!, set_to: 'closed' },
    { bet_type: '3top', number: threes[0]!, set_to: 'half' },
    { bet_type: '3top', number: threes[1]!, set_to: 'closed' },
  ]
}
