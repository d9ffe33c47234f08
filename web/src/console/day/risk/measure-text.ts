import { formatCount, formatPercent, formatWholeBaht } from '../../../lib/format/money.ts'
import type { Measure } from './board-store.ts'

const NONE = '–'

/** An amount of the board as text. Zero is a dash, so that other amounts stand out. */
export function measureText(measure: Measure, amount: number): string {
  if (measure === 'quota') return amount < 0 ? NONE : formatPercent(Math.round(amount / 100) * 100)
  if (amount === 0) return NONE
  return measure === 'lines' ? formatCount(amount) : formatWholeBaht(Math.round(amount / 100) * 100)
}
