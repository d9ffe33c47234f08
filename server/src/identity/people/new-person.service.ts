// Creates a member or an agent, with the missing levels between it and its parent.

import { randomBytes } from 'node:crypto'
import * as contract from '@megalot/contract'
import { STEP_UP_CREDIT_SATANG, type UserLevel, userLevel } from '@megalot/contract'
import * as z from 'zod/mini'
import { type At, type AuditRow, type ChangeCaller, defineChange, lockOfPlaces } from '../../changes/index.ts'
import { refuseMoreThanOwn, type Scope } from '../../http/caller.ts'
import { refuseOldFactor } from '../../http/session-guards.ts'
import { Refusal } from '../../lib/refusal.ts'
import { boundCommission, findHighestReturn } from '../../markets/index.ts'
import type { Db, Tx } from '../../postgres/db.ts'
import {
  addShareTerms,
  createUser,
  findCreditToGive,
  findUser,
  getAccessibleUser,
  getCompanyId,
  getCreditInfo,
  getShareTerms,
  hashForOther,
  lineRateOf,
  lockOfCash,
  lockOfShares,
  permissionsOfLevel,
  refuseWeakPassword,
  type UserInHierarchy,
} from '../accounts/index.ts'
import { askForEmail } from '../credentials/index.ts'
import { lockOfNewUser, refuseNewUsersOverLimit, refuseTakenName } from '../sessions/index.ts'
import { getPackagesHeldBy, packageNameOf } from './named-packages.ts'
import { findFreeUsername, type FoundPackage, insertPackagesOf, listPackagesOfUser } from './new-person.store.ts'

const newPerson = z.omit(contract.createPerson.body, { request_id: true })
type NewPerson = z.output<typeof newPerson>

/**
 * Creates a member or an agent with credit from its parent, packages and a share. Missing values are copied from
 * `copy_from`. The user sets its own password at its first log-in. Missing levels between an agent and its parent are
 * created as well (`listLevelsBetween`).
 * @throws Refusal not_found (a parent, or a user to copy from, that is not in the caller's downline), not_allowed (an office
 * user), level_not_below, more_than_own (an agent, who may do more than the caller, and whose password the caller would
 * know), permission_missing (credit, packages or share without the permission for it; credit or share out of
 * those of another parent than the caller's principal, unless the office gives them), username_taken,
 * new_user_limit_reached, unknown_package, package_not_held (not the parent's), not_enough_to_give, share_over_parent,
 * return_too_high and approval_needed (a commission directly below the company, as for `changeShareTerms`),
 * bad_input (a mail address of an agent), email_limit_reached, common_password (of an agent), step_up_needed (copied credit above `STEP_UP_CREDIT_SATANG`)
 */
