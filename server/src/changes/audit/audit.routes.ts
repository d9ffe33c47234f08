import * as contract from '@megalot/contract'
import type { DatabaseHandles } from '../../postgres/db.ts'
import { readPage } from '../../http/page.ts'
import { languageOf, type Serve } from '../../http/serve.ts'
import { exportAudit, listAudit } from './audit-reader.service.ts'

export function serveAudit(serve: Serve, { reports, lists }: DatabaseHandles): void {
  serve(contract.listAudit, ({ caller, query: { before, ipp, ...filter } }) => {
    const { limit } = readPage({ ipp })
    return listAudit(lists, caller, filter, { limit, before: before === undefined ? undefined : Number(before) })
  })
  serve(contract.exportAudit, ({ caller, query, reply }) =>
    exportAudit(reports, caller, query, languageOf(reply.request)),
  )
}
