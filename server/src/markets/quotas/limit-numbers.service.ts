// The numbers of a period that are limited: as everybody sees them, as the office sees them, and set by hand.

import type { LimitNumber, NumberSetting } from '@megalot/contract'
import {
  betTypeByCode,
  type BetTypeCode,
  isNumberOf,
  limitByAmount,
  listQuotaKeys,
  type NumberQuota,
  type NumberState,
  numberState,
  quotaName,
} from '@megalot/rules'
import { verifyCallerAgain } from '../../changes/callers/index.ts'
import type { Db, Tx } from '../../postgres/db.ts'
import { Refusal } from '../../lib/refusal.ts'
import { writeAudits } from '../../changes/audit/index.ts'
import { getPeriodRecord, getProduct, lockPeriod, type PeriodRecord } from '../index.ts'
import { applyRules, insertRule, insertRuleRows } from './limit-rules.store.ts'
import { NO_LIMIT_SATANG } from './quota-snapshot.ts'
import {
  findNumberSettings,
  listQuotaRecords,
  type QuotaKey,
  type QuotaRecord,
  readLimits,
  type TypeQuotaRecord,
} from './quotas.store.ts'

function toQuota({ full_satang, half_satang, accepted_satang, set_to }: QuotaRecord): NumberQuota {
  return { full_satang: full_satang ?? NO_LIMIT_SATANG, half_satang: half_satang ?? 0, accepted_satang, set_to }
}

/**
 * The numbers of a period that are yellow or grey.
 * @param package_code as tickets of this package find them; undefined: without the lower quotas of packages
 * @throws Refusal unknown_period
 */
export async function listLimitNumbers(db: Db, period_code: string, package_code?: string): Promise<LimitNumber[]> {
  const { period_id } = await getPeriodRecord(db, period_code)
  const { quotas, package_quotas } = await readLimits(db, period_code)
  const ofPackage = new Map(
    package_quotas.flatMap((quota) => (quota.package_code === package_code ? [[quota.bet_type, quota] as const] : [])),
  )
  // Only a quota of the package can limit a number that nothing else limits.
  const limited = await listQuotaRecords(db, period_id, ofPackage.size > 0 ? 'all' : 'limited')
  const touched = new Set(limited.map(({ bet_type, quota_key }) => `${bet_type} ${quota_key}`))
  return [...limited, ...listUntouched(quotas), ...listUntouched([...ofPackage.values()])].flatMap((record) => {
    const lower = ofPackage.get(record.bet_type)
    const quota = toQuota(record)
    const state = numberState(lower ? limitByAmount(quota, lower) : quota)
    if (!state) return []
    const pays_half = state === 'half'
    return [{ bet_type: record.bet_type, number: record.quota_key, state: pays_half ? 'yellow' : state, pays_half }]
  })

  /** For a bet type with a full quota of 0 every number is yellow or grey, also without any bet. Each is listed once. */
  function listUntouched(ofTypes: readonly TypeQuotaRecord[]): QuotaRecord[] {
    return ofTypes.flatMap(({ bet_type, full_satang, half_satang }) => {
      if (full_satang > 0) return []
      const keys = listQuotaKeys(bet_type).filter((quota_key) => !touched.has(`${bet_type} ${quota_key}`))
      for (const quota_key of keys) touched.add(`${bet_type} ${quota_key}`)
      return keys.map((quota_key) => ({
        bet_type,
        quota_key,
        full_satang,
        half_satang,
        accepted_satang: 0,
        set_to: 'open' as const,
      }))
    })
  }
}

interface NamedNumber {
  bet_type: BetTypeCode
  number: string
}

export interface NumberChange {
  numbers: readonly NamedNumber[]
  set_to: NumberSetting
  reason?: string | undefined
}

/** Sets one number of a period by hand: see `setLimitNumbers`. */
export async function setLimitNumber(
  db: Db,
  actor_id: number,
  period_code: string,
  { bet_type, number, ...change }: NamedNumber & Omit<NumberChange, 'numbers'>,
): Promise<void> {
  await setLimitNumbers(db, actor_id, period_code, { numbers: [{ bet_type, number }], ...change })
}

