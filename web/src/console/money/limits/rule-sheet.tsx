import type { LimitRule } from '@megalot/contract'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { formatDay, formatInstant } from '../../../lib/format/dates.ts'
import { useUser } from '../../../lib/user/user-query.ts'
import { Button } from '../../../ui/button.tsx'
import { DialogSheet } from '../../../ui/dialog-sheet.tsx'
import { Facts, Stack } from '../../../ui/layout.tsx'
import { permissionsOf } from '../../menu.ts'
import classes from './numbers.module.css'
import { UndoForm } from './undo-form.tsx'
import { useNumberWords } from './use-number-words.ts'

/** A rule with all its numbers, who has set and undone it, and its undo; null: closed. */
export function RuleSheet({ rule, onClose }: { rule: LimitRule | null; onClose: () => void }) {
  const t = useTranslations('numbers')
  return (
    <DialogSheet
      isOpen={rule !== null}
      onClose={onClose}
      title={rule === null ? '' : t('rule_title', { rule_id: String(rule.rule_id) })}
      dismissible="explicitly"
    >
      {rule !== null && <RuleDetails key={rule.rule_id} rule={rule} onClose={onClose} />}
    </DialogSheet>
  )
}

function RuleDetails({ rule, onClose }: { rule: LimitRule; onClose: () => void }) {
  const t = useTranslations('numbers')
  const mayChange = permissionsOf(useUser()).has('risk.do')
  const [isUndoing, setIsUndoing] = useState(false)
  if (isUndoing) return <UndoForm rule={rule} onClose={onClose} />
  return (
    <Stack gap={14}>
      <RuleFacts rule={rule} />
      {mayChange && rule.undone_at === null && (
        <Button tone="bad" variant="default" onClick={() => setIsUndoing(true)}>
          {t('undo.open')}
        </Button>
      )}
    </Stack>
  )
}

function RuleFacts({ rule }: { rule: LimitRule }) {
  const t = useTranslations('numbers')
  const language = useLocale()
  const words = useNumberWords()
  const { value, is_standing, until_date, product_codes, period_codes, numbers, undone_at, undone_by } = rule
  const places = is_standing
    ? product_codes.map((code) => words.marketName(code))
    : period_codes.map((code) => words.periodName(code, null))
  const moment = (at: string, username: string | undefined): string =>
    [formatInstant(at, language, 'dayAndTime'), ...(username === undefined ? [] : [username])].join(' · ')
  const facts: readonly (readonly [name: string, text: ReactNode])[] = [
    [t('column.value'), words.valueText(value)],
    [t('column.set_by'), moment(rule.set_at, rule.set_by.username)],
    [t('column.reason'), rule.reason ?? '–'],
    ...(is_standing
      ? ([[t('until'), until_date === null ? t('no_end') : formatDay(until_date, language)]] as const)
      : []),
    ...(undone_at === null
      ? []
      : ([
          [t('state.undone'), moment(undone_at, undone_by?.username)],
          [t('undo.reason'), rule.undo_reason ?? '–'],
        ] as const)),
    [
      t('column.where'),
      places.map((place) => (
        <span key={place} className={classes.place}>
          {place}
        </span>
      )),
    ],
    ...numbers.map(
      (one) => [words.typeName(one.bet_type), <Digits key={one.bet_type} numbers={one.numbers} />] as const,
    ),
  ]
  return <Facts facts={facts} className={classes.facts} />
}

function Digits({ numbers }: { numbers: readonly string[] }) {
  return <span className={classes.digits}>{numbers.join(' ')}</span>
}
