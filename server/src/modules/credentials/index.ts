export { serveCredentials } from './credentials.routes.ts'
export { setOneTimePassword } from './one-time-password.service.ts'
export { removeOldRecoveries, sendDueRecoveries } from './recovery.service.ts'
