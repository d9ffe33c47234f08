export { type At, type AuditRow, type By, type ChangeCaller, type Change, defineChange, type Halves } from './change.ts'
export { type Lock, LockOrder, lockRanks } from './locks.ts'
export { endPendingDecisions, alsoEndWithRights } from './lost-power.ts'
export {
  isOnePerson,
  isStillPermitted,
  listStillPermitted,
  listWithAssistants,
  lockOfHierarchy,
  lockOfPlaces,
} from './people.ts'
export { applyChange, carryOut, type ChangeCall, findFor, previewChange } from './run-change.ts'
export { returnOutcome, serveChange, splitReason } from './serve-change.ts'
