// The columns in which a player writes stakes beside a number: top, bottom, roll and, for three digits, front
// (§1 and §3 of the domain rules). A column and the length of the number together name the bet type.

import type { BetTypeCode } from './bet-type-code.ts'

/** The columns in the order in which they are written and read. */
export const stakeColumns = ['top', 'bottom', 'roll', 'front'] as const
export type StakeColumn = (typeof stakeColumns)[number]

/** One stake per column, in satang; what is missing is 0. */
export type ColumnStakes = Readonly<Partial<Record<StakeColumn, number>>>

const betTypesOfColumns: Readonly<Record<number, Readonly<Partial<Record<StakeColumn, BetTypeCode>>>>> = {
  1: { top: '1top', bottom: '1bottom' },
  2: { top: '2top', bottom: '2bottom', roll: '2roll' },
  3: { top: '3top', bottom: '3bottom', roll: '3roll', front: '3front' },
}

/** The bet type of a column for numbers of so many digits; `null` where there is none (one digit has no roll). */
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
