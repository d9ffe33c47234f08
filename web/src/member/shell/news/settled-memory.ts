import type { Period } from '@megalot/contract'
import { isRecord, readTexts } from '../../../lib/device/stored-value.ts'
import type { StoredForm } from '../../../lib/device/stored-value.ts'

/** This device's memory of one member's periods. */
export interface SettledMemory {
  /** Periods with tickets that had no result when they were last read. */
  awaited: readonly string[]
  /** The newest periods whose result came meanwhile. */
  settled: readonly string[]
}

export const NOTHING_SETTLED: SettledMemory = { awaited: [], settled: [] }

/** More are not shown: nobody reads them. */
const MAX_SETTLED = 3

function isSame(before: readonly string[], after: readonly string[]): boolean {
  return before.length === after.length && before.every((one, at) => one === after[at])
}

export const settledForm: StoredForm<SettledMemory> = {
  version: 0,
  read: (stored) => {
    if (!isRecord(stored)) return null
    return { awaited: readTexts(stored['awaited']), settled: readTexts(stored['settled']) }
  },
}

/**
 * Reads the newest periods in which a member has bet: one that was awaited and is settled now is news. The very same
 * object comes back where nothing has changed.
 */
export function noteSettled(memory: SettledMemory, rows: readonly { period: Period }[]): SettledMemory {
  const codesOf = (isMeant: (status: string) => boolean): string[] => [
    ...new Set(rows.filter(({ period }) => isMeant(period.status)).map(({ period }) => period.period_code)),
  ]
  const awaited = codesOf((status) => status !== 'settled' && status !== 'void')
  const news = codesOf((status) => status === 'settled').filter(
    (code) => memory.awaited.includes(code) && !memory.settled.includes(code),
  )
  // A result that is being corrected is awaited again.
  const kept = memory.settled.filter((code) => !awaited.includes(code))
  const settled = [...news, ...kept].slice(0, MAX_SETTLED)
  if (isSame(memory.awaited, awaited) && isSame(memory.settled, settled)) return memory
  return { awaited, settled }
}
