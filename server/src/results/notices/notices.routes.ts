import * as contract from '@megalot/contract'
import type { Db } from '../../postgres/db.ts'
import { readPage } from '../../http/page.ts'
import type { Serve } from '../../http/serve.ts'
import { listNotices, readNotices } from './notices.service.ts'

export function serveNotices(serve: Serve, db: Db): void {
  serve(contract.listNotices, async ({ caller, query }) => {
    const { limit, offset } = readPage(query)
    const { notices, unread_count } = await listNotices(db, caller.actor_id, limit, offset)
    return { data: notices, top_level: { unread_count } }
  })
  serve(contract.readNotices, async ({ caller, body }) => ({
    unread_count: await readNotices(db, caller.actor_id, body.up_to_notice_id),
  }))
}
