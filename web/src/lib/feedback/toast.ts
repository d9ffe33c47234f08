import { create } from 'zustand'

const LIFE_MS = 3_000
const MAX_TOASTS = 3

export interface Toast {
  kind: 'good' | 'bad' | 'plain'
  message: string
}

/** The toasts on screen, the oldest first. */
export const useToasts = create<{ toasts: readonly Toast[] }>()(() => ({ toasts: [] }))

const timers = new Map<string, ReturnType<typeof setTimeout>>()

/** A short word at the edge of the screen: at most three at a time, each for three seconds, and no text twice. */
export function showToast(kind: Toast['kind'], message: string): void {
  clearTimeout(timers.get(message))
  timers.set(
    message,
    setTimeout(() => dropToast(message), LIFE_MS),
  )
  useToasts.setState(({ toasts }) => {
    if (toasts.some((one) => one.kind === kind && one.message === message)) return { toasts }
    return { toasts: [...toasts.filter((one) => one.message !== message), { kind, message }].slice(-MAX_TOASTS) }
  })
}

function dropToast(message: string): void {
  timers.delete(message)
  useToasts.setState(({ toasts }) => ({ toasts: toasts.filter((one) => one.message !== message) }))
}