export const createPerson = defineChange({
  name: 'create_person',
  action: 'add_user',
  needs: 'people.do',
  input: newPerson,
  withoutSecrets: (given) => ({ ...given, password: undefined }),
  async find(db, given, caller) {
    const { level, username, email, password } = given
    if (email !== undefined && level !== 'member')
      throw new Refusal('bad_input', { problems: [{ part: 'body', path: '/email', rule: 'level' }] })
    refuseBeyond(caller, given)
    refuseWeakPassword({ username, level, is_office: false }, password)
    const parent = await getParent(db, caller, given)
    await refuseNewUsersOverLimit(db, caller)
    if (await findUser(db, { username })) await refuseTakenName(db, caller)
    return { parent, maker: caller }
  },
  // `lockOfPlaces` keeps the parent's packages. Copied values are not known yet, so they may need each lock.
  locks(given, { parent, maker }) {
    const isCopied = given.copy_from !== undefined
    const { credit_limit_satang, position_rate, line_rate, commission_rate } = given
    const mayHaveShares =
      (isCopied && given.level !== 'member') ||
      listLevelsBetween(parent.level, given.level).length > 0 ||
      [position_rate, line_rate, commission_rate].some(gives)
    return [
      lockOfNewUser(maker),
      lockOfPlaces,
      ...(isCopied || gives(credit_limit_satang) ? [lockOfCash([parent.user_id])] : []),
      ...(mayHaveShares ? [lockOfShares] : []),
    ]
  },
  async load(at, given, { parent }) {
    const { tx, by } = at
    const between = listLevelsBetween(parent.level, given.level)
    const copied = await readTerms(at, given)
    const terms = termsOf(given, givesCreditOf(by.caller, parent.user_id) ? copied : noTerms)
    const { commission_rate } = terms
    return {
      parent,
      terms,
      between: await nameBetween(tx, given.username, between),
      named: given.packages ?? copied.packages ?? undefined,
      packages: await readPackages(tx, parent.user_id, given, copied.packages),
      most_satang: await findCreditToGive(tx, parent.user_id),
      // The company pays the commission of those directly below it.
      highest_return: commission_rate > 0 && parent.level === 'company' ? await findHighestReturn(tx) : null,
    }
  },
  decide({ parent, terms, between, named, packages, most_satang, highest_return }, given, { caller }) {
    const { credit_limit_satang, commission_rate } = terms
    if (!givesCreditOf(caller, parent.user_id)) refuseCreditAndShare(given)
    // Copied values count as well.
    refuseBeyond(caller, { ...given, ...terms, packages: named })
    // Only for copied credit. For given credit the contract row demands the factor.
    if (credit_limit_satang > STEP_UP_CREDIT_SATANG) refuseOldFactor(caller)
    if (credit_limit_satang > Math.max(0, most_satang))
      throw new Refusal('not_enough_to_give', { least_satang: 0, most_satang: Math.max(0, most_satang) })
    if (given.level === 'member' && hasShares(terms)) throw new Refusal('share_over_parent')
    // A lower commission can be set now; two people raise it later.
    const needsTwo = highest_return !== null && boundCommission(commission_rate, highest_return)
    if (needsTwo) throw new Refusal('approval_needed', { kind: 'change_share_terms', ...needsTwo })
    const { level, display_name, email, copy_from } = given
    const user = { username: given.username.toLowerCase(), display_name, level, parent_id: parent.user_id }
    const uplines = between.map((each) => ({ ...each, display_name, terms: { ...terms, position_rate: 0 }, packages }))
    return { plan: { user, uplines, terms, packages, email, copy_from } }
  },
  async prepare({ uplines }, { password }, { caller }) {
    const own = await hashForOther(caller, password)
    // Discarded: nobody logs in at a level between until its password is reset.
    const between = uplines.length > 0 ? await hashForOther(caller, randomBytes(32).toString('base64url')) : own
    return { own, between }
  },
  async write(at, { user: given, uplines, terms, packages, email, copy_from }, _by, hashes) {
    const { tx, by } = at
    const { credit_limit_satang, ...shares } = terms
    const rows: AuditRow[] = []
    let { parent_id } = given
    for (const upline of uplines) {
      const { user_id, row } = await createUpline(at, upline, parent_id, hashes.between)
      rows.push(row)
      parent_id = user_id
    }
    const user = { ...given, parent_id }
    const password_hash = hashes.own
    const user_id = await createUser(tx, { ...user, credit_limit_satang, password_hash, must_change_password: true })
    await insertPackagesOf(
      tx,
      user_id,
      packages.map((each) => each.package_id),
    )
    if (hasShares(terms)) await addShareTerms(tx, { user_id, ...shares }, by.caller.actor_id)
    if (email !== undefined) await askForEmail(tx, user_id, email)
    const after = {
      ...{ ...user, credit_limit_satang, ...shares, packages: packages.map(packageNameOf) },
      ...(copy_from !== undefined && { copy_from }),
    }
    return { outcome: user_id, rows: [...rows, { subject: `user:${user_id}`, after }] }
  },
  refusals: { users_username_key: 'username_taken', shares_within_line: 'share_over_parent' },
})

const gives = (value: number | undefined): boolean => (value ?? 0) > 0

/** @throws Refusal permission_missing, more_than_own */
function refuseBeyond(actor: ChangeCaller, given: Omit<NewPerson, 'packages'> & { packages?: unknown }): void {
  refuseFieldsBeyond(actor, given)
  refuseMoreThanOwn(actor, permissionsOfLevel(given.level))
}

/** Creating a user does not imply the permission to give it credit or terms. */
function refuseFieldsBeyond(
  { permissions }: ChangeCaller,
  given: Omit<NewPerson, 'packages'> & { packages?: unknown },
): void {
  const needed = [
    ['credit_limit_satang', 'credit.do', gives(given.credit_limit_satang)],
    ['packages', 'terms.do', given.packages !== undefined],
    ['position_rate', 'terms.do', gives(given.position_rate)],
    ['line_rate', 'terms.do', gives(given.line_rate)],
    ['commission_rate', 'terms.do', gives(given.commission_rate)],
  ] as const
  const missing = needed.find(([, permission, isGiven]) => isGiven && !permissions.has(permission))
  if (missing) throw new Refusal('permission_missing', { field: missing[0] })
}

/** Whether the actor may give from a user's credit and shares: from its principal's, or as the office from anyone's. */
export function givesCreditOf({ principal_id, is_office }: Scope, user_id: number): boolean {
  return is_office || principal_id === user_id
}

/** @throws Refusal permission_missing */
function refuseCreditAndShare(given: NewPerson): void {
  const fields = ['credit_limit_satang', 'position_rate', 'line_rate', 'commission_rate'] as const
  const field = fields.find((name) => gives(given[name]))
  if (field) throw new Refusal('permission_missing', { field })
}

/** @throws Refusal not_found, not_allowed, level_not_below */
async function getParent(db: Db, actor: ChangeCaller, { parent_id, level }: NewPerson): Promise<UserInHierarchy> {
  const id = parent_id ?? (actor.is_office ? await getCompanyId(db) : actor.principal_id)
  const parent = await getAccessibleUser(db, actor, id)
  if (parent.is_office) throw new Refusal('not_allowed')
  refuseLevel(level, parent.level)
  return parent
}

