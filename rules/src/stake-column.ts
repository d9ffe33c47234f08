// The columns in which players write stakes beside a number: top, bottom, roll and, for three digits, front. A column and the number's length determine the bet type.

import type { BetTypeCode } from './bet-type-code.ts'

/** The columns in writing and reading order. */
export const stakeColumns = ['top', 'bottom', 'roll', 'front'] as const
export type StakeColumn = (typeof stakeColumns)[number]

/** One stake per column, in satang; missing ones are 0. */
export type ColumnStakes = Readonly<Partial<Record<StakeColumn, number>>>

const betTypesOfColumns: Readonly<Record<number, Readonly<Partial<Record<StakeColumn, BetTypeCode>>>>> = {
  1: { top: '1top', bottom: '1bottom' },
  2: { top: '2top', bottom: '2bottom', roll: '2roll' },
  3: { top: '3top', bottom: '3bottom', roll: '3roll', front: '3front' },
}

/** The bet type of a column for numbers of this length; `null` if there is none (one digit has no roll). */
export function betTypeOfColumn(digits: number, column: StakeColumn): BetTypeCode | null {
  return betTypesOfColumns[digits]?.[column] ?? null
}

const columnOf = new Map<BetTypeCode, StakeColumn>()
for (const columns of Object.values(betTypesOfColumns))
  for (const column of stakeColumns) if (columns[column]) columnOf.set(columns[column], column)

/** The column in which a bet type is written. */
export function columnOfBetType(bet_type: BetTypeCode): StakeColumn {
  return columnOf.get(bet_type)!
}
