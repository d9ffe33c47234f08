import * as contract from '@megalot/contract'
import type { Db } from '../../postgres/db.ts'
import type { Serve } from '../../http/serve.ts'
import { readIntegrityReport } from './auditor.service.ts'

/** @param lists connections for lists */
export function serveInvariants(serve: Serve, lists: Db): void {
  serve(contract.listInvariantBreaks, ({ caller }) => readIntegrityReport(lists, caller))
}
