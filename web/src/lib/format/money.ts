// Money on screen: Baht with two decimals and thousands separators, the same in both languages.

const withSatang = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })
const upToTwo = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 })

/** 123456 → "1,234.56"; the minus is the typographic one, so that figures line up. */
export function formatBaht(satang: number): string {
  return withSatang.format(satang / 100).replace('-', '−')
}

/** Movements say their direction also where they are positive. */
export function formatSignedBaht(satang: number): string {
  return satang > 0 ? `+${formatBaht(satang)}` : formatBaht(satang)
}

/** 500000 → "5,000": limits and stakes are whole Baht. */
export function formatWholeBaht(satang: number): string {
  return satang % 100 === 0 ? whole.format(satang / 100) : formatBaht(satang)
}

/** Rates are hundredths: 55000 → "550", 320 → "3.2". */
export function formatRate(rate: number): string {
  return upToTwo.format(rate / 100)
}

/** Discounts are hundredths of a percent: 3300 → "33%". */
export function formatPercent(hundredths: number): string {
  return `${upToTwo.format(hundredths / 100)}%`
}

export function formatCount(count: number): string {
  return whole.format(count)
}
