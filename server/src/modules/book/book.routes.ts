import * as contract from '@megalot/contract'
import type { Db } from '../../platform/db.ts'
import type { Serve } from '../../platform/serve.ts'
import { createLineBooks, readBoard, readResults } from './board.service.ts'

/** @param db connections for reports: a line of many members takes a while to sum up */
export function serveBook(serve: Serve, db: Db): void {
  const lineBooks = createLineBooks(db)

  serve(contract.readBook, ({ caller, params, query }) => readBoard(db, lineBooks, caller, params.period_code, query))

  serve(contract.readBookResults, ({ caller, params, query }) =>
    readResults(db, lineBooks, caller, params.period_code, query),
  )
}
