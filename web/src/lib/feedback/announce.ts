import { create } from 'zustand'

/** The last thing said to screen readers. A turn that counts up lets the same words be said twice. */
export const useAnnouncement = create<{ text: string; turn: number }>()(() => ({ text: '', turn: 0 }))

/** Says something to those who do not see the screen change. */
export function announce(text: string): void {
  useAnnouncement.setState(({ turn }) => ({ text, turn: turn + 1 }))
}
