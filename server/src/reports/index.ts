export {
  createReportFiles,
  removeReportFiles,
  type ReportFiles,
  writeAbandonedFiles,
} from './files/report-files.service.ts'
export { rebuildSums } from './reconciliation.service.ts'
export { serveReports } from './reports.routes.ts'
export { saveBalanceCheckpoints, saveBusyBalanceCheckpoints } from './statement.service.ts'
