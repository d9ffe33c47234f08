export { type CaptchaAnswer, removeExpiredCaptchas, useCaptcha } from './captcha.service.ts'
export { giveDevice, placeOf } from './device-cookie.service.ts'
export { serveSessions } from './sessions.routes.ts'
export {
  areOpen,
  authenticate,
  endAllSessions,
  findSessionRefusals,
  listLiveSessions,
  type OpenedSession,
  openSession,
  openSessionDesk,
  type TryPlace,
} from './sessions.service.ts'
export {
  forgetFailures,
  noteFailure,
  refuseEarly,
  removeOldFailures,
  type Tried,
  weighTry,
} from './try-guard.service.ts'
