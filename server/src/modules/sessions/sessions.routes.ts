import { getCaptcha, logIn as logInRoute, logOff as logOffRoute, syncSession, WEB_VERSION } from '@megalot/contract'
import type { Db } from '../../platform/db.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { Serve } from '../../platform/serve.ts'
import { type CaptchaSettings, makeCaptcha } from './captcha.service.ts'
import { logIn, logOff } from './sessions.service.ts'

export function serveSessions(serve: Serve, db: Db, settings: CaptchaSettings): void {
  serve(getCaptcha, async ({ query, reply }) => {
    const picture = await makeCaptcha(db, query.request_id, settings)
    await reply.type('image/png').send(picture)
    return null
  })

  serve(logInRoute, async ({ body }) => {
    const { sessionId, user } = await logIn(db, body)
    return { data: user, top_level: { sessionId } }
  })

  serve(logOffRoute, async ({ caller }) => {
    await logOff(db, caller)
    return null
  })

  serve(syncSession, async ({ query }) => {
    if (query.version !== WEB_VERSION) throw new Refusal('old_version', { guiVersion: WEB_VERSION })
    return { data: null, top_level: { guiVersion: WEB_VERSION } }
  })
}
