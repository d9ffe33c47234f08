import * as contract from '@megalot/contract'
import { serveChange } from '../../changes/index.ts'
import type { Db } from '../../postgres/db.ts'
import { Refusal } from '../../lib/refusal.ts'
import { readPage } from '../../http/page.ts'
import type { Serve } from '../../http/serve.ts'
import { subnetOf } from '../../http/subnet.ts'
import { type CaptchaSettings, makeCaptcha, makeCaptchaProof } from './captcha.service.ts'
import { setDeviceCookie, originOf } from './device-cookie.service.ts'
import { logIn, logOff } from './log-in.service.ts'
import { requiredProof } from './required-proof.ts'
import {
  endDownlineSessions,
  listDownlineSessions,
  listOwnSessions,
  listStaffSessions,
} from './session-list.service.ts'
import { getOpenedSessionState, getSessionState } from './session-state.service.ts'
import type { SessionSettings } from '../../http/caller.ts'

export function serveSessions(serve: Serve, db: Db, lists: Db, settings: CaptchaSettings & SessionSettings): void {
  serve(contract.getCaptcha, async ({ query, reply }) => {
    const caller = { subnet: subnetOf(reply.request.ip), device: originOf(reply).device }
    const picture = await makeCaptcha(db, query.request_id, caller, settings)
    await reply.type('image/png').send(picture)
    return null
  })

  serve(contract.getCaptchaProof, ({ query, reply }) => {
    const asked = Number(query.level ?? '1')
    const level = Math.max(asked, requiredProof.levelFor(subnetOf(reply.request.ip))) as contract.ProofLevel
    return makeCaptchaProof(db, query.request_id, level, settings)
  })

  serve(contract.logIn, async ({ body, reply }) => {
    const { sessionToken, device, user } = await logIn(db, { ...body, ...originOf(reply) })
    setDeviceCookie(reply, device)
    const session = await getOpenedSessionState(db, sessionToken, settings)
    return { data: { ...user, sessionId: sessionToken }, top_level: { sessionId: sessionToken, session } }
  })

  serve(contract.getSession, ({ caller }) => getSessionState(db, caller.session_id, settings))

  serve(contract.logOff, async ({ caller, query, reply }) => {
    await logOff(db, caller)
    reply.header('clear-site-data', query.is_shared_device ? '"cache", "storage"' : '"cache"')
    return null
  })

  serve(contract.syncSession, async ({ query }) => {
    if (query.version !== contract.WEB_VERSION) throw new Refusal('old_version', { guiVersion: contract.WEB_VERSION })
    return { data: null, top_level: { guiVersion: contract.WEB_VERSION } }
  })

  serve(contract.listSessions, ({ caller, query }) => listOwnSessions(db, caller, readPage(query)))
  serve(contract.listDownlineSessions, ({ caller, query }) => {
    const user_id = query.user_id === undefined ? undefined : Number(query.user_id)
    return listDownlineSessions(lists, caller, user_id, readPage(query), settings)
  })
  serve(contract.listStaffSessions, ({ caller, query }) => listStaffSessions(db, caller, readPage(query), settings))
  serveChange({ serve, db }, contract.endDownlineSessions, endDownlineSessions, ({ params, body: { reason } }) => ({
    input: { user_id: Number(params.user_id) },
    reason,
  }))
}
