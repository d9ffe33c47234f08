import { useCallback, useSyncExternalStore } from 'react'

// Times count down from the server's clock: a phone may be minutes wrong, and minutes decide whether a bet is taken.

let offsetMs = 0

/** Learns the difference to the server from a reply's `now`; half the way there and back is taken off. */
export function observeServerNow(now: string, sentMs: number, receivedMs: number): void {
  offsetMs = Date.parse(now) - (sentMs + receivedMs) / 2
}

export function serverNowMs(): number {
  return Date.now() + offsetMs
}

const listeners = new Set<() => void>()
let timer: ReturnType<typeof setTimeout> | undefined
let secondNow = 0

/** One timer for all clocks on screen, on the server's full second, so that they tick together. */
function tick(): void {
  secondNow = Math.floor(serverNowMs() / 1000)
  for (const listener of listeners) listener()
  if (listeners.size > 0) timer = setTimeout(tick, 1000 - (serverNowMs() % 1000) + 5)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  if (listeners.size === 1) {
    clearTimeout(timer)
    timer = setTimeout(tick, 1000 - (serverNowMs() % 1000) + 5)
  }
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) clearTimeout(timer)
  }
}

/**
 * A value made from the server's time. The component renders again only when the value changes: a list that asks
 * "which markets are open" renders once a market opens or closes, not every second. `read` must give a primitive.
 */
export function useServerTime<T extends string | number | boolean | null>(read: (nowMs: number) => T): T {
  const snapshot = useCallback(() => {
    if (listeners.size === 0) secondNow = Math.floor(serverNowMs() / 1000)
    return read(secondNow * 1000)
  }, [read])
  return useSyncExternalStore(subscribe, snapshot)
}
