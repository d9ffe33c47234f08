import * as contract from '@megalot/contract'
import { serveChange } from '../../changes/index.ts'
import type { Db } from '../../postgres/db.ts'
import { readPage } from '../../http/page.ts'
import type { Serve } from '../../http/serve.ts'
import { changeCreditLimit, getCreditInfo, getUser } from './accounts.service.ts'
import { changeUserStatus, getDownlineUser, listDownline } from './downline.service.ts'
import { getShareTerms } from './share-terms.service.ts'

export function serveAccounts(serve: Serve, db: Db, lists: Db): void {
  serve(contract.getBasicUser, ({ caller }) => getUser(db, caller.actor_id))
  serve(contract.getCreditInfo, ({ caller }) => getCreditInfo(db, caller.actor_id))

  serve(contract.listDownline, ({ caller, query }) => {
    const { limit, offset } = readPage(query)
    return listDownline(lists, caller, query, limit, offset)
  })

  serveChange(
    { serve, db },
    contract.changeCreditLimit,
    changeCreditLimit,
    ({ params, body: { reason, credit_limit_satang } }) => ({
      input: { user_id: Number(params.user_id), credit_limit_satang },
      reason: reason === '' ? undefined : reason,
    }),
    (user_id, caller) => getDownlineUser(db, caller, user_id),
  )

  serveChange(
    { serve, db },
    contract.changeUserStatus,
    changeUserStatus,
    ({ params, body: { reason, own_status } }) => ({
      input: { user_id: Number(params.user_id), own_status },
      reason,
    }),
    (user_id, caller) => getDownlineUser(db, caller, user_id),
  )

  serve(contract.getShareTerms, ({ caller, params }) => getShareTerms(db, caller, Number(params.user_id)))
}
