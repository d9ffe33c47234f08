import type { PersistStorage } from 'zustand/middleware'
import { deviceStorage } from '../../../lib/device/device-storage.ts'
import { onceAfterFrame } from '../../../lib/page/after-frame.ts'

// Writing a slip of 500 rows takes longer than showing the key that changed one of them. What is typed is therefore shown
// first and written right after that frame, at the latest when the page is left. Every other change is written at once: a
// slip that was sent must not come back after a crash.

export interface DraftWriter<State> {
  storage: PersistStorage<State>
  /** Whether changes made by `change` may be written after the next animation frame. */
  writeAfterFrame: (change: () => void) => void
  /** Discards unwritten changes because another tab has written newer ones. */
  drop: () => void
}

export function createDraftWriter<State>(): DraftWriter<State> {
  const device = deviceStorage<State>()
  let mayWait = false
  let waiting: (() => void) | null = null
  let cancel: (() => void) | null = null
  const drop = (): void => {
    cancel?.()
    waiting = null
  }
  const flush = (): void => {
    const write = waiting
    drop()
    write?.()
  }
  window.addEventListener('pagehide', flush)
  window.addEventListener('visibilitychange', flush)
  return {
    storage: {
      ...device,
      setItem: (name, value) => {
        drop()
        if (!mayWait) return device.setItem(name, value)
        waiting = () => void device.setItem(name, value)
        cancel = onceAfterFrame(flush)
        return undefined
      },
    },
    writeAfterFrame: (change) => {
      mayWait = true
      try {
        change()
      } finally {
        mayWait = false
      }
    },
    drop,
  }
}
