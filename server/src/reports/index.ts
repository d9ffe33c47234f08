export {
  createReportFiles,
  removeReportFiles,
  type ReportFiles,
  writeAbandonedFiles,
} from './files/report-files.service.ts'
export { rebuildSums } from './reconciliation.service.ts'
export { serveReports } from './reports.routes.ts'
export { markBalances, markBusyBalances } from './statement.service.ts'
