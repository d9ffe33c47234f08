// All that a batch of tickets of one period must know to be decided, as it was at one instant.

import type { Maintenance, UserStatus } from '@megalot/contract'
import type { BetTypeCode } from '@megalot/rules'
import type { Refusal } from '../../../platform/refusal.ts'
import type { OfferedRates, PackageTerms, PeriodRecord } from '../../markets/index.ts'
import type { PlayState } from '../../play-limits/index.ts'
import type { QuotaSnapshot } from '../../quotas/index.ts'
import type { NewTicket } from '../ticket.ts'

/** A period with what betting in it needs of its market and its account. */
export interface BettingPeriod extends PeriodRecord {
  packages: PackageTerms[]
  bet_types: BetTypeCode[]
  is_enabled: boolean
  /** What members are told while the market is in maintenance; else null. */
  maintenance: Maintenance | null
  period_account_id: number
  /** The hash of all of it as one text: the period is unchanged as long as it is the same. */
  fingerprint: string
}

/** A member as a batch knows it. Its credit and stakes change as its tickets are accepted one after another. */
export interface MemberState {
  status: UserStatus
  /** Whether it has ever set limits on its own play. */
  has_play_limits: boolean
  cash_account_id: number
  /** Whether it owes more than its limit, after a correction: its account may stand below its floor for now. */
  owes: boolean
  credit_remain_satang: number
  /** The packages of the period's market that it has been given. */
  package_ids: readonly number[]
  /** Received in this period so far. */
  received_satang: number
  /** Staked in this period so far, by bet type and number; null where `couldPassNumberLimit` says no. */
  already_bet: Partial<Record<BetTypeCode, Record<string, number>>> | null
  /** Its own limits and breaks; undefined where it has set none. */
  play: PlayState | undefined
  /** Tickets of the period that waited for it and that it has cancelled or returned whole. */
  cancelled_waiting_tickets: number
}

/** A ticket that exists already under the same member and request_id. */
export interface ExistingTicket {
  order_id: number
  content_hash: Buffer
}

export interface Snapshot {
  period: BettingPeriod
  /** Those of the period's market, by code. */
  packages: ReadonlyMap<string, PackageTerms>
  members: ReadonlyMap<number, MemberState>
  quotas: QuotaSnapshot
  /** By `requestKey`. */
  existing: ReadonlyMap<string, ExistingTicket>
  /** Why sessions that are to be verified may not call any more, by session id. */
  sessionRefusals: ReadonlyMap<number, Refusal>
  /** Rates that packages have offered in the period; those in force may be missing. */
  offered: OfferedRates
  /** Ids for the tickets, in the order in which they are accepted. */
  order_ids: readonly number[]
}

/** A request_id is a member's own: two members may use the same one. */
export function requestKey({ user_id, request_id }: Pick<NewTicket, 'user_id' | 'request_id'>): string {
  return `${user_id} ${request_id}`
}

/**
 * Whether a member's tickets could pass a limit per number, were all they stake, and all that was received from the member
 * in the period before, on one number. Most members are far from it, and need not be looked at number by number.
 */
export function couldPassNumberLimit(
  tickets: readonly NewTicket[],
  packages: ReadonlyMap<string, PackageTerms>,
  received_satang: number,
): boolean {
  let all_satang = received_satang
  for (const { items } of tickets) for (const { bet_satang } of items) if (bet_satang > 0) all_satang += bet_satang
  return tickets.some(({ package_code }) =>
    packages.get(package_code)?.terms.some(({ max_per_number_satang }) => all_satang > max_per_number_satang),
  )
}
