import type { PlaceOrderBody } from '@megalot/contract'
import { SLIP_KEY_PREFIX } from '../../../lib/device/storage-keys.ts'
import { isRecord, readStored, readTexts } from '../../../lib/device/stored-value.ts'
import type { StoredForm } from '../../../lib/device/stored-value.ts'
import { readBatch } from './ticket-batch.ts'
import type { TicketBatch } from './ticket-batch.ts'
import type { SlipRow } from './slip-rows.ts'

// The stored form of a draft slip, for its store and for the list of drafts on this device.

export interface StoredSlip {
  rows: readonly SlipRow[]
  note: string
  package_code: string | null
  kept_duplicates: readonly string[]
  /** A ticket that was sent and never arrived. */
  unsent: PlaceOrderBody | null
  /** The slip is being sent as several tickets, or was and the member has not read the outcome. */
  batch: TicketBatch | null
  changed_ms: number
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

function readRow(stored: unknown): readonly SlipRow[] {
  if (!isRecord(stored) || typeof stored['id'] !== 'number') return []
  const { id, number, top, bottom, roll, front } = stored
  const [numberText, ...amounts] = [number, top, bottom, roll, front].map(textOf)
  const [topText = '', bottomText = '', rollText = '', frontText = ''] = amounts
  return [{ id, number: numberText ?? '', top: topText, bottom: bottomText, roll: rollText, front: frontText }]
}

function readTicket(stored: unknown): PlaceOrderBody | null {
  return isRecord(stored) && typeof stored['request_id'] === 'string' && Array.isArray(stored['items'])
    ? (stored as PlaceOrderBody)
    : null
}

/** The form of a draft. Drafts once held their pending ticket: it keeps its id, so that it cannot be placed twice. */
export const slipForm: StoredForm<StoredSlip> = {
  version: 0,
  read: (stored) => {
    if (!isRecord(stored)) return null
    const { rows, note, package_code, kept_duplicates, unsent, pending, batch, changed_ms } = stored
    return {
      rows: Array.isArray(rows) ? rows.flatMap(readRow) : [],
      note: textOf(note),
      package_code: typeof package_code === 'string' ? package_code : null,
      kept_duplicates: readTexts(kept_duplicates),
      unsent: readTicket(pending) ?? readTicket(unsent),
      batch: readBatch(batch),
      changed_ms: typeof changed_ms === 'number' ? changed_ms : 0,
    }
  },
}

/** The name of a draft in the storage of the device. */
export function slipName(user_id: number, product_code: string, period_code: string): string {
  return `${SLIP_KEY_PREFIX}${user_id}.${product_code}.${period_code}`
}

/** A draft of this device by its name; null where there is none. */
export function readSlip(name: string): StoredSlip | null {
  return readStored(slipForm, name)
}
