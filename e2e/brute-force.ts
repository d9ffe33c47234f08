// The expected cost and win of a ticket, by brute force: every draw position is tried against every bet. It uses none
// of the application's rules, so that both cannot have the same error.

export interface Draw {
  first_prize: string
  front3: readonly string[]
  back3: readonly string[]
  bottom2: string
}

export interface Bet {
  bet_type: string
  number: string
  bet_satang: number
}

export interface Terms {
  rate: number
  discount_rate: number
}

/** All texts of `length` different positions of a text, in any order. */
function permutations(text: string, length: number): string[] {
  if (length === 0) return ['']
  return text.split('').flatMap((digit, index) => {
    const rest = text.slice(0, index) + text.slice(index + 1)
    return permutations(rest, length - 1).map((tail) => digit + tail)
  })
}

/** Every number that wins in a bet type. */
export function winningNumbers(betType: string, draw: Draw): Set<string> {
  const top3 = draw.first_prize.slice(3)
  switch (betType) {
    case '3top':
      return new Set([top3])
    case '3roll':
      return new Set(permutations(top3, 3))
    case '3front':
      return new Set(draw.front3)
    case '3bottom':
      return new Set(draw.back3)
    case '2top':
      return new Set([top3.slice(1)])
    case '2bottom':
      return new Set([draw.bottom2])
    case '2roll':
      return new Set(permutations(top3, 2))
    case '1top':
      return new Set(permutations(top3, 1))
    case '1bottom':
      return new Set(permutations(draw.bottom2, 1))
    default:
      throw new Error(`no such bet type: ${betType}`)
  }
}

export interface Outcome {
  discount_satang: number
  net_satang: number
  win_satang: number
}

/** Cost and win of one accepted line. Whole numbers throughout, so that no half satang is lost to a float. */
export function settleLine(bet: Bet, terms: Terms, draw: Draw): Outcome {
  const stake = BigInt(bet.bet_satang)
  // Half a satang is rounded up.
  const discount = (stake * BigInt(terms.discount_rate) * 2n + 10_000n) / 20_000n
  const isWon = winningNumbers(bet.bet_type, draw).has(bet.number)
  const win = isWon ? (stake * BigInt(terms.rate)) / 100n : 0n
  return { discount_satang: Number(discount), net_satang: Number(stake - discount), win_satang: Number(win) }
}

export function sumOf<T>(list: readonly T[], amount: (one: T) => number): number {
  return list.reduce((sum, one) => sum + amount(one), 0)
}
