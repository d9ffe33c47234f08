import { create } from 'zustand'

/** Whether the server did not answer who is here: the session is kept, and what can be shown without an answer is shown. */
export const useOffline = create<{ isOffline: boolean }>()(() => ({ isOffline: false }))
