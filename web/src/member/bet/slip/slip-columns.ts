import { betTypeByCode, isBetTypeCode } from '@megalot/rules'
import type { BetTypeCode } from '@megalot/rules'
import { readNumber } from './cell-text.ts'

// The grid: one number a row, and a column for each place where it may come out. How many digits the number has
// decides which bet type a column means, and whether it means any.

export const amountColumns = ['top', 'bottom', 'roll', 'front'] as const
export type AmountColumn = (typeof amountColumns)[number]
export const columns = ['number', ...amountColumns] as const
export type Column = (typeof columns)[number]

/** The bet type of a cell, or null where the market has none of that kind for so many digits. */
export function betTypeOfCell(
  number: string,
  column: AmountColumn,
  offered: readonly BetTypeCode[],
): BetTypeCode | null {
  const code = `${readNumber(number)?.length ?? 0}${column}`
  return isBetTypeCode(code) && offered.includes(code) ? code : null
}

/** The amount columns a market has any use for, in their order on screen. */
export function columnsOfMarket(offered: readonly BetTypeCode[]): readonly AmountColumn[] {
  return amountColumns.filter((column) => offered.some((code) => code.endsWith(column) && code in betTypeByCode))
}
