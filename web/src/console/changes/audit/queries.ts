import type { QueryOf, Rows } from '@megalot/contract'
import { exportAudit, listAudit } from '@megalot/contract/browser'
import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import { saveText } from '../../../lib/device/save-file.ts'
import { readFullPart } from '../../../lib/api/full-part.ts'
import { callRoute } from '../../../lib/api/http-client.ts'
import { queryKeys } from '../../../lib/api/query-keys.ts'

const PART_SIZE = '50'
const EXPORT_TIMEOUT_MS = 60_000

export type AuditFilter = QueryOf<Rows['exportAudit']>

/** The audit log, newest first, with the state of its chain. */
export const auditQuery = (filter: AuditFilter) =>
  infiniteQueryOptions({
    queryKey: queryKeys.audit.list(filter),
    queryFn: ({ pageParam, signal }) => {
      const ask = (before: string | undefined) =>
        callRoute(listAudit, {
          query: { ...filter, ...(before === undefined ? {} : { before }), ipp: PART_SIZE },
          signal,
        })
      return readFullPart(ask, pageParam, Number(PART_SIZE))
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_before }) => (next_before === null ? undefined : String(next_before)),
    placeholderData: keepPreviousData,
  })

/** Saves the rows of a filter as CSV, at most as many as the server writes. */
export async function downloadAudit(filter: AuditFilter): Promise<void> {
  const { data } = await callRoute(exportAudit, { query: filter, timeoutMs: EXPORT_TIMEOUT_MS })
  saveText(data)
}
