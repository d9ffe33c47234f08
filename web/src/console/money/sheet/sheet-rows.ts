// Rows of the week sheet: filters, order and the typed amounts.

import type { EdgeWeek } from '@megalot/contract'
import type { SheetFilter, SheetSearch, SheetSort } from './sheet-search.ts'

export const isPlayed = ({ days, open_satang }: EdgeWeek): boolean =>
  open_satang > 0 || days.some((satang) => satang !== 0)

const tests: Readonly<Record<SheetFilter, (row: EdgeWeek) => boolean>> = {
  open: ({ balance_satang }) => balance_satang !== 0,
  collect: ({ balance_satang }) => balance_satang > 0,
  pay: ({ balance_satang }) => balance_satang < 0,
  over: ({ is_over_figure }) => is_over_figure,
  played: isPlayed,
  all: () => true,
}

export const countRows = (rows: readonly EdgeWeek[], filter: SheetFilter): number => rows.filter(tests[filter]).length

const figures: Readonly<Record<Exclude<SheetSort, 'name'>, (row: EdgeWeek) => number>> = {
  balance: ({ balance_satang }) => Math.abs(balance_satang),
  week: ({ week_satang }) => week_satang,
  moved: ({ received_satang, paid_satang }) => received_satang + paid_satang,
  open: ({ open_satang }) => open_satang,
}

/** The rows that a search shows, the largest balance first unless it names another order. */
export function listSheetRows(rows: readonly EdgeWeek[], { show = 'open', search, sort }: SheetSearch): EdgeWeek[] {
  const words = search?.trim().toLowerCase() ?? ''
  const found = rows.filter(
    (row) =>
      // A search finds everybody, whatever their balance.
      (words === '' || show !== 'open' ? tests[show](row) : true) &&
      (words === '' || row.username.toLowerCase().includes(words) || row.display_name.toLowerCase().includes(words)),
  )
  const [column, direction] = (sort ?? 'balance.desc').split('.') as [SheetSort, string]
  const sign = direction === 'asc' ? 1 : -1
  if (column === 'name') return found.toSorted((one, other) => sign * one.username.localeCompare(other.username))
  const figure = figures[column]
  return found.toSorted(
    (one, other) => sign * (figure(one) - figure(other)) || one.username.localeCompare(other.username),
  )
}

/** `1,250.50`, `+1250.5`, `-500` and `−500` in satang; null for what is no amount of Baht, or 0. */
export function readSignedBaht(text: string): number | null {
  const found = /^([+\-−–])?\s*(\d{1,10})(?:\.(\d{1,2}))?$/.exec(text.trim().replaceAll(',', ''))
  if (found === null) return null
  const satang = Number(found[2]) * 100 + Number((found[3] ?? '').padEnd(2, '0'))
  if (satang === 0) return null
  return found[1] === undefined || found[1] === '+' ? satang : -satang
}

/** 125050 → `1250.50`, −50000 → `-500`, as a field holds it. */
export function writeSignedBaht(satang: number): string {
  const baht = Math.abs(satang) / 100
  return `${satang < 0 ? '-' : ''}${Number.isInteger(baht) ? baht : baht.toFixed(2)}`
}

/** What is typed for a child. */
export interface Draft {
  text: string
  note: string
}

export interface SheetRowActions {
  onType: (user_id: number, draft: Draft) => void
  onArm: (user_id: number | null) => void
  /** Opens the sheet of one payment. */
  onOther: (row: EdgeWeek) => void
}

export interface PastedRows {
  /** Amounts by user. */
  drafts: ReadonlyMap<number, string>
  /** Lines whose name or amount is not understood. */
  unread: readonly string[]
}

/**
 * Two columns from a spreadsheet, a name and an amount in each line. A name is a username or the name of one child.
 * @returns null for a text that is no such table
 */
export function readPastedRows(text: string, rows: readonly EdgeWeek[]): PastedRows | null {
  // A single amount is pasted into its field.
  if (readSignedBaht(text) !== null) return null
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '')
  const cells = lines.map((line) =>
    /^(.*?)(?:\t|;|\s{2,}|,(?=\s*[+\-−–]?[\d.]+$)|\s(?=[+\-−–]?[\d,.]+$))(.*)$/.exec(line),
  )
  if (cells.every((found) => found === null)) return null
  const drafts = new Map<number, string>()
  const unread: string[] = []
  for (const [index, found] of cells.entries()) {
    const user_id = found === null ? undefined : findUserId(rows, found[1]!.trim())
    const satang = found === null ? null : readSignedBaht(found[2]!)
    // A second amount for the same child would replace the first unseen.
    if (user_id === undefined || satang === null || drafts.has(user_id)) unread.push(lines[index]!.trim())
    else drafts.set(user_id, writeSignedBaht(satang))
  }
  return { drafts, unread }
}

function findUserId(rows: readonly EdgeWeek[], name: string): number | undefined {
  const words = name.toLowerCase()
  const byUsername = rows.find(({ username }) => username.toLowerCase() === words)
  if (byUsername) return byUsername.user_id
  const named = rows.filter(({ display_name }) => display_name.trim().toLowerCase() === words)
  return named.length === 1 ? named[0]!.user_id : undefined
}
