// Users and what they may spend.

import type { CreditInfo, User, UserLevel, UserStatus } from '@megalot/contract'
import { sql } from 'kysely'
import type { Caller } from '../../platform/caller.ts'
import type { Db, Tx } from '../../platform/db.ts'
import { Refusal } from '../../platform/refusal.ts'
import { writeAudit } from '../audit/audit.service.ts'
import {
  getCreditBalances,
  lockCashAccounts,
  openUserAccounts,
  setFloor,
  sumGivenLimits,
} from '../ledger/ledger.service.ts'
import { hashPassword, verifyPassword } from './password.ts'

export interface NewUser {
  username: string
  display_name: string
  level: UserLevel
  parent_id: number | null
  password: string
  credit_limit_satang: number
  is_office?: boolean
  is_demo?: boolean
}

/** Makes a user with its accounts. Its place in the tree is checked by the database. */
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
      password_hash: await hashPassword(user.password),
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
    .select(sql<UserStatus>`effective_status(users)`.as('status'))
    .where((is) =>
      'username' in key ? is('username', '=', key.username.toLowerCase()) : is('user_id', '=', key.user_id),
    )
    .executeTakeFirst()
}

/** The user behind a name and password, or nobody; it takes as long for a name that does not exist. */
export async function findUserByPassword(db: Db, username: string, password: string): Promise<UserRecord | undefined> {
  const user = await findUser(db, { username })
  const isRight = await verifyPassword(password, user?.password_hash ?? null)
  return isRight ? user : undefined
}

/** A user as the wire carries it. */
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
  const { credit_limit_satang, cash_satang, held_satang } = await getCreditBalances(db, user_id)
  return {
    credit_limit_satang,
    balance_satang: cash_satang + held_satang,
    held_satang,
    credit_used_satang: Math.max(0, -cash_satang),
    credit_remain_satang: credit_limit_satang + cash_satang,
  }
}

/**
 * Changes a user's credit limit, by its parent or the office. What is given is never more than the parent has, and never
 * less than the user or its own children already have of it.
 * @throws Refusal not_found (not the actor's child), not_enough_to_give
 */
export async function changeCreditLimit(
  db: Db,
  actor: Pick<Caller, 'user_id' | 'is_office'>,
  user_id: number,
  credit_limit_satang: number,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const user = await tx.selectFrom('users').select(['parent_id']).where('user_id', '=', user_id).executeTakeFirst()
    const parent_id = user?.parent_id
    if (!parent_id || (parent_id !== actor.user_id && !actor.is_office)) throw new Refusal('not_found')
    const accounts = await lockCashAccounts(tx, [user_id, parent_id])
    const own = accounts.get(user_id)!
    const parentLimit = 0 - accounts.get(parent_id)!.floor_satang!
    const before = 0 - own.floor_satang!
    const givenToOthers = (await sumGivenLimits(tx, parent_id)) - before
    const isTooMuch = givenToOthers + credit_limit_satang > parentLimit
    const isTooLittle =
      own.balance_satang < -credit_limit_satang || (await sumGivenLimits(tx, user_id)) > credit_limit_satang
    if (isTooMuch || isTooLittle) throw new Refusal('not_enough_to_give')
    await setFloor(tx, own.account_id, 0 - credit_limit_satang)
    await writeAudit(tx, {
      actor_id: actor.user_id,
      action: 'change_credit_limit',
      subject: `user:${user_id}`,
      before: { credit_limit_satang: before },
      after: { credit_limit_satang },
    })
  })
}
