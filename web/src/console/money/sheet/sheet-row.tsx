// Virtual rows are put where they belong one by one, so the markup is a table by its roles.
/* oxlint-disable jsx-a11y/prefer-tag-over-role */

import type { EdgeWeek } from '@megalot/contract'
import { Link } from '@tanstack/react-router'
import { memo } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { addDays } from '../../../lib/format/calendar-day.ts'
import { formatDay } from '../../../lib/format/dates.ts'
import { formatBaht, formatSignedBaht, formatWholeBaht } from '../../../lib/format/money.ts'
import { writePath } from '../downline/downline-search.ts'
import { Balance } from '../balance.tsx'
import { HeldRow, TapButtons } from './tap-buttons.tsx'
import { type Draft, readSignedBaht, type SheetRowActions } from './sheet-rows.ts'
import classes from './sheet.module.css'

interface SheetRowProps extends SheetRowActions {
  row: EdgeWeek
  /** The Monday. */
  week: string
  draft: Draft | undefined
  isNoteOpen: boolean
  /** The first tap on a phone was on this row. */
  isArmed: boolean
  canRecord: boolean
  hasReports: boolean
}

/** Whole Baht: seven days stand beside each other. */
function shortBaht(satang: number): string {
  return satang === 0 ? '–' : formatWholeBaht(Math.round(satang / 100) * 100)
}

/** A child in the week: on a desktop its days and a field, on a phone its balance and a button. */
export const SheetRow = memo(function SheetRow(props: SheetRowProps) {
  const { row, week, canRecord, hasReports } = props
  const t = useTranslations('sheet')
  const { user_id, username, display_name, balance_satang } = row
  return (
    <div role="row" className={classes.row} data-user={user_id} data-side={Math.sign(balance_satang)}>
      <div role="rowheader" className={classes.name}>
        <Link to="/people/$user_id" params={{ user_id: String(user_id) }} search={{ tab: 'money' }} data-row-link>
          {username}
        </Link>
        {display_name !== '' && display_name !== username && <span className={classes.alias}>{display_name}</span>}
        {row.is_over_figure && (
          <span className={classes.over}>
            {t('over_figure', { figure: formatWholeBaht(row.settle_figure_satang ?? 0) })}
          </span>
        )}
      </div>
      <Figure>{shortBaht(row.forward_satang)}</Figure>
      {row.days.map((satang, nth) => (
        <div key={nth} role="cell" className={classes.day}>
          <DayCell {...{ row, satang, hasReports }} day={addDays(week, nth)} />
        </div>
      ))}
      <Figure isStrong>{row.week_satang === 0 ? '–' : formatSignedBaht(row.week_satang)}</Figure>
      <Figure>
        <Moved row={row} />
      </Figure>
      <div role="cell" className={classes.balance}>
        <Balance satang={balance_satang} isStacked />
      </div>
      <Figure>{row.open_satang === 0 ? '–' : formatBaht(row.open_satang)}</Figure>
      <div role="cell" className={classes.entry}>
        {canRecord && <AmountField {...props} />}
      </div>
      <div role="cell" className={classes.tap}>
        {canRecord && <TapButtons row={row} isArmed={props.isArmed} onArm={props.onArm} onOther={props.onOther} />}
      </div>
      {canRecord && <HeldRow user_id={user_id} name={username} />}
      {canRecord && (props.isNoteOpen || (props.draft?.note ?? '') !== '') && <NoteField {...props} />}
    </div>
  )
})

function Figure({ isStrong = false, children }: { isStrong?: boolean; children: React.ReactNode }) {
  return (
    <div role="cell" className={classes.figure} data-strong={isStrong || undefined}>
      {children}
    </div>
  )
}

function Moved({ row: { received_satang, paid_satang, adjusted_satang } }: { row: EdgeWeek }) {
  const t = useTranslations('sheet.person')
  const parts = [
    ...(received_satang === 0 ? [] : [`+${shortBaht(received_satang)}`]),
    ...(paid_satang === 0 ? [] : [`−${shortBaht(paid_satang)}`]),
  ]
  return (
    <>
      {parts.length === 0 ? '–' : parts.join(' ')}
      {adjusted_satang !== 0 && (
        <span className={classes.alias}>
          {t('adjustment')} {formatSignedBaht(adjusted_satang)}
        </span>
      )}
    </>
  )
}

/** What a day came to; it opens the periods of that day. */
function DayCell({
  row,
  day,
  satang,
  hasReports,
}: {
  row: EdgeWeek
  day: string
  satang: number
  hasReports: boolean
}) {
  const t = useTranslations('sheet')
  const language = useLocale()
  if (satang === 0 || !hasReports) return shortBaht(satang)
  const { user_id, username, level } = row
  const path = writePath([{ user_id: String(user_id), username, isMember: level === 'member' }])
  return (
    <Link
      to="/downline"
      search={{ date_from: day, date_to: day, ...(path === undefined ? {} : { path }) }}
      preload={false}
      aria-label={t('day_of', {
        name: username,
        day: formatDay(day, language, 'shortDay'),
        amount: formatSignedBaht(satang),
      })}
      title={formatSignedBaht(satang)}
    >
      {shortBaht(satang)}
    </Link>
  )
}

function AmountField({ row, draft, onType }: SheetRowProps) {
  const t = useTranslations('sheet')
  const { text = '', note = '' } = draft ?? {}
  const isWrong = text.trim() !== '' && readSignedBaht(text) === null
  return (
    <input
      data-amount={row.user_id}
      className={classes.amount}
      inputMode="text"
      autoComplete="off"
      maxLength={16}
      aria-label={t('amount_of', { name: row.username })}
      aria-invalid={isWrong || undefined}
      title={isWrong ? t('amount_problem') : undefined}
      value={text}
      onChange={(event) => onType(row.user_id, { text: event.currentTarget.value, note })}
    />
  )
}

function NoteField({ row, draft, onType }: SheetRowProps) {
  const t = useTranslations('sheet')
  const { text = '', note = '' } = draft ?? {}
  return (
    <div role="cell" className={classes.note}>
      <input
        data-note={row.user_id}
        className={classes.amount}
        autoComplete="off"
        maxLength={200}
        placeholder={t('note')}
        aria-label={t('note_of', { name: row.username })}
        value={note}
        onChange={(event) => onType(row.user_id, { text, note: event.currentTarget.value })}
      />
    </div>
  )
}
