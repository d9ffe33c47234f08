// Maintenance keeps members out of the whole application, or of placing tickets on one market; office users may still
// enter. Every call checks it, as part of a query that runs anyway.

import type { Maintenance } from '@megalot/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/db.ts'
import { Refusal } from '../../platform/refusal.ts'
import { writeAudit } from '../audit/index.ts'

/** The scope of a maintenance of the whole application; markets use their code. */
const EVERYTHING = ''

const DEFAULT_TH = 'ระบบปิดปรับปรุงชั่วคราว กรุณาลองใหม่ภายหลัง'
const DEFAULT_EN = 'Down for maintenance for a while. Please try again later'

interface MaintenanceRecord {
  scope: string
  message_th: string
  message_en: string
  until_at: Date | null
}

function toMaintenance({ message_th, message_en, until_at }: MaintenanceRecord): Maintenance {
  return { message_th, message_en, until_at: until_at?.toISOString() ?? null }
}

export interface Maintenances {
  is_maintained: boolean
  maintenance: Maintenance | null
  products: ({ product_code: string } & Maintenance)[]
}

/** The scopes that are in maintenance now. */
export async function listMaintenances(db: Db): Promise<Maintenances> {
  const rows: MaintenanceRecord[] = await db
    .selectFrom('maintenances')
    .select(['scope', 'message_th', 'message_en', 'until_at'])
    .orderBy('scope')
    .execute()
  const whole = rows.find(({ scope }) => scope === EVERYTHING)
  return {
    is_maintained: whole !== undefined,
    maintenance: whole ? toMaintenance(whole) : null,
    products: rows
      .filter(({ scope }) => scope !== EVERYTHING)
      .map((row) => ({ product_code: row.scope, ...toMaintenance(row) })),
  }
}

/** SQL that is true while the whole application is in maintenance: for statements that run anyway. */
export const isInMaintenance = sql<boolean>`exists (select 1 from maintenances where scope = ${sql.lit(EVERYTHING)})`

/** SQL for the message to members about the market of that column, as JSON; null while it is not in maintenance. */
export function maintenanceOfProduct(column: string): RawBuilder<Maintenance | null> {
  return maintenanceOf(sql.ref(column))
}

/** The same for the whole application. */
export const maintenanceOfEverything = maintenanceOf(sql.lit(EVERYTHING))

function maintenanceOf(scope: RawBuilder<unknown>): RawBuilder<Maintenance | null> {
  return sql`(
    select json_build_object('message_th', message_th, 'message_en', message_en,
      'until_at', to_char(until_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
    from maintenances where scope = ${scope})`
}

/** @throws Refusal maintenance, with the message to members, while the application is in maintenance */
export async function refuseInMaintenance(db: Db): Promise<void> {
  const { maintenance } = await listMaintenances(db)
  if (maintenance) throw new Refusal('maintenance', { ...maintenance })
}

export interface MaintenanceChange {
  /** Absent: everything. */
  product_code?: string | undefined
  is_on: boolean
  message_th?: string | undefined
  message_en?: string | undefined
  until_at?: string | undefined
  reason: string
}

/** Begins, changes or ends maintenance. @throws Refusal unknown_product */
export async function setMaintenance(db: Db, actor_id: number, change: MaintenanceChange): Promise<void> {
  const { product_code, is_on, message_th = DEFAULT_TH, message_en = DEFAULT_EN, until_at, reason } = change
  const scope = product_code ?? EVERYTHING
  await db.transaction().execute(async (tx) => {
    if (product_code !== undefined) {
      const product = await tx.selectFrom('products').select('product_code').where('product_code', '=', scope).execute()
      if (product.length === 0) throw new Refusal('unknown_product')
    }
    const values = {
      message_th,
      message_en,
      until_at: until_at === undefined ? null : new Date(until_at),
      set_by: actor_id,
    }
    if (is_on)
      await tx
        .insertInto('maintenances')
        .values({ scope, ...values })
        .onConflict((on) => on.column('scope').doUpdateSet(values))
        .execute()
    else await tx.deleteFrom('maintenances').where('scope', '=', scope).execute()
    await writeAudit(tx, {
      actor_id,
      action: is_on ? 'begin_maintenance' : 'end_maintenance',
      subject: product_code === undefined ? 'product' : `product:${product_code}`,
      ...(is_on ? { after: { message_th, message_en, until_at } } : {}),
      reason,
    })
  })
}
