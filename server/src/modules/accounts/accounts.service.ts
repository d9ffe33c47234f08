// Users and their credit.

import type { CreditInfo, User, UserLevel, UserStatus } from '@megalot/contract'
import { type Caller, canAccess } from '../../platform/caller.ts'
import type { Db, Tx } from '../../platform/db.ts'
import { Refusal } from '../../platform/refusal.ts'
import { writeAudit } from '../audit/index.ts'
import {
  type CreditBalances,
  getCreditBalances,
  lockCashAccounts,
  openUserAccounts,
  setFloor,
  sumGivenLimits,
} from '../ledger/index.ts'
import { verifyPassword } from './password.ts'

export interface NewUser {
  username: string
  display_name: string
  level: UserLevel
  parent_id: number | null
  /** From `hashPassword`: computed before the transaction, because it takes long. */
  password_hash: string
  credit_limit_satang: number
  email?: string
  phone?: string
  is_office?: boolean
  is_demo?: boolean
}

/** Creates a user with its accounts. The database checks its parent. */
export async function createUser(tx: Tx, user: NewUser): Promise<number> {
  const row = await tx
    .insertInto('users')
    .values({
      username: user.username.toLowerCase(),
      display_name: user.display_name,
      level: user.level,
      parent_id: user.parent_id,
      is_office: user.is_office ?? false,
      is_demo: user.is_demo ?? false,
      password_hash: user.password_hash,
      email: user.email ?? null,
      phone: user.phone ?? null,
    })
    .returning('user_id')
    .executeTakeFirstOrThrow()
  await openUserAccounts(tx, row.user_id, user.credit_limit_satang)
  return row.user_id
}

export interface UserRecord {
  user_id: number
  username: string
  display_name: string
  level: UserLevel
  is_office: boolean
  password_hash: string
  upline_ids: number[]
  /** The strictest of the user's own status and those of all its uplines. */
  status: UserStatus
}

export async function findUser(
  db: Db,
  key: { username: string } | { user_id: number },
): Promise<UserRecord | undefined> {
  return db
    .selectFrom('users')
    .select(['user_id', 'username', 'display_name', 'level', 'is_office', 'password_hash', 'upline_ids'])
    .select('status_in_force as status')
    .where((is) =>
      'username' in key ? is('username', '=', key.username.toLowerCase()) : is('user_id', '=', key.user_id),
    )
    .executeTakeFirst()
}

/** The user of a name, if any, and whether the password is right. An unknown name takes the same work. */
export async function findUserAndVerify(
  db: Db,
  username: string,
  password: string,
): Promise<{ user: UserRecord | undefined; isRight: boolean }> {
  const user = await findUser(db, { username })
  return { user, isRight: await verifyPassword(password, user?.password_hash ?? null) }
}

/**
 * A user as it is now, locked until the transaction ends, so that no other log-in, new password or status comes in
 * between.
 */
export async function lockUser(
  tx: Tx,
  user_id: number,
): Promise<Pick<UserRecord, 'password_hash' | 'status'> | undefined> {
  return tx
    .selectFrom('users')
    .select(['password_hash', 'status_in_force as status'])
    .where('user_id', '=', user_id)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

/** Writes a new password; the caller ends the sessions and writes the audit row. */
export async function writePasswordHash(tx: Tx, user_id: number, password_hash: string): Promise<void> {
  await tx.updateTable('users').set({ password_hash }).where('user_id', '=', user_id).execute()
}

/** A user on the wire. */
export async function getUser(db: Db, user_id: number): Promise<User> {
  const record = await findUser(db, { user_id })
  if (!record) throw new Error(`User ${user_id} is gone`)
  const credit = await getCreditInfo(db, user_id)
  return {
    user_id,
    username: record.username,
    display_name: record.display_name,
    level: record.level,
    is_office: record.is_office,
    status: record.status,
    credit_used_satang: credit.credit_used_satang,
    credit_remain_satang: credit.credit_remain_satang,
  }
}

/** Limit, balance and held of a user; remaining = limit + balance − held, used = held − balance, at least 0. */
export async function getCreditInfo(db: Db, user_id: number): Promise<CreditInfo> {
  return toCreditInfo(await getCreditBalances(db, user_id))
}

export function toCreditInfo({ credit_limit_satang, cash_satang, held_satang }: CreditBalances): CreditInfo {
  return {
    credit_limit_satang,
    balance_satang: cash_satang + held_satang,
    held_satang,
    credit_used_satang: Math.max(0, -cash_satang),
    credit_remain_satang: credit_limit_satang + cash_satang,
  }
}

/**
 * Changes a user's credit limit, by its parent or the office. The limit never exceeds what the parent has, and is never
 * less than what the user or its own children already use of it. Only the company has no parent to take from.
 * @throws Refusal not_found (not in the actor's downline), not_allowed (somebody else's child), not_enough_to_give
 */
export async function changeCreditLimit(
  db: Db,
  actor: Pick<Caller, 'user_id' | 'is_office'>,
  user_id: number,
  credit_limit_satang: number,
  reason?: string,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const user = await tx
      .selectFrom('users')
      .select(['parent_id', 'upline_ids', 'is_office'])
      .where('user_id', '=', user_id)
      .executeTakeFirst()
    if (!user || !canAccess(actor, { user_id, ...user })) throw new Refusal('not_found')
    if (user.is_office || (user.parent_id !== actor.user_id && !actor.is_office)) throw new Refusal('not_allowed')
    const before = await setCreditLimit(tx, user_id, user.parent_id, credit_limit_satang)
    await writeAudit(tx, {
      actor_id: actor.user_id,
      action: 'change_credit_limit',
      subject: `user:${user_id}`,
      before: { credit_limit_satang: before },
      after: { credit_limit_satang },
      ...(reason ? { reason } : {}),
    })
  })
}

/** @returns the limit before, in satang @throws Refusal not_enough_to_give, with the allowed range */
async function setCreditLimit(
  tx: Tx,
  user_id: number,
  parent_id: number | null,
  credit_limit_satang: number,
): Promise<number> {
  // Bets and other limits given by or to one of these two users wait for these locks, or are visible here.
  const accounts = await lockCashAccounts(tx, parent_id === null ? [user_id] : [user_id, parent_id])
  const own = accounts.get(user_id)!
  const before = 0 - own.floor_satang
  const least_satang = Math.max(0, -own.balance_satang, await sumGivenLimits(tx, user_id))
  const most_satang =
    parent_id === null
      ? Number.MAX_SAFE_INTEGER
      : 0 - accounts.get(parent_id)!.floor_satang - (await sumGivenLimits(tx, parent_id)) + before
  // A reduction is always allowed for the parent, whatever the parent may have lost meanwhile.
  const isTooMuch = credit_limit_satang > before && credit_limit_satang > most_satang
  if (isTooMuch || credit_limit_satang < least_satang)
    throw new Refusal('not_enough_to_give', { least_satang, most_satang: Math.max(most_satang, least_satang) })
  await setFloor(tx, own.account_id, 0 - credit_limit_satang)
  return before
}

/** For a newly created user: @throws Refusal not_enough_to_give where its parent has now given more than it has */
export async function refuseOverAllocation(tx: Tx, parent_id: number): Promise<void> {
  const { floor_satang } = (await lockCashAccounts(tx, [parent_id])).get(parent_id)!
  if ((await sumGivenLimits(tx, parent_id)) > 0 - floor_satang) throw new Refusal('not_enough_to_give')
}
