// Reports as files: the request, and the files of the last day.

import type { FileFormat, FileReport, ReportFile, ReportFileBody } from '@megalot/contract'
import { createReportFile, getReportFile, listReportFiles } from '@megalot/contract/browser'
import { queryOptions } from '@tanstack/react-query'
import { codesOf } from '../../../shared/reports/report-search.ts'
import { fetchFile } from '../../../lib/api/fetch-file.ts'
import { callRoute } from '../../../lib/api/http-client.ts'
import { queryKeys } from '../../../lib/api/query-keys.ts'
import { makeChange } from '../../../lib/api/use-change.ts'
import type { Change } from '../../../lib/api/use-change.ts'
import { randomUuid } from '../../../lib/device/random-uuid.ts'
import { saveFile } from '../../../lib/device/save-file.ts'
import { awaitFile } from './awaited-files-store.ts'
import { usersOf } from './downline-search.ts'
import type { DownlineReport, DownlineSearch } from './downline-search.ts'
import { downlineSpan } from './queries.ts'

const reportOf = {
  outstanding: 'outstanding',
  types: 'types',
  winners: 'winners',
  changed: 'changed_tickets',
  close: 'daily_close',
} as const satisfies Record<Exclude<DownlineReport, 'tree'>, FileReport>

const ofUser = (id: string | undefined) => (id === undefined ? {} : { user_id: Number(id) })

/** The page's filters as a request for a file. */
export function fileBodyOf(search: DownlineSearch): Omit<ReportFileBody, 'request_id' | 'format'> {
  const { report = 'tree', user_id, period_code } = search
  const product_codes = [...codesOf(search)]
  const about = { ...downlineSpan(search), ...(product_codes.length === 0 ? {} : { product_codes }) }
  if (report !== 'tree') return { report: reportOf[report], ...about, ...ofUser(user_id) }
  const last = usersOf(search).at(-1)
  const node = { ...about, ...ofUser(last?.user_id ?? user_id) }
  if (last === undefined || !last.isMember) return { report: 'win_loss_users', ...node }
  if (period_code === undefined) return { report: 'win_loss_periods', ...node }
  return { report: 'win_loss_tickets', ...node, period_code }
}

const isUnfinished = ({ state }: ReportFile): boolean => state === 'waiting' || state === 'writing'

const PROGRESS_MS = 1_000

/** The files of the last day, followed as long as one of them is being written. */
export const reportFilesQuery = queryOptions({
  queryKey: queryKeys.reportFiles.all,
  queryFn: async ({ signal }) => (await callRoute(listReportFiles, { signal })).data,
  refetchInterval: ({ state }) => (state.data?.some(isUnfinished) ? PROGRESS_MS : false),
})

const writeFile: Change<ReportFileBody, ReportFile> = {
  changes: 'report_file_requested',
  send: async (body) => (await callRoute(createReportFile, { body })).data,
}

/** Writes the report on the page as a file and saves it. */
export function requestFile(search: DownlineSearch, format: FileFormat): Promise<void> {
  return requestReportFile(fileBodyOf(search), format)
}

/** Writes a file and saves it. A file that takes longer is awaited. */
export async function requestReportFile(
  body: Omit<ReportFileBody, 'request_id' | 'format'>,
  format: FileFormat,
): Promise<void> {
  const file = await makeChange(writeFile, { ...body, format, request_id: randomUuid() })
  if (file.state === 'ready') await saveReportFile(file)
  else awaitFile(file.file_id)
}

export async function saveReportFile({ file_id, filename }: ReportFile): Promise<void> {
  saveFile(filename, await fetchFile(getReportFile, { file_id: String(file_id) }))
}
