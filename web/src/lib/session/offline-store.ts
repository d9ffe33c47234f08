import { create } from 'zustand'

/** Whether the product could not be asked who is here, and shows what it can without that. */
export const useOffline = create<{ isOffline: boolean }>()(() => ({ isOffline: false }))

/**
 * Whether this page may stand without a network. It does where the device keeps the product: browsers are often wrong
 * about whether there is a network, but a page that comes from the device says nothing about it either.
 */
export function opensOffline(): boolean {
  return !navigator.onLine || Boolean(navigator.serviceWorker?.controller)
}
