import type { MarketTimetable, PeriodChanges, ProductGroup, ProductPeriod } from '@megalot/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { ReasonForm } from '../../../ui/reason-form.tsx'
import { serverNowMs } from '../../../lib/clock/server-clock.ts'
import { showToast } from '../../../lib/feedback/toast.ts'
import { dayInBangkok, formatDay } from '../../../lib/format/dates.ts'
import { useChange } from '../../../lib/api/use-change.ts'
import { useReasonCheck } from '../../../lib/forms/reason.ts'
import { useForm } from '../../../lib/forms/use-form.ts'
import { localizedName } from '../../../lib/i18n/localized-name.ts'
import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { DayField } from '../../../ui/day-field.tsx'
import { DialogSheet } from '../../../ui/dialog-sheet.tsx'
import { Stack } from '../../../ui/layout.tsx'
import { ReasonField } from '../../../ui/reason-field.tsx'
import { TextInput } from '../../../ui/text-input.tsx'
import { lastPeriodDay } from '../../changes/period-bounds.ts'
import { PeriodChangesNote } from '../../changes/period-changes-note.tsx'
import classes from './calendar.module.css'
import { type Holiday, listHolidays } from './holidays.ts'
import { calendarDayQuery, saveHoliday } from './queries.ts'

interface HolidaysProps {
  markets: readonly ProductPeriod[]
  timetables: readonly MarketTimetable[]
}

/** The days on which markets have no period: those to come, and a form for another one. */
export function HolidaysSheet({ isOpen, onClose, ...props }: HolidaysProps & { isOpen: boolean; onClose: () => void }) {
  const t = useTranslations('calendar.holidays')
  return (
    <DialogSheet isOpen={isOpen} onClose={onClose} title={t('title')} dismissible="explicitly">
      <Holidays {...props} />
    </DialogSheet>
  )
}

function Holidays({ markets, timetables }: HolidaysProps) {
  const t = useTranslations('calendar.holidays')
  const [changes, setChanges] = useState<PeriodChanges | null>(null)
  const holidays = listHolidays(timetables, dayInBangkok(serverNowMs()))
  return (
    <Stack gap={12}>
      {changes !== null && (
        <output>
          <PeriodChangesNote changes={changes} />
          {changes.kept.length > 0 && <Alert kind="warn">{t('kept_hint')}</Alert>}
        </output>
      )}
      {holidays.length === 0 ? (
        <p>{t('none')}</p>
      ) : (
        <Stack as="ul" marked gap={12} aria-label={t('to_come')}>
          {holidays.map((holiday) => (
            <HolidayLine
              key={`${holiday.day} ${holiday.name}`}
              holiday={holiday}
              markets={markets}
              onChanged={setChanges}
            />
          ))}
        </Stack>
      )}
      <HolidayForm markets={markets} onChanged={setChanges} />
    </Stack>
  )
}

interface LineProps {
  holiday: Holiday
  markets: readonly ProductPeriod[]
  onChanged: (changes: PeriodChanges) => void
}

function HolidayLine({ holiday: { day, name, product_codes }, markets, onChanged }: LineProps) {
  const t = useTranslations('calendar.holidays')
  const language = useLocale()
  const { isBusy, failure, run } = useChange(saveHoliday)
  const remove = async (reason: string): Promise<void> => {
    const saved = await run({ product_codes: [...product_codes], day, is_on: false, reason })
    if (saved === null) return
    onChanged(saved.result)
    showToast('good', t('removed'))
  }
  const names = markets
    .filter(({ product_code }) => product_codes.includes(product_code))
    .map((market) => localizedName(market, language))
  return (
    <li>
      <strong>
        {formatDay(day, language)} · {name}
      </strong>
      <p>{names.join(', ')}</p>
      <details>
        <summary>{t('remove')}</summary>
        <p>{t('remove_hint')}</p>
        <ReasonForm action={t('remove')} isBusy={isBusy} failure={failure} onSend={(reason) => void remove(reason)} />
      </details>
    </li>
  )
}

const noMarkets: ReadonlySet<string> = new Set()

