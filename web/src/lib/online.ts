import { useSyncExternalStore } from 'react'

/** Whether the device says that it has no network; what it takes for one may still lead nowhere. */
export function isOffline(): boolean {
  return !navigator.onLine
}

function subscribe(listener: () => void): () => void {
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)
  return () => {
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}

export function useIsOnline(): boolean {
  return useSyncExternalStore(subscribe, () => !isOffline())
}
