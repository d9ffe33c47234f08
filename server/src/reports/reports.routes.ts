import { Readable } from 'node:stream'
import * as contract from '@megalot/contract'
import type { Db } from '../postgres/db.ts'
import { readPage, readPart } from '../http/page.ts'
import { JsonText, languageOf, type Serve } from '../http/serve.ts'
import { exportStatement, exportSummary } from './exports.service.ts'
import { createReportFile, listReportFiles, openReportFile, type ReportFiles } from './files/report-files.service.ts'
import { listChanges, listOutstanding, listTypeSums, listWinners } from './downline-reports.service.ts'
import { listStatement } from './statement.service.ts'
import { findSubject } from './subject.ts'
import { getWinLossSummary } from './summary.service.ts'
import { listLuckiestNumbers, listPeriodTickets, listPeriodWinLoss } from './win-loss.service.ts'

const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** Markets and days of a query. */
function readFilter<Query extends { product_code?: string | undefined }>({ product_code, ...query }: Query) {
  return { ...query, product_codes: product_code?.split(',') }
}

/**
 * @param files reports as files, and their connections for reports on screen
 * @param lists connections for a single user's data
 */
export function serveReports(serve: Serve, files: ReportFiles, lists: Db): void {
  const db = files.reports
  serve(contract.listTransactions, ({ caller, query }) =>
    listStatement(lists, caller.principal_id, readFilter(query), readPart(query)),
  )
  serve(contract.listUserTransactions, async ({ caller, params, query }) => {
    const { user_id } = await findSubject(lists, caller, Number(params.user_id))
    return listStatement(lists, user_id, readFilter(query), readPart(query))
  })
  serve(contract.exportTransactions, ({ caller, query, reply }) =>
    exportStatement(db, caller, readFilter(query), languageOf(reply.request)),
  )

  serve(contract.listPeriodWinLoss, ({ caller, query }) => {
    const { limit, offset } = readPage(query)
    return listPeriodWinLoss(db, caller, readFilter(query), limit, offset)
  })
  serve(contract.listPeriodWinLossTickets, async ({ caller, params, query }) => {
    const { data, top_level } = await listPeriodTickets(lists, caller, params.period_code, query, readPart(query))
    return new JsonText(JSON.stringify(data), top_level)
  })
  serve(contract.getWinLossSummary, ({ caller, body }) => getWinLossSummary(db, caller, body))
  serve(contract.exportWinLossSummary, ({ caller, body, reply }) =>
    exportSummary(db, caller, body, languageOf(reply.request)),
  )
  serve(contract.listOutstanding, ({ caller, query }) => {
    const { limit, offset } = readPage(query)
    return listOutstanding(db, caller, readFilter(query), limit, offset)
  })
  serve(contract.listTypeSums, ({ caller, query }) => listTypeSums(db, caller, readFilter(query)))
  serve(contract.listWinners, ({ caller, query }) => {
    const { limit, offset } = readPage(query)
    return listWinners(db, caller, readFilter(query), limit, offset)
  })
  serve(contract.listChangedTickets, ({ caller, query }) => listChanges(db, caller, readFilter(query), readPart(query)))
  serve(contract.createReportFile, ({ caller, body, reply }) =>
    createReportFile(files, caller, body, languageOf(reply.request)),
  )
  serve(contract.listReportFiles, ({ caller }) => listReportFiles(files, caller))
  serve(contract.getReportFile, async ({ caller, params, reply }) => {
    const { filename, byte_count, bytes } = await openReportFile(files, caller, Number(params.file_id))
    reply
      .type(filename.endsWith('.csv') ? 'text/csv; charset=utf-8' : XLSX_TYPE)
      .header('content-disposition', `attachment; filename="${filename}"`)
      .header('content-length', byte_count)
    await reply.send(Readable.from(bytes))
    return null
  })
  serve(contract.listLuckiestNumbers, ({ caller, query }) => {
    const { limit } = readPage(query)
    return listLuckiestNumbers(lists, caller.principal_id, query.product_code?.split(','), limit)
  })
}
