import * as contract from '@megalot/contract'
import type { Db } from '../../platform/db.ts'
import { createSemaphore } from '../../platform/semaphore.ts'
import type { Serve } from '../../platform/serve.ts'
import { findSignals } from './signals.service.ts'

/** @param db for reports: signals are counted from many records, so one call at a time is served, on one connection */
export function serveSignals(serve: Serve, db: Db): void {
  const semaphore = createSemaphore(1)
  serve(contract.listSignals, ({ caller, query }) => semaphore.run(() => findSignals(db, caller, query)))
}
