import type { PlaceOrderBody } from '@megalot/contract'
import { useMemo, useSyncExternalStore } from 'react'
import { keepOnDevice } from '../../../lib/device/device-storage.ts'
import { randomUuid } from '../../../lib/device/random-uuid.ts'
import { PENDING_KEY_PREFIX, TAB_KEY } from '../../../lib/device/storage-keys.ts'

// Tickets that were sent and whose fate is not known yet. Each has a name of its own in local storage, written before
// the ticket leaves: no draft and no other tab can overwrite it, and whatever happens to the page, it is found again.

export interface PendingTicket {
  user_id: number
  product_code: string
  /** The tab that sent it. */
  tab: string
  sent_ms: number
  body: PlaceOrderBody
  /** The rows of the slip it was made from: only these are cleared once the ticket is placed. */
  rows_text: string
}

/** The name of this tab; it lives through reloads, and ends with the tab. */
export function nameOfTab(): string {
  let name = sessionStorage.getItem(TAB_KEY)
  if (name === null) {
    name = randomUuid()
    sessionStorage.setItem(TAB_KEY, name)
  }
  return name
}

const listeners = new Set<() => void>()

function tellListeners(): void {
  for (const listener of listeners) listener()
}

function nameOf({ user_id, body }: PendingTicket): string {
  return `${PENDING_KEY_PREFIX}${user_id}.${body.request_id}`
}

/** Remembers a ticket that is about to be sent; false where this device has no room, and then it must not be sent. */
export function keepPending(ticket: PendingTicket): boolean {
  const isKept = keepOnDevice(nameOf(ticket), JSON.stringify(ticket))
  if (isKept) tellListeners()
  return isKept
}

export function forgetPending(ticket: PendingTicket): void {
  localStorage.removeItem(nameOf(ticket))
  tellListeners()
}

/** All stored tickets of a member as one text: the same text as long as nothing has changed. */
function readAll(user_id: number): string {
  const prefix = `${PENDING_KEY_PREFIX}${user_id}.`
  const texts = Object.keys(localStorage)
    .filter((key) => key.startsWith(prefix))
    .sort()
    .map((key) => localStorage.getItem(key) ?? 'null')
  return `[${texts.join(',')}]`
}

function parse(text: string): readonly PendingTicket[] {
  try {
    return JSON.parse(text) as readonly PendingTicket[]
  } catch {
    return []
  }
}

export function listPending(user_id: number): readonly PendingTicket[] {
  return parse(readAll(user_id))
}

function subscribe(listener: () => void): () => void {
  const follow = (event: StorageEvent): void => {
    if (event.key?.startsWith(PENDING_KEY_PREFIX) === true) listener()
  }
  listeners.add(listener)
  window.addEventListener('storage', follow)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', follow)
  }
}

/** The member's pending tickets, those of other tabs too, as they come and go. */
export function usePendingTickets(user_id: number): readonly PendingTicket[] {
  const text = useSyncExternalStore(subscribe, () => readAll(user_id))
  return useMemo(() => parse(text), [text])
}
