import type { PlaceOrderBody } from '@megalot/contract'
import { useMemo, useSyncExternalStore } from 'react'
import { keepOnDevice } from '../../../lib/device/device-storage.ts'
import { isRecord, parseStored, readStored, readStoredText, writeStored } from '../../../lib/device/stored-value.ts'
import type { StoredForm } from '../../../lib/device/stored-value.ts'
import { randomUuid } from '../../../lib/device/random-uuid.ts'
import { TAB_KEY } from '../../../lib/device/page-storage-keys.ts'
import { PENDING_KEY_PREFIX } from '../../../lib/device/storage-keys.ts'

// Tickets that were sent and whose outcome is not known yet. Each has a name of its own in local storage, written before
// the ticket leaves: no draft and no other tab can overwrite it, and whatever happens to the page, it is found again.

export interface PendingTicket {
  user_id: number
  product_code: string
  /** The tab that sent it. */
  tab: string
  /** When it was sent first. */
  sent_ms: number
  /** When it was sent last: it is sent again by itself while the service is away. */
  last_sent_ms: number
  body: PlaceOrderBody
  /** The rows of the slip it was made from: only these are cleared once the ticket is placed. */
  rows_text: string
}

/** The name of this tab; it lives through reloads, and ends with the tab. */
export function nameOfTab(): string {
  let name = readStoredText(TAB_KEY, () => sessionStorage)
  if (name === null) {
    name = randomUuid()
    sessionStorage.setItem(TAB_KEY, name)
  }
  return name
}

const listeners = new Set<() => void>()

function notifyListeners(): void {
  for (const listener of listeners) listener()
}

function nameOf({ user_id, body }: PendingTicket): string {
  return `${PENDING_KEY_PREFIX}${user_id}.${body.request_id}`
}

/** Remembers a ticket that is about to be sent; false where this device has no room, and then it must not be sent. */
export function keepPending(ticket: PendingTicket): boolean {
  const isKept = keepOnDevice(nameOf(ticket), writeStored(pendingForm, ticket))
  if (isKept) notifyListeners()
  return isKept
}

/**
 * Remembers that a ticket is about to be sent again; false where it must not be: it is pending no more, because another tab has
 * looked it up and has shown its member the outcome, or the device has no room.
 */
export function keepSentAgain(ticket: PendingTicket): boolean {
  return findPending(ticket) !== null && keepPending({ ...ticket, last_sent_ms: Date.now() })
}

/** When a ticket was sent last, by whichever tab, in ms since 1970. */
export function readLastSent(ticket: PendingTicket): number {
  return (findPending(ticket) ?? ticket).last_sent_ms
}

function findPending(ticket: PendingTicket): PendingTicket | null {
  return readStored(pendingForm, nameOf(ticket))
}

export function deletePending(ticket: PendingTicket): void {
  localStorage.removeItem(nameOf(ticket))
  notifyListeners()
}

/** A ticket without which nothing can be looked up is none; its other fields are as this web stored them. */
const pendingForm: StoredForm<PendingTicket> = {
  version: 0,
  read: (stored) =>
    isRecord(stored) && isRecord(stored['body']) && typeof stored['body']['request_id'] === 'string'
      ? (stored as unknown as PendingTicket)
      : null,
}

/** All stored tickets of a member as one text, a line each: the same text as long as nothing has changed. */
function readAll(user_id: number): string {
  const prefix = `${PENDING_KEY_PREFIX}${user_id}.`
  return Object.keys(localStorage)
    .filter((key) => key.startsWith(prefix))
    .sort()
    .map((key) => readStoredText(key) ?? '')
    .join('\n')
}

function parse(text: string): readonly PendingTicket[] {
  return text.split('\n').flatMap((line) => parseStored(pendingForm, line) ?? [])
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

/** The member's pending tickets, also of other tabs, as they change. */
export function usePendingTickets(user_id: number): readonly PendingTicket[] {
  const text = useSyncExternalStore(subscribe, () => readAll(user_id))
  return useMemo(() => parse(text), [text])
}
