import * as contract from '@megalot/contract'
import type { Db } from '../../platform/db.ts'
import type { Serve } from '../../platform/serve.ts'
import {
  createAnnouncement,
  deleteAnnouncement,
  enableAnnouncement,
  getAnnouncement,
  listAllAnnouncements,
  listAnnouncements,
  readAnnouncement,
  updateAnnouncement,
} from './announcements.service.ts'

export function serveAnnouncements(serve: Serve, db: Db): void {
  serve(contract.listAnnouncements, ({ caller, query }) => listAnnouncements(db, caller, query.type))
  serve(contract.listAllAnnouncements, ({ caller }) => listAllAnnouncements(db, caller))
  serve(contract.getAnnouncement, ({ caller, params }) => getAnnouncement(db, caller, Number(params.announce_id)))
  serve(contract.createAnnouncement, ({ caller, body }) => createAnnouncement(db, caller, body))
  serve(contract.enableAnnouncement, ({ caller, body }) => enableAnnouncement(db, caller, body))
  serve(contract.updateAnnouncement, ({ caller, body }) => updateAnnouncement(db, caller, body))

  serve(contract.readAnnouncement, async ({ caller, params }) => {
    await readAnnouncement(db, caller, Number(params.announce_id))
    return null
  })

  serve(contract.deleteAnnouncement, async ({ caller, params }) => {
    await deleteAnnouncement(db, caller, Number(params.announce_id))
    return null
  })
}
