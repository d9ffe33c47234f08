import type { QueryOf, Rows } from '@megalot/contract'
import { listSignals } from '@megalot/contract/browser'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { callRoute } from '../../../lib/api/http-client.ts'
import { queryKeys } from '../../../lib/api/query-keys.ts'

/** They are counted from many records, which takes the server a while. */
const TIMEOUT_MS = 60_000

/** All signals of some days; which kinds are shown is chosen on screen. */
export const signalsQuery = (days: Pick<QueryOf<Rows['listSignals']>, 'date_from' | 'date_to'>) =>
  queryOptions({
    queryKey: queryKeys.signals.part('list', days),
    queryFn: ({ signal }) => callRoute(listSignals, { query: days, signal, timeoutMs: TIMEOUT_MS }),
    placeholderData: keepPreviousData,
  })
