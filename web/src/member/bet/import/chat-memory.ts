import { create } from 'zustand'
import { persist } from 'zustand/middleware'
import { deviceStorage } from '../../../lib/device/device-storage.ts'
import { CHAT_READING_KEY } from '../../../lib/device/page-storage-keys.ts'

/** Whether this device reads pasted texts as chats. */
export const useChatReading = create<{ isOn: boolean }>()(
  persist((): { isOn: boolean } => ({ isOn: false }), { name: CHAT_READING_KEY, storage: deviceStorage() }),
)

export function readChatFromNowOn(isOn: boolean): void {
  useChatReading.setState({ isOn })
}
