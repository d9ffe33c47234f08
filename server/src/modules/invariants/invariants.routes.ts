import * as contract from '@megalot/contract'
import type { Db } from '../../platform/db.ts'
import type { Serve } from '../../platform/serve.ts'
import { readAuditorReport } from './auditor.service.ts'

/** @param reports connections for reports */
export function serveInvariants(serve: Serve, reports: Db): void {
  serve(contract.listInvariantBreaks, () => readAuditorReport(reports))
}
