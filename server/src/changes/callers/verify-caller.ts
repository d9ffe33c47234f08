// Verifies a change's caller again, in the transaction that has waited for its locks.

import { listPermissions, type RefusalCode } from '@megalot/contract'
import type { Admission, Caller, SessionIdentity, SessionSettings, SignIn } from '../../http/caller.ts'
import type { Db } from '../../postgres/db.ts'
import { Refusal } from '../../lib/refusal.ts'
import { admitCaller } from '../../http/session-guards.ts'
import type { SessionEndReason } from '../../postgres/tables/sessions.ts'
import { type ActorRecord, findSignedIn, listSessions, type SessionRecord } from './callers.store.ts'
import { isOver, listPendingSteps } from './session-state.ts'

/** Refusals for ended sessions. */
export const refusalOfEnd: Readonly<Record<SessionEndReason, RefusalCode>> = {
  logged_off: 'not_signed_in',
  replaced: 'session_replaced',
  expired: 'session_expired',
  password_changed: 'session_password_changed',
  suspended: 'session_suspended',
  ended_by_staff: 'session_ended',
  factors_reset: 'session_factors_reset',
}

/**
 * The caller's current state: it may have been suspended, or its session ended, since the call began. Callers without
 * admission, as in seeds, are returned unchanged.
 * @throws Refusal as for a new call; Error with a sentence for the terminal
 */
export async function verifyCaller<Known extends Pick<Caller, 'admission'>>(db: Db, caller: Known): Promise<Known> {
  const { admission } = caller
  if (!admission) return caller
  const { identity } = admission
  const now =
    'session_id' in identity
      ? await findCallerOfSession(db, identity, admission)
      : await findCallerOfSignIn(db, identity)
  admitCaller(now, admission)
  return { ...caller, ...now }
}

async function findCallerOfSession(
  db: Db,
  { session_id, settings }: SessionIdentity,
  { route }: Admission,
): Promise<Caller> {
  const [session] = await listSessions(db, [session_id])
  if (!session) throw new Refusal('not_signed_in')
  const end_reason = findEnd(session, settings)
  if (end_reason) throw new Refusal(refusalOfEnd[end_reason])
  refuseMaintained(session, route.is_open_in_maintenance === true)
  return toCaller(session, settings)
}

/**
 * The user who signed in on the command line.
 * @throws Error with a sentence for the terminal; Refusal password_expired
 */
export async function findCallerOfSignIn(db: Db, signIn: SignIn): Promise<Caller> {
  const user = await findSignedIn(db, signIn)
  // A new password also ends sessions.
  if (!user) throw new Error('Wrong username or password')
  if (user.status === 'SUSPENDED') throw new Error(`${user.username} is suspended`)
  if (user.is_password_expired) throw new Refusal('password_expired')
  const { factor_verified_at_ms } = signIn
  const factor_age_ms = factor_verified_at_ms === null ? null : performance.now() - factor_verified_at_ms
  // The command line has no session, and its routes need none.
  return toCaller({ ...user, session_id: 0, factor_age_ms, awaits_factor: false }, signIn.settings)
}

/** Why a session has ended; null while it is live. */
export function findEnd(session: SessionRecord, settings: SessionSettings): SessionEndReason | null {
  if (session.end_reason) return session.end_reason
  if (session.status === 'SUSPENDED') return 'suspended'
  return isOver(session, settings) ? 'expired' : null
}

/** @throws Refusal maintenance, with the message to members */
export function refuseMaintained({ maintenance, is_office }: SessionRecord, isOpenInMaintenance: boolean): void {
  if (maintenance && !is_office && !isOpenInMaintenance) throw new Refusal('maintenance', { ...maintenance })
}

export function toCaller(
  session: ActorRecord & Pick<SessionRecord, 'session_id' | 'factor_age_ms' | 'awaits_factor'>,
  settings: Pick<SessionSettings, 'secondFactor'>,
): Caller {
  const { actor_id, principal_id, session_id, username, level, is_office, status, factor_kinds, factor_age_ms } =
    session
  const { office_role, assistant_areas } = session
  return {
    actor_id,
    principal_id,
    session_id,
    username,
    level,
    is_office,
    status,
    permissions: listPermissions({ is_member: level === 'member', office_role, assistant_areas }),
    pending_steps: listPendingSteps(session, settings),
    has_factor: factor_kinds.length > 0,
    factor_age_ms,
  }
}
