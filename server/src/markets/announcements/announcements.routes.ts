import * as contract from '@megalot/contract'
import { serveChange } from '../../changes/index.ts'
import type { Caller } from '../../http/caller.ts'
import type { Db } from '../../postgres/db.ts'
import type { Serve } from '../../http/serve.ts'
import {
  createAnnouncement,
  deleteAnnouncement,
  enableAnnouncement,
  updateAnnouncement,
} from './announcement-changes.ts'
import { getAnnouncement, listAllAnnouncements, listAnnouncements, readAnnouncement } from './announcements.service.ts'

export function serveAnnouncements(serve: Serve, db: Db): void {
  serve(contract.listAnnouncements, ({ caller, query }) => listAnnouncements(db, caller, query.type))
  serve(contract.listAllAnnouncements, ({ caller }) => listAllAnnouncements(db, caller))
  serve(contract.getAnnouncement, ({ caller, params }) => getAnnouncement(db, caller, Number(params.announce_id)))
  serve(contract.readAnnouncement, async ({ caller, params }) => {
    await readAnnouncement(db, caller, Number(params.announce_id))
    return null
  })

  const at = { serve, db }
  const reply = (announce_id: number, caller: Caller) => getAnnouncement(db, caller, announce_id)
  serveChange(at, contract.createAnnouncement, createAnnouncement, ({ body }) => ({ input: body }), reply)
  serveChange(at, contract.enableAnnouncement, enableAnnouncement, ({ body }) => ({ input: body }), reply)
  serveChange(at, contract.updateAnnouncement, updateAnnouncement, ({ body }) => ({ input: body }), reply)
  serveChange(at, contract.deleteAnnouncement, deleteAnnouncement, ({ params }) => ({
    input: { announce_id: Number(params.announce_id) },
  }))
}
