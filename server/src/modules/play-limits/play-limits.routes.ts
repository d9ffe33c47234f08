import * as contract from '@megalot/contract'
import type { Db } from '../../platform/db.ts'
import type { Serve } from '../../platform/serve.ts'
import { getPlayLimits, setPlayLimit, takeBreak } from './play-limits.service.ts'

export function servePlayLimits(serve: Serve, db: Db): void {
  serve(contract.getPlayLimits, ({ caller }) => getPlayLimits(db, caller.actor_id))
  serve(contract.setPlayLimit, ({ caller, body }) => setPlayLimit(db, caller.actor_id, body))
  serve(contract.takeBreak, ({ caller, body }) => takeBreak(db, caller.actor_id, body))
}
