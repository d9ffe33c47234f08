import type { QuotaAmounts } from '@megalot/contract'
import type { BetTypeCode, NumberQuota } from '@megalot/rules'
import { sql } from 'kysely'
import { takeLock } from '../../postgres/advisory-locks.ts'
import { unquotedArray, type Db, type Tx } from '../../postgres/db.ts'
import type { BlockChange, BlockKey, BlockRecord } from './quota-blocks.ts'
import { blockChangeArrays } from './quota-change-arrays.ts'

/** One number of a bet type; for rolls its digits in ascending order. */
export interface QuotaKey {
  bet_type: BetTypeCode
  quota_key: string
}

const unnested = (keys: readonly BlockKey[]) => sql`
  unnest(${unquotedArray(keys.map((key) => key.bet_type))}::text[], ${unquotedArray(keys.map((key) => key.block))}::int[]) as given (bet_type, block)`

/** Locks the quotas of the period until the transaction ends. */
export async function lockQuotas(tx: Tx, period_code: string): Promise<void> {
  await sql`
    select ${takeLock('quotas', sql.ref('period_id'))} from periods where period_code = ${period_code}`.execute(tx)
}

/** The blocks of a period on which something was accepted before. */
export async function listBlocks(tx: Tx, period_code: string, sortedKeys: readonly BlockKey[]): Promise<BlockRecord[]> {
  const { rows } = await sql<BlockRecord>`
    select blocks.bet_type, blocks.block, accepted_satang from ${unnested(sortedKeys)}
      join accepted_blocks blocks on blocks.period_id = (select period_id from periods where period_code = ${period_code})
        and blocks.bet_type = given.bet_type and blocks.block = given.block
    order by blocks.bet_type, blocks.block`.execute(tx)
  return rows
}

/**
 * Adds to the accepted amounts on the numbers of blocks.
 * @param withinFull for blocks that were not locked since they were read
 * @throws a violated `quota_still_full`, `quota_never_oversold` or `quota_never_below_nothing`
 */
export async function addToBlocks(
  tx: Tx,
  period_code: string,
  changes: readonly BlockChange[],
  withinFull: boolean,
): Promise<void> {
  if (changes.length === 0) return
  const { bet_types, blocks, positions, amounts, package_limits } = blockChangeArrays(changes)
  await sql`
    select add_to_quotas(${period_code}, ${bet_types}, ${blocks}, ${positions}, ${amounts}, ${withinFull},
      ${package_limits})`.execute(tx)
}

export interface TypeQuotaRecord extends QuotaAmounts {
  bet_type: BetTypeCode
}

/** How much is accepted on each number of a bet type from tickets of a package. */
export interface PackageQuotaRecord extends TypeQuotaRecord {
  package_code: string
}

export interface NumberSettingRecord extends QuotaKey {
  set_to: NumberQuota['set_to']
  /** An amount of its own; null: only the quota of its bet type. */
  full_satang: number | null
  half_satang: number | null
}

/** What the office has set for a period: quotas of bet types and packages, and single numbers. */
export interface PeriodLimits {
  /** The quota on each number of a bet type; a bet type that is not named has no limit. */
  quotas: TypeQuotaRecord[]
  /** Lower quotas of packages. */
  package_quotas: PackageQuotaRecord[]
  /** Numbers that were set to something else than open, or to an amount. */
  numbers: NumberSettingRecord[]
  /** The hash of all of it as text: the limits are unchanged while the hash is. */
  fingerprint: string
}

export async function readLimits(db: Db, period_code: string): Promise<PeriodLimits> {
  const { rows } = await sql<PeriodLimits>`
    select quotas, package_quotas, numbers, md5(limits::text) as fingerprint from period_limits limits
    where period_code = ${period_code}`.execute(db)
  return rows[0] ?? { quotas: [], package_quotas: [], numbers: [], fingerprint: '' }
}

export async function findNumberSetting(
  tx: Tx,
  period_id: number,
  { bet_type, quota_key }: QuotaKey,
): Promise<NumberQuota['set_to']> {
  const found = await tx
    .selectFrom('number_settings')
    .select('set_to')
    .where('period_id', '=', period_id)
    .where('bet_type', '=', bet_type)
    .where('quota_key', '=', quota_key)
    .executeTakeFirst()
  return found?.set_to ?? 'open'
}

export const unnestedKeys = (keys: readonly QuotaKey[]) => sql`
  unnest(${keys.map((key) => key.bet_type)}::text[], ${keys.map((key) => key.quota_key)}::text[])
    with ordinality as given (bet_type, quota_key, place)`

export interface QuotaRecord extends QuotaKey {
  /** Null: no limit. */
  full_satang: number | null
  half_satang: number | null
  accepted_satang: number
  set_to: NumberQuota['set_to']
}

/**
 * The numbers of a period that were bet on or set by hand.
 * @param which `limited`: only those that have a limit or are not open; the others have nothing to show to members
 */
export async function listQuotaRecords(db: Db, period_id: number, which: 'all' | 'limited'): Promise<QuotaRecord[]> {
  const { rows } = await sql<QuotaRecord>`
    select quotas.bet_type, quota_key, least(in_force.full_satang, own_full_satang) as full_satang,
      least(in_force.full_satang + in_force.half_satang, own_full_satang + own_half_satang)
        - least(in_force.full_satang, own_full_satang) as half_satang, accepted_satang, set_to
    from number_quotas quotas left join quotas_in_force in_force
      on in_force.period_id = quotas.period_id and in_force.bet_type = quotas.bet_type and package_code is null
    where quotas.period_id = ${period_id} and (${which === 'all'} or in_force.full_satang is not null
      or own_full_satang is not null or set_to <> 'open')
    order by quotas.bet_type, quota_key`.execute(db)
  return rows
}
