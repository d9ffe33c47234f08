// Users: records, uplines, and locks.

import {
  type Area,
  type FactorKind,
  listPermissions,
  type OfficeRole,
  type Permission,
  type UserLevel,
  type UserStatus,
} from '@megalot/contract'
import { sql } from 'kysely'
import type { Lock } from '../../changes/index.ts'
import { canAccess, type Scope } from '../../http/caller.ts'
import type { Db, Tx } from '../../postgres/db.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { SplitPassword } from './split-password.ts'

export interface UserColumns {
  username: string
  display_name: string
  level: UserLevel
  parent_id: number | null
  /** From `hashPassword`, computed before the transaction, because it takes long. */
  password_hash: string
  phone?: string
  is_office?: boolean
  /** Of an office user. */
  office_role?: OfficeRole
  /** Of an assistant. Its level and `is_office` follow from its principal. */
  assistant?: { principal_id: number; areas: readonly Area[] }
  is_demo?: boolean
  /** The code with which a member registers. */
  agent_code?: string
  /** Someone else has chosen the password: the user changes it at the first log-in. */
  must_change_password?: boolean
}

/**
 * Use `createUser`, because a user without accounts must not exist.
 * @returns the user id
 */
export async function insertUser(tx: Tx, user: UserColumns): Promise<number> {
  const row = await tx
    .insertInto('users')
    .values({
      username: user.username.toLowerCase(),
      display_name: user.display_name,
      level: user.level,
      parent_id: user.parent_id,
      is_office: user.is_office ?? false,
      office_role: user.office_role ?? null,
      principal_id: user.assistant?.principal_id ?? null,
      assistant_areas: user.assistant ? [...user.assistant.areas] : null,
      // The application has no right to set this column.
      ...(user.is_demo ? { is_demo: true } : {}),
      password_hash: user.password_hash,
      must_change_password: user.must_change_password ?? false,
      phone: user.phone ?? null,
      agent_code: user.agent_code ?? null,
    })
    .returning('user_id')
    .executeTakeFirstOrThrow()
  return row.user_id
}

export interface UserRecord {
  user_id: number
  username: string
  display_name: string
  level: UserLevel
  is_office: boolean
  /** The role of an office user; for an assistant, its principal's. */
  office_role: OfficeRole | null
  /** An assistant's principal; null for all others. */
  principal_id: number | null
  assistant_areas: Area[] | null
  must_change_password: boolean
  /** The password is a one-time password that no longer opens a session. */
  is_password_expired: boolean
  /** The kinds of the user's second factors. */
  factor_kinds: FactorKind[]
  upline_ids: number[]
  /** The strictest of the user's own status and its uplines' statuses. */
  status: UserStatus
}

/** A user with its password hashes. */
export interface UserWithPassword extends UserRecord {
  password_hash: string
  /** For a one-time password in two halves; `password_hash` is then the second half's. */
  first_half_hash: Buffer | null
}

type UserKey = { username: string } | { user_id: number }

/** A user's current permissions. */
export function permissionsOf({
  level,
  office_role,
  assistant_areas,
}: Pick<UserRecord, 'level' | 'office_role' | 'assistant_areas'>): ReadonlySet<Permission> {
  return listPermissions({ is_member: level === 'member', office_role, assistant_areas })
}

/** Permissions of a user of the hierarchy: a member, an agent or the company. */
export function permissionsOfLevel(level: UserLevel): ReadonlySet<Permission> {
  return permissionsOf({ level, office_role: null, assistant_areas: null })
}

export async function findUser(db: Db, key: UserKey): Promise<UserRecord | undefined> {
  return selectUser(db, key).executeTakeFirst()
}

/** Includes the password hashes, which report connections cannot read. */
export async function findUserWithPassword(db: Db, key: UserKey): Promise<UserWithPassword | undefined> {
  return selectUser(db, key).select(['users.password_hash', 'users.first_half_hash']).executeTakeFirst()
}

function selectUser(db: Db, key: UserKey) {
  return db
    .selectFrom('users')
    .leftJoin('users as principal', 'principal.user_id', 'users.principal_id')
    .select(['users.user_id', 'users.username', 'users.display_name', 'users.level', 'users.is_office'])
    .select([
      'users.principal_id',
      'users.assistant_areas',
      'users.must_change_password',
      'users.factor_kinds',
      'users.upline_ids',
    ])
    .select((the) => the.fn.coalesce('users.office_role', 'principal.office_role').as('office_role'))
    .select('users.status_in_force as status')
    .select(sql<boolean>`coalesce(users.password_expires_at <= clock_timestamp(), false)`.as('is_password_expired'))
    .where((is) =>
      'username' in key ? is('users.username', '=', key.username.toLowerCase()) : is('users.user_id', '=', key.user_id),
    )
}

/**
 * The current user, locked until the transaction ends, so that no other log-in, new password or status change
 * intervenes.
 */
export async function lockUser(
  tx: Tx,
  user_id: number,
): Promise<Pick<UserWithPassword, 'password_hash' | 'status'> | undefined> {
  return tx
    .selectFrom('users')
    .select(['password_hash', 'status_in_force as status'])
    .where('user_id', '=', user_id)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

/** The company, the parent of office users. */
export async function getCompanyId(db: Db): Promise<number> {
  const { user_id } = await db
    .selectFrom('users')
    .select('user_id')
    .where('level', '=', 'company')
    .where('is_office', '=', false)
    .where('principal_id', 'is', null)
    .executeTakeFirstOrThrow()
  return user_id
}

/**
 * Writes a new password; the caller ends the sessions and writes the audit row.
 * @param must_change_password whether someone else has chosen it, so that the user changes it at the next log-in
 */
export async function writePasswordHash(
  tx: Tx,
  user_id: number,
  password_hash: string,
  must_change_password = false,
): Promise<void> {
  await tx
    .updateTable('users')
    .set({ password_hash, must_change_password, first_half_hash: null })
    .where('user_id', '=', user_id)
    .execute()
}

/** Writes a one-time password in two halves; the caller ends the sessions and writes the audit row. */
export async function writeSplitPassword(tx: Tx, user_id: number, password: SplitPassword): Promise<void> {
  await tx
    .updateTable('users')
    .set({ ...password, must_change_password: true })
    .where('user_id', '=', user_id)
    .execute()
}

/** A user with its uplines, from the company down to its parent. */
export interface UserInHierarchy {
  user_id: number
  parent_id: number | null
  upline_ids: number[]
  is_office: boolean
  level: UserLevel
}

/** @throws Refusal not_found if there is no such user, or the caller may not access it */
export async function getAccessibleUser(db: Db, caller: Scope, user_id: number): Promise<UserInHierarchy> {
  const user = await db
    .selectFrom('users')
    .select(['user_id', 'parent_id', 'upline_ids', 'is_office', 'level'])
    .where('user_id', '=', user_id)
    // Assistants are not in the hierarchy.
    .where('principal_id', 'is', null)
    .executeTakeFirst()
  if (!user || !canAccess(caller, user)) throw new Refusal('not_found')
  return user
}

/** As `lockUser`. */
export function lockOfUser(user_id: number): Lock {
  return { rank: 'users', key: `${user_id}`, take: (tx) => lockUser(tx, user_id) }
}
