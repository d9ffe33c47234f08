export { type At, type AuditRow, type By, type ChangeCaller, type Change, defineChange } from './change.ts'
export { type Lock, LockOrder, lockRanks } from './locks.ts'
export { carryOut, carryOutApproved, type ChangeCall, decideChange, previewChange } from './run-change.ts'
export { returnOutcome, serveChange, servePreview, splitReason } from './serve-change.ts'
