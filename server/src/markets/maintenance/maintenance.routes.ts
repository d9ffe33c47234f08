import * as contract from '@megalot/contract'
import { serveChange, splitReason } from '../../changes/index.ts'
import type { Db } from '../../postgres/db.ts'
import type { Serve } from '../../http/serve.ts'
import { shareRuns } from '../../postgres/share-runs.ts'
import { listMaintenances, setMaintenance } from './maintenance.service.ts'

export function serveMaintenance(serve: Serve, db: Db): void {
  // Shared, because unauthenticated clients may ask, and each would take a connection for calls.
  const list = shareRuns(() => listMaintenances(db))
  serve(contract.checkMaintenance, () => list())

  serveChange({ serve, db }, contract.setMaintenance, setMaintenance, splitReason)
}
