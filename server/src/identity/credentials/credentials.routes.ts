import * as contract from '@megalot/contract'
import type { SessionSettings } from '../../http/caller.ts'
import type { Db } from '../../postgres/db.ts'
import type { Serve } from '../../http/serve.ts'
import { isEasyToGuess } from '../accounts/index.ts'
import { getOpenedSessionState, originOf, setDeviceCookie } from '../sessions/index.ts'
import { changeEmail, findEmailState, verifyEmail } from './email-verification.service.ts'
import { changePassword } from './password-change.service.ts'
import { askForRecovery, listPasswordRequests, resetPassword } from './recovery.service.ts'
import { register } from './registration.service.ts'

/** @param onMailDue called when a mail is due */
export function serveCredentials(serve: Serve, db: Db, settings: SessionSettings, onMailDue: () => void): void {
  serve(contract.register, async ({ body, reply }) => {
    const { sessionToken, device, user } = await register(db, { ...body, ...originOf(reply) })
    onMailDue()
    setDeviceCookie(reply, device)
    const session = await getOpenedSessionState(db, sessionToken, settings)
    const is_easy_to_guess = isEasyToGuess(body.username, body.password)
    return {
      data: { ...user, sessionId: sessionToken },
      top_level: { sessionId: sessionToken, session, is_easy_to_guess },
    }
  })

  serve(contract.forgotPassword, async ({ body, reply }) => {
    await askForRecovery(db, body, reply.request.ip)
    onMailDue()
    return null
  })

  serve(contract.resetPassword, async ({ body, reply }) => {
    const { username, device } = await resetPassword(db, { ...body, ...originOf(reply) })
    setDeviceCookie(reply, device)
    return { data: null, top_level: { is_easy_to_guess: isEasyToGuess(username, body.new_password) } }
  })

  serve(contract.verifyEmail, async ({ body, reply }) => {
    await verifyEmail(db, { ...body, address: reply.request.ip })
    onMailDue()
    return null
  })

  serve(contract.changePassword, async ({ caller, body, reply }) => {
    const { sessionToken, device } = await changePassword(db, caller, { ...body, device: originOf(reply).device })
    setDeviceCookie(reply, device)
    const is_easy_to_guess = isEasyToGuess(caller.username, body.new_password)
    return { data: null, top_level: { sessionId: sessionToken, is_easy_to_guess } }
  })

  serve(contract.getEmail, ({ caller }) => findEmailState(db, caller.actor_id))
  serve(contract.changeEmail, async ({ caller, body }) => {
    const state = await changeEmail(db, caller, body)
    onMailDue()
    return state
  })
  serve(contract.listPasswordRequests, ({ caller }) => listPasswordRequests(db, caller))
}
