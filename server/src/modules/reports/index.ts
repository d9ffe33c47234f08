export { proofs, proveSums, rebuildSums } from './proof.service.ts'
export { serveReports } from './reports.routes.ts'
export { noteBalances } from './statement.service.ts'
