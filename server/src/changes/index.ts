export { type At, type AuditRow, type By, type ChangeCaller, type Change, defineChange } from './change.ts'
export { type Lock, LockOrder, lockRanks } from './locks.ts'
export { endBegun, endWithPower } from './lost-power.ts'
export { isOnePerson, isStillPermitted, listStillPermitted, listWithAssistants, lockOfHierarchy } from './people.ts'
export {
  countWaitingOf,
  expireProposals,
  findProposal,
  insertProposal,
  isProposalWaiting,
  lockProposal,
  lockProposals,
  proposalColumns,
  type ProposalRecord,
  proposalState,
  saveDecision,
} from './proposals.store.ts'
export { carryOut, carryOutApproved, type ChangeCall, decideChange, previewChange } from './run-change.ts'
export { returnOutcome, serveChange, servePreview, splitReason } from './serve-change.ts'
