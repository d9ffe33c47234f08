export { type CaptchaAnswer, removeExpiredCaptchas, consumeCaptcha } from './captcha.service.ts'
export { setDeviceCookie, originOf } from './device-cookie.service.ts'
export { serveSessions } from './sessions.routes.ts'
export {
  areSessionsLive,
  authenticate,
  endAllSessions,
  findSessionRefusals,
  listLiveSessions,
  type OpenedSession,
  openSession,
  createSessionServices,
  type AttemptOrigin,
} from './sessions.service.ts'
export {
  resetFailures,
  recordFailure,
  refuseThrottled,
  removeOldFailures,
  type PasswordAttempt,
  readThrottle,
} from './password-throttle.service.ts'
