// How much the house still takes on each number of a period.

import type { LimitNumber, NumberSetting, QuotaSetting } from '@megalot/contract'
import { type BetTypeCode, betTypeByCode, isNumberOf, type NumberQuota, numberState, quotaName } from '@megalot/rules'
import type { Db, Tx } from '../../platform/db.ts'
import { Refusal } from '../../platform/refusal.ts'
import { writeAudit } from '../audit/audit.service.ts'
import { getPeriodRecord, getProduct } from '../markets/markets.service.ts'
import {
  addAccepted,
  listQuotaRecords,
  listSettings,
  lockQuotas,
  type QuotaKey,
  type QuotaRecord,
  saveSetting,
  setNumber,
} from './quotas.store.ts'

/** Stands for "no limit" where a number is needed: more than all the money there is. */
const NO_LIMIT_SATANG = 1_000_000_000_000_000

export interface BetOn {
  bet_type: BetTypeCode
  number: string
}

/** The quotas of a period that a transaction holds, by `quotaName`; no other can change them until it ends. */
export interface HeldQuotas {
  find(name: string): NumberQuota
  /** Notes what was accepted (or, below 0, released) on a number. */
  add(bet: BetOn, satang: number): void
  /** Writes what was noted. */
  save(): Promise<void>
}

/** Takes hold of the quotas that bets touch. Numbers that are none are left out: the slip check refuses them. */
export async function holdQuotas(tx: Tx, period_id: number, bets: readonly BetOn[]): Promise<HeldQuotas> {
  const keys = new Map<string, QuotaKey>()
  for (const { bet_type, number } of bets)
    if (isNumberOf(bet_type, number))
      keys.set(quotaName(bet_type, number), { bet_type, quota_key: betTypeByCode[bet_type].quotaKey(number) })
  const sortedKeys = [...keys.keys()].toSorted().map((name) => keys.get(name)!)
  const records = await lockQuotas(tx, period_id, sortedKeys)
  const quotas = new Map(records.map((record) => [quotaName(record.bet_type, record.quota_key), toQuota(record)]))
  const changes = new Map<string, number>()
  return {
    find: (name) => quotas.get(name)!,
    add: ({ bet_type, number }, satang) => {
      const name = quotaName(bet_type, number)
      quotas.get(name)!.accepted_satang += satang
      changes.set(name, (changes.get(name) ?? 0) + satang)
    },
    save: () =>
      addAccepted(
        tx,
        period_id,
        [...changes].filter(([, satang]) => satang !== 0).map(([name, satang]) => ({ ...keys.get(name)!, satang })),
      ),
  }
}

function toQuota({ full_satang, half_satang, accepted_satang, set_to }: QuotaRecord): NumberQuota {
  return { full_satang: full_satang ?? NO_LIMIT_SATANG, half_satang: half_satang ?? 0, accepted_satang, set_to }
}

/** The numbers of a period that are yellow or grey. @throws Refusal unknown_period */
export async function listLimitNumbers(db: Db, period_code: string): Promise<LimitNumber[]> {
  const { period_id } = await getPeriodRecord(db, period_code)
  const records = await listQuotaRecords(db, period_id)
  return records.flatMap((record) => {
    const state = numberState(toQuota(record))
    return state ? [{ bet_type: record.bet_type, number: record.quota_key, state }] : []
  })
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
    await setNumber(tx, period.period_id, { bet_type, quota_key }, set_to)
    const after = { bet_type, number: quota_key, set_to }
    await writeAudit(tx, { actor_id, action: 'set_number', subject: `period:${period_code}`, after })
  })
}

/** Sets how much is taken on each number of a bet type. @throws Refusal unknown_product, bet_type_not_offered */
export async function setQuota(db: Db, actor_id: number, setting: QuotaSetting): Promise<void> {
  const { bet_types } = await getProduct(db, setting.product_code)
  if (!bet_types.includes(setting.bet_type)) throw new Refusal('bet_type_not_offered')
  await db.transaction().execute(async (tx) => {
    await saveSetting(tx, setting)
    await writeAudit(tx, { actor_id, action: 'set_quota', subject: `product:${setting.product_code}`, after: setting })
  })
}

export function listQuotas(db: Db): Promise<QuotaSetting[]> {
  return listSettings(db)
}
