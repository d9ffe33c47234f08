// Amounts of credit, and counts, as people type them.

import { REGISTRATIONS_PER_DAY } from '@megalot/contract/browser'

/** `1,250.50` → 125050; null where it is no amount of Baht with at most two decimals. */
export function readBaht(text: string): number | null {
  const found = /^(\d{1,12})(?:\.(\d{1,2}))?$/.exec(text.trim().replaceAll(',', ''))
  if (found === null) return null
  return Number(found[1]) * 100 + Number((found[2] ?? '').padEnd(2, '0'))
}

/** Registrations a day; null where a code cannot have so many. */
export function readRegistrations(text: string): number | null {
  const count = /^\d{1,6}$/.test(text.trim()) ? Number(text) : 0
  return count >= 1 && count <= REGISTRATIONS_PER_DAY.max ? count : null
}

/** 125050 → `1250.50`, 100000 → `1000`. */
export function writeBaht(satang: number): string {
  return satang % 100 === 0 ? String(satang / 100) : (satang / 100).toFixed(2)
}
