import type { Permission, RouteAuthority, SessionStep, UserLevel, UserStatus } from '@megalot/contract'
import type { Config } from '../config.ts'
import { Refusal } from '../lib/refusal.ts'

/**
 * Who makes a call, as identified by the session, and for whom. For all but assistants both are the same user. An assistant
 * acts with the scope of its principal: whose line it reaches follows from `principal_id`, `level` and `is_office`; what
 * records who did something names `actor_id`.
 */
export interface Caller {
  /** The user who signed in. */
  actor_id: number
  /** The user for whom the actor acts: its principal, or itself. */
  principal_id: number
  session_id: number
  /** The actor's. */
  username: string
  /** The principal's. */
  level: UserLevel
  /** Whether the principal is an office user. */
  is_office: boolean
  /** The strictest of the actor's own status, its principal's, and those of all uplines, at the moment of the call. */
  status: UserStatus
  /** What the actor may do in the console at the moment of the call. */
  permissions: ReadonlySet<Permission>
  /** What the session lacks, in the order in which it has to be done; empty: the session is complete. */
  pending_steps: readonly SessionStep[]
  /** Whether the user has a second factor. */
  has_factor: boolean
  /** How long ago a second factor was verified in this session, in ms, by the database's clock; null: it was not. */
  factor_age_ms: number | null
  /** What `verifyCaller` checks again. Absent where neither a call of the contract nor a command is behind the caller, as in seeds. */
  admission?: Admission
}

export type SessionSettings = Pick<
  Config,
  'sessionIdleMs' | 'sessionLifeMs' | 'consoleIdleMs' | 'consoleLifeMs' | 'secondFactor'
>

/** How a caller was identified, and what its call requires of it. */
export interface Admission {
  identity: SessionIdentity | SignIn
  route: RouteAuthority & { open_before?: readonly SessionStep[]; is_open_in_maintenance?: true }
  /** Whether the call needs a second factor of a short time ago. */
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
  /** When a second factor was verified, by `performance.now()`; null: it was not. */
  factor_verified_at_ms: number | null
  settings: Pick<SessionSettings, 'secondFactor'>
}

/** The session of a caller for whom the application itself acts: complete, of a user without a second factor. */
export const completeSessionFields = { pending_steps: [], has_factor: false, factor_age_ms: null } as const

/** Everybody but members works with the console. */
export function hasConsoleAccess({ level }: Pick<Caller, 'level'>): boolean {
  return level !== 'member'
}

/** Whose records a caller reaches. */
export type Scope = Pick<Caller, 'principal_id' | 'is_office'>

/** Who does something, for the records of it, and whose line it may concern. */
export type Actor = Scope & Pick<Caller, 'actor_id' | 'admission'>

/**
 * Whether a caller may access a user: its principal, everybody below it, and for the office everybody (§8 of the domain
 * rules).
 */
export function canAccess(
  { principal_id, is_office }: Scope,
  person: { user_id: number; upline_ids: readonly number[] },
): boolean {
  return is_office || principal_id === person.user_id || person.upline_ids.includes(principal_id)
}

/**
 * Who did something, as a reader sees it: of the office only the office reads names. Whoever knows a log-in name can try passwords for it, and
 * delay its log-in. Readers of a line learn that it was the office.
 */
export function seenActor<Name>({ is_office }: Pick<Scope, 'is_office'>, actor: Name | null, is_by_office: boolean) {
  return is_by_office && !is_office ? null : actor
}

/**
 * Refuses a decision about somebody who may do more than the actor.
 * @throws Refusal more_than_own, with the permissions that the actor has not
 */
export function refuseMoreThanOwn({ permissions }: Pick<Caller, 'permissions'>, others: Iterable<Permission>): void {
  const lacking = listBeyond(permissions, others)
  if (lacking.length > 0) throw new Refusal('more_than_own', { permissions: lacking })
}

/** The permissions of others that a set does not hold. */
export function listBeyond(own: ReadonlySet<Permission>, others: Iterable<Permission>): Permission[] {
  return [...others].filter((permission) => !own.has(permission))
}
