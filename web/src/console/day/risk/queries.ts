import type { BodyOf, DataOf, LimitNumber, QueryOf, Rows } from '@megalot/contract'
import { listLimitNumbers, readBook, readBookResults, setLimitNumber } from '@megalot/contract/browser'
import { quotaSlotOf, slotOf } from '@megalot/rules'
import type { NumberState } from '@megalot/rules'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { callRoute } from '../../../lib/api/http-client.ts'
import { queryKeys } from '../../../lib/api/query-keys.ts'
import type { Change } from '../../../lib/api/use-change.ts'
import type { BookReply } from './board-store.ts'

/** The server publishes changes of numbers by itself; in case such news is lost, the page polls this often. */
const STATES_REFETCH_MS = 15_000
/** To compute all results takes the server longer than to read the book. */
const RESULTS_REFETCH_MS = 4_000

/** The exposure of a period; with `since`, the `version` of an earlier reply, only the changes. */
export async function fetchBook(period_code: string, since: number | null, signal: AbortSignal): Promise<BookReply> {
  const query = since === null ? {} : { since: String(since) }
  return (await callRoute(readBook, { params: { period_code }, query, signal })).data
}

export type SlotStates = ReadonlyMap<number, NumberState>
export const NO_SLOT_STATES: SlotStates = new Map()

export function statesBySlot(limits: readonly LimitNumber[]): SlotStates {
  return new Map(
    limits.map(({ bet_type, number, state, pays_half }) => [
      quotaSlotOf(slotOf(bet_type, number)),
      pays_half ? 'half' : state,
    ]),
  )
}

/** The numbers of a period that do not accept everything at the full rate. Also those that nobody has bet on. */
export const slotStatesQuery = (period_code: string) =>
  queryOptions({
    queryKey: queryKeys.limitNumbers.ofPeriod(period_code),
    queryFn: async ({ signal }) => (await callRoute(listLimitNumbers, { params: { period_code }, signal })).data,
    select: statesBySlot,
    refetchInterval: STATES_REFETCH_MS,
  })

export type BookResults = DataOf<Rows['readBookResults']>
export type TriedResult = Pick<QueryOf<Rows['readBookResults']>, 'top3' | 'bottom2' | 'front3' | 'back3'>

export const bookResultsQuery = (period_code: string, part: 'whole' | 'own', tried: TriedResult) =>
  queryOptions({
    queryKey: queryKeys.risk.part('results', period_code, part, tried),
    queryFn: async ({ signal }) =>
      (await callRoute(readBookResults, { params: { period_code }, query: { part, ...tried }, signal })).data,
    refetchInterval: RESULTS_REFETCH_MS,
    placeholderData: keepPreviousData,
  })

/** Sets a number of a period by hand. The setting applies to batches that begin afterwards. */
export const sendNumber: Change<{ period_code: string } & BodyOf<Rows['setLimitNumber']>> = {
  changes: 'limits_changed',
  send: ({ period_code, ...body }) => callRoute(setLimitNumber, { params: { period_code }, body }),
}
