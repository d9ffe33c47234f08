// The prices that stand for the next numbers. They outlast a change of the entry style and a reload.

import { stakeColumns } from '@megalot/rules'
import type { StakeColumn } from '@megalot/rules'
import { keepOnDevice } from '../../../lib/device/device-storage.ts'
import { PRICES_KEY_PREFIX } from '../../../lib/device/page-storage-keys.ts'
import { isRecord, readStored, writeStored } from '../../../lib/device/stored-value.ts'
import type { StoredForm } from '../../../lib/device/stored-value.ts'

/** One price for each column, in whole Baht as typed. An absent or empty one is not bet on. */
export type Prices = Readonly<Partial<Record<StakeColumn, string>>>

interface KeptPrices {
  product_code: string
  prices: Prices
}

const PRICE = /^[1-9][0-9]{0,6}$/

const pricesForm: StoredForm<KeptPrices> = {
  version: 0,
  read: (stored) => {
    if (!isRecord(stored) || typeof stored['product_code'] !== 'string' || !isRecord(stored['prices'])) return null
    const { product_code, prices } = stored
    const texts = stakeColumns.map((column) => [column, prices[column]] as const)
    return { product_code, prices: Object.fromEntries(texts.filter(([, text]) => PRICE.test(String(text)))) }
  },
}

/** The member's prices on this device. Roll and front hold for one market: the next one must not bet on them unasked. */
export function readPrices(user_id: number, product_code: string): Prices {
  const kept = readStored(pricesForm, PRICES_KEY_PREFIX + user_id)
  if (kept === null) return {}
  if (kept.product_code === product_code) return kept.prices
  const { roll: _roll, front: _front, ...lasting } = kept.prices
  return lasting
}

export function keepPrices(user_id: number, product_code: string, prices: Prices): void {
  keepOnDevice(PRICES_KEY_PREFIX + user_id, writeStored(pricesForm, { product_code, prices }))
}
