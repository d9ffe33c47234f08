// Users and their credit.

import * as contract from '@megalot/contract'
import type { CreditInfo, ShownCredit, User } from '@megalot/contract'
import { defineChange, type Lock } from '../../changes/index.ts'
import type { Caller } from '../../http/caller.ts'
import type { Db, Tx } from '../../postgres/db.ts'
import { Refusal } from '../../lib/refusal.ts'
import {
  findCashAccounts,
  type CreditBalances,
  findCreditBalances,
  findGivenLimits,
  lockCashAccounts,
  openUserAccounts,
  setFloor,
} from '../../betting/ledger/index.ts'
import { verifyPassword } from './password.ts'
import { findSecondHalf } from './split-password.ts'
import {
  findUser,
  findUserWithPassword,
  getAccessibleUser,
  insertUser,
  permissionsOf,
  type UserColumns,
  type UserRecord,
  type UserWithPassword,
} from './users.ts'

export interface NewUser extends UserColumns {
  credit_limit_satang: number
}

/** Creates a user with its accounts; assistants have none. The database checks its parent or principal. */
export async function createUser(tx: Tx, user: NewUser): Promise<number> {
  const { credit_limit_satang, ...columns } = user
  const user_id = await insertUser(tx, columns)
  if (user.assistant) return user_id
  await openUserAccounts(tx, user_id, credit_limit_satang)
  return user_id
}

/** The user of a name, if any, and whether the password is right. An unknown name takes the same work. */
export async function findUserAndVerify(
  db: Db,
  username: string,
  password: string,
): Promise<{ user: UserWithPassword | undefined; isRight: boolean }> {
  const user = await findUserWithPassword(db, { username })
  if (!user?.first_half_hash) return { user, isRight: await verifyPassword(password, user?.password_hash ?? null) }
  const second = findSecondHalf(password, user.first_half_hash)
  const isRight = await verifyPassword(second ?? password, user.password_hash)
  return { user, isRight: isRight && second !== undefined }
}

/** A user as sent to clients. */
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
    office_role: record.office_role,
    principal: await findPrincipal(db, record),
    permissions: [...permissionsOf(record)],
    status: record.status,
    credit_used_satang: credit.credit_used_satang,
    credit_remain_satang: credit.credit_remain_satang,
    credit_to_give_satang: await findOwnCreditToGive(db, record),
  }
}

/** What a caller has left to give to those directly below; null for members, the office, and who may not view credit. */
async function findOwnCreditToGive(db: Db, record: UserRecord): Promise<number | null> {
  if (record.level === 'member' || record.is_office || !permissionsOf(record).has('credit.view')) return null
  return findCreditToGive(db, record.principal_id ?? record.user_id)
}

/** What is left of a user's credit limit to give to those directly below. */
export async function findCreditToGive(db: Db, user_id: number): Promise<number> {
  const { credit_limit_satang } = (await findCreditBalances(db, user_id)) ?? noCredit
  return credit_limit_satang - (await findGivenLimits(db, user_id))
}

/** An assistant's principal; null for all others. */
async function findPrincipal(db: Db, { principal_id }: UserRecord): Promise<User['principal']> {
  if (principal_id === null) return null
  const { user_id, username, display_name } = (await findUser(db, { user_id: principal_id }))!
  return { user_id, username, display_name }
}

/**
 * A user's limit, balance and held amount, all 0 for an assistant. remaining = limit + balance − held; used = held −
 * balance, at least 0.
 */
export async function getCreditInfo(db: Db, user_id: number): Promise<CreditInfo> {
  return toCreditInfo((await findCreditBalances(db, user_id)) ?? noCredit)
}

/** A downline user's credit as shown to a caller; empty if the caller may not view credit. */
export function showCredit(credit: CreditInfo, { permissions }: Pick<Caller, 'permissions'>): ShownCredit {
  return permissions.has('credit.view') ? credit : hiddenCredit
}

const hiddenCredit: ShownCredit = {
  credit_limit_satang: null,
  balance_satang: null,
  held_satang: null,
  credit_used_satang: null,
  credit_remain_satang: null,
}

const noCredit: CreditBalances = { credit_limit_satang: 0, cash_satang: 0, held_satang: 0 }

export function toCreditInfo({ credit_limit_satang, cash_satang, held_satang }: CreditBalances): CreditInfo {
  return {
    credit_limit_satang,
    balance_satang: cash_satang + held_satang,
    held_satang,
    credit_used_satang: Math.max(0, -cash_satang),
    credit_remain_satang: credit_limit_satang + cash_satang,
  }
}

/** Bets and limits given by or to these users either wait for the lock or see the change. */
export function lockOfCash(user_ids: readonly number[]): Lock {
  return { rank: 'cash', key: user_ids.join(), take: (tx) => lockCashAccounts(tx, user_ids) }
}

