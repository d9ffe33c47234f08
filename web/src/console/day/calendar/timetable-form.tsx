import type { MarketTimetable, Timetable } from '@megalot/contract'
import { useQuery } from '@tanstack/react-query'
import { useLocale, useTranslations } from 'use-intl'
import { serverNowMs } from '../../../lib/clock/server-clock.ts'
import { useErrorMessage } from '../../../lib/errors/use-error-message.ts'
import { showToast } from '../../../lib/feedback/toast.ts'
import { dayInBangkok, formatDay } from '../../../lib/format/dates.ts'
import { useChange } from '../../../lib/api/use-change.ts'
import { useReasonCheck } from '../../../lib/forms/reason.ts'
import { useForm } from '../../../lib/forms/use-form.ts'
import { useRequestId } from '../../../lib/forms/use-request-id.ts'
import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { DayField } from '../../../ui/day-field.tsx'
import { Stack } from '../../../ui/layout.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { ReasonField } from '../../../ui/reason-field.tsx'
import { TextInput } from '../../../ui/text-input.tsx'
import { LatePeriods } from '../../changes/late-periods.tsx'
import { lastPeriodDay } from '../../changes/period-bounds.ts'
import { PeriodChangesNote } from '../../changes/period-changes-note.tsx'
import { useTimetableWords, useWeekdayName } from '../../changes/use-timetable-words.ts'
import classes from './calendar.module.css'
import { propose } from '../../changes/queries.ts'
import { timetablePreviewQuery } from './queries.ts'
import { dayKinds, draftOf, readDraft, type TimetableDraft } from './timetable-draft.ts'

const DAY_MS = 86_400_000
const WEEK = [1, 2, 3, 4, 5, 6, 7] as const

interface TimetableProps {
  market: MarketTimetable
  onDone: () => void
}

/** When the periods of a market open, close and are drawn, and the form by which another timetable is proposed. */
export function TimetableSettings({ market, onDone }: TimetableProps) {
  const t = useTranslations('calendar.timetable')
  const language = useLocale()
  const words = useTimetableWords()
  const { timetable, next, exchange } = market
  return (
    <Stack as="section" gap={12} aria-label={t('title')}>
      <h3>{t('title')}</h3>
      <p>{timetable === null ? t('by_hand') : words(timetable)}</p>
      {exchange !== null && <p>{t('exchange', exchange)}</p>}
      {next !== null && (
        <p>
          {t('from', { day: formatDay(next.first_day, language) })}: {words(next.timetable)}
        </p>
      )}
      <details>
        <summary>{t('change')}</summary>
        <TimetableForm market={market} onDone={onDone} />
      </details>
    </Stack>
  )
}

function TimetableForm({ market: { product_code, timetable, next }, onDone }: TimetableProps) {
  const t = useTranslations('calendar.timetable')
  const checkReason = useReasonCheck()
  const tomorrow = dayInBangkok(serverNowMs() + DAY_MS)
  const { isBusy, error, failure, run } = useChange(useRequestId(propose))
  const fields = useForm({
    initial: () => ({
      draft: draftOf(next?.timetable ?? timetable),
      first_day: tomorrow as string | undefined,
      reason: '',
    }),
    check: ({ draft, first_day, reason }) => ({
      draft: readDraft(draft) === null ? t('incomplete') : null,
      first_day: first_day === undefined ? t('incomplete') : null,
      reason: checkReason(reason),
    }),
    send: ({ reason }) => send(reason.trim()),
  })
  const { draft, first_day } = fields.values
  const read = readDraft(draft)
  const send = async (reason: string): Promise<void> => {
    if (read === null || first_day === undefined) return
    const payload = { product_code, timetable: read, first_day }
    if (!(await run({ kind: 'change_timetable', payload, reason }))) return
    showToast('plain', t('proposed'))
    onDone()
  }
  const change = (part: Partial<TimetableDraft>): void => fields.change({ draft: { ...draft, ...part } })
  const incomplete = fields.problems.draft ?? fields.problems.first_day ?? null
  return (
    <Stack noValidate as="form" gap={12} aria-label={t('change')} onSubmit={fields.submit}>
      <p>{t('hint')}</p>
      <Stack as="fieldset" name="draft" gap={12}>
        <DaysFields draft={draft} onChange={change} />
        <TimeFields draft={draft} onChange={change} hasRounds={timetable?.rounds !== undefined} />
      </Stack>
      <DayField label={t('first_day')} min={tomorrow} max={lastPeriodDay()} {...fields.propsOf('first_day')} />
      {read !== null && first_day !== undefined && (
        <Preview product_code={product_code} timetable={read} first_day={first_day} />
      )}
      {incomplete !== null && <Alert kind="bad">{incomplete}</Alert>}
      <ReasonField {...fields.propsOf('reason')} />
      {failure !== null && (
        <Alert kind="bad">
          <p>{failure}</p>
          <LatePeriods error={error} />
        </Alert>
      )}
      <Button type="submit" isBusy={isBusy}>
        {t('propose')}
      </Button>
    </Stack>
  )
}

