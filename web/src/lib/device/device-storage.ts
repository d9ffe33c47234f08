import { create } from 'zustand'
import type { PersistStorage } from 'zustand/middleware'
import { readStored } from './stored-value.ts'
import type { StoredForm } from './stored-value.ts'

// What this device keeps for the member. Local storage can be full or forbidden: then writing throws, and whoever relies
// on what is kept must know.

/** Whether the last attempt to keep something failed. */
export const useDeviceStorage = create<{ isFull: boolean }>()(() => ({ isFull: false }))

/** Keeps a text on this device; false where the device has no room for it. */
export function keepOnDevice(name: string, text: string): boolean {
  let isKept = true
  try {
    localStorage.setItem(name, text)
  } catch {
    isKept = false
  }
  if (useDeviceStorage.getState().isFull === isKept) useDeviceStorage.setState({ isFull: !isKept })
  return isKept
}

/** For stores that keep themselves: what cannot be written stays on screen, and `useDeviceStorage` reports it. */
export function deviceStorage<State>(): PersistStorage<State> {
  // The stores check what they take over.
  const form: StoredForm<State> = { version: 0, read: (stored) => stored as State }
  return {
    getItem: (name) => {
      const state = readStored(form, name)
      return state === null ? null : { state, version: form.version }
    },
    setItem: (name, value) => void keepOnDevice(name, JSON.stringify(value)),
    removeItem: (name) => localStorage.removeItem(name),
  }
}
