import * as contract from '@megalot/contract'
import { RESET_PASSWORD_PATH } from '@megalot/contract'
import { serveChange, splitReason } from '../../changes/index.ts'
import type { SessionSettings } from '../../http/caller.ts'
import type { Serve } from '../../http/serve.ts'
import type { Db } from '../../postgres/db.ts'
import { linkOf } from '../credentials/index.ts'
import { getOpenedSessionState, originOf, setDeviceCookie } from '../sessions/index.ts'
import { createFirstOwner } from './first-owner.service.ts'
import { inviteOwner } from './invite-owner.ts'

/** @param serve must be able to read and set the device cookie */
export function serveSetup(serve: Serve, db: Db, settings: SessionSettings & { publicUrl: string }): void {
  serve(contract.createFirstOwner, async ({ body, reply }) => {
    const { sessionToken, device, user } = await createFirstOwner(db, { ...body, ...originOf(reply) })
    setDeviceCookie(reply, device)
    const session = await getOpenedSessionState(db, sessionToken, settings)
    return { data: { ...user, sessionId: sessionToken }, top_level: { sessionId: sessionToken, session } }
  })
  serveChange({ serve, db }, contract.inviteOwner, inviteOwner, splitReason, async ({ token, ...invited }) => ({
    ...invited,
    link: token === null ? null : linkOf(settings.publicUrl, RESET_PASSWORD_PATH, token),
  }))
}
