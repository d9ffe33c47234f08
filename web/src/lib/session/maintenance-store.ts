import type { Language, Maintenance } from '@megalot/contract'
import { create } from 'zustand'

/** What the server said when it kept us out; null: it does not. */
export const useMaintenance = create<{ told: Maintenance | null }>()(() => ({ told: null }))

/** Remembers what a call was told instead of an answer. */
export function noteMaintenance(details: Record<string, unknown>): void {
  const text = (name: string): string => (typeof details[name] === 'string' ? details[name] : '')
  const until_at = text('until_at') === '' ? null : text('until_at')
  useMaintenance.setState({ told: { message_th: text('message_th'), message_en: text('message_en'), until_at } })
}

export function endMaintenance(): void {
  useMaintenance.setState({ told: null })
}

export function messageOf(told: Maintenance, language: Language): string {
  return told[`message_${language}`]
}
