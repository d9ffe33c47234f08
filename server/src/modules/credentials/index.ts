export { serveCredentials } from './credentials.routes.ts'
export { hashOneTimePassword, setOneTimePassword } from './one-time-password.service.ts'
export { removeOldRecoveries, sendDueRecoveries } from './recovery.service.ts'
