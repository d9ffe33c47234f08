// The state that the decision on a batch of tickets of one period needs, as it was at one instant.

import type { Maintenance, UserStatus } from '@megalot/contract'
import { type BetTypeCode, tabulateTerms, type TermsTable } from '@megalot/rules'
import type { Refusal } from '../../lib/refusal.ts'
import type { OfferedTerms, PackageTerms, PeriodRecord } from '../../markets/index.ts'
import type { PlayState } from '../play-limits/index.ts'
import type { QuotaSnapshot } from '../../markets/quotas/index.ts'
import type { NewTicket } from '../ticket.ts'

/** A period with the data of its market and its account that betting needs. */
export interface BettingPeriod extends PeriodRecord {
  packages: PackageTerms[]
  bet_types: BetTypeCode[]
  is_enabled: boolean
  /** The message to members while the market is in maintenance; else null. */
  maintenance: Maintenance | null
  period_account_id: number
  /** The hash of all of it as text: the period is unchanged while the hash is. */
  fingerprint: string
}

/** A package with its terms as arrays too. */
export interface PackageTable extends PackageTerms {
  table: TermsTable
}

/** The packages of a period's market, by code. */
export function tabulatePackages({ packages, bet_types }: BettingPeriod): Map<string, PackageTable> {
  return new Map(packages.map((each) => [each.package_code, { ...each, table: tabulateTerms(each.terms, bet_types) }]))
}

/** In satang, by bet type and number. */
export type Stakes = Readonly<Partial<Record<BetTypeCode, Readonly<Record<string, number>>>>>

/** The data of a member that a decision needs. Its credit and stakes change with each accepted ticket. */
export interface MemberState {
  status: UserStatus
  /** Whether it has ever set limits on its own play. */
  has_play_limits: boolean
  cash_account_id: number
  /**
   * Whether its account is below its floor, because a correction took back more than it had. The cached attempt leaves
   * the tickets of such a member to the next one.
   */
  isBelowFloor: boolean
  credit_remain_satang: number
  /** The packages of the period's market that it has. */
  package_ids: readonly number[]
  /** Received in this period so far. */
  received_satang: number
  /** Staked in this period so far, by bet type and number; null where `couldPassNumberLimit` says no. */
  already_bet: Stakes | null
  /** Its own limits and breaks; undefined where it has set none. */
  play: PlayState | undefined
  /** Tickets of the period that wait for its answer. */
  waiting_tickets: number
  /** Waiting tickets of the period that it has cancelled or returned as a whole. */
  taken_back_tickets: number
}

/** An existing ticket with the same member and request_id. */
export interface ExistingTicket {
  order_id: number
  content_hash: Buffer
}

export interface Snapshot {
  period: BettingPeriod
  /** Those of the period's market, by code. */
  packages: ReadonlyMap<string, PackageTable>
  members: ReadonlyMap<number, MemberState>
  quotas: QuotaSnapshot
  /** By `requestKey`. */
  existing: ReadonlyMap<string, ExistingTicket>
  /** The refusals of sessions that are no longer valid, by `session_id`. */
  sessionRefusals: ReadonlyMap<number, Refusal>
  /** What packages have offered in the period. Read only for packages of which a ticket names a rate or a discount that is not in force. */
  offered: OfferedTerms
}

/** A request_id is unique per member: two members may use the same one. */
export function requestKey({ user_id, request_id }: Pick<NewTicket, 'user_id' | 'request_id'>): string {
  return `${user_id} ${request_id}`
}

/**
 * Whether a member's tickets could exceed a limit per number if all their stakes, and all that was received from the
 * member in the period before, were on one number. Most members are far from it, and are not checked number by number.
 */
export function couldPassNumberLimit(
  tickets: readonly NewTicket[],
  packages: ReadonlyMap<string, PackageTable>,
  received_satang: number,
): boolean {
  let all_satang = received_satang
  for (const { stakes } of tickets) for (const stake of stakes) if (stake > 0) all_satang += stake
  return tickets.some(({ package_code }) =>
    packages.get(package_code)?.terms.some(({ max_per_number_satang }) => all_satang > max_per_number_satang),
  )
}
