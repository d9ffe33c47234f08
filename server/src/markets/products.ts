// Records of markets.

import type { Product } from '@megalot/contract'
import type { Db } from '../postgres/db.ts'
import { Refusal } from '../lib/refusal.ts'

const productColumns = [
  'product_code',
  'name_th',
  'name_en',
  'group_code',
  'country_code',
  'bet_types',
  'result_form',
  'is_enabled',
  'cancel_rules',
] as const

export async function listProducts(db: Db): Promise<Product[]> {
  return db.selectFrom('products').select(productColumns).orderBy('position').execute()
}

/** Which numbers win `3bottom`, by market. */
export async function listBottom3Sets(db: Db): Promise<Map<string, 'back' | 'front+back'>> {
  const rows = await db.selectFrom('products').select(['product_code', 'bottom3_set']).execute()
  return new Map(rows.map(({ product_code, bottom3_set }) => [product_code, bottom3_set]))
}

/** @throws Refusal unknown_product */
export async function getProduct(
  db: Db,
  product_code: string,
): Promise<Product & { bottom3_set: 'back' | 'front+back' }> {
  const product = await db
    .selectFrom('products')
    .select(productColumns)
    .select('bottom3_set')
    .where('product_code', '=', product_code)
    .executeTakeFirst()
  if (!product) throw new Refusal('unknown_product')
  return product
}

/**
 * A market as sent to clients.
 * @throws Refusal unknown_product
 */
export async function presentProduct(db: Db, product_code: string): Promise<Product> {
  const { bottom3_set: _, ...product } = await getProduct(db, product_code)
  return product
}
