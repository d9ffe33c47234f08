import * as contract from '@megalot/contract'
import type { Caller } from '../../http/caller.ts'
import type { Db } from '../../postgres/db.ts'
import type { Serve } from '../../http/serve.ts'
import { getSessionState } from '../sessions/index.ts'
import { type Enrolled, enrolPasskey, enrolTotp, startPasskey, startTotp } from './enrolment.service.ts'
import type { FactorSettings } from './factor-settings.ts'
import { listFactors, removeFactor, renameFactor, renewRecoveryCodes } from './factors.service.ts'
import { startPasskeyVerification, verifyPasskey, verifyRecoveryCode, verifyTotp } from './verification.service.ts'

const replyEnrolled = ({ enrolment, sessionToken }: Enrolled) => ({
  data: enrolment,
  top_level: { sessionId: sessionToken },
})

export function serveSecondFactor(serve: Serve, db: Db, settings: FactorSettings): void {
  serve(contract.listFactors, ({ caller }) => listFactors(db, caller.actor_id, settings))

  serve(contract.startPasskey, ({ caller, body }) => startPasskey(db, caller, body.password, settings))
  serve(contract.enrolPasskey, async ({ caller, body }) =>
    replyEnrolled(await enrolPasskey(db, caller, body.name, body.passkey, settings)),
  )
  serve(contract.startTotp, ({ caller, body }) => startTotp(db, caller, body.password, settings))
  serve(contract.enrolTotp, async ({ caller, body }) =>
    replyEnrolled(await enrolTotp(db, caller, body.name, body.code, settings)),
  )

  serve(contract.renameFactor, ({ caller, params, body }) =>
    renameFactor(db, caller, Number(params.factor_id), body.name),
  )
  serve(contract.removeFactor, async ({ caller, params }) => {
    await removeFactor(db, caller, Number(params.factor_id), settings)
    return null
  })
  serve(contract.renewRecoveryCodes, async ({ caller, body }) => ({
    recovery_codes: await renewRecoveryCodes(db, caller, body.password),
  }))

  const replyVerified = async ({ session_id }: Caller, sessionToken: string | null) => ({
    data: await getSessionState(db, session_id, settings),
    top_level: { sessionId: sessionToken },
  })
  serve(contract.startPasskeyVerification, ({ caller }) => startPasskeyVerification(db, caller, settings))
  serve(contract.verifyPasskey, async ({ caller, body }) =>
    replyVerified(caller, await verifyPasskey(db, caller, body.passkey, settings)),
  )
  serve(contract.verifyTotp, async ({ caller, body }) =>
    replyVerified(caller, await verifyTotp(db, caller, body.code, settings)),
  )
  serve(contract.verifyRecoveryCode, async ({ caller, body }) =>
    replyVerified(caller, await verifyRecoveryCode(db, caller, body.code)),
  )
}
