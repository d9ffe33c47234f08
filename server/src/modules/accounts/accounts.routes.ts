import { getBasicUser, getCreditInfo as getCreditInfoRoute } from '@megalot/contract'
import type { Db } from '../../platform/db.ts'
import type { Serve } from '../../platform/serve.ts'
import { getCreditInfo, getUser } from './accounts.service.ts'

export function serveAccounts(serve: Serve, db: Db): void {
  serve(getBasicUser, ({ caller }) => getUser(db, caller.user_id))
  serve(getCreditInfoRoute, ({ caller }) => getCreditInfo(db, caller.user_id))
}
