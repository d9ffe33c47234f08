import { seesHouse } from '@megalot/contract/browser'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { useUser } from '../../../lib/user/user-query.ts'
import { createBoardStore, measures } from './board-store.ts'
import type { BoardStore, BookHead, Measure } from './board-store.ts'
import { pollBook } from './poll-book.ts'
import { fetchBook, NO_SLOT_STATES, slotStatesQuery } from './queries.ts'
import type { SlotStates } from './queries.ts'

const downlineMeasures = measures.filter((measure) => measure !== 'quota')

export interface Board {
  store: BoardStore
  states: SlotStates
  /** Of the last call; null: it succeeded, or none has ended. */
  error: Error | null
  /** Asks again at once, for everything. */
  readWhole: () => void
}

/** The live board of one period. To show another period, mount the component again. */
export function useBoard(period_code: string): Board {
  const [store] = useState(createBoardStore)
  const [error, setError] = useState<Error | null>(null)
  const readWhole = useRef((): void => {})
  useEffect(() => {
    const stop = new AbortController()
    const poller = pollBook({
      store,
      fetch: (since, signal) => fetchBook(period_code, since, signal),
      signal: stop.signal,
      onFailure: setError,
    })
    readWhole.current = poller.readWhole
    return () => stop.abort()
  }, [store, period_code])
  const { data: states = NO_SLOT_STATES } = useQuery(slotStatesQuery(period_code))
  // The same object until something of it changes: rows that are given it render only then.
  return useMemo(() => ({ store, states, error, readWhole: () => readWhole.current() }), [store, states, error])
}

/** The columns of a number that a user may see. Only the house sees quotas. */
export function useMeasures(): readonly Measure[] {
  return seesHouse(useUser()) ? measures : downlineMeasures
}

/** The payout that is shown and sorted by at first: agents watch their own part. */
export function useUsualMeasure(): 'payout' | 'own_payout' {
  return seesHouse(useUser()) ? 'payout' : 'own_payout'
}

/** The sums of the period; null: nothing has arrived. */
export function useBookHead({ store }: Board): BookHead | null {
  return useSyncExternalStore(store.subscribe, store.readHead)
}

/** Renders whenever one of these slots changes, and not otherwise. */
export function useSlots(store: BoardStore, slots: readonly number[]): number {
  return useSyncExternalStore(store.subscribe, () => store.readRevision(slots))
}
