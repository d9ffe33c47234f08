import { create } from 'zustand'
import type { PersistStorage } from 'zustand/middleware'

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

/** Something kept as JSON, or null where there is nothing that can be read. */
export function readFromDevice(name: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(name) ?? 'null')
  } catch {
    return null
  }
}

/** For stores that keep themselves: what cannot be written stays on screen, and `useDeviceStorage` tells. */
export function deviceStorage<State>(): PersistStorage<State> {
  return {
    getItem: (name) => readFromDevice(name) as { state: State; version?: number } | null,
    setItem: (name, value) => void keepOnDevice(name, JSON.stringify(value)),
    removeItem: (name) => localStorage.removeItem(name),
  }
}
