import { create } from 'zustand'
import { persist } from 'zustand/middleware'
import { deviceStorage } from '../device/device-storage.ts'
import { PLAY_REMINDER_KEY } from '../device/page-storage-keys.ts'

/** Minutes between two reminders of how long one has been here; 0: none. */
export const reminderChoices = [0, 15, 30, 60, 120] as const

const DEFAULT_MINUTES = 60

export const useReminder = create<{ minutes: number }>()(
  persist((): { minutes: number } => ({ minutes: DEFAULT_MINUTES }), {
    name: PLAY_REMINDER_KEY,
    storage: deviceStorage<{ minutes: number }>(),
  }),
)

export function setReminder(minutes: number): void {
  useReminder.setState({ minutes })
}