function HolidayForm({ markets, onChanged }: Pick<LineProps, 'markets' | 'onChanged'>) {
  const t = useTranslations('calendar.holidays')
  const problem = useTranslations('calendar.problem')
  const checkReason = useReasonCheck()
  const today = dayInBangkok(serverNowMs())
  const { isBusy, failure, run } = useChange(saveHoliday)
  const fields = useForm({
    initial: {
      day: undefined as string | undefined,
      name: '',
      markets: noMarkets,
      reason: '',
    },
    check: ({ day, name, markets: chosen, reason }) => ({
      day: day === undefined ? t('incomplete') : null,
      name: name.trim() === '' ? problem('name') : null,
      markets: chosen.size === 0 ? t('incomplete') : null,
      reason: checkReason(reason),
    }),
    send: () => send(),
  })
  const { day, markets: chosen } = fields.values
  const send = async (): Promise<void> => {
    if (day === undefined) return
    const [name, reason] = [fields.values.name.trim(), fields.values.reason.trim()]
    const saved = await run({ product_codes: [...chosen], day, is_on: true, name, reason })
    if (saved === null) return
    onChanged(saved.result)
    showToast('good', t('saved'))
    fields.reset()
  }
  const incomplete = fields.problems.day ?? fields.problems.markets ?? null
  return (
    <Stack noValidate as="form" gap={12} aria-label={t('add')} onSubmit={fields.submit}>
      <h3>{t('add')}</h3>
      <DayField label={t('day')} min={today} max={lastPeriodDay()} {...fields.propsOf('day')} />
      <TextInput label={t('name')} maxLength={60} autoComplete="off" {...fields.propsOf('name')} />
      <MarketChoices
        markets={markets}
        name="markets"
        chosen={chosen}
        onChange={(next) => fields.change({ markets: next })}
      />
      {incomplete !== null && <Alert kind="bad">{incomplete}</Alert>}
      {day !== undefined && chosen.size > 0 && <Consequence day={day} chosen={chosen} />}
      <ReasonField {...fields.propsOf('reason')} />
      {failure !== null && <Alert kind="bad">{failure}</Alert>}
      <Button type="submit" isBusy={isBusy}>
        {t('add')}
      </Button>
    </Stack>
  )
}

interface ChoicesProps {
  markets: readonly ProductPeriod[]
  name: string
  chosen: ReadonlySet<string>
  onChange: (chosen: ReadonlySet<string>) => void
}

/** Markets by group; a group is chosen as a whole with its own box. */
function MarketChoices({ markets, name, chosen, onChange }: ChoicesProps) {
  const groupName = useTranslations('lotto.group')
  const language = useLocale()
  const groups = [...new Set(markets.map(({ group_code }) => group_code))]
  const toggle = (codes: readonly string[], isOn: boolean): void => {
    const next = new Set(chosen)
    for (const code of codes)
      if (isOn) next.add(code)
      else next.delete(code)
    onChange(next)
  }
  const inGroup = (group: ProductGroup) => markets.filter(({ group_code }) => group_code === group)
  return groups.map((group) => {
    const codes = inGroup(group).map(({ product_code }) => product_code)
    return (
      <fieldset key={group} name={name} className={classes.group}>
        <legend>
          <Checkbox
            label={groupName(group)}
            isChecked={codes.every((code) => chosen.has(code))}
            onChange={(isOn) => toggle(codes, isOn)}
          />
        </legend>
        {codes.length > 1 && (
          <div className={classes.row}>
            {inGroup(group).map((market) => (
              <Checkbox
                key={market.product_code}
                label={localizedName(market, language)}
                isChecked={chosen.has(market.product_code)}
                onChange={(isOn) => toggle([market.product_code], isOn)}
              />
            ))}
          </div>
        )}
      </fieldset>
    )
  })
}

/** How many periods of the day would be removed, and how many are open and would stay. */
function Consequence({ day, chosen }: { day: string; chosen: ReadonlySet<string> }) {
  const t = useTranslations('calendar.holidays')
  const { data } = useQuery(calendarDayQuery(day))
  if (data === undefined) return null
  const count = (state: string): number =>
    data.filter(({ product_code, status }) => chosen.has(product_code) && status === state).length
  const open = count('open')
  return (
    <>
      <p>{t('consequence', { count: count('upcoming') })}</p>
      {open > 0 && <Alert kind="warn">{t('open_stay', { count: open })}</Alert>}
    </>
  )
}
