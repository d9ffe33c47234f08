import * as contract from '@megalot/contract'
import { serveChange } from '../../changes/index.ts'
import type { Db } from '../../postgres/db.ts'
import type { Serve } from '../../http/serve.ts'
import { listViews, saveView, shareView } from './saved-views.service.ts'
import { deleteView } from './saved-views.store.ts'

export function serveSavedViews(serve: Serve, db: Db): void {
  serve(contract.listViews, ({ caller, query }) => listViews(db, caller, query.page))
  serve(contract.saveView, ({ caller, body }) => saveView(db, caller, body))
  serveChange(
    { serve, db },
    contract.shareView,
    shareView,
    ({ body }) => ({ input: body }),
    () => null,
  )
  serve(contract.dropView, async ({ caller, body }) => {
    await deleteView(db, caller.actor_id, body)
    return null
  })
}
