// What something was and what it becomes, field by field, as the audit log and proposals keep it.

import { useLocale, useTranslations } from 'use-intl'
import { formatDay, formatInstant } from '../lib/format/dates.ts'
import { formatBaht, formatPercent, formatRate } from '../lib/format/money.ts'
import type { Language, Timetable } from '@megalot/contract'
import { Becomes } from './becomes.tsx'
import classes from './state-change.module.css'
import { useTimetableWords } from './use-timetable-words.ts'

type State = Readonly<Record<string, unknown>>

export const fieldNames = [
  'own_status',
  'credit_limit_satang',
  'packages',
  'display_name',
  'position_rate',
  'commission_rate',
  'code',
  'is_active',
  'opening_credit_satang',
  'username',
  'level',
  'office_role',
  'open_at',
  'close_at',
  'draw_at',
  'period_code',
  'max_items',
  'rate',
  'discount_rate',
  'min_satang',
  'max_satang',
  'max_per_number_satang',
  'is_on',
  'bet_type',
  'full_satang',
  'half_satang',
  'product_code',
  'factors',
  'gained',
  'timetable',
  'next_timetable',
  'first_day',
  'holiday',
  'name',
  'made',
  'removed',
  'kept',
] as const

export interface ValueWords {
  language: Language
  yes: string
  no: string
}

/** Rates are hundredths, discounts and shares hundredths of a percent, amounts satang. */
export function writeValue(name: string, value: unknown, words: ValueWords): string {
  const { language } = words
  if (value === null || value === undefined) return '–'
  if (typeof value === 'number') {
    if (name.endsWith('_satang')) return formatBaht(value)
    if (name === 'rate') return formatRate(value)
    return name.endsWith('_rate') ? formatPercent(value) : String(value)
  }
  if (typeof value === 'string') {
    if (name === 'first_day' || name === 'holiday') return formatDay(value, language)
    return name.endsWith('_at') ? formatInstant(value, language, 'dayAndTime') : value
  }
  if (typeof value === 'boolean') return value ? words.yes : words.no
  if (Array.isArray(value))
    return value.length === 0 ? '–' : value.map((one) => writeValue(name, one, words)).join(', ')
  return JSON.stringify(value)
}

export function useValueWords(): ValueWords {
  const t = useTranslations('console')
  const language = useLocale()
  return { language, yes: t('yes'), no: t('no') }
}

function isTimetable(name: string, value: unknown): value is Timetable {
  return name.endsWith('timetable') && typeof value === 'object' && value !== null
}

interface Line {
  key: string
  /** Of which part it is, such as a bet type. */
  part: string
  name: string
  before: unknown
  after: unknown
}

/** The fields that differ. Lists of records with a bet type are compared by bet type. */
export function listChanges(before: State | null, after: State | null): readonly Line[] {
  return linesOf(before ?? {}, after ?? {}, '')
}

function linesOf(before: State, after: State, part: string): readonly Line[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return names.flatMap((name): readonly Line[] => {
    const [old, now] = [before[name], after[name]]
    if (JSON.stringify(old) === JSON.stringify(now)) return []
    const records = name === 'bet_types' && Array.isArray(now) ? (now as State[]) : null
    if (records === null) return [{ key: `${part} ${name}`, part, name, before: old, after: now }]
    return records.flatMap((record) => {
      const bet_type = String(record['bet_type'])
      const known = Array.isArray(old) ? (old as State[]).find((one) => one['bet_type'] === record['bet_type']) : {}
      return linesOf(known ?? {}, record, bet_type)
    })
  })
}

/** The value before and after of each field that changes. */
export function StateChange({ before, after }: { before: State | null; after: State | null }) {
  const t = useTranslations('console.field')
  const words = useValueWords()
  const timetableWords = useTimetableWords()
  const write = (name: string, value: unknown): string =>
    isTimetable(name, value) ? timetableWords(value) : writeValue(name, value, words)
  const lines = listChanges(before, after)
  if (lines.length === 0) return null
  return (
    <ul className={classes.lines}>
      {lines.map(({ key, part, name, before: old, after: now }) => {
        const known = fieldNames.find((one) => one === name)
        return (
          <li key={key}>
            {part !== '' && `${part} · `}
            {known === undefined ? name : t(known)}: {write(name, old)}
            <Becomes />
            <strong>{write(name, now)}</strong>
          </li>
        )
      })}
    </ul>
  )
}
