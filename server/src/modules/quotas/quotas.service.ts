// What the house takes on each number of a period, as the office sets it and as everybody sees it.

import type { LimitNumber, NumberSetting, QuotaSetting } from '@megalot/contract'
import { betTypeByCode, isNumberOf, listQuotaKeys, type NumberQuota, numberState } from '@megalot/rules'
import type { Db } from '../../platform/db.ts'
import { Refusal } from '../../platform/refusal.ts'
import { writeAudit } from '../audit/audit.service.ts'
import { getPeriodRecord, getProduct, lockPeriod, lockPeriodsToBet } from '../markets/markets.service.ts'
import { type BetOn, NO_LIMIT_SATANG } from './quota-snapshot.ts'
import {
  findNumberSetting,
  findSetting,
  type LimitRecord,
  listQuotaRecords,
  listSettings,
  type QuotaRecord,
  readRules,
  saveSetting,
  setNumber,
} from './quotas.store.ts'

function toQuota({ full_satang, half_satang, accepted_satang, set_to }: QuotaRecord): NumberQuota {
  return { full_satang: full_satang ?? NO_LIMIT_SATANG, half_satang: half_satang ?? 0, accepted_satang, set_to }
}

/** The numbers of a period that are yellow or grey. @throws Refusal unknown_period */
export async function listLimitNumbers(db: Db, period_code: string): Promise<LimitNumber[]> {
  const { period_id } = await getPeriodRecord(db, period_code)
  const [records, { limits }] = await Promise.all([listQuotaRecords(db, period_id), readRules(db, period_code)])
  const touched = new Set(records.map(({ bet_type, quota_key }) => `${bet_type} ${quota_key}`))
  return [...records, ...limits.flatMap(listUntouched)].flatMap((record) => {
    const state = numberState(toQuota(record))
    return state ? [{ bet_type: record.bet_type, number: record.quota_key, state }] : []
  })

  /** Of a bet type that takes nothing at the full rate every number is yellow or grey, before anybody has bet on it. */
  function listUntouched({ bet_type, full_satang, half_satang }: LimitRecord): QuotaRecord[] {
    if (full_satang > 0) return []
    const keys = listQuotaKeys(bet_type).filter((quota_key) => !touched.has(`${bet_type} ${quota_key}`))
    return keys.map((quota_key) => ({
      bet_type,
      quota_key,
      full_satang,
      half_satang,
      accepted_satang: 0,
      set_to: 'open',
    }))
  }
}

/** Sets a number of a period by hand. @throws Refusal unknown_period, period_closed, bet_type_not_offered, bad_number */
export async function setLimitNumber(
  db: Db,
  actor_id: number,
  period_code: string,
  { bet_type, number, set_to }: BetOn & { set_to: NumberSetting },
): Promise<void> {
  const period = await getPeriodRecord(db, period_code)
  if (period.status !== 'open' && period.status !== 'upcoming') throw new Refusal('period_closed')
  const { bet_types } = await getProduct(db, period.product_code)
  if (!bet_types.includes(bet_type)) throw new Refusal('bet_type_not_offered')
  if (!isNumberOf(bet_type, number)) throw new Refusal('bad_number')
  const quota_key = betTypeByCode[bet_type].quotaKey(number)
  await db.transaction().execute(async (tx) => {
    // Batches in flight end first; what is placed after this finds the number as it is set.
    await lockPeriod(tx, period_code)
    const named = { bet_type, number: quota_key }
    const before = { ...named, set_to: await findNumberSetting(tx, period.period_id, { bet_type, quota_key }) }
    await setNumber(tx, period.period_id, { bet_type, quota_key }, set_to)
    const after = { ...named, set_to }
    await writeAudit(tx, { actor_id, action: 'set_number', subject: `period:${period_code}`, before, after })
  })
}

/** Sets how much is taken on each number of a bet type. @throws Refusal unknown_product, bet_type_not_offered */
export async function setQuota(db: Db, actor_id: number, setting: QuotaSetting): Promise<void> {
  const { bet_types } = await getProduct(db, setting.product_code)
  if (!bet_types.includes(setting.bet_type)) throw new Refusal('bet_type_not_offered')
  await db.transaction().execute(async (tx) => {
    // As for a number set by hand.
    await lockPeriodsToBet(tx, setting.product_code)
    const before = await findSetting(tx, setting)
    await saveSetting(tx, setting)
    const subject = `product:${setting.product_code}`
    await writeAudit(tx, { actor_id, action: 'set_quota', subject, ...(before && { before }), after: setting })
  })
}

export function listQuotas(db: Db): Promise<QuotaSetting[]> {
  return listSettings(db)
}
