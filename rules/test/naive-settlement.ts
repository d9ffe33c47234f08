// An independent second settlement without shared code: digit by digit, with every bet type written out and money in
// unbounded integers. Tests compare it with the application's settlement.

export interface NaiveDraw {
  date: string
  first: string
  fronts: string[]
  backs: string[]
  last2: string
}

/** One line of the file of real draws: date, first prize, front numbers, back numbers, last two. */
export function readNaiveDraws(csv: string): NaiveDraw[] {
  const draws: NaiveDraw[] = []
  for (const row of csv.trim().split('\n').slice(1)) {
    const [date, first, fronts, backs, last2] = row.trim().split(',') as [string, string, string, string, string]
    draws.push({
      date,
      first,
      fronts: fronts === '' ? [] : fronts.split(' '),
      backs: backs === '' ? [] : backs.split(' '),
      last2,
    })
  }
  return draws
}

export function naiveWins(betType: string, number: string, draw: NaiveDraw, frontsCountForBottom: boolean): boolean {
  const [d1, d2, d3] = [draw.first[3], draw.first[4], draw.first[5]]
  const [n1, n2, n3] = number
  if (betType === '3top') return n1 === d1 && n2 === d2 && n3 === d3
  if (betType === '3roll')
    return (
      (n1 === d1 && n2 === d2 && n3 === d3) ||
      (n1 === d1 && n2 === d3 && n3 === d2) ||
      (n1 === d2 && n2 === d1 && n3 === d3) ||
      (n1 === d2 && n2 === d3 && n3 === d1) ||
      (n1 === d3 && n2 === d1 && n3 === d2) ||
      (n1 === d3 && n2 === d2 && n3 === d1)
    )
  if (betType === '3front') return draw.fronts.indexOf(number) >= 0
  if (betType === '3bottom')
    return draw.backs.indexOf(number) >= 0 || (frontsCountForBottom && draw.fronts.indexOf(number) >= 0)
  if (betType === '2top') return n1 === d2 && n2 === d3
  if (betType === '2bottom') return number === draw.last2
  if (betType === '2roll')
    return (
      (n1 === d1 && n2 === d2) ||
      (n1 === d2 && n2 === d1) ||
      (n1 === d1 && n2 === d3) ||
      (n1 === d3 && n2 === d1) ||
      (n1 === d2 && n2 === d3) ||
      (n1 === d3 && n2 === d2)
    )
  if (betType === '1top') return number === d1 || number === d2 || number === d3
  if (betType === '1bottom') return number === draw.last2[0] || number === draw.last2[1]
  throw new Error(`No such bet type: ${betType}`)
}

/** Stake × rate, with the rate in hundredths. Stakes are whole Baht, so nothing needs rounding. */
export function naiveWin(receivedSatang: number, rate: number): number {
  const product = BigInt(receivedSatang) * BigInt(rate)
  if (product % 100n !== 0n) throw new Error('A fraction of a satang')
  return Number(product / 100n)
}

/** Discount rounded half up: the quotient, plus one if the remainder is half the divisor or more. */
export function naiveDiscount(receivedSatang: number, discountRate: number): number {
  const product = BigInt(receivedSatang) * BigInt(discountRate)
  const quotient = product / 10_000n
  return Number(product % 10_000n >= 5_000n ? quotient + 1n : quotient)
}
