// Requests that the page's first script starts before any other code is there. The HTTP client takes each reply once.

import type { Language } from '@megalot/contract'
import { IDLE_HEADER } from '@megalot/contract/browser'

export interface EarlyReply {
  session_token: string
  language: Language
  sent_ms: number
  /** When the reply's headers arrived; null before. */
  received_ms: number | null
  response: Promise<Response>
}

declare global {
  interface Window {
    /** By address. Absent where the first script started nothing. */
    megalotEarlyReplies?: Map<string, EarlyReply>
  }
}

/** A later caller gets a fresh reply. */
const MAX_AGE_MS = 10_000
const TIMEOUT_MS = 20_000

/** Starts a GET request of a signed-in user. @param address path and query */
export function startEarlyRequest(address: string, session_token: string, language: Language): void {
  const response = fetch(address, {
    headers: {
      'Accept-Language': language,
      Authorization: `Bearer ${session_token}`,
      // A person has just opened this page.
      [IDLE_HEADER]: '0',
    },
    cache: 'no-store',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  const early: EarlyReply = { session_token, language, sent_ms: Date.now(), received_ms: null, response }
  // The reply's user handles a failure. An unused reply needs no handling.
  response.then(() => (early.received_ms = Date.now())).catch(() => {})
  window.megalotEarlyReplies ??= new Map()
  window.megalotEarlyReplies.set(address, early)
}

/** Takes the reply of an early request out, or null where there is none for this session and language. */
export function takeEarlyReply(address: string, session_token: string | null, language: Language): EarlyReply | null {
  const replies = typeof window === 'undefined' ? undefined : window.megalotEarlyReplies
  const early = replies?.get(address)
  if (early === undefined) return null
  replies?.delete(address)
  const isFresh = Date.now() - early.sent_ms < MAX_AGE_MS
  return isFresh && early.session_token === session_token && early.language === language ? early : null
}
