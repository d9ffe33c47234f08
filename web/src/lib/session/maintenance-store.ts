import type { Language, Maintenance } from '@megalot/contract'
import { create } from 'zustand'

/** The maintenance that keeps everybody out, as the server reported it; null: there is none. */
export const useMaintenance = create<{ activeMaintenance: Maintenance | null }>()(() => ({ activeMaintenance: null }))

/** Stores the maintenance that a call reported instead of an answer. */
export function noteMaintenance(details: Record<string, unknown>): void {
  const text = (name: string): string => (typeof details[name] === 'string' ? details[name] : '')
  const until_at = text('until_at') === '' ? null : text('until_at')
  useMaintenance.setState({
    activeMaintenance: { message_th: text('message_th'), message_en: text('message_en'), until_at },
  })
}

export function endMaintenance(): void {
  useMaintenance.setState({ activeMaintenance: null })
}

export function messageOf(activeMaintenance: Maintenance, language: Language): string {
  return activeMaintenance[`message_${language}`]
}
