import * as contract from '@megalot/contract'
import type { Db } from '../../platform/db.ts'
import type { Serve } from '../../platform/serve.ts'
import { findSignals } from './signals.service.ts'

/** @param db for reports: signals are counted from many records */
export function serveSignals(serve: Serve, db: Db): void {
  serve(contract.listSignals, ({ caller, query }) => findSignals(db, caller, query))
}
