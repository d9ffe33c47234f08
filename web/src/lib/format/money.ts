// Money on screen: Baht with two decimals and thousands separators, the same in both languages. The digits are written here
// and not by `Intl`: the first number format of a page costs a cheap phone 30 ms of its start.

const MINUS = '−'

/** A count of hundredths, rounded to a whole one: its sign, its whole part in groups of three digits, and its two decimals. */
function splitHundredths(hundredths: number): { sign: string; whole: string; decimals: string } {
  const rounded = Math.round(Math.abs(hundredths))
  return {
    sign: hundredths < 0 && rounded > 0 ? MINUS : '',
    whole: groupDigits(Math.floor(rounded / 100)),
    decimals: String(rounded % 100).padStart(2, '0'),
  }
}

/** 1234567 → "1,234,567". @param count a whole number, not negative */
function groupDigits(count: number): string {
  return String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ',')
}

/** 123456 → "1,234.56"; the minus is the typographic one, so that figures line up. */
export function formatBaht(satang: number): string {
  const { sign, whole, decimals } = splitHundredths(satang)
  return `${sign}${whole}.${decimals}`
}

/** Movements say their direction also where they are positive. */
export function formatSignedBaht(satang: number): string {
  return satang > 0 ? `+${formatBaht(satang)}` : formatBaht(satang)
}

/** 500000 → "5,000": limits and stakes are whole Baht. */
export function formatWholeBaht(satang: number): string {
  if (satang % 100 !== 0) return formatBaht(satang)
  const { sign, whole } = splitHundredths(satang)
  return sign + whole
}

/** Rates are hundredths: 55000 → "550", 320 → "3.2". */
export function formatRate(rate: number): string {
  const { sign, whole, decimals } = splitHundredths(rate)
  const shown = decimals.replace(/0+$/, '')
  return shown === '' ? sign + whole : `${sign}${whole}.${shown}`
}

/** Discounts are hundredths of a percent: 3300 → "33%". */
export function formatPercent(hundredths: number): string {
  return `${formatRate(hundredths)}%`
}

export function formatCount(count: number): string {
  return formatWholeBaht(Math.round(count) * 100)
}
