// Steps that a session still needs, and when it ends.

import type { SessionState, SessionStep } from '@megalot/contract'
import { hasConsoleAccess, type SessionSettings } from '../../http/caller.ts'
import type { SessionRecord } from './callers.store.ts'

/** How long a session may be idle and may last, in ms. */
export function limitsOf(
  session: Pick<SessionRecord, 'level'>,
  { sessionIdleMs, sessionLifeMs, consoleIdleMs, consoleLifeMs }: SessionSettings,
): { idleMs: number; lifeMs: number } {
  return hasConsoleAccess(session)
    ? { idleMs: consoleIdleMs, lifeMs: consoleLifeMs }
    : { idleMs: sessionIdleMs, lifeMs: sessionLifeMs }
}

/** Whether a session has been idle for too long, or has reached the end of its life. */
export function isOver(
  session: Pick<SessionRecord, 'level' | 'recorded_idle_ms' | 'age_ms'>,
  settings: SessionSettings,
): boolean {
  const { idleMs, lifeMs } = limitsOf(session, settings)
  return session.recorded_idle_ms > idleMs || session.age_ms > lifeMs
}

type Verification = Pick<
  SessionRecord,
  'level' | 'factor_kinds' | 'factor_age_ms' | 'must_change_password' | 'awaits_factor'
>

/** Steps that a session still needs, in the order in which they have to be done. */
export function listPendingSteps(
  session: Verification,
  { secondFactor }: Pick<SessionSettings, 'secondFactor'>,
): SessionStep[] {
  const hasFactor = session.factor_kinds.length > 0
  const steps: SessionStep[] = []
  // A session that waits for a factor stays incomplete even if its user no longer has one.
  if (session.awaits_factor || (hasFactor && session.factor_age_ms === null)) steps.push('second_factor')
  if (session.must_change_password) steps.push('new_password')
  if (!hasFactor && secondFactor === 'required' && hasConsoleAccess(session)) steps.push('enrolment')
  return steps
}

/** The same as sent to clients. */
export function toSessionState(session: Verification, settings: Pick<SessionSettings, 'secondFactor'>): SessionState {
  const steps = listPendingSteps(session, settings)
  return {
    has_factor: session.factor_kinds.length > 0,
    factor_kinds: session.factor_kinds,
    must_verify_factor: steps.includes('second_factor'),
    must_change_password: steps.includes('new_password'),
    must_enrol: steps.includes('enrolment'),
    factor_age_ms: session.factor_age_ms === null ? null : Math.max(0, Math.round(session.factor_age_ms)),
  }
}