interface FieldsProps {
  draft: TimetableDraft
  onChange: (part: Partial<TimetableDraft>) => void
}

function DaysFields({ draft: { kind, weekdays, month_days }, onChange }: FieldsProps) {
  const t = useTranslations('calendar.timetable')
  const weekdayName = useWeekdayName()
  const toggle = (day: number, isOn: boolean): void =>
    onChange({ weekdays: isOn ? [...weekdays, day] : weekdays.filter((one) => one !== day) })
  return (
    <>
      <SelectField
        label={t('days')}
        value={kind}
        choices={dayKinds.map((value) => ({ value, label: t(`kind.${value}`) }))}
        onChange={(value) => onChange({ kind: value })}
      />
      {kind === 'weekdays' && (
        <fieldset aria-label={t('kind.weekdays')} className={`${classes.group} ${classes.row}`}>
          {WEEK.map((day) => (
            <Checkbox
              key={day}
              label={weekdayName(day)}
              isChecked={weekdays.includes(day)}
              onChange={(isOn) => toggle(day, isOn)}
            />
          ))}
        </fieldset>
      )}
      {kind === 'month_days' && (
        <TextInput
          label={t('month_days')}
          inputMode="numeric"
          autoComplete="off"
          value={month_days}
          onChange={(event) => onChange({ month_days: event.currentTarget.value })}
        />
      )}
    </>
  )
}

function TimeFields({ draft, onChange, hasRounds }: FieldsProps & { hasRounds: boolean }) {
  const t = useTranslations('calendar.timetable')
  const input = (name: 'open' | 'close' | 'draw' | 'open_before' | 'count' | 'every_minutes') => ({
    label: t(name),
    autoComplete: 'off',
    value: draft[name],
    onChange: (event: { currentTarget: HTMLInputElement }) => onChange({ [name]: event.currentTarget.value }),
  })
  return (
    <>
      <div className={classes.pair}>
        <TextInput type="time" {...input('open')} />
        <TextInput inputMode="numeric" {...input('open_before')} />
      </div>
      <div className={classes.pair}>
        <TextInput type="time" {...input('close')} />
        <SelectField
          label={t('close_day')}
          value={draft.close_offset}
          choices={(['-1', '0', '1'] as const).map((value) => ({ value, label: t(`offset.${value}`) }))}
          onChange={(close_offset) => onChange({ close_offset })}
        />
      </div>
      <div className={classes.pair}>
        <TextInput type="time" {...input('draw')} />
        <SelectField
          label={t('draw_day')}
          value={draft.draw_offset}
          choices={(['0', '1'] as const).map((value) => ({ value, label: t(`offset.${value}`) }))}
          onChange={(draw_offset) => onChange({ draw_offset })}
        />
      </div>
      {hasRounds && (
        <div className={classes.pair}>
          <TextInput inputMode="numeric" {...input('count')} />
          <TextInput inputMode="numeric" {...input('every_minutes')} />
        </div>
      )}
    </>
  )
}

function Preview(change: { product_code: string; timetable: Timetable; first_day: string }) {
  const errorMessage = useErrorMessage()
  const { data, error } = useQuery(timetablePreviewQuery(change))
  if (error !== null)
    return (
      <Alert kind="warn">
        <p>{errorMessage(error)}</p>
        <LatePeriods error={error} />
      </Alert>
    )
  return data === undefined ? null : <PeriodChangesNote changes={data} />
}
