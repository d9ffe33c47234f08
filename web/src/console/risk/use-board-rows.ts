import { slotOf, quotaSlotOf, betTypeByCode } from '@megalot/rules'
import type { BetTypeCode } from '@megalot/rules'
import { useMemo, useRef, useSyncExternalStore } from 'react'
import { filterRows, listRows, sortRows } from './board-rows.ts'
import type { BoardFilter, BoardRow, BoardSort } from './board-rows.ts'
import type { BoardStore, Measure } from './board-store.ts'
import type { Board } from './use-board.ts'

/** The quota slots of each bet type. */
function slotsOfTypes(bet_types: readonly BetTypeCode[]): ReadonlyMap<BetTypeCode, readonly number[]> {
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

/** Rounded up to two digits, so that the colours of a board do not change with every bet. */
function roundUp(amount: number): number {
  if (amount <= 0) return 0
  const step = 10 ** Math.max(0, Math.floor(Math.log10(amount)) - 1)
  return Math.ceil(amount / step) * step
}

function readMost(
  store: BoardStore,
  slots: ReadonlyMap<BetTypeCode, readonly number[]>,
  measure: Measure,
  before: Most,
): Most {
  const most: Partial<Record<BetTypeCode, number>> = {}
  for (const [code, ofType] of slots) most[code] = roundUp(store.readMost(ofType, measure))
  const isSame = [...slots.keys()].every((code) => most[code] === before[code])
  return isSame ? before : most
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
  const { board, view, bet_types, search, isBetOn, sort, measure, isHeld } = options
  const { store, states } = board
  const revision = useSyncExternalStore(store.subscribe, store.readBoardRevision)
  const all = useMemo(() => listRows(view, bet_types), [view, bet_types])
  const slots = useMemo(() => slotsOfTypes(bet_types), [bet_types])
  const heldRevision = useRef(revision)
  if (!isHeld) heldRevision.current = revision
  const at = heldRevision.current
  const rows = useMemo(() => {
    void at
    return sortRows(filterRows(all, { search, isBetOn }, store, states), sort, store)
  }, [all, search, isBetOn, store, states, sort, at])
  const known = useRef<Most>({})
  const most = useMemo(() => {
    void revision
    return readMost(store, slots, measure, known.current)
  }, [store, slots, measure, revision])
  known.current = most
  return { rows, most, isBehind: at !== revision }
}
