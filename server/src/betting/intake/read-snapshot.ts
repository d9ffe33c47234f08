// Reads a snapshot for a batch, under the locks that keep it valid until the batch is written.

import type { Tx } from '../../postgres/db.ts'
import { Refusal } from '../../lib/refusal.ts'
import { type CashAccount, lockCashAccounts } from '../ledger/index.ts'
import { listOfferedTerms, lockPeriodShared, type OfferedTerms } from '../../markets/index.ts'
import { loadPlayStates } from '../play-limits/index.ts'
import { lockQuotasOf, readQuotas } from '../../markets/quotas/index.ts'
import { findSessionRefusals } from '../../identity/sessions/index.ts'
import type { NewTicket } from '../ticket.ts'
import type { Intake } from './intake.ts'
import { hasOtherTerms, INVALID_DETAILS } from './decide-ticket.ts'
import {
  findExistingTickets,
  listMembers,
  type MemberRecord,
  type PeriodRead,
  readBettingPeriod,
} from './intake.store.ts'
import { readStakes } from './member-stakes.ts'
import {
  couldPassNumberLimit,
  type MemberState,
  type PackageTable,
  type Snapshot,
  tabulatePackages,
} from './snapshot.ts'

/** What a node keeps of members, so that it need not be read for each ticket. */
type MemberCaches = Pick<Intake, 'stakes' | 'playUses'>

/** A snapshot that was read in the transaction of its batch. */
export interface ReadSnapshot extends Snapshot {
  /** The database's clock. */
  now: Date
}

/**
 * Locks the period (shared) and the members' cash accounts, in sorted order to prevent deadlocks, and reads everything
 * that the decision needs. Independent statements are sent together.
 * @returns undefined where there is no such period
 */
export async function readSnapshot(
  tx: Tx,
  caches: MemberCaches,
  period_code: string,
  tickets: readonly NewTicket[],
  lockQuotas: boolean,
): Promise<ReadSnapshot | undefined> {
  const user_ids = [...new Set(tickets.map(({ user_id }) => user_id))]
  // The locks come first: an early close or an award waits for this batch or is seen; a repeated ticket waits here for
  // the commit of the first one.
  const [, accounts, read, records, existing, sessionRefusals, quotas] = await Promise.all([
    lockPeriodShared(tx, period_code),
    lockCashAccounts(tx, user_ids),
    readBettingPeriod(tx, period_code),
    listMembers(tx, period_code, user_ids),
    findExistingTickets(tx, tickets),
    findSessionRefusals(tx, listSessionIds(tickets)),
    (lockQuotas ? lockQuotasOf : readQuotas)(tx, period_code, listSlots(tickets)),
  ])
  if (!read) return undefined
  const { now, ...period } = read
  const packages = tabulatePackages(period)
  const [members, offered] = await Promise.all([
    readMembers(tx, caches, read, packages, records, accounts, tickets),
    readOfferedTerms(tx, read, packages, tickets),
  ])
  return {
    period,
    packages,
    members,
    quotas,
    existing,
    sessionRefusals,
    offered,
    now,
  }
}

/** Refuses the tickets of a period that does not exist; a caller with an invalid session gets that refusal first. */
export async function refuseUnknownPeriod(tx: Tx, tickets: readonly NewTicket[]): Promise<Refusal[]> {
  const sessionRefusals = await findSessionRefusals(tx, listSessionIds(tickets))
  return tickets.map(
    ({ session_to_verify }) =>
      sessionRefusals.get(session_to_verify ?? 0) ?? new Refusal('unknown_period', INVALID_DETAILS),
  )
}

function listSessionIds(tickets: readonly NewTicket[]): number[] {
  return tickets.flatMap(({ session_to_verify }) => session_to_verify ?? [])
}

function* listSlots(tickets: readonly NewTicket[]): Generator<number> {
  for (const { slots } of tickets) yield* slots
}

async function readMembers(
  tx: Tx,
  caches: MemberCaches,
  { period_id }: PeriodRead,
  packages: ReadonlyMap<string, PackageTable>,
  records: readonly MemberRecord[],
  accounts: ReadonlyMap<number, CashAccount>,
  tickets: readonly NewTicket[],
): Promise<Map<number, MemberState>> {
  const ticketsOf = new Map<number, NewTicket[]>()
  for (const ticket of tickets) {
    const own = ticketsOf.get(ticket.user_id)
    if (own) own.push(ticket)
    else ticketsOf.set(ticket.user_id, [ticket])
  }
  const isNearLimit = ({ user_id, received_satang }: MemberRecord): boolean =>
    couldPassNumberLimit(ticketsOf.get(user_id)!, packages, received_satang)
  const nearLimit = records.filter(isNearLimit)
  const limited_ids = records.filter((each) => each.has_play_limits).map(({ user_id }) => user_id)
  const [stakes, play] = await Promise.all([
    readStakes(tx, caches.stakes, period_id, nearLimit),
    loadPlayStates(tx, caches.playUses, limited_ids),
  ])
  return new Map(
    records.map(({ user_id, ...record }) => {
      const account = accounts.get(user_id)!
      const member: MemberState = {
        ...record,
        cash_account_id: account.account_id,
        isBelowFloor: account.overdraft_satang > 0,
        credit_remain_satang: account.balance_satang - account.floor_satang,
        play: play.get(user_id),
        already_bet: stakes.get(user_id) ?? null,
      }
      return [user_id, member]
    }),
  )
}

function readOfferedTerms(
  tx: Tx,
  { open_at }: PeriodRead,
  packages: ReadonlyMap<string, PackageTable>,
  tickets: readonly NewTicket[],
): Promise<OfferedTerms> {
  const package_ids = new Set<number>()
  for (const ticket of tickets) {
    const named = packages.get(ticket.package_code)
    if (named && hasOtherTerms(ticket, named)) package_ids.add(named.package_id)
  }
  return listOfferedTerms(tx, [...package_ids], open_at)
}
