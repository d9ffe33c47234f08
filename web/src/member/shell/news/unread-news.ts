import { create } from 'zustand'

/** How much the member has not read, as the bell counts it. */
export const useUnreadNews = create<{ unread: number }>()(() => ({ unread: 0 }))
