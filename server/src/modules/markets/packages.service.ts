// Packages ("reward rates") as the office sees and changes them: the terms of tickets from now on.

import type {
  ApprovalKind,
  GameConfig,
  GameConfigChange,
  Package,
  PayloadOf,
  TermsChange,
  TheoreticalReturn,
} from '@megalot/contract'
import {
  type BetTypeCode,
  type BetTypeTerms,
  type Bottom3Set,
  boundOfReturn,
  MAX_RETURN,
  theoreticalReturn,
  winChance,
} from '@megalot/rules'
import { verifyCallerAgain } from '../../platform/call-origin.ts'
import { type Db, inTransaction, type Tx } from '../../platform/db.ts'
import type { DecisionAuthority } from '../../platform/decision-authority.ts'
import { Refusal } from '../../platform/refusal.ts'
import { writeAudit } from '../audit/index.ts'
import { lockHighestCommission, refuseReturnsWithCommission } from './commission-bound.ts'
import { getProduct, listProducts } from './products.ts'
import {
  copyUserPackages,
  insertAllUserPackages,
  listPackageRecords,
  listTerms,
  lockPackage,
  type MarketPackageRecord,
  saveMaxItems,
  saveTerms,
} from './markets.store.ts'
import { lockProduct } from './timetables.store.ts'

/**
 * Gives a new user the packages of its parent: a child never has more.
 * @param package_ids only these of the parent's; null: all
 */
export function givePackagesOf(
  tx: Tx,
  parent_id: number,
  user_id: number,
  package_ids: readonly number[] | null = null,
): Promise<void> {
  return copyUserPackages(tx, parent_id, user_id, package_ids)
}

/** For the company itself. */
export function giveAllPackages(tx: Tx, user_id: number): Promise<void> {
  return insertAllUserPackages(tx, user_id)
}

export async function listAllPackages(db: Db): Promise<Package[]> {
  const records = await listPackageRecords(db)
  return records.map(({ product_code, package_code, name, max_items }) => ({
    product_code,
    package_code,
    name,
    max_items,
  }))
}

/** The terms of every package of every market. */
export async function listGameConfigs(db: Db): Promise<GameConfig[]> {
  const [products, packages] = await Promise.all([listProducts(db), listPackageRecords(db)])
  const terms = await listTerms(
    db,
    packages.map((each) => each.package_id),
  )
  const offered = new Map(products.map((product) => [product.product_code, product.bet_types]))
  return packages.map((each) =>
    toGameConfig(each, offered.get(each.product_code) ?? [], terms.get(each.package_id) ?? []),
  )
}

function toGameConfig(
  { product_code, package_code, max_items }: MarketPackageRecord,
  offered: readonly BetTypeCode[],
  terms: readonly BetTypeTerms[],
): GameConfig {
  const bet_types = offered.flatMap((bet_type) => terms.filter((each) => each.bet_type === bet_type))
  return { product_code, package_code, max_items, bet_types }
}

/**
 * Changes terms of a package. They apply to every ticket that is decided after the commit; existing tickets keep the
 * terms that are written on their items.
 * @throws Refusal unknown_product, unknown_package, bet_type_not_offered, bad_input (nothing to change, a bet type
 * named twice, limits that do not rise from min over max to max per number), return_too_high (above 120 %, or raised to it with
 * the highest commission), approval_needed (one person alone, terms that are on and return more than 100 %, or are raised to it
 * with the highest commission)
 */
export async function changeGameConfig(
  db: Db,
  actor_id: number,
  { product_code, package_code }: { product_code: string; package_code: string },
  { reason, max_items, bet_types = [] }: GameConfigChange,
  authority: DecisionAuthority = 'alone',
): Promise<GameConfig> {
  if (max_items === undefined && bet_types.length === 0) throw badInput('', 'change')
  const product = await getProduct(db, product_code)
  return inTransaction(db, async (tx) => {
    // No period of the market is being made, which would have a commission of before.
    await lockProduct(tx, product_code)
    const found = await lockPackage(tx, product_code, package_code)
    if (!found) throw new Refusal('unknown_package')
    const before = await readTerms(tx, found.package_id)
    const changed = changeTerms(before, bet_types, product.bet_types)
    refuseReturns(changed, product.bottom3_set, authority)
    await refuseReturnsWithCommission(tx, { before, changed }, product, authority)
    for (const terms of changed) await saveTerms(tx, found.package_id, terms)
    if (max_items !== undefined) await saveMaxItems(tx, found.package_id, max_items)
    await verifyCallerAgain(tx)
    const touched = changed.map(({ bet_type }) => bet_type)
    await writeAudit(tx, {
      actor_id,
      action: CHANGE,
      subject: packageSubject(product_code, package_code),
      before: { max_items: found.max_items, bet_types: before.filter((terms) => touched.includes(terms.bet_type)) },
      after: { max_items: max_items ?? found.max_items, bet_types: changed },
      reason,
    })
    const changedPackage = { ...found, max_items: max_items ?? found.max_items }
    return toGameConfig(changedPackage, product.bet_types, await readTerms(tx, found.package_id))
  })
}

