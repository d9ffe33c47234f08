import { useStore } from 'zustand'
import { persist } from 'zustand/middleware'
import { createStore } from 'zustand/vanilla'
import { SLIP_KEY_PREFIX } from '../../../lib/device/storage-keys.ts'
import { keepAnswers, readAnswers } from '../ticket/kept-answers.ts'
import type { Answers } from '../ticket/kept-answers.ts'
import { listPending, nameOfTab } from '../ticket/pending-tickets.ts'
import type { PendingTicket } from '../ticket/pending-tickets.ts'
import { createDraftWriter } from './draft-writer.ts'
import { growRows, isEmptyRow } from './slip-rows.ts'
import type { SlipRow } from './slip-rows.ts'
import { readSlip, slipForm, slipName } from './stored-slip.ts'
import type { StoredSlip } from './stored-slip.ts'

/** The state of a ticket that this page has sent or looks for. */
export type OnItsWay =
  | 'sending'
  /** The service is away: it is sent again by itself. */
  | 'queued'
  /** Its reply was lost. */
  | 'looking'
  /** It was sent before this page was opened. */
  | 'resuming'
  /** The server cannot be reached to ask. */
  | 'waiting'

/** Changes that can be undone; only this page knows them. */
interface UndoHistory {
  /** The rows before each of the last changes. */
  past: readonly (readonly SlipRow[])[]
  /** The subject of the last change. Consecutive changes of one cell are undone together. */
  past_mark: string | null
}

/** A ticket that was sent; only this page knows it, and finds it again among the pending tickets of the device. */
interface SentTicket {
  /** Its outcome is not known yet; stored under a name of its own before it is sent. */
  pending: PendingTicket | null
  /** Null where the page neither sends the ticket nor looks for it. */
  on_its_way: OnItsWay | null
}

/**
 * A draft slip: of one user, one market, one period, on this device. What is stored of it (`StoredSlip`) is the same in all
 * tabs: what one writes the others take over, so that a slip sent in one is not still waiting in another.
 */
export interface Draft extends StoredSlip, UndoHistory, SentTicket, Answers {}

const KEEP_MS = 7 * 24 * 3_600_000
const MAX_UNDO_STEPS = 50

function emptyDraft(): Draft {
  return {
    rows: growRows([]),
    note: '',
    package_code: null,
    kept_duplicates: [],
    past: [],
    past_mark: null,
    pending: null,
    on_its_way: null,
    unsent: null,
    batch: null,
    answer: null,
    not_placed: null,
    changed_ms: 0,
  }
}

type KeptDraft = Pick<Draft, 'rows' | 'note' | 'package_code' | 'kept_duplicates' | 'unsent' | 'batch' | 'changed_ms'>

function makeSlipStore(name: string) {
  const writer = createDraftWriter<KeptDraft>()
  const store = createStore<Draft>()(
    persist(emptyDraft, {
      name,
      storage: writer.storage,
      partialize: ({ rows, note, package_code, kept_duplicates, unsent, batch, changed_ms }) => ({
        rows,
        note,
        package_code,
        kept_duplicates,
        unsent,
        batch,
        changed_ms,
      }),
      merge: (stored, current) => {
        const slip = slipForm.read(stored, slipForm.version)
        return slip === null ? current : { ...current, ...slip, rows: growRows(slip.rows) }
      },
    }),
  )
  store.setState(readAnswers(name))
  store.subscribe((draft, before) => {
    if (draft.answer !== before.answer || draft.not_placed !== before.not_placed) keepAnswers(name, draft)
  })
  window.addEventListener('storage', (event) => {
    // A ticket on its way must find the rows it was made from.
    if (event.key !== name || event.newValue === null || store.getState().pending !== null) return
    writer.drop()
    void store.persist.rehydrate()
  })
  return Object.assign(store, { writeAfterFrame: writer.writeAfterFrame })
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
  const name = slipName(user_id, product_code, period_code)
  let store = stores.get(name)
  if (store === undefined) {
    dropOldDrafts()
    store = makeSlipStore(name)
    stores.set(name, store)
    const { rows, batch } = store.getState()
    const rows_text = JSON.stringify(rows)
    const pending = listPending(user_id).find(
      (ticket) =>
        ticket.product_code === product_code &&
        ticket.body.period_code === period_code &&
        // A ticket sent by another tab is shown here too if it is this slip, because that tab may be closed.
        (ticket.tab === nameOfTab() ||
          ticket.rows_text === rows_text ||
          ticket.body.request_id === batch?.waiting[0]?.body.request_id),
    )
    if (pending !== undefined) store.setState({ pending })
  }
  return store
}

/** Selects a part of the draft. Its user renders again only when that part changes. */
export function useDraft<Value>(store: SlipStore, select: (draft: Draft) => Value): Value {
  return useStore(store, select)
}

export function changeDraft(store: SlipStore, change: Partial<Draft>): void {
  store.setState({ ...change, changed_ms: Date.now() })
}

/** Changes the rows so that it can be undone. Changes in a row with the same mark are undone as one. */
export function editRows(store: SlipStore, rows: readonly SlipRow[], mark: string | null = null): void {
  const before = store.getState()
  if (rows === before.rows) return
  const isContinued = mark !== null && mark === before.past_mark
  const past = isContinued ? before.past : [...before.past, before.rows].slice(-MAX_UNDO_STEPS)
  store.writeAfterFrame(() => changeDraft(store, { rows, past, past_mark: mark }))
}

/** Takes the last change back; false where there is none. */
export function undoEdit(store: SlipStore): boolean {
  const { past } = store.getState()
  const rows = past.at(-1)
  if (rows === undefined) return false
  changeDraft(store, { rows, past: past.slice(0, -1), past_mark: null })
  return true
}

/** Empties the slip after it was sent or thrown away for good: there is nothing to go back to. */
export function clearDraft(store: SlipStore): void {
  changeDraft(store, emptySlip())
}

function emptySlip() {
  return { rows: growRows([]), note: '', kept_duplicates: [], past: [], past_mark: null, unsent: null }
}

/** The draft without the rows that became a ticket. A row that was changed meanwhile stays. */
export function withoutSent({ rows }: Draft, sent: readonly SlipRow[]): Partial<Draft> {
  const texts = new Set(sent.map((row) => JSON.stringify(row)))
  const left = rows.filter((row) => isEmptyRow(row) || !texts.has(JSON.stringify(row)))
  if (left.length === rows.length) return {}
  return left.every(isEmptyRow) ? emptySlip() : { rows: growRows(left), past: [], past_mark: null }
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
    if ((readSlip(key)?.changed_ms ?? 0) < Date.now() - KEEP_MS) localStorage.removeItem(key)
  }
}
