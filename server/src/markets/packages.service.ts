// Packages ("reward rates") for the office: the terms of tickets from now on.

import * as contract from '@megalot/contract'
import type { GameConfig, Package, TermsChange, TheoreticalReturn } from '@megalot/contract'
import {
  type BetTypeCode,
  type BetTypeTerms,
  type Bottom3Set,
  boundOfReturn,
  MAX_RETURN,
  theoreticalReturn,
  winChance,
} from '@megalot/rules'
import { defineChange } from '../changes/index.ts'
import type { Db, Tx } from '../postgres/db.ts'
import { Refusal } from '../lib/refusal.ts'
import { lockOfShares } from '../identity/accounts/index.ts'
import { lockOfPackage, marketLocks } from './locks.ts'
import { getProduct, listProducts } from './products.ts'
import {
  copyUserPackages,
  insertUserPackages,
  listPackageRecords,
  listTerms,
  findHighestCommission,
  findPackage,
  type MarketPackageRecord,
  saveMaxItems,
  saveTerms,
} from './markets.store.ts'

/**
 * Gives a new user its parent's packages; a child never has more.
 * @param package_ids only these of the parent's; null for all
 */
export function givePackagesOf(
  tx: Tx,
  parent_id: number,
  user_id: number,
  package_ids: readonly number[] | null = null,
): Promise<void> {
  return copyUserPackages(tx, parent_id, user_id, package_ids)
}

/**
 * For the company itself.
 * @param package_ids null for all
 */
export function giveCompanyPackages(tx: Tx, user_id: number, package_ids: readonly number[] | null): Promise<void> {
  return insertUserPackages(tx, user_id, package_ids)
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
 * Changes a package's terms. They apply to every ticket that is decided after the commit; existing tickets keep the
 * terms of their items. Its outcome is all terms of the package.
 * Enabled terms are limited by their theoretical return, and raised ones by it together with the highest commission.
 * Above 100 % two people set them, above 120 % they are refused.
 * @throws Refusal unknown_product, unknown_package, bet_type_not_offered, bad_input (nothing to change, a bet type
 * named twice, limits that do not rise from min over max to max per number), return_too_high
 */
export const changeGameConfig = defineChange({
  name: 'change_game_config',
  needs: 'terms.do',
  input: contract.proposalPayloads.change_game_config,
  async find(db, { product_code, max_items, bet_types = [] }) {
    if (max_items === undefined && bet_types.length === 0) throw badInput('', 'change')
    return getProduct(db, product_code)
  },
  // No period of the market is being created, which would have an outdated commission.
  locks: (key) => [...marketLocks(key.product_code), lockOfPackage(key), lockOfShares],
  async load({ tx }, { product_code, package_code }, product) {
    const found = await findPackage(tx, product_code, package_code)
    if (!found) throw new Refusal('unknown_package')
    const terms = await readTerms(tx, found.package_id)
    return { product, found, terms, commission_rate: await findHighestCommission(tx, product_code) }
  },
  decide({ product, found, terms, commission_rate }, { product_code, package_code, max_items, bet_types = [] }) {
    const changed = changeTerms(terms, bet_types, product.bet_types)
    const old = changed.map(({ bet_type }) => terms.find((each) => each.bet_type === bet_type)!)
    const returns = changed.map((each) => toReturn(each, product.bottom3_set))
    const after = { max_items: max_items ?? found.max_items, bet_types: changed }
    const isOn = returns.filter(({ is_on }) => is_on)
    return {
      plan: { found, product, after, isLongestChanged: max_items !== undefined },
      rows: [
        {
          subject: packageSubject(product_code, package_code),
          before: { max_items: found.max_items, bet_types: old },
          after,
        },
      ],
      needsTwo: boundReturns(changed, old, product.bottom3_set, commission_rate),
      proposal: {
        product_code,
        figures: {
          returns,
          commission_rate,
          return_rate: commission_rate + Math.max(0, ...isOn.map(({ return_rate }) => return_rate)),
        },
      },
    }
  },
  async write({ tx }, { found, product, after, isLongestChanged }) {
    for (const terms of after.bet_types) await saveTerms(tx, found.package_id, terms)
    if (isLongestChanged) await saveMaxItems(tx, found.package_id, after.max_items)
    const changed = { ...found, max_items: after.max_items }
    return { outcome: toGameConfig(changed, product.bet_types, await readTerms(tx, found.package_id)) }
  },
})

/**
 * Details for a decision by two people about changed terms; false if one person is enough.
 * @throws Refusal return_too_high (above 120 %, alone or with the commission)
 */
function boundReturns(
  changed: readonly BetTypeTerms[],
  before: readonly BetTypeTerms[],
  bottom3_set: Bottom3Set,
  commission_rate: number,
): object | false {
  const returnOf = (terms: BetTypeTerms): number => (terms.is_on ? theoreticalReturn(terms, { bottom3_set }) : 0)
  const all = changed.map((terms, index) => ({
    bet_type: terms.bet_type,
    return_rate: returnOf(terms),
    isRaised: returnOf(terms) > returnOf(before[index]!),
  }))
  const beyond = (bound: string, rates: typeof all, added: number) =>
    rates
      .filter(({ return_rate }) => boundOfReturn(return_rate + added) === bound)
      .map(({ bet_type, return_rate }) => ({ bet_type, return_rate }))
  const raised = all.filter(({ isRaised }) => isRaised)
  const refused = beyond('refused', all, 0)
  if (refused.length > 0) throw new Refusal('return_too_high', { returns: refused, max_return_rate: MAX_RETURN })
  const refusedWith = beyond('refused', raised, commission_rate)
  if (refusedWith.length > 0)
    throw new Refusal('return_too_high', { returns: refusedWith, commission_rate, max_return_rate: MAX_RETURN })
  const approved = beyond('approved', all, 0)
  if (approved.length > 0) return { returns: approved }
  const approvedWith = beyond('approved', raised, commission_rate)
  return approvedWith.length > 0 && { returns: approvedWith, commission_rate }
}

/**
 * The theoretical returns of a package, per bet type of the market.
 * @throws Refusal unknown_product, unknown_package
 */
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

/** The audit subject of a package. */
export function packageSubject(product_code: string, package_code: string): string {
  return `package:${product_code}/${package_code}`
}

async function readTerms(db: Db, package_id: number): Promise<BetTypeTerms[]> {
  return (await listTerms(db, [package_id])).get(package_id) ?? []
}

/** The complete terms after a change; unnamed terms stay. */
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
