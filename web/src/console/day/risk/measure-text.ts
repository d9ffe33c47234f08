import { formatCount, formatPercent, formatWholeBaht } from '../../../lib/format/money.ts'
import type { Measure } from './board-store.ts'

const NONE = '–'

/** An amount of the board in words: what is nothing is a dash, so that amounts stand out. */
export function measureText(measure: Measure, amount: number): string {
  if (measure === 'quota') return amount < 0 ? NONE : formatPercent(Math.round(amount / 100) * 100)
  if (amount === 0) return NONE
  return measure === 'lines' ? formatCount(amount) : formatWholeBaht(Math.round(amount / 100) * 100)
}
