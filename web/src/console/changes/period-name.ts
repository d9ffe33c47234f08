import type { Language } from '@megalot/contract'
import { formatDay } from '../../lib/format/dates.ts'

export interface PeriodWords {
  language: Language
  /** The name of a market by its code. */
  marketName: (product_code: string) => string
  roundName: (round: string) => string
}

/** `Lao VIP · 5 Jan 2026`: the code is the market's, the day, and the round where the day has several. */
export function namePeriod(period_code: string, product_code: string | null, words: PeriodWords): string {
  const found = /^(.+)-(\d{4})(\d{2})(\d{2})(?:-(\d+))?$/.exec(period_code)
  if (found === null) return period_code
  const [, market, year, month, day, round] = found
  const parts = [words.marketName(product_code ?? market!), formatDay(`${year}-${month}-${day}`, words.language)]
  return [...parts, ...(round === undefined ? [] : [words.roundName(round)])].join(' · ')
}
