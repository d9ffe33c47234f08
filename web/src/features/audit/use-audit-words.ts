import { areas, officeRoles } from '@megalot/contract'
import type { Area, OfficeRole } from '@megalot/contract'
import { useLocale, useTranslations } from 'use-intl'
import { formatInstant } from '../../lib/format/dates.ts'
import { formatBaht, formatPercent, formatRate } from '../../lib/format/money.ts'
import type { AuditValue } from './differences.ts'

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d/
const PERCENTS = ['position_rate', 'commission_rate', 'discount']

/** Actions, fields and values of the audit log in words; what has no word is shown as it is stored. */
export function useAuditWords() {
  const t = useTranslations('audit')
  const staff = useTranslations('staff')
  const language = useLocale()

  /** A word that there may be. */
  const findWord = (key: string): string | undefined => (t.has(key as 'title') ? t(key as 'title') : undefined)
  const nameAction = (action: string): string => findWord(`action.${action}`) ?? action.replaceAll('_', ' ')
  const nameField = (field: string): string => findWord(`field.${field}`) ?? field.replaceAll('_', ' ')
  /** `period:lao-20261201` as "Period lao-20261201". */
  const nameSubject = (subject: string): string => {
    const [kind = '', ...rest] = subject.split(':')
    const word = findWord(`subject.${kind}`)
    return word === undefined ? subject : `${word} ${rest.join(':')}`
  }
  const nameWord = (value: string): string => {
    if (areas.includes(value as Area)) return staff(`area.${value as Area}`)
    if (officeRoles.includes(value as OfficeRole)) return staff(`role.${value as OfficeRole}`)
    if (INSTANT.test(value)) return formatInstant(value, language, 'dayAndTime')
    return /^\w+$/.test(value) ? (findWord(`status.${value}`) ?? value) : value
  }
  const nameValue = (path: readonly string[], value: AuditValue): string => {
    const field = path.at(-1) ?? ''
    if (value === undefined) return '–'
    if (value === null) return t('nothing')
    if (typeof value === 'boolean') return t(value ? 'yes' : 'no')
    if (typeof value === 'number') {
      if (field.endsWith('_satang')) return formatBaht(value)
      if (PERCENTS.includes(field)) return formatPercent(value)
      return field === 'rate' ? formatRate(value) : String(value)
    }
    if (typeof value === 'string') return nameWord(value)
    return value.length === 0 ? t('nothing') : value.map((item) => nameValue(path, item)).join(', ')
  }
  return { nameAction, nameField, nameSubject, nameValue }
}
