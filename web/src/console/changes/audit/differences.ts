// The differences in a row of the audit log: values before and after, side by side. A row stores any JSON.

import type { AuditRow } from '@megalot/contract'
import { auditUserFields } from '@megalot/contract/browser'

/** A value of one field, before or after; undefined: there was none. */
export type AuditValue = string | number | boolean | null | readonly (string | number | boolean | null)[] | undefined

export interface Difference {
  /** Names from the outside in, such as `bet_types`, `2top`, `rate`. */
  path: readonly string[]
  before: AuditValue
  after: AuditValue
  isChanged: boolean
}

type Flat = Map<string, { path: readonly string[]; value: AuditValue }>

/** Fields that name a record of a list, in the order in which they are looked for. */
const NAMES = ['bet_type', 'number', 'product_code', 'package_code', 'factor_id', 'name'] as const

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isPlain(value: unknown): value is string | number | boolean | null {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value)
}

function nameOf(record: Record<string, unknown>, index: number): string {
  const named = NAMES.find((name) => typeof record[name] === 'string' || typeof record[name] === 'number')
  return named === undefined ? String(index + 1) : String(record[named])
}

/** The times of a period, in the order in which they come. */
const TIMES: readonly string[] = ['open_at', 'close_at', 'draw_at']

/** The fields of a record; the database stores them by the lengths of their names. */
function listFields(record: Record<string, unknown>): readonly (readonly [name: string, value: unknown])[] {
  const times = TIMES.filter((name) => name in record)
  return Object.keys(record).map((name) => {
    const next = TIMES.includes(name) ? times.shift()! : name
    return [next, record[next]]
  })
}

function flatten(value: unknown, path: readonly string[], into: Flat): Flat {
  if (isPlain(value)) into.set(JSON.stringify(path), { path, value })
  else if (Array.isArray(value) && value.every((item) => isPlain(item))) into.set(JSON.stringify(path), { path, value })
  else if (Array.isArray(value)) {
    for (const [index, item] of value.entries())
      flatten(item, [...path, isRecord(item) ? nameOf(item, index) : String(index + 1)], into)
  } else if (isRecord(value)) for (const [name, inner] of listFields(value)) flatten(inner, [...path, name], into)
  return into
}

/** A side of a row with the usernames of the users that it names by their ids. */
function withUsernames(side: unknown, usernames: AuditRow['usernames']): unknown {
  if (!isRecord(side)) return side
  const named = auditUserFields.flatMap((field) => {
    const username = usernames[String(side[field])]
    return username === undefined ? [] : [[field, username] as const]
  })
  return { ...side, ...Object.fromEntries(named) }
}

/** The differences in a row, with users by their names. */
export function listRowDifferences(row: Pick<AuditRow, 'before' | 'after' | 'usernames'>): readonly Difference[] {
  return listDifferences(withUsernames(row.before, row.usernames), withUsernames(row.after, row.usernames))
}

/** Every field of both sides; those that changed come first. */
export function listDifferences(before: unknown, after: unknown): readonly Difference[] {
  const [old, now] = [before, after].map((side) => flatten(side ?? {}, [], new Map())) as [Flat, Flat]
  const keys = new Set([...old.keys(), ...now.keys()])
  const all = [...keys].map((key): Difference => {
    const was = old.get(key)
    const is = now.get(key)
    return {
      path: (was ?? is)!.path,
      before: was?.value,
      after: is?.value,
      isChanged: JSON.stringify(was?.value) !== JSON.stringify(is?.value),
    }
  })
  return [...all.filter(({ isChanged }) => isChanged), ...all.filter(({ isChanged }) => !isChanged)]
}
