import { keepOnDevice } from '../../../lib/device/device-storage.ts'
import { isRecord, readStored, writeStored } from '../../../lib/device/stored-value.ts'
import type { StoredForm } from '../../../lib/device/stored-value.ts'
import { MARKET_NAMES_KEY } from '../../../lib/device/page-storage-keys.ts'
import { SLIP_KEY_PREFIX } from '../../../lib/device/storage-keys.ts'
import { listPending } from '../ticket/pending-tickets.ts'
import { isEmptyRow } from './slip-rows.ts'
import type { SlipRow } from './slip-rows.ts'
import { readSlip } from './stored-slip.ts'

// The drafts on this device, read without the server.

interface MarketNames {
  name_th: string
  name_en: string
}

type NamesByMarket = Readonly<Record<string, MarketNames>>

const namesForm: StoredForm<NamesByMarket> = {
  version: 0,
  read: (stored) => {
    if (!isRecord(stored)) return null
    return Object.fromEntries(
      Object.entries(stored).flatMap(([product_code, names]) =>
        isRecord(names) && typeof names['name_th'] === 'string' && typeof names['name_en'] === 'string'
          ? [[product_code, { name_th: names['name_th'], name_en: names['name_en'] }]]
          : [],
      ),
    )
  },
}

function readNames(): NamesByMarket {
  return readStored(namesForm, MARKET_NAMES_KEY) ?? {}
}

/** Remembers how a market is called: its drafts are shown without a network too. */
export function rememberMarketName({ product_code, name_th, name_en }: MarketNames & { product_code: string }): void {
  const names = readNames()
  const known = names[product_code]
  if (known?.name_th === name_th && known.name_en === name_en) return
  keepOnDevice(MARKET_NAMES_KEY, writeStored(namesForm, { ...names, [product_code]: { name_th, name_en } }))
}

export interface KeptSlip {
  /** Its name in the storage of the device. */
  key: string
  product_code: string
  /** Null where the market was never opened on this device. */
  names: MarketNames | null
  rows: readonly SlipRow[]
  changed_ms: number
  /** Whether it was sent and its outcome is not known yet. */
  is_pending: boolean
}

/** The drafts of a user on this device that hold anything, the last changed first. */
export function listKeptSlips(user_id: number): readonly KeptSlip[] {
  const prefix = `${SLIP_KEY_PREFIX}${user_id}.`
  const names = readNames()
  const pending = listPending(user_id)
  return Object.keys(localStorage)
    .filter((key) => key.startsWith(prefix))
    .map((key): KeptSlip => {
      const { rows, changed_ms } = readSlip(key) ?? { rows: [], changed_ms: 0 }
      const [product_code = '', ...period] = key.slice(prefix.length).split('.')
      const rows_text = JSON.stringify(rows)
      return {
        key,
        product_code,
        names: names[product_code] ?? null,
        rows: rows.filter((row) => !isEmptyRow(row)),
        changed_ms,
        is_pending: pending.some(
          (ticket) => ticket.body.period_code === period.join('.') && ticket.rows_text === rows_text,
        ),
      }
    })
    .filter(({ rows }) => rows.length > 0)
    .toSorted((a, b) => b.changed_ms - a.changed_ms)
}
