export { serveCredentials } from './credentials.routes.ts'
export {
  givePassword,
  makeFirstHalf,
  makeSecondHalf,
  type PasswordHalf,
  setOneTimePassword,
} from './one-time-password.service.ts'
export { sendDueEmailNotices } from './email-notices.ts'
export { askForEmail, sendDueEmails } from './email-verification.service.ts'
export { endEveryLink, removeOldRecoveries, sendDueRecoveries } from './recovery.service.ts'
