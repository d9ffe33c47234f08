import * as contract from '@megalot/contract'
import type { Db } from '../../platform/db.ts'
import type { Serve } from '../../platform/serve.ts'
import { listMaintenances, setMaintenance } from './maintenance.service.ts'

export function serveMaintenance(serve: Serve, db: Db): void {
  serve(contract.checkMaintenance, () => listMaintenances(db))

  serve(contract.setMaintenance, async ({ caller, body }) => {
    await setMaintenance(db, caller.actor_id, body)
    return null
  })
}
