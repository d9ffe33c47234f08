// The average return of a bet to members while its terms are typed, from the chances counted by the server.

export interface Chance {
  wins: number
  draws: number
}

/** P(win) × rate + discount in hundredths of a percent, rounded up as the rules do. @param rate in hundredths */
export function returnOf({ wins, draws }: Chance, rate: number, discount_rate: number): number {
  // The product passes safe integers.
  const won = BigInt(wins) * BigInt(rate) * 100n
  return Number((won + BigInt(draws) - 1n) / BigInt(draws)) + discount_rate
}

/** `550` → 55000, `3.2` → 320; null where it is no rate. */
export function readRate(text: string): number | null {
  const found = /^(\d{1,6})(?:\.(\d{1,2}))?$/.exec(text.trim().replaceAll(',', ''))
  if (found === null) return null
  const rate = Number(found[1]) * 100 + Number((found[2] ?? '').padEnd(2, '0'))
  return rate > 10_000_000 ? null : rate
}
