import * as contract from '@megalot/contract'
import type { Db } from '../../postgres/db.ts'
import type { Serve } from '../../http/serve.ts'
import { removeSubscription, saveSubscription } from './subscriptions.store.ts'

/** @param publicKey null if this house sends no pushes */
export function servePush(serve: Serve, db: Db, publicKey: string | null): void {
  serve(contract.getPushKey, async () => ({ public_key: publicKey }))
  serve(contract.subscribePush, async ({ caller, body }) => {
    await saveSubscription(db, { user_id: caller.actor_id, session_id: caller.session_id }, body)
    return null
  })
  serve(contract.unsubscribePush, async ({ caller, body }) => {
    await removeSubscription(db, caller.actor_id, body.endpoint)
    return null
  })
}
