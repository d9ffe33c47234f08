import type { MarketTimetable, ProductPeriod } from '@megalot/contract'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { ReasonForm } from '../../../ui/reason-form.tsx'
import { serverNowMs } from '../../../lib/clock/server-clock.ts'
import { showToast } from '../../../lib/feedback/toast.ts'
import { dayInBangkok } from '../../../lib/format/dates.ts'
import { useChange } from '../../../lib/api/use-change.ts'
import { useReasonCheck } from '../../../lib/forms/reason.ts'
import { useForm } from '../../../lib/forms/use-form.ts'
import { localizedName } from '../../../lib/i18n/localized-name.ts'
import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'
import { DayField } from '../../../ui/day-field.tsx'
import { DialogSheet } from '../../../ui/dialog-sheet.tsx'
import { Stack } from '../../../ui/layout.tsx'
import { ReasonField } from '../../../ui/reason-field.tsx'
import { TextInput } from '../../../ui/text-input.tsx'
import { lastPeriodDay } from '../../changes/period-bounds.ts'
import { saveCancelRules, saveDrawDay, saveSwitch } from './queries.ts'
import { TimetableSettings } from './timetable-form.tsx'

interface SettingsProps {
  market: ProductPeriod
  onDone: () => void
}

interface MarketSettingsProps {
  market: ProductPeriod | null
  /** Undefined: not known yet. */
  timetable: MarketTimetable | undefined
  onClose: () => void
}

/** The office's settings of a market: timetable, cancel window, and whether it is on. */
export function MarketSettings({ market, timetable, onClose }: MarketSettingsProps) {
  const t = useTranslations('calendar')
  const language = useLocale()
  const title = market === null ? '' : t('settings_of', { market: localizedName(market, language) })
  return (
    <DialogSheet isOpen={market !== null} onClose={onClose} title={title} dismissible="explicitly">
      {market !== null && (
        <Stack gap={12}>
          {timetable !== undefined && <TimetableSettings market={timetable} onDone={onClose} />}
          <RulesForm market={market} onDone={onClose} />
          <DrawDayForm market={market} onDone={onClose} />
          <SwitchForm market={market} onDone={onClose} />
          <Link to="/maintenance">{t('to_maintenance')}</Link>
        </Stack>
      )}
    </DialogSheet>
  )
}

/** Makes a draw day doubtful: its period does not open before somebody confirms or moves it. */
function DrawDayForm({ market: { product_code }, onDone }: SettingsProps) {
  const t = useTranslations('calendar.draw_day')
  const [day, setDay] = useState<string | undefined>()
  const { isBusy, failure, run } = useChange(saveDrawDay)
  const send = async (reason: string): Promise<void> => {
    if (day === undefined || !(await run({ product_code, day, is_confirmed: false, reason }))) return
    showToast('good', t('saved'))
    onDone()
  }
  return (
    <details>
      <summary>{t('title')}</summary>
      <p>{t('hint')}</p>
      <DayField
        label={t('day')}
        value={day}
        min={dayInBangkok(serverNowMs())}
        max={lastPeriodDay()}
        onChange={setDay}
      />
      <ReasonForm
        action={t('send')}
        isBusy={isBusy}
        isDisabled={day === undefined}
        failure={failure}
        onSend={(reason) => void send(reason)}
      />
    </details>
  )
}

function SwitchForm({ market: { product_code, is_enabled }, onDone }: SettingsProps) {
  const t = useTranslations('calendar')
  const { isBusy, failure, run } = useChange(saveSwitch)
  const send = async (reason: string): Promise<void> => {
    if (!(await run({ product_code, is_enabled: !is_enabled, reason }))) return
    showToast('good', t('saved'))
    onDone()
  }
  return (
    <details>
      <summary>{t(is_enabled ? 'switch_off' : 'switch_on')}</summary>
      <p>{t(is_enabled ? 'switch_off_hint' : 'switch_on_hint')}</p>
      <ReasonForm
        action={t(is_enabled ? 'switch_off' : 'switch_on')}
        isBusy={isBusy}
        failure={failure}
        onSend={(reason) => void send(reason)}
      />
    </details>
  )
}

const figures = ['window_minutes', 'max_tickets', 'before_close_minutes'] as const
const WHOLE = /^\d{1,4}$/

function RulesForm({ market: { product_code, cancel_rules }, onDone }: SettingsProps) {
  const t = useTranslations('calendar')
  const checkReason = useReasonCheck()
  const { isBusy, failure, run } = useChange(saveCancelRules)
  const checkFigure = (text: string): string | null => (WHOLE.test(text) ? null : t('problem.figure'))
  const fields = useForm({
    initial: {
      window_minutes: String(cancel_rules.window_minutes),
      max_tickets: String(cancel_rules.max_tickets),
      before_close_minutes: String(cancel_rules.before_close_minutes),
      reason: '',
    },
    check: ({ window_minutes, max_tickets, before_close_minutes, reason }) => ({
      window_minutes: checkFigure(window_minutes),
      max_tickets: checkFigure(max_tickets),
      before_close_minutes: checkFigure(before_close_minutes),
      reason: checkReason(reason),
    }),
    send: async ({ reason, window_minutes, max_tickets, before_close_minutes }) => {
      const saved = await run({
        product_code,
        reason: reason.trim(),
        window_minutes: Number(window_minutes),
        max_tickets: Number(max_tickets),
        before_close_minutes: Number(before_close_minutes),
      })
      if (saved === null) return
      showToast('good', t('saved'))
      onDone()
    },
  })
  return (
    <Stack noValidate as="form" gap={12} aria-label={t('rules')} onSubmit={fields.submit}>
      <h3>{t('rules')}</h3>
      {figures.map((name) => (
        <TextInput key={name} label={t(name)} inputMode="numeric" autoComplete="off" {...fields.propsOf(name)} />
      ))}
      <ReasonField {...fields.propsOf('reason')} />
      {failure !== null && <Alert kind="bad">{failure}</Alert>}
      <Button type="submit" isBusy={isBusy}>
        {t('save')}
      </Button>
    </Stack>
  )
}
