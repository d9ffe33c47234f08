export { serveCredentials } from './credentials.routes.ts'
export { removeOldRecoveries, sendDueRecoveries } from './recovery.service.ts'
