// Checks invariants of money after every test.

export { findViolatedInvariants } from '../src/oversight/invariants/index.ts'

/** Violated if an entry was written by hand. */
export const ENTRY_CAUSES = ['entries_have_a_cause', 'edge_is_its_downline'] as const
