// All invariants, by their codes.

import { AUDITOR_RUNS } from '@megalot/contract'
import type { Db } from '../../postgres/db.ts'
import { findViolations, type Finding, type Invariant } from './invariant.ts'
import { ledgerInvariants } from './ledger-invariants.ts'
import { moneyInvariants } from './money-invariants.ts'
import { peopleInvariants } from './people-invariants.ts'
import { periodInvariants } from './period-invariants.ts'
import { rollupInvariants } from './rollup-invariants.ts'
import { ticketInvariants } from './ticket-invariants.ts'
import { winInvariants } from './win-invariants.ts'

const all = {
  ...ticketInvariants,
  ...winInvariants,
  ...ledgerInvariants,
  ...periodInvariants,
  ...rollupInvariants,
  ...peopleInvariants,
  ...moneyInvariants,
} as const satisfies Record<string, Invariant>

export type InvariantCode = keyof typeof all

export const invariants: Readonly<Record<InvariantCode, Invariant>> = all
export const invariantCodes = Object.keys(all) as InvariantCode[]

/** What can be violated: an invariant of records, or the check's own schedule. */
export type ViolationCode = InvariantCode | typeof AUDITOR_RUNS

const auditorRuns: Pick<Invariant, 'name' | 'unit'> = {
  name: {
    th: 'ระบบตรวจสอบยอดเงินที่เปลี่ยนแปลงทุกนาที',
    en: 'the auditor checks every minute what has changed',
  },
  unit: 'none',
}

export function describeInvariant(code: ViolationCode): Pick<Invariant, 'name' | 'unit'> {
  return code === AUDITOR_RUNS ? auditorRuns : invariants[code]
}

/** How many findings are named. */
const NAMED = 5

/**
 * Checks everything at once, which reads all data.
 * @returns violated invariants with their first findings; empty if all hold
 * @param ignored violations that the caller caused itself, such as entries written by hand
 */
export async function findViolatedInvariants(
  db: Db,
  ignored: readonly InvariantCode[] = [],
): Promise<Partial<Record<InvariantCode, Finding[]>>> {
  const broken: Partial<Record<InvariantCode, Finding[]>> = {}
  for (const code of invariantCodes) {
    if (ignored.includes(code)) continue
    const findings = await findViolations(db, invariants[code], null, NAMED)
    if (findings.length > 0) broken[code] = findings
  }
  return broken
}
