// How much the house still takes on each number of a period.

import type { LimitNumber, NumberSetting, QuotaSetting } from '@megalot/contract'
import { type BetTypeCode, betTypeByCode, isNumberOf, type NumberQuota, numberState, quotaName } from '@megalot/rules'
import type { Db, Tx } from '../../platform/db.ts'
import { Refusal } from '../../platform/refusal.ts'
import { writeAudit } from '../audit/audit.service.ts'
import { getPeriodRecord, getProduct } from '../markets/markets.service.ts'
import {
  type BlockKey,
  type BlockRecord,
  type LimitRecord,
  listLimits,
  listNumberSettings,
  listQuotaRecords,
  listSettings,
  lockBlocks,
  makeBlocks,
  type NumberSettingRecord,
  type QuotaRecord,
  saveBlocks,
  saveSetting,
  setNumber,
} from './quotas.store.ts'

/** Stands for "no limit" where a number is needed: more than all the money there is. */
const NO_LIMIT_SATANG = 1_000_000_000_000_000
const NUMBERS_PER_BLOCK = 100

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

/**
 * Takes hold of the quotas that bets touch. Numbers that are none are left out: the slip check refuses them. Its
 * statements go out at once, so a transaction may ask for other locks before this without waiting for their answer.
 */
export async function holdQuotas(tx: Tx, period_code: string, bets: readonly BetOn[]): Promise<HeldQuotas> {
  const keys = listBlockKeys(bets)
  const [held, limits, settings] = await Promise.all([
    lockBlocks(tx, period_code, keys),
    listLimits(tx, period_code),
    listNumberSettings(tx, period_code),
  ])
  if (held.length === keys.length) return keepQuotas(tx, period_code, held, limits, settings)
  // The first bets on these numbers. Whoever makes the same blocks at the same time waits, and finds them made.
  await makeBlocks(tx, period_code, keys)
  return keepQuotas(tx, period_code, await lockBlocks(tx, period_code, keys), limits, settings)
}

function keepQuotas(
  tx: Tx,
  period_code: string,
  held: readonly BlockRecord[],
  limits: readonly LimitRecord[],
  settings: readonly NumberSettingRecord[],
): HeldQuotas {
  const blocks = new Map(held.map((block) => [`${block.bet_type} ${block.block}`, block]))
  const limitOf = new Map(limits.map((limit) => [limit.bet_type, limit]))
  const settingOf = new Map(settings.map(({ bet_type, quota_key, set_to }) => [quotaName(bet_type, quota_key), set_to]))
  const changed = new Set<BlockRecord>()
  const place = (bet_type: BetTypeCode, quota_key: string) => {
    const value = Number(quota_key)
    const block = blocks.get(`${bet_type} ${Math.floor(value / NUMBERS_PER_BLOCK)}`)!
    return { block, index: value % NUMBERS_PER_BLOCK }
  }
  return {
    find: (name) => {
      const [bet_type, quota_key] = name.split(' ') as [BetTypeCode, string]
      const { block, index } = place(bet_type, quota_key)
      const limit = limitOf.get(bet_type)
      return {
        full_satang: limit?.full_satang ?? NO_LIMIT_SATANG,
        half_satang: limit?.half_satang ?? 0,
        accepted_satang: block.accepted_satang[index]!,
        set_to: settingOf.get(name) ?? 'open',
      }
    },
    add: ({ bet_type, number }, satang) => {
      if (satang === 0) return
      const { block, index } = place(bet_type, betTypeByCode[bet_type].quotaKey(number))
      block.accepted_satang[index]! += satang
      changed.add(block)
    },
    save: () => saveBlocks(tx, period_code, [...changed]),
  }
}

/** The blocks that bets touch, sorted as the database sorts them. */
function listBlockKeys(bets: readonly BetOn[]): BlockKey[] {
  const keys = new Map<string, BlockKey>()
  for (const { bet_type, number } of bets) {
    if (!isNumberOf(bet_type, number)) continue
    const block = Math.floor(Number(betTypeByCode[bet_type].quotaKey(number)) / NUMBERS_PER_BLOCK)
    keys.set(`${bet_type} ${block}`, { bet_type, block })
  }
  return [...keys.keys()].toSorted().map((name) => keys.get(name)!)
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
