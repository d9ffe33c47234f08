import type { Period } from '@megalot/contract'

/** What this device remembers of one member's periods. */
export interface SettledMemory {
  /** Periods with tickets that had no result when they were last looked at. */
  awaited: readonly string[]
  /** Periods whose result came meanwhile, until the member has put that aside. */
  unseen: readonly string[]
}

/** More are not shown: nobody reads them. */
const MAX_UNSEEN = 3

function isSame(before: readonly string[], after: readonly string[]): boolean {
  return before.length === after.length && before.every((one, at) => one === after[at])
}

function readList(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : []
}

/** What was kept, or nothing where it cannot be read. */
export function readSettled(kept: unknown): SettledMemory {
  const { awaited, unseen } = (kept ?? {}) as Partial<Record<keyof SettledMemory, unknown>>
  return { awaited: readList(awaited), unseen: readList(unseen) }
}

/**
 * Looks at the newest periods in which a member has bet: one that was awaited and is settled now is news. The very same
 * object comes back where nothing has changed.
 */
export function noteSettled(memory: SettledMemory, rows: readonly { period: Period }[]): SettledMemory {
  const codesOf = (isMeant: (status: string) => boolean): string[] => [
    ...new Set(rows.filter(({ period }) => isMeant(period.status)).map(({ period }) => period.period_code)),
  ]
  const awaited = codesOf((status) => status !== 'settled' && status !== 'void')
  const settled = codesOf((status) => status === 'settled')
  const news = settled.filter((code) => memory.awaited.includes(code) && !memory.unseen.includes(code))
  // A result that is being corrected is awaited again.
  const stands = memory.unseen.filter((code) => !awaited.includes(code))
  const unseen = [...news, ...stands].slice(0, MAX_UNSEEN)
  if (isSame(memory.awaited, awaited) && isSame(memory.unseen, unseen)) return memory
  return { awaited, unseen }
}
