import * as contract from '@megalot/contract'
import type { Db } from '../../postgres/db.ts'
import { createSemaphore } from '../../lib/semaphore.ts'
import type { Serve } from '../../http/serve.ts'
import { findSignals } from './signals.service.ts'

/** @param db for reports: signals read many records, so one call at a time is served, on one connection */
export function serveSignals(serve: Serve, db: Db): void {
  const semaphore = createSemaphore(1)
  serve(contract.listSignals, ({ caller, query }) => semaphore.run(() => findSignals(db, caller, query)))
}
