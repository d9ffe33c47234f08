import type { Db, Tx } from '../../postgres/db.ts'

/** A running maintenance. */
export interface MaintenanceRecord {
  /** A market's code, or `EVERYTHING`. */
  scope: string
  message_th: string
  message_en: string
  until_at: Date | null
}

export async function listMaintenanceRecords(db: Db): Promise<MaintenanceRecord[]> {
  return db
    .selectFrom('maintenances')
    .select(['scope', 'message_th', 'message_en', 'until_at'])
    .orderBy('scope')
    .execute()
}

export async function isProduct(tx: Tx, product_code: string): Promise<boolean> {
  const found = await tx
    .selectFrom('products')
    .select('product_code')
    .where('product_code', '=', product_code)
    .executeTakeFirst()
  return found !== undefined
}

/** Locks a running maintenance against other changes until the transaction ends. */
export async function lockMaintenance(tx: Tx, scope: string): Promise<void> {
  await tx.selectFrom('maintenances').select('scope').where('scope', '=', scope).forUpdate().execute()
}

export async function saveMaintenance(
  tx: Tx,
  { scope, ...content }: MaintenanceRecord & { set_by: number | null },
): Promise<void> {
  await tx
    .insertInto('maintenances')
    .values({ scope, ...content })
    .onConflict((on) => on.column('scope').doUpdateSet(content))
    .execute()
}

export async function deleteMaintenance(tx: Tx, scope: string): Promise<void> {
  await tx.deleteFrom('maintenances').where('scope', '=', scope).execute()
}
