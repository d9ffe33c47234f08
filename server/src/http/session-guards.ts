// What a route requires of its caller, beyond a live session.

import {
  type Access,
  type RefusalCode,
  type Route,
  type RouteAuthority,
  type SessionStep,
  STEP_UP_MS,
} from '@megalot/contract'
import type { Admission, Caller } from './caller.ts'
import { Refusal } from '../lib/refusal.ts'

const refusalOfStep: Readonly<Record<SessionStep, RefusalCode>> = {
  second_factor: 'second_factor_needed',
  new_password: 'password_change_needed',
  enrolment: 'second_factor_required',
}

/**
 * Refuses a caller whose session still needs a step that the route requires.
 * @throws Refusal second_factor_needed, password_change_needed; second_factor_required if the route changes something
 */
export function refusePendingSteps(
  route: Pick<Route, 'open_before' | 'needs'>,
  { pending_steps }: Pick<Caller, 'pending_steps'>,
): void {
  for (const step of pending_steps) {
    if (route.open_before?.includes(step)) continue
    // A user without a second factor may read, and change its own account.
    if (step === 'enrolment' && !isChange(route)) continue
    throw new Refusal(refusalOfStep[step])
  }
}

/** Whether a route changes something that requires permission. */
function isChange({ needs = [] }: Pick<RouteAuthority, 'needs'>): boolean {
  return [needs].flat().some((permission) => permission.endsWith('.do'))
}

/**
 * Refuses a caller who may not call a row at all, or lacks its permission. The service decides which records the caller
 * may access.
 * @throws Refusal not_allowed
 */
export function authorise(
  { access, needs }: RouteAuthority,
  { level, is_office, permissions }: Pick<Caller, 'level' | 'is_office' | 'permissions'>,
): void {
  const isMember = level === 'member'
  const isCalledBy: Record<Access, boolean> = {
    anyone: true,
    signed_in: true,
    member: isMember,
    console: !isMember,
    company: level === 'company',
    office: is_office,
  }
  const isEnough = needs === undefined || [needs].flat().some((permission) => permissions.has(permission))
  const isPermitted = isEnough || (isMember && access === 'signed_in')
  if (!isCalledBy[access] || !isPermitted) throw new Refusal('not_allowed')
}

/**
 * Refuses a caller whom the call's route does not admit.
 * @throws Refusal not_allowed, step_up_needed, and as `refusePendingSteps`
 */
export function admitCaller(caller: Caller, { route, needs_step_up }: Admission): void {
  refusePendingSteps(route, caller)
  authorise(route, caller)
  if (needs_step_up) refuseOldFactor(caller)
}

/**
 * Refuses a caller with a second factor that was not recently verified. Callers without one pass: if the installation
 * requires one, `refusePendingSteps` has refused them.
 * @throws Refusal step_up_needed
 */
export function refuseOldFactor({
  has_factor,
  factor_age_ms = null,
}: Partial<Pick<Caller, 'has_factor' | 'factor_age_ms'>>): void {
  if (has_factor && (factor_age_ms === null || factor_age_ms > STEP_UP_MS))
    throw new Refusal('step_up_needed', { max_age_ms: STEP_UP_MS })
}

/**
 * Whether a call needs a recently verified second factor. The sum over all rows counts, so that amounts cannot be
 * split; paid amounts are below 0 and count like received ones. A preview writes nothing and needs none; a route without previews refuses the field.
 */
export function needsStepUp({ step_up }: Route, body: unknown): boolean {
  const fields = Object(body) as Record<string, unknown>
  if (step_up === undefined || fields.preview === true) return false
  if (step_up === true) return true
  const rows = Array.isArray(fields.rows) ? (fields.rows as Record<string, unknown>[]) : []
  const sumOf = (name: string) => [fields, ...rows].reduce((sum, row) => sum + Math.abs(Number(row[name] ?? 0)), 0)
  return Object.entries(step_up.above).some(([name, limit]) => sumOf(name) > limit)
}
