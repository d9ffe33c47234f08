// Maintenance keeps members out of the whole application, or from placing tickets in one market; office users may still
// enter. Every call checks it, as part of a query that runs anyway.

import * as contract from '@megalot/contract'
import type { Maintenance } from '@megalot/contract'
import * as z from 'zod/mini'
import { defineChange } from '../../changes/index.ts'
import type { Db, Tx } from '../../postgres/db.ts'
import { Refusal } from '../../lib/refusal.ts'
import { writeAudit } from '../../changes/audit/index.ts'
import { EVERYTHING } from '../../changes/callers/index.ts'
import {
  deleteMaintenance,
  isProduct,
  listMaintenanceRecords,
  lockMaintenance,
  type MaintenanceRecord,
  saveMaintenance,
} from './maintenance.store.ts'

const DEFAULT_TH = 'ระบบปิดปรับปรุงชั่วคราว กรุณาลองใหม่ภายหลัง'
const DEFAULT_EN = 'Down for maintenance for a while. Please try again later'

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
  const records = await listMaintenanceRecords(db)
  const whole = records.find(({ scope }) => scope === EVERYTHING)
  return {
    is_maintained: whole !== undefined,
    maintenance: whole ? toMaintenance(whole) : null,
    products: records
      .filter(({ scope }) => scope !== EVERYTHING)
      .map((record) => ({ product_code: record.scope, ...toMaintenance(record) })),
  }
}

/** @throws Refusal maintenance, with the message to members, while the application is in maintenance */
export async function refuseInMaintenance(db: Db): Promise<void> {
  const { maintenance } = await listMaintenances(db)
  if (maintenance) throw new Refusal('maintenance', { ...maintenance })
}

/**
 * Starts, changes or ends maintenance.
 * @throws Refusal unknown_product
 */
export const setMaintenance = defineChange({
  name: 'set_maintenance',
  needs: 'maintenance.do',
  input: z.omit(contract.setMaintenance.body, { reason: true }),
  locks: ({ product_code: scope = EVERYTHING }) => [
    { rank: 'settings', key: `maintenance:${scope}`, take: (tx) => lockMaintenance(tx, scope) },
  ],
  async load({ tx }, { product_code }) {
    if (product_code !== undefined && !(await isProduct(tx, product_code))) throw new Refusal('unknown_product')
  },
  decide(_state, { product_code, is_on, until_at, message_th = DEFAULT_TH, message_en = DEFAULT_EN }) {
    const scope = product_code ?? EVERYTHING
    const until = until_at === undefined ? null : new Date(until_at)
    return {
      plan: { scope, content: is_on ? { message_th, message_en, until_at: until } : null },
      rows: [
        {
          action: is_on ? 'begin_maintenance' : 'end_maintenance',
          subject: product_code === undefined ? 'product' : `product:${product_code}`,
          ...(is_on && { after: { message_th, message_en, until_at } }),
        },
      ],
    }
  },
  async write({ tx, by }, { scope, content }) {
    if (content) await saveMaintenance(tx, { scope, ...content, set_by: by.caller.actor_id })
    else await deleteMaintenance(tx, scope)
  },
})

/** Starts maintenance of the whole application on behalf of the system. Running maintenance gets the usual message. */
export async function beginMaintenanceOfEverything(tx: Tx, reason: string, address: string): Promise<void> {
  const message = { message_th: DEFAULT_TH, message_en: DEFAULT_EN }
  await saveMaintenance(tx, { scope: EVERYTHING, ...message, until_at: null, set_by: null })
  await writeAudit(tx, {
    actor_id: null,
    address,
    action: 'begin_maintenance',
    subject: 'product',
    after: message,
    reason,
  })
}
