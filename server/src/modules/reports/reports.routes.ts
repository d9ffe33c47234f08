import { listTransactions } from '@megalot/contract'
import type { Db } from '../../platform/db.ts'
import { readPage } from '../../platform/page.ts'
import type { Serve } from '../../platform/serve.ts'
import { listStatement } from './reports.service.ts'

export function serveReports(serve: Serve, db: Db): void {
  serve(listTransactions, ({ caller, query }) => {
    const { limit, offset } = readPage(query)
    return listStatement(db, caller.user_id, limit, offset)
  })
}
