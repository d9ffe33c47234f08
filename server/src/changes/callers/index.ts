export { findSessions, listSessions, type SessionRecord } from './callers.store.ts'
export { EVERYTHING, maintenanceOfEverything } from './maintenance-expressions.ts'
export { limitsOf, listPendingSteps, toSessionState } from './session-state.ts'
export { findCallerOfSignIn, findEnd, refusalOfEnd, refuseMaintained, toCaller, verifyCaller } from './verify-caller.ts'
