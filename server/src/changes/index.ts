export { type At, type AuditRow, type By, type ChangeCaller, type Change, defineChange } from './change.ts'
export { type Lock, LockOrder, lockRanks } from './locks.ts'
export { carryOut, carryOutApproved, type ChangeCall, decideChange } from './run-change.ts'
export { returnOutcome, serveChange, splitReason } from './serve-change.ts'
