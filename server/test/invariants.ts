// The invariants of money, which hold after every test.

export { findBrokenInvariants } from '../src/oversight/invariants/index.ts'

/** Breaks where an entry was written by hand. */
export const ENTRY_CAUSES = 'entries_have_a_cause'
