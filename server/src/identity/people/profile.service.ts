// All that the console shows of one user.

import type { Permission, PersonAct, PersonProfile } from '@megalot/contract'
import type { Scope } from '../../http/caller.ts'
import type { Db } from '../../postgres/db.ts'
import { Refusal } from '../../lib/refusal.ts'
import { creditRangeOf, getAccessibleUser, getShareTerms } from '../accounts/index.ts'
import { listAuditOf } from '../../changes/audit/index.ts'
import { findCreditBalances, findGivenLimits } from '../../betting/ledger/index.ts'
import { listUserPackages } from '../../markets/index.ts'
import { getPlayLimits, type UseCache } from '../../betting/play-limits/index.ts'
import { findContact, findContactNote } from './contacts.store.ts'
import { getPersonRecord, type PersonViewer, toPerson } from './people.service.ts'
import { listSessionsOf, listUplines } from './profile.store.ts'

/** Sessions in a profile. */
const SESSIONS = 20

/**
 * The profile of the caller itself, of a user in its downline, or of anybody for the office. Credit, terms, play limits and net are in it
 * for who may view them elsewhere.
 * @throws Refusal not_found; not_allowed for office users, who are staff
 */
export async function getPerson(
  db: Db,
  caller: Scope & PersonViewer,
  user_id: number,
  playUses: UseCache,
): Promise<PersonProfile> {
  const { upline_ids, parent_id, is_office, level } = await getAccessibleUser(db, caller, user_id)
  if (is_office) throw new Refusal('not_allowed')
  // Uplines above the caller are not its business.
  const shown_ids = caller.is_office
    ? upline_ids
    : upline_ids.slice(Math.max(0, upline_ids.indexOf(caller.principal_id)))
  const isOwn = user_id === caller.principal_id
  const ifMay = async <Value>(permission: Permission, read: () => Promise<Value>): Promise<Value | null> =>
    caller.permissions.has(permission) ? read() : null
  // One after another: a call holds one connection.
  const record = await getPersonRecord(db, user_id)
  const uplines = isOwn ? [] : await listUplines(db, shown_ids)
  const packages = await ifMay('terms.view', () => listUserPackages(db, caller, user_id))
  const share = await ifMay('terms.view', () => getShareTerms(db, caller, user_id))
  const sessions = await listSessionsOf(db, user_id, SESSIONS)
  const play_limits =
    level === 'member' ? await ifMay('tickets.view', () => getPlayLimits(db, playUses, user_id)) : null
  const given_satang = await ifMay('credit.view', () => findGivenLimits(db, user_id))
  const parent = parent_id === null ? null : await ifMay('credit.view', () => readParentCredit(db, parent_id))
  const { credit_limit_satang, cash_satang: balance_satang } = record
  return {
    ...toPerson(record, caller),
    ...(isOwn ? { parent_id: null, parent_username: null, tags: [] } : {}),
    uplines,
    packages,
    share,
    credit_range:
      given_satang === null
        ? null
        : creditRangeOf({
            credit_limit_satang,
            balance_satang,
            given_satang,
            // What its parent has is not shown to the user itself.
            parent: isOwn ? { credit_limit_satang, given_satang: credit_limit_satang } : parent,
          }),
    sessions: sessions.map(({ created_at, last_active_at, ended_at, end_reason }) => ({
      started_at: created_at.toISOString(),
      last_active_at: last_active_at.toISOString(),
      ended_at: ended_at?.toISOString() ?? null,
      end_reason,
    })),
    play_limits,
    contact_note: isOwn ? null : await findContactNote(db, user_id),
    contact: level === 'member' ? null : ((await findContact(db, user_id)) ?? null),
    can_change: !isOwn && parent_id !== null,
  }
}

/** To be shown: it may change at any moment. */
async function readParentCredit(
  db: Db,
  parent_id: number,
): Promise<{ credit_limit_satang: number; given_satang: number }> {
  const balances = await findCreditBalances(db, parent_id)
  return { credit_limit_satang: balances!.credit_limit_satang, given_satang: await findGivenLimits(db, parent_id) }
}

/** What was done to a user or by its own account, newest first. @throws Refusal not_found, not_allowed (an office user) */
export async function listPersonActs(
  db: Db,
  caller: Scope,
  user_id: number,
  limit: number,
  before_id: number | null,
): Promise<PersonAct[]> {
  const { is_office } = await getAccessibleUser(db, caller, user_id)
  if (is_office) throw new Refusal('not_allowed')
  const entries = await listAuditOf(db, caller, `user:${user_id}`, limit, before_id)
  return entries.map((entry) => ({ ...entry, at: entry.at.toISOString() }))
}
