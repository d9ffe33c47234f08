import * as contract from '@megalot/contract'
import type { Db } from '../../platform/db.ts'
import type { Serve } from '../../platform/serve.ts'
import { giveDevice, placeOf } from '../sessions/index.ts'
import { changePassword } from './password-change.service.ts'
import { askForRecovery, resetPassword } from './recovery.service.ts'
import { register } from './registration.service.ts'

/** @param onRecovery told that somebody has asked for a way back in, once that is written */
export function serveCredentials(serve: Serve, db: Db, onRecovery: () => void): void {
  serve(contract.register, async ({ body, reply }) => {
    const { sessionId, device, user } = await register(db, { ...body, ...placeOf(reply) })
    giveDevice(reply, device)
    return { data: user, top_level: { sessionId } }
  })

  serve(contract.forgotPassword, async ({ body }) => {
    await askForRecovery(db, body.email)
    onRecovery()
    return null
  })

  serve(contract.resetPassword, async ({ body }) => {
    await resetPassword(db, body)
    return null
  })

  serve(contract.changePassword, async ({ caller, body }) => {
    await changePassword(db, caller, body)
    return null
  })
}