/**
 * Sets numbers of a period by hand, all of them or none. A roll is set for every order of its digits.
 * @returns what was set, each number once, in the order of bet types and numbers
 * @throws Refusal unknown_period, period_closed, bet_type_not_offered, bad_number (details name the first wrong one)
 */
export async function setLimitNumbers(
  db: Db,
  actor_id: number,
  period_code: string,
  { numbers, set_to, reason }: NumberChange,
): Promise<QuotaKey[]> {
  const { product_code } = await getPeriodRecord(db, period_code)
  const { bet_types } = await getProduct(db, product_code)
  for (const named of numbers) {
    if (!bet_types.includes(named.bet_type)) throw new Refusal('bet_type_not_offered', { ...named })
    if (!isNumberOf(named.bet_type, named.number)) throw new Refusal('bad_number', { ...named })
  }
  const keys = listKeys(numbers)
  await db.transaction().execute(async (tx) => {
    // Waits for batches in flight; later ones see the new settings.
    const period = await lockPeriod(tx, period_code)
    if (!period) throw new Refusal('unknown_period')
    if (period.status !== 'open' && period.status !== 'upcoming') throw new Refusal('period_closed')
    const before = await findNumberSettings(tx, period.period_id, keys)
    const records = keys.map((key, index) => {
      const named = { bet_type: key.bet_type, number: key.quota_key }
      return {
        actor_id,
        action: 'set_number',
        subject: `period:${period_code}`,
        before: { ...named, set_to: before[index]! },
        after: { ...named, set_to },
        ...(reason === undefined ? {} : { reason }),
      }
    })
    await verifyCallerAgain(tx)
    await writeAudits(tx, records)
    await writeRuleByHand(tx, actor_id, period, keys, { set_to, reason })
  })
  return keys
}

/** Numbers set by hand are a limit rule too (`limit-rules.service.ts`), so that they lie above the rules before them. */
async function writeRuleByHand(
  tx: Tx,
  actor_id: number,
  { period_id, product_code }: PeriodRecord,
  keys: readonly QuotaKey[],
  { set_to, reason }: Pick<NumberChange, 'set_to' | 'reason'>,
): Promise<void> {
  const rows = keys.map((key) => ({ ...key, product_code, period_id }))
  const value = { set_to, full_satang: null, half_satang: null }
  const rule = { actor_id, value, is_standing: false, until_date: null, reason: reason ?? null }
  const rule_id = await insertRule(tx, rule, rows)
  await insertRuleRows(tx, rule_id, rows)
  await applyRules(tx, [period_id], keys)
}

/** Each number once, sorted. */
function listKeys(numbers: readonly NamedNumber[]): QuotaKey[] {
  const keyOf = new Map<string, QuotaKey>()
  for (const { bet_type, number } of numbers)
    keyOf.set(quotaName(bet_type, number), { bet_type, quota_key: betTypeByCode[bet_type].quotaKey(number) })
  return [...keyOf.keys()].toSorted().map((name) => keyOf.get(name)!)
}

/** A number of a period as the office sees it. */
export interface NumberReport {
  bet_type: BetTypeCode
  /** For rolls the digits in ascending order. */
  number: string
  set_to: NumberSetting
  accepted_satang: number
  /** Null: there is no limit. */
  full_satang: number | null
  half_satang: number
  state: NumberState | null
}

/** The numbers of a period that were bet on or set by hand. @throws Refusal unknown_period */
export async function listNumbers(db: Db, period_code: string): Promise<NumberReport[]> {
  const { period_id } = await getPeriodRecord(db, period_code)
  const records = await listQuotaRecords(db, period_id, 'all')
  return records.map(({ quota_key: number, half_satang, ...record }) => {
    const state = numberState(toQuota({ ...record, quota_key: number, half_satang }))
    return { ...record, number, half_satang: half_satang ?? 0, state }
  })
}
