import type { OrderSummary, PlaceOrderBody } from '@megalot/contract'
import { useStore } from 'zustand'
import { persist } from 'zustand/middleware'
import { createStore } from 'zustand/vanilla'
import type { FailureCode } from '../../lib/refusal.ts'
import { SLIP_KEY_PREFIX } from '../../lib/storage-keys.ts'
import { growRows } from './slip-rows.ts'
import type { SlipRow } from './slip-rows.ts'

/** Why a ticket was not placed. */
export type NotPlaced =
  | { kind: 'refused'; code: FailureCode; message: string }
  /** The server never got the ticket that was pending. */
  | { kind: 'absent' }

/** A draft slip: of one user, one market, one period, on this device. */
export interface Draft {
  rows: readonly SlipRow[]
  note: string
  package_code: string | null
  /** A ticket that was sent and whose fate is not known yet; saved before it is sent. */
  pending: PlaceOrderBody | null
  /** A ticket that was being sent when the page went away and never arrived: sent again unchanged, it keeps its id. */
  unsent: PlaceOrderBody | null
  /** A placed ticket the member has not acknowledged yet. */
  answer: OrderSummary | null
  /** A no that the member has not acknowledged yet. */
  not_placed: NotPlaced | null
  changed_ms: number
}

const KEEP_MS = 7 * 24 * 3_600_000

function emptyDraft(): Draft {
  return {
    rows: growRows([]),
    note: '',
    package_code: null,
    pending: null,
    unsent: null,
    answer: null,
    not_placed: null,
    changed_ms: 0,
  }
}

function makeSlipStore(name: string) {
  return createStore<Draft>()(persist(emptyDraft, { name }))
}
export type SlipStore = ReturnType<typeof makeSlipStore>

const stores = new Map<string, SlipStore>()

export interface SlipKey {
  user_id: number
  product_code: string
  period_code: string
}

/** The store of one draft; every draft has a name of its own in local storage, so that none overwrites another. */
export function slipStoreOf({ user_id, product_code, period_code }: SlipKey): SlipStore {
  const name = `${SLIP_KEY_PREFIX}${user_id}.${product_code}.${period_code}`
  let store = stores.get(name)
  if (store === undefined) {
    dropOldDrafts()
    store = makeSlipStore(name)
    stores.set(name, store)
  }
  return store
}

export function useDraft(store: SlipStore): Draft {
  return useStore(store)
}

export function changeDraft(store: SlipStore, change: Partial<Draft>): void {
  store.setState({ ...change, changed_ms: Date.now() })
}

export function clearDraft(store: SlipStore): void {
  changeDraft(store, { rows: growRows([]), note: '', pending: null, unsent: null })
}

/** The drafts a user has on this device for a market, but for one period. */
export function otherSlips({ user_id, product_code, period_code }: SlipKey): readonly SlipStore[] {
  const prefix = `${SLIP_KEY_PREFIX}${user_id}.${product_code}.`
  return Object.keys(localStorage)
    .filter((key) => key.startsWith(prefix) && key !== prefix + period_code)
    .map((key) => slipStoreOf({ user_id, product_code, period_code: key.slice(prefix.length) }))
}

/** Drafts of periods long gone would fill the storage in the end. */
function dropOldDrafts(): void {
  for (const key of Object.keys(localStorage)) {
    if (!key.startsWith(SLIP_KEY_PREFIX)) continue
    try {
      const { state } = JSON.parse(localStorage.getItem(key) ?? '{}') as { state?: Partial<Draft> }
      if ((state?.changed_ms ?? 0) < Date.now() - KEEP_MS) localStorage.removeItem(key)
    } catch {
      localStorage.removeItem(key)
    }
  }
}

/** The same slip in another tab: what is typed there shows here. */
export function followSlip(store: SlipStore): () => void {
  const name = store.persist.getOptions().name
  const follow = (event: StorageEvent): void => {
    if (event.key === name) void store.persist.rehydrate()
  }
  window.addEventListener('storage', follow)
  return () => window.removeEventListener('storage', follow)
}
