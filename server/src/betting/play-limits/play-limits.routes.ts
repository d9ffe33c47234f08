import * as contract from '@megalot/contract'
import type { Db } from '../../postgres/db.ts'
import type { Serve } from '../../http/serve.ts'
import type { UseCache } from './known-use.ts'
import { getPlayLimits, setPlayLimit, takeBreak } from './play-limits.service.ts'

export function servePlayLimits(serve: Serve, db: Db, cache: UseCache): void {
  serve(contract.getPlayLimits, ({ caller }) => getPlayLimits(db, cache, caller.actor_id))
  serve(contract.setPlayLimit, ({ caller, body }) => setPlayLimit(db, cache, caller.actor_id, body))
  serve(contract.takeBreak, ({ caller, body }) => takeBreak(db, cache, caller.actor_id, body))
}
