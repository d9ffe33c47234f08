import * as contract from '@megalot/contract'
import type { Db } from '../postgres/db.ts'
import type { Serve } from '../http/serve.ts'
import { readBoard } from './board.service.ts'
import { createExposureReader } from './book-reader.ts'
import { readResults } from './results.service.ts'

/** @param db connections for reports, because a downline with many members takes a while to sum up */
export function serveBook(serve: Serve, db: Db): void {
  const books = createExposureReader(db)

  serve(contract.readBook, ({ caller, params, query }) => readBoard(db, books, caller, params.period_code, query))

  serve(contract.readBookResults, ({ caller, params, query }) =>
    readResults(db, books, caller, params.period_code, query),
  )
}
