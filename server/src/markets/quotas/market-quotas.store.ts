import type { MarketQuota } from '@megalot/contract'
import { sql } from 'kysely'
import type { Db, Tx } from '../../postgres/db.ts'

/** Locks a quota against other changes until the transaction ends, if there is one. */
export async function lockMarketQuota(
  tx: Tx,
  { product_code, bet_type }: Pick<MarketQuota, 'product_code' | 'bet_type'>,
): Promise<void> {
  await sql`select 1 from market_quotas where product_code = ${product_code} and bet_type = ${bet_type} for update`.execute(
    tx,
  )
}

/** The quota of a bet type of a market; undefined: it has no limit. */
export async function findMarketQuota(
  db: Db,
  { product_code, bet_type }: Pick<MarketQuota, 'product_code' | 'bet_type'>,
): Promise<MarketQuota | undefined> {
  return db
    .selectFrom('market_quotas')
    .selectAll()
    .where('product_code', '=', product_code)
    .where('bet_type', '=', bet_type)
    .executeTakeFirst()
}

export async function saveMarketQuota(tx: Tx, quota: MarketQuota): Promise<void> {
  const { full_satang, half_satang } = quota
  await tx
    .insertInto('market_quotas')
    .values(quota)
    .onConflict((on) => on.columns(['product_code', 'bet_type']).doUpdateSet({ full_satang, half_satang }))
    .execute()
}

export async function listMarketQuotas(db: Db): Promise<MarketQuota[]> {
  return db.selectFrom('market_quotas').selectAll().orderBy('product_code').orderBy('bet_type').execute()
}
