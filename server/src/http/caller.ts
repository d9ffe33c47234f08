import type { Permission, RouteAuthority, SessionStep, UserLevel, UserStatus } from '@megalot/contract'
import type { Config } from '../config.ts'
import { Refusal } from '../lib/refusal.ts'

/**
 * Who makes a call, as identified by the session, and for whom. Both are the same user except for assistants, who act
 * with the scope of their principal. `principal_id`, `level` and `is_office` determine whose records are accessible;
 * records of actions use `actor_id`.
 */
export interface Caller {
  /** The user who signed in. */
  actor_id: number
  /** The user for whom the actor acts: its principal, or the actor. */
  principal_id: number
  session_id: number
  /** The actor's. */
  username: string
  /** The principal's. */
  level: UserLevel
  /** Whether the principal is an office user. */
  is_office: boolean
  /** The strictest of the statuses of the actor, its principal and all uplines, at the time of the call. */
  status: UserStatus
  /** The actor's console permissions at the time of the call. */
  permissions: ReadonlySet<Permission>
  /** Steps that the session still needs, in the order in which they have to be done; empty if it is complete. */
  pending_steps: readonly SessionStep[]
  /** Whether the user has a second factor. */
  has_factor: boolean
  /** How long ago a second factor was verified in this session, in ms, by the database's clock; null if it was not. */
  factor_age_ms: number | null
  /**
   * Data for `verifyCaller`. Absent if the caller comes from neither a call of the contract nor a command, as in seeds.
   */
  admission?: Admission
}

export type SessionSettings = Pick<
  Config,
  'sessionIdleMs' | 'sessionLifeMs' | 'consoleIdleMs' | 'consoleLifeMs' | 'secondFactor'
>

/** The address of calls on the command line. */
export const COMMAND_LINE = 'command line'

/** How a caller was identified, and what its call requires. */
export interface Admission {
  /** Where the call came from: an IP address, or `COMMAND_LINE`. */
  address: string
  identity: SessionIdentity | SignIn
  route: RouteAuthority & { open_before?: readonly SessionStep[]; is_open_in_maintenance?: true }
  /** Whether the call needs a recently verified second factor. */
  needs_step_up: boolean
}

export interface SessionIdentity {
  session_id: number
  settings: SessionSettings
}

/** A log-in on the command line, which has no session. */
export interface SignIn {
  user_id: number
  password_hash: string
  /** When a second factor was verified, by `performance.now()`; null if it was not. */
  factor_verified_at_ms: number | null
  settings: Pick<SessionSettings, 'secondFactor'>
}

/** Session fields of a caller for whom the application itself acts: complete, without a second factor. */
export const completeSessionFields = { pending_steps: [], has_factor: false, factor_age_ms: null } as const

/** All users except members use the console. */
export function hasConsoleAccess({ level }: Pick<Caller, 'level'>): boolean {
  return level !== 'member'
}

/** The fields that determine which records a caller can access. */
export type Scope = Pick<Caller, 'principal_id' | 'is_office'>

/** The caller of an action, for its records, and for the scope it may affect. */
export type Actor = Scope & Pick<Caller, 'actor_id' | 'admission'>

/**
 * Whether a caller may access a user: its principal and all users below it; for the office, all users (§8 of the domain
 * rules).
 */
export function canAccess(
  { principal_id, is_office }: Scope,
  person: { user_id: number; upline_ids: readonly number[] },
): boolean {
  return is_office || principal_id === person.user_id || person.upline_ids.includes(principal_id)
}

/**
 * The actor as shown to a reader. Only the office sees names of office users, because a known log-in name can be
 * attacked with password guesses, which delay its log-in. Other readers learn only that it was the office.
 */
export function seenActor<Name>({ is_office }: Pick<Scope, 'is_office'>, actor: Name | null, is_by_office: boolean) {
  return is_by_office && !is_office ? null : actor
}

/**
 * Refuses a decision about a user with more permissions than the actor.
 * @throws Refusal more_than_own, with the permissions that the actor lacks
 */
export function refuseMoreThanOwn({ permissions }: Pick<Caller, 'permissions'>, others: Iterable<Permission>): void {
  const lacking = listBeyond(permissions, others)
  if (lacking.length > 0) throw new Refusal('more_than_own', { permissions: lacking })
}

/** The permissions in `others` that `own` lacks. */
export function listBeyond(own: ReadonlySet<Permission>, others: Iterable<Permission>): Permission[] {
  return [...others].filter((permission) => !own.has(permission))
}
