import { slotOf, quotaSlotOf, betTypeByCode } from '@megalot/rules'
import type { BetTypeCode } from '@megalot/rules'
import { useMemo, useState, useSyncExternalStore } from 'react'
import { filterRows, listRows, sortRows } from './board-rows.ts'
import type { BoardFilter, BoardRow, BoardSort } from './board-rows.ts'
import type { BoardAmounts, Measure } from './board-store.ts'
import type { Board } from './use-board.ts'

/** The quota slots of each bet type. */
export function slotsOfTypes(bet_types: readonly BetTypeCode[]): ReadonlyMap<BetTypeCode, readonly number[]> {
  return new Map(
    bet_types.map((code) => {
      const { digits } = betTypeByCode[code]
      const slots = Array.from({ length: 10 ** digits }, (_, value) =>
        quotaSlotOf(slotOf(code, String(value).padStart(digits, '0'))),
      )
      return [code, [...new Set(slots)]]
    }),
  )
}

type Most = Readonly<Partial<Record<BetTypeCode, number>>>
const NO_MOST: Most = {}

/** Rounded up to two digits, so that the colours of a board do not change with every bet. */
function roundUp(amount: number): number {
  if (amount <= 0) return 0
  const step = 10 ** Math.max(0, Math.floor(Math.log10(amount)) - 1)
  return Math.ceil(amount / step) * step
}

/** The highest amount of each bet type: the same object until one of them changes, so that rows render only then. */
function useMost(amounts: BoardAmounts, bet_types: readonly BetTypeCode[], measure: Measure): Most {
  const slots = useMemo(() => slotsOfTypes(bet_types), [bet_types])
  const now = useMemo((): Most => {
    const most: Partial<Record<BetTypeCode, number>> = {}
    for (const [code, ofType] of slots) most[code] = roundUp(amounts.readMost(ofType, measure))
    return most
  }, [amounts, slots, measure])
  const [most, setMost] = useState(NO_MOST)
  if ([...slots.keys()].every((code) => now[code] === most[code])) return most
  setMost(now)
  return now
}

interface BoardRowsOptions extends BoardFilter {
  board: Board
  sort: BoardSort
  measure: Measure
  /** While somebody works in the board its rows stay where they are. */
  isHeld: boolean
}

interface BoardRows {
  rows: readonly BoardRow[]
  /** The highest amount of each bet type. */
  most: Most
  /** Amounts have changed since the rows were put in order. */
  isBehind: boolean
}

/** The rows of a board in their order. */
export function useBoardRows(options: BoardRowsOptions): BoardRows {
  const { board, view, bet_types, search, isBetOn, over_satang, sort, measure, isHeld } = options
  const { store, states } = board
  const amounts = useSyncExternalStore(store.subscribe, store.readAmounts)
  // Amounts and states are stored together: amounts are read when rows are sorted, so that new states alone would move rows by new
  // amounts as well.
  const [ordered, setOrdered] = useState({ amounts, states })
  if (!isHeld && (ordered.amounts !== amounts || ordered.states !== states)) setOrdered({ amounts, states })
  const all = useMemo(() => listRows(view, bet_types), [view, bet_types])
  const rows = useMemo(
    () =>
      sortRows(
        filterRows(all, { search, isBetOn, over_satang }, ordered.amounts, ordered.states),
        sort,
        ordered.amounts,
      ),
    [all, search, isBetOn, over_satang, ordered, sort],
  )
  return { rows, most: useMost(amounts, bet_types, measure), isBehind: ordered.amounts !== amounts }
}
