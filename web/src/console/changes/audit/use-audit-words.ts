import type { Area, AuditRow, Language, OfficeRole, UserLevel } from '@megalot/contract'
import { areas, officeRoles } from '@megalot/contract/browser'
import { betTypeByCode } from '@megalot/rules'
import type { BetTypeCode } from '@megalot/rules'
import { useMemo } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { formatDay, formatInstant } from '../../../lib/format/dates.ts'
import { formatBaht, formatPercent, formatRate } from '../../../lib/format/money.ts'
import { localizedName } from '../../../lib/i18n/localized-name.ts'
import { useNames } from '../../../shared/markets/use-names.ts'
import type { Names } from '../../../shared/markets/use-names.ts'
import type { AuditValue } from './differences.ts'

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d/
const DAY = /^\d{4}-\d\d-\d\d$/
const levels: readonly UserLevel[] = ['company', 'super_senior', 'senior', 'master', 'agent', 'member']

function isBetType(code: string): code is BetTypeCode {
  return code in betTypeByCode
}

/** `3top 123`. */
function isNumberName(value: unknown): value is string {
  return typeof value === 'string' && /^\w+ \d+$/.test(value) && isBetType(value.split(' ')[0]!)
}

interface WordSources {
  t: ReturnType<typeof useTranslations<'audit'>>
  staff: ReturnType<typeof useTranslations<'staff'>>
  ofUser: ReturnType<typeof useTranslations<'user'>>
  language: Language
  names: Pick<Names, 'marketName' | 'periodName'>
  /** Of a ticket; undefined: there is no such status. */
  orderStatusName: (status: string) => string | undefined
}

export function auditWordsOf(sources: WordSources) {
  const { t, staff, ofUser, language, names, orderStatusName } = sources
  const { marketName, periodName } = names

  /** `dow/90`. */
  const namePackage = (key: string): string => {
    const [product_code = '', package_code] = key.split('/')
    return [marketName(product_code), ...(package_code === undefined ? [] : [package_code])].join(' · ')
  }

  /** A word that there may be. */
  const findWord = (key: string): string | undefined => (t.has(key as 'title') ? t(key as 'title') : undefined)
  const nameAction = (action: string): string => findWord(`action.${action}`) ?? action.replaceAll('_', ' ')
  const nameField = (field: string): string => {
    if (isBetType(field)) return localizedName(betTypeByCode[field], language)
    return findWord(`field.${field}`) ?? field.replaceAll('_', ' ')
  }
  /** `period:lao-20261201` as "Period Lao · 1 Dec 2026". */
  const nameSubject = (subject: string): string => {
    const [kind = '', key = ''] = subject.split(/:(.*)/)
    const word = findWord(`subject.${kind}`)
    if (word === undefined) return subject
    if (kind === 'period') return `${word} ${periodName(key)}`
    return `${word} ${kind === 'product' || kind === 'package' ? namePackage(key) : key}`
  }
  const nameWord = (field: string, value: string): string => {
    if (areas.includes(value as Area)) return staff(`area.${value as Area}`)
    if (officeRoles.includes(value as OfficeRole)) return staff(`role.${value as OfficeRole}`)
    if (isBetType(value)) return nameField(value)
    if (field === 'level' && levels.includes(value as UserLevel)) return ofUser(`level.${value as UserLevel}`)
    if (field === 'product_code' || field === 'packages') return namePackage(value)
    if (field === 'subject') return nameSubject(value)
    if (field === 'kind' && t.has(`kind.${value}` as 'kind.award')) return t(`kind.${value}` as 'kind.award')
    if (['period_code', 'made', 'removed', 'kept'].includes(field)) return periodName(value)
    if (INSTANT.test(value)) return formatInstant(value, language, 'dayAndTime')
    if (DAY.test(value)) return formatDay(value, language)
    return /^\w+$/.test(value) ? (findWord(`status.${value}`) ?? orderStatusName(value) ?? value) : value
  }
  /** `3top 123` and others of a rule, by their bet types. */
  const nameNumbers = (names: readonly string[]): string => {
    const numbersOf = new Map<string, string[]>()
    for (const name of names) {
      const [bet_type = '', number = ''] = name.split(' ')
      const numbers = numbersOf.get(bet_type)
      if (numbers) numbers.push(number)
      else numbersOf.set(bet_type, [number])
    }
    return [...numbersOf].map(([bet_type, numbers]) => `${nameField(bet_type)}: ${numbers.join(', ')}`).join('; ')
  }
  /** In place of a name that the reader may not know. */
  const nameUnnamed = ({ is_by_office, above_level }: Pick<AuditRow, 'is_by_office' | 'above_level'>): string =>
    above_level === null ? t(is_by_office ? 'office' : 'system') : t('above', { level: ofUser(`level.${above_level}`) })
  /** Rates are hundredths, discounts and shares hundredths of a percent, amounts satang. */
  const nameValue = (path: readonly string[], value: AuditValue): string => {
    const field = path.at(-1) ?? ''
    if (value === undefined) return '–'
    // A period that is proposed without a time opens when it is approved.
    if (value === null) return t(field === 'open_at' ? 'on_approval' : 'nothing')
    if (typeof value === 'boolean') return t(value ? 'yes' : 'no')
    if (typeof value === 'number') {
      if (field.endsWith('_satang')) return formatBaht(value)
      if (field === 'rate') return formatRate(value)
      return field.endsWith('_rate') || field === 'discount' ? formatPercent(value) : String(value)
    }
    if (typeof value === 'string') return nameWord(field, value)
    if (field === 'numbers' && value.every((item) => isNumberName(item))) return nameNumbers(value)
    return value.length === 0 ? t('nothing') : value.map((item) => nameValue(path, item)).join(', ')
  }
  return { nameAction, nameField, nameSubject, nameUnnamed, nameValue }
}

export type AuditWords = ReturnType<typeof auditWordsOf>

/**
 * Actions, subjects, fields and values of the audit log and of proposals in words; what has no word is shown as it is stored.
 * The page loads the texts `audit` and `staff`. The same object until the language or the markets change.
 */
export function useAuditWords(): AuditWords {
  const t = useTranslations('audit')
  const staff = useTranslations('staff')
  const ofUser = useTranslations('user')
  const common = useTranslations('common')
  const language = useLocale()
  const names = useNames()
  return useMemo(() => {
    return auditWordsOf({
      t,
      staff,
      ofUser,
      language,
      names,
      orderStatusName: (status) => {
        const key = `order_status.${status}` as 'order_status.CONFIRMED'
        return common.has(key) ? common(key) : undefined
      },
    })
  }, [t, staff, ofUser, common, language, names])
}
