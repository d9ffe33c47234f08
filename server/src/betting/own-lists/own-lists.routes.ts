import * as contract from '@megalot/contract'
import type { Db } from '../../postgres/db.ts'
import type { Serve } from '../../http/serve.ts'
import { dropEntry, getOwnLists, keepEntry } from './own-lists.service.ts'

export function serveOwnLists(serve: Serve, db: Db): void {
  serve(contract.getOwnLists, ({ caller }) => getOwnLists(db, caller.actor_id))
  serve(contract.keepOwnEntry, ({ caller, body }) =>
    body.list === 'number_sets'
      ? keepEntry(db, caller.actor_id, body.list, body.number_set.name, body.number_set.rows)
      : keepEntry(db, caller.actor_id, body.list, body.product_code, null),
  )
  serve(contract.dropOwnEntry, ({ caller, body }) =>
    dropEntry(db, caller.actor_id, body.list, body.list === 'number_sets' ? body.name : body.product_code),
  )
}
