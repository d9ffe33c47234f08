import type { QuotaSetting } from '@megalot/contract'
import type { BetTypeCode, NumberQuota } from '@megalot/rules'
import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/db.ts'

/** One number of a bet type; for rolls its digits in ascending order. */
export interface QuotaKey {
  bet_type: BetTypeCode
  quota_key: string
}

export interface QuotaRecord extends QuotaKey {
  /** Null: no limit. */
  full_satang: number | null
  half_satang: number | null
  accepted_satang: number
  set_to: NumberQuota['set_to']
}

/** The rows of these numbers, made where they are not there, and locked in sorted order: two batches never wait in a circle. */
export async function lockQuotas(tx: Tx, period_id: number, sortedKeys: readonly QuotaKey[]): Promise<QuotaRecord[]> {
  const types = sortedKeys.map((key) => key.bet_type)
  const numbers = sortedKeys.map((key) => key.quota_key)
  await sql`
    insert into number_quotas (period_id, bet_type, quota_key)
    select ${period_id}, bet_type, quota_key from unnest(${types}::text[], ${numbers}::text[]) as given (bet_type, quota_key)
    on conflict do nothing`.execute(tx)
  const { rows } = await sql<QuotaRecord>`
    select quotas.bet_type, quotas.quota_key, settings.full_satang, settings.half_satang, accepted_satang, set_to
    from unnest(${types}::text[], ${numbers}::text[]) as given (bet_type, quota_key)
      join number_quotas quotas on quotas.period_id = ${period_id}
        and quotas.bet_type = given.bet_type and quotas.quota_key = given.quota_key
      join periods on periods.period_id = ${period_id}
      left join quota_settings settings on settings.product_code = periods.product_code
        and settings.bet_type = quotas.bet_type
    order by quotas.bet_type, quotas.quota_key for no key update of quotas`.execute(tx)
  return rows
}

/** Adds to what was accepted, or takes away from it. */
export async function addAccepted(
  tx: Tx,
  period_id: number,
  changes: readonly (QuotaKey & { satang: number })[],
): Promise<void> {
  if (changes.length === 0) return
  await sql`
    update number_quotas quotas set accepted_satang = accepted_satang + given.satang
    from unnest(${changes.map((each) => each.bet_type)}::text[], ${changes.map((each) => each.quota_key)}::text[],
      ${changes.map((each) => each.satang)}::bigint[]) as given (bet_type, quota_key, satang)
    where quotas.period_id = ${period_id} and quotas.bet_type = given.bet_type
      and quotas.quota_key = given.quota_key`.execute(tx)
}

/** Every number of a period that has been bet on or set by hand. */
export async function listQuotaRecords(db: Db, period_id: number): Promise<QuotaRecord[]> {
  const { rows } = await sql<QuotaRecord>`
    select quotas.bet_type, quota_key, settings.full_satang, settings.half_satang, accepted_satang, set_to
    from number_quotas quotas join periods using (period_id)
      left join quota_settings settings using (product_code, bet_type)
    where period_id = ${period_id} and (settings.full_satang is not null or set_to <> 'open')
    order by quotas.bet_type, quota_key`.execute(db)
  return rows
}

export async function setNumber(
  tx: Tx,
  period_id: number,
  key: QuotaKey,
  set_to: NumberQuota['set_to'],
): Promise<void> {
  await tx
    .insertInto('number_quotas')
    .values({ period_id, ...key, set_to })
    .onConflict((on) => on.columns(['period_id', 'bet_type', 'quota_key']).doUpdateSet({ set_to }))
    .execute()
}

export async function saveSetting(tx: Tx, setting: QuotaSetting): Promise<void> {
  const { full_satang, half_satang } = setting
  await tx
    .insertInto('quota_settings')
    .values(setting)
    .onConflict((on) => on.columns(['product_code', 'bet_type']).doUpdateSet({ full_satang, half_satang }))
    .execute()
}

export async function listSettings(db: Db): Promise<QuotaSetting[]> {
  return db.selectFrom('quota_settings').selectAll().orderBy('product_code').orderBy('bet_type').execute()
}
