import * as contract from '@megalot/contract'
import type { Db } from '../../platform/db.ts'
import { readPage } from '../../platform/page.ts'
import { languageOf, type Serve } from '../../platform/serve.ts'
import { exportAudit, listAudit } from './audit-reader.service.ts'

/** @param db for reports */
export function serveAudit(serve: Serve, db: Db): void {
  serve(contract.listAudit, ({ caller, query: { before, ipp, ...filter } }) => {
    const { limit } = readPage({ ipp })
    return listAudit(db, caller, filter, { limit, before: before === undefined ? undefined : Number(before) })
  })
  serve(contract.exportAudit, ({ caller, query, reply }) => exportAudit(db, caller, query, languageOf(reply.request)))
}
