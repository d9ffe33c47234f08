// The rows of the risk board: a number with all bet types of its length, or one bet type of one number.

import { betOfSlot, betTypeByCode, betTypes, quotaSlotOf, SLOT_COUNT, slotOf, slotsOfNumber } from '@megalot/rules'
import type { BetTypeCode } from '@megalot/rules'
import type { BoardAmounts, Measure } from './board-store.ts'

export type BoardView = 'table' | 'list'

/** By number, ascending; otherwise the highest first. */
export type BoardSort = 'number' | Measure

export interface BoardRow {
  key: string
  /** For rolls of the list: the digits in ascending order. */
  number: string
  /** Null in the table: a row there has all bet types of the number's length. */
  bet_type: BetTypeCode | null
  /** The slots that the row shows: in the table in the order of the bet types. */
  slots: readonly number[]
}

export interface BoardFilter {
  view: BoardView
  bet_types: readonly BetTypeCode[]
  /** Digits that a number must contain as they stand; a number of full length also finds its roll. */
  search: string
  /** Only numbers that somebody has bet on, or that have been set by hand. */
  isBetOn: boolean
  /** Only numbers on which the user's own part of the stakes exceeds this. */
  over_satang?: number | undefined
}

/** The slot of a bet type in a row of the table; null where the type has numbers of another length. */
export function slotInRow(number: string, bet_type: BetTypeCode): number | null {
  return betTypeByCode[bet_type].digits === number.length ? quotaSlotOf(slotOf(bet_type, number)) : null
}

function listTableRows(bet_types: readonly BetTypeCode[]): BoardRow[] {
  return [3, 2, 1].flatMap((digits) => {
    const ofLength = bet_types.filter((bet_type) => betTypeByCode[bet_type].digits === digits)
    if (ofLength.length === 0) return []
    return Array.from({ length: 10 ** digits }, (_, value): BoardRow => {
      const number = String(value).padStart(digits, '0')
      return { key: number, number, bet_type: null, slots: ofLength.map((bet_type) => slotInRow(number, bet_type)!) }
    })
  })
}

function listListRows(bet_types: readonly BetTypeCode[]): BoardRow[] {
  const rows: BoardRow[] = []
  for (let slot = 0; slot < SLOT_COUNT; slot++) {
    // The house counts a roll once, under its digits in ascending order.
    if (quotaSlotOf(slot) !== slot) continue
    const { bet_type, number } = betOfSlot(slot)!
    if (bet_types.includes(bet_type)) rows.push({ key: `${bet_type} ${number}`, number, bet_type, slots: [slot] })
  }
  return rows
}

/** All rows of a view, by bet type and number. */
export function listRows(view: BoardView, bet_types: readonly BetTypeCode[]): BoardRow[] {
  const inOrder = betTypes.map(({ code }) => code).filter((code) => bet_types.includes(code))
  return view === 'table' ? listTableRows(inOrder) : listListRows(inOrder)
}

/** The slot in ascending digits is found by every order of its digits, as members write rolls. */
function isFound(row: BoardRow, search: string, slotsOfSearch: ReadonlySet<number>): boolean {
  return row.number.includes(search) || (row.bet_type !== null && row.slots.some((slot) => slotsOfSearch.has(slot)))
}

/** The rows that a search and the filter leave. @param limited slots that have been set by hand or are nearly full */
export function filterRows(
  rows: readonly BoardRow[],
  { search, isBetOn, over_satang }: Pick<BoardFilter, 'search' | 'isBetOn' | 'over_satang'>,
  amounts: BoardAmounts,
  limited: ReadonlyMap<number, unknown>,
): readonly BoardRow[] {
  if (search === '' && !isBetOn && over_satang === undefined) return rows
  const slotsOfSearch = new Set(slotsOfNumber(search).map(quotaSlotOf))
  return rows.filter(
    (row) =>
      (search === '' || isFound(row, search, slotsOfSearch)) &&
      (over_satang === undefined || row.slots.some((slot) => amounts.read(slot, 'own_stake') > over_satang)) &&
      (!isBetOn || row.slots.some((slot) => amounts.read(slot, 'lines') > 0 || limited.has(slot))),
  )
}

/** The sort key of a row: its highest number. */
function amountOf({ slots }: BoardRow, sort: Measure, amounts: BoardAmounts): number {
  let most = -1
  for (const slot of slots) most = Math.max(most, amounts.read(slot, sort))
  return most
}

export function sortRows(rows: readonly BoardRow[], sort: BoardSort, amounts: BoardAmounts): readonly BoardRow[] {
  if (sort === 'number') return rows
  const amountByKey = new Map(rows.map((row) => [row.key, amountOf(row, sort, amounts)]))
  // Equal amounts stay in the order of numbers.
  return rows.toSorted((one, other) => amountByKey.get(other.key)! - amountByKey.get(one.key)!)
}

/** How strongly a cell is coloured: 0 to 4, by its share of the highest amount. The amount itself says the rest. */
export function heatOf(amount: number, most: number): 0 | 1 | 2 | 3 | 4 {
  if (amount <= 0 || most <= 0) return 0
  const share = amount / most
  if (share > 0.75) return 4
  if (share > 0.5) return 3
  return share > 0.25 ? 2 : 1
}
