// The numbers of a period that are limited: as everybody sees them, and as the office sees them.

import type { LimitNumber, NumberSetting } from '@megalot/contract'
import {
  type BetTypeCode,
  limitByAmount,
  listQuotaKeys,
  type NumberQuota,
  type NumberState,
  numberState,
} from '@megalot/rules'
import type { Db } from '../../postgres/db.ts'
import { getPeriodRecord } from '../index.ts'
import { NO_LIMIT_SATANG } from './quota-snapshot.ts'
import { listQuotaRecords, type QuotaRecord, readLimits, type TypeQuotaRecord } from './quotas.store.ts'

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
