export { type CaptchaAnswer, removeExpiredCaptchas, consumeCaptcha } from './captcha.service.ts'
export { setDeviceCookie, originOf } from './device-cookie.service.ts'
export { endDownlineSessions } from './session-list.service.ts'
export { serveSessions } from './sessions.routes.ts'
export { authenticate, createSessionServices, findSessionRefusals, listLiveSessions } from './authenticate.service.ts'
export {
  type AttemptOrigin,
  continueSession,
  endAllSessions,
  endEverySession,
  endSessionByStaff,
  endSessionWithoutFactor,
  endSessionsFromAbove,
  type OpenedSession,
  openSession,
} from './log-in.service.ts'
export { type PasswordCheck, type PasswordHolder, withOwnPassword } from './own-password.service.ts'
export { countToday, type DayBound, isDailyLimitReached } from './day-bound.service.ts'
export { lockOfNewUser, refuseNewUsersOverLimit, refuseTakenName } from './new-user-bound.service.ts'
export { requiredProof, unknownKindOf } from './required-proof.ts'
export { recordVerifiedFactor, getOpenedSessionState, getSessionState } from './session-state.service.ts'
export {
  logInKeyOf,
  rememberDevice,
  resetFailures,
  recordFailure,
  refuseThrottled,
  removeOldFailures,
  type PasswordAttempt,
  readThrottle,
} from './password-throttle.service.ts'