/**
 * Terms that are on are bounded by their theoretical return: above 100 % two people set them, above 120 % nobody.
 * @throws Refusal return_too_high, approval_needed
 */
function refuseReturns(changed: readonly BetTypeTerms[], bottom3_set: Bottom3Set, authority: DecisionAuthority): void {
  const returns = changed
    .filter((terms) => terms.is_on)
    .map((terms) => ({ bet_type: terms.bet_type, return_rate: theoreticalReturn(terms, { bottom3_set }) }))
  const beyond = (bound: string) => returns.filter(({ return_rate }) => boundOfReturn(return_rate) === bound)
  const refused = beyond('refused')
  if (refused.length > 0) throw new Refusal('return_too_high', { returns: refused, max_return_rate: MAX_RETURN })
  const toApprove = beyond('approved')
  const kind: ApprovalKind = 'change_terms'
  if (toApprove.length > 0 && authority === 'alone') throw new Refusal('approval_needed', { kind, returns: toApprove })
}

/** What the terms of a package return, for each bet type of the market. @throws Refusal unknown_product, unknown_package */
export async function listTheoreticalReturns(
  db: Db,
  { product_code, package_code }: { product_code: string; package_code: string },
): Promise<TheoreticalReturn[]> {
  const { bottom3_set, bet_types } = await getProduct(db, product_code)
  const found = (await listPackageRecords(db)).find(
    (each) => each.product_code === product_code && each.package_code === package_code,
  )
  if (!found) throw new Refusal('unknown_package')
  const terms = await readTerms(db, found.package_id)
  return toGameConfig(found, bet_types, terms).bet_types.map((each) => toReturn(each, bottom3_set))
}

function toReturn(terms: BetTypeTerms, bottom3_set: Bottom3Set): TheoreticalReturn {
  const { bet_type, rate, discount_rate, is_on } = terms
  const return_rate = theoreticalReturn(terms, { bottom3_set })
  return {
    bet_type,
    rate,
    discount_rate,
    is_on,
    ...winChance(bet_type, bottom3_set),
    return_rate,
    half_return_rate: theoreticalReturn(terms, { bottom3_set, is_half_pay: true }),
    bound: boundOfReturn(return_rate),
  }
}

/** The terms that a change concerns, as they are and as they would be; the package and the shares are locked. @throws as `changeGameConfig` */
export async function planTermsChange(
  tx: Tx,
  { product_code, package_code, max_items, bet_types = [] }: PayloadOf<'change_terms'>,
): Promise<PlannedChange> {
  const product = await getProduct(tx, product_code)
  await lockProduct(tx, product_code)
  const found = await lockPackage(tx, product_code, package_code)
  if (!found) throw new Refusal('unknown_package')
  const terms = await readTerms(tx, found.package_id)
  const changed = changeTerms(terms, bet_types, product.bet_types)
  const old = changed.map(({ bet_type }) => terms.find((each) => each.bet_type === bet_type)!)
  const returns = changed.map((each) => toReturn(each, product.bottom3_set))
  const commission_rate = await lockHighestCommission(tx, product_code)
  return {
    before: { max_items: found.max_items, bet_types: old },
    after: { max_items: max_items ?? found.max_items, bet_types: changed },
    returns,
    commission_rate,
    return_rate: commission_rate + Math.max(0, ...returns.filter(({ is_on }) => is_on).map((each) => each.return_rate)),
  }
}

export interface PlannedChange {
  before: PlannedTerms
  after: PlannedTerms
  returns: TheoreticalReturn[]
  /** The highest with which bets on the market are paid. */
  commission_rate: number
  /** The highest return of the changed terms that are on, with this commission. */
  return_rate: number
}

export interface PlannedTerms {
  max_items: number
  bet_types: BetTypeTerms[]
}

const CHANGE = 'change_game_config'

/** The subject of a package's records in the audit log. */
export function packageSubject(product_code: string, package_code: string): string {
  return `package:${product_code}/${package_code}`
}

async function readTerms(db: Db, package_id: number): Promise<BetTypeTerms[]> {
  return (await listTerms(db, [package_id])).get(package_id) ?? []
}

/** The complete terms after a change: terms that are not named stay unchanged. */
function changeTerms(
  before: readonly BetTypeTerms[],
  changes: readonly TermsChange[],
  offered: readonly BetTypeCode[],
): BetTypeTerms[] {
  return changes.map(({ bet_type, ...change }, index) => {
    const old = before.find((terms) => terms.bet_type === bet_type)
    if (!old || !offered.includes(bet_type)) throw new Refusal('bet_type_not_offered', { bet_type })
    if (changes.findIndex((each) => each.bet_type === bet_type) !== index)
      throw badInput(`/bet_types/${index}/bet_type`, 'unique')
    const named = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
    if (Object.keys(named).length === 0) throw badInput(`/bet_types/${index}`, 'change')
    const terms: BetTypeTerms = { ...old, ...named }
    if (terms.min_satang > terms.max_satang || terms.max_satang > terms.max_per_number_satang)
      throw badInput(`/bet_types/${index}/max_satang`, 'order')
    return terms
  })
}

function badInput(path: string, rule: string): Refusal {
  return new Refusal('bad_input', { problems: [{ part: 'body', path, rule }] })
}