/** @throws Refusal level_not_below */
function refuseLevel(level: UserLevel, parent: UserLevel): void {
  const levels = levelsBelow(parent)
  if (!levels.includes(level)) throw new Refusal('level_not_below', { levels })
}

/** The levels of a new agent between its parent and itself, from the top; none for a member. */
function listLevelsBetween(parent: UserLevel, level: UserLevel): UserLevel[] {
  return level === 'member' ? [] : levelsBelow(parent).slice(0, levelsBelow(parent).indexOf(level))
}

const levelsBelow = (level: UserLevel): UserLevel[] => userLevel.options.slice(userLevel.options.indexOf(level) + 1)

/** Leaves room for a suffix and a number in a username. */
const LONGEST_STEM = 245
/** Added to the agent's username. */
const suffixes: Partial<Record<UserLevel, string>> = { super_senior: 'ss', senior: 's', master: 'm', agent: 'a' }

interface LevelBetween {
  level: UserLevel
  username: string
}

/** Free usernames for the levels between: the agent's with a suffix, and a number where that is taken. */
async function nameBetween(tx: Tx, username: string, levels: readonly UserLevel[]): Promise<LevelBetween[]> {
  const named: LevelBetween[] = []
  for (const level of levels) {
    const wanted = `${username.toLowerCase().slice(0, LONGEST_STEM)}${suffixes[level]}`
    named.push({ level, username: await findFreeUsername(tx, wanted) })
  }
  return named
}

interface Upline extends LevelBetween {
  display_name: string
  terms: Terms
  packages: readonly FoundPackage[]
}

/** Creates a level between, which can pass on what the agent gets and no more. */
async function createUpline(
  { tx, by }: At,
  { level, username, display_name, terms, packages }: Upline,
  parent_id: number,
  password_hash: string,
): Promise<{ user_id: number; row: AuditRow }> {
  const { credit_limit_satang, ...shares } = terms
  const columns = { username, display_name, level, parent_id }
  const user_id = await createUser(tx, { ...columns, credit_limit_satang, password_hash, must_change_password: true })
  await insertPackagesOf(
    tx,
    user_id,
    packages.map((each) => each.package_id),
  )
  if (hasShares(shares)) await addShareTerms(tx, { user_id, ...shares }, by.caller.actor_id)
  const after = { ...columns, credit_limit_satang, ...shares, packages: packages.map(packageNameOf) }
  return { user_id, row: { subject: `user:${user_id}`, after } }
}

interface Terms {
  credit_limit_satang: number
  position_rate: number
  line_rate: number
  commission_rate: number
}

const noShares = { position_rate: 0, line_rate: 0, commission_rate: 0 }
const noTerms: Terms = { ...noShares, credit_limit_satang: 0 }

const hasShares = ({ position_rate, line_rate, commission_rate }: Omit<Terms, 'credit_limit_satang'>): boolean =>
  [position_rate, line_rate, commission_rate].some(gives)

function termsOf(given: NewPerson, copied: Terms): Terms {
  const position_rate = given.position_rate ?? copied.position_rate
  return {
    credit_limit_satang: given.credit_limit_satang ?? copied.credit_limit_satang,
    position_rate,
    line_rate: lineRateOf({ position_rate, line_rate: given.line_rate }, copied),
    commission_rate: given.commission_rate ?? copied.commission_rate,
  }
}

/** Reads the terms of `copy_from` that the caller may give. `packages` is null if none are copied. */
async function readTerms(
  { tx, by: { caller } }: At,
  { copy_from, level }: NewPerson,
): Promise<Terms & { packages: FoundPackage[] | null }> {
  if (copy_from === undefined) return { ...noTerms, packages: null }
  const { is_office } = await getAccessibleUser(tx, caller, copy_from)
  if (is_office) throw new Refusal('not_allowed')
  const { credit_limit_satang } = await getCreditInfo(tx, copy_from)
  const isAllowed = caller.permissions.has('terms.do')
  const { position_rate, line_rate, commission_rate } =
    level === 'member' || !isAllowed ? noShares : await getShareTerms(tx, caller, copy_from)
  return {
    credit_limit_satang: caller.permissions.has('credit.do') ? credit_limit_satang : 0,
    ...{ position_rate, line_rate, commission_rate },
    packages: isAllowed ? await listPackagesOfUser(tx, copy_from) : null,
  }
}

/** @throws Refusal unknown_package; package_not_held if the parent lacks a named package */
async function readPackages(
  tx: Tx,
  parent_id: number,
  { packages: named }: NewPerson,
  copied: readonly FoundPackage[] | null,
): Promise<readonly FoundPackage[]> {
  if (named !== undefined) return getPackagesHeldBy(tx, parent_id, named)
  const ofParent = await listPackagesOfUser(tx, parent_id)
  const held = new Set(ofParent.map((each) => each.package_id))
  return copied?.filter((each) => held.has(each.package_id)) ?? ofParent
}