/**
 * Changes a user's credit limit, by its parent or the office. The limit never exceeds what the parent has, and never
 * falls below what the user or its children already use of it. The company has no parent, so its limit needs two
 * people.
 * @throws Refusal not_found (not in the caller's downline), not_allowed (not a direct downline), not_enough_to_give,
 * with the allowed range
 */
export const changeCreditLimit = defineChange({
  name: 'change_credit_limit',
  needs: 'credit.do',
  input: contract.proposalPayloads.change_credit_limit,
  async find(db, { user_id }, caller) {
    const { parent_id, is_office } = await getAccessibleUser(db, caller, user_id)
    if (is_office || (parent_id !== caller.principal_id && !caller.is_office)) throw new Refusal('not_allowed')
    return parent_id
  },
  locks: ({ user_id }, parent_id) => [lockOfCash(withParent(user_id, parent_id))],
  async load({ tx }, { user_id }, parent_id) {
    const accounts = await findCashAccounts(tx, withParent(user_id, parent_id))
    const own = accounts.get(user_id)!
    const parent = parent_id === null ? null : accounts.get(parent_id)!
    const state: CreditState = {
      credit_limit_satang: 0 - own.floor_satang,
      balance_satang: own.balance_satang,
      given_satang: await findGivenLimits(tx, user_id),
      parent: parent && {
        credit_limit_satang: 0 - parent.floor_satang,
        given_satang: await findGivenLimits(tx, parent.user_id),
      },
    }
    return { account_id: own.account_id, state }
  },
  decide({ account_id, state }, { user_id, credit_limit_satang }) {
    const before = state.credit_limit_satang
    const range = creditRangeOf(state)
    if (!fitsRange(credit_limit_satang, before, range)) throw new Refusal('not_enough_to_give', { ...range })
    return {
      plan: { account_id, credit_limit_satang, user_id },
      rows: [
        {
          subject: `user:${user_id}`,
          before: { credit_limit_satang: before },
          after: { credit_limit_satang },
        },
      ],
      needsTwo: state.parent === null && {},
      proposal: { figures: { raised_by_satang: credit_limit_satang - before } },
    }
  },
  async write({ tx }, { account_id, credit_limit_satang, user_id }) {
    await setFloor(tx, account_id, 0 - credit_limit_satang)
    return { outcome: user_id }
  },
})

const withParent = (user_id: number, parent_id: number | null): number[] =>
  parent_id === null ? [user_id] : [user_id, parent_id]

/** The bounds of a user's credit limit, in satang. */
export interface CreditState {
  credit_limit_satang: number
  /** Balance of its cash account. */
  balance_satang: number
  /** The sum of its children's limits. */
  given_satang: number
  /** Null for the company, which has no parent. */
  parent: { credit_limit_satang: number; given_satang: number } | null
}

interface CreditRange {
  /** What the user owes, or has given to its children. */
  least_satang: number
  /**
   * What its parent has left to give, plus what the user already has. Less than the least if a correction has overdrawn
   * the user and the parent cannot cover the debt; then no limit can be set.
   */
  most_satang: number
}

/** The possible limits of a user. The current one may be above the range, because the parent may have lost credit. */
export function creditRangeOf({ credit_limit_satang, balance_satang, given_satang, parent }: CreditState): CreditRange {
  const least_satang = Math.max(0, -balance_satang, given_satang)
  const most_satang = parent
    ? parent.credit_limit_satang - parent.given_satang + credit_limit_satang
    : Number.MAX_SAFE_INTEGER
  // A parent that has lost credit may still take some back, but not the amount that a user owes beyond its limit.
  return { least_satang, most_satang: Math.max(most_satang, Math.min(least_satang, credit_limit_satang)) }
}

/** Whether a new limit is allowed. A reduction always is, even if the parent has lost credit. */
export function fitsRange(
  limit_satang: number,
  before_satang: number,
  { least_satang, most_satang }: CreditRange,
): boolean {
  return limit_satang >= least_satang && (limit_satang <= before_satang || limit_satang <= most_satang)
}

/**
 * Gives a newly registered member its opening credit from its parent's. If the parent has less left to give, the member
 * begins with 0, so that registration never fails because of credit.
 * @returns the member's credit limit, in satang
 */
export async function giveOpeningCredit(
  tx: Tx,
  { parent_id, user_id, opening_credit_satang }: { parent_id: number; user_id: number; opening_credit_satang: number },
): Promise<number> {
  if (opening_credit_satang === 0) return 0
  const accounts = await lockCashAccounts(tx, [user_id, parent_id])
  const left_satang = 0 - accounts.get(parent_id)!.floor_satang - (await findGivenLimits(tx, parent_id))
  if (left_satang < opening_credit_satang) return 0
  await setFloor(tx, accounts.get(user_id)!.account_id, -opening_credit_satang)
  return opening_credit_satang
}
