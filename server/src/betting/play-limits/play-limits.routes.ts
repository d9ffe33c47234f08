import * as contract from '@megalot/contract'
import { serveChange } from '../../changes/index.ts'
import type { Db } from '../../postgres/db.ts'
import type { Serve } from '../../http/serve.ts'
import type { UseCache } from './known-use.ts'
import { getPlayLimits, setPlayLimit, takeBreak } from './play-limits.service.ts'

export function servePlayLimits(serve: Serve, db: Db, cache: UseCache): void {
  serve(contract.getPlayLimits, ({ caller }) => getPlayLimits(db, cache, caller.actor_id))
  const reply = (user_id: number) => getPlayLimits(db, cache, user_id)
  serveChange({ serve, db }, contract.setPlayLimit, setPlayLimit, ({ body }) => ({ input: body }), reply)
  serveChange({ serve, db }, contract.takeBreak, takeBreak, ({ body }) => ({ input: body }), reply)
}
