import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { marketsQuery, NO_MARKETS } from '../../../shared/markets/queries.ts'
import { nowInBangkok, readBangkok } from '../../../lib/format/bangkok-field.ts'
import { serverNowMs } from '../../../lib/clock/server-clock.ts'
import { showToast } from '../../../lib/feedback/toast.ts'
import { dayInBangkok } from '../../../lib/format/dates.ts'
import { useChange } from '../../../lib/api/use-change.ts'
import { useReasonCheck } from '../../../lib/forms/reason.ts'
import { inWords, useForm } from '../../../lib/forms/use-form.ts'
import { useRequestId } from '../../../lib/forms/use-request-id.ts'
import { localizedName } from '../../../lib/i18n/localized-name.ts'
import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'
import { DayField } from '../../../ui/day-field.tsx'
import { DialogSheet } from '../../../ui/dialog-sheet.tsx'
import { Stack } from '../../../ui/layout.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { ReasonField } from '../../../ui/reason-field.tsx'
import { TextInput } from '../../../ui/text-input.tsx'
import { lastPeriodDay, periodTimeBounds } from '../../changes/period-bounds.ts'
import { findPeriodTimesProblems } from './period-times.ts'
import { propose } from '../../changes/queries.ts'

const ROUND = /^\d{1,3}$/

interface NewPeriod {
  /** Null chooses the first market. */
  chosen: string | null
  period_date: string | undefined
  round: string
  open_at: string
  close_at: string
  draw_at: string
  reason: string
}

/** A period beside the timetable, which another person has to approve. */
export function NewPeriodSheet({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const t = useTranslations('day.new_period')
  return (
    <DialogSheet isOpen={isOpen} onClose={onClose} title={t('title')} dismissible="explicitly">
      <NewPeriodForm onDone={onClose} />
    </DialogSheet>
  )
}

const times = ['open_at', 'close_at', 'draw_at'] as const

function NewPeriodForm({ onDone }: { onDone: () => void }) {
  const t = useTranslations('day')
  const checkReason = useReasonCheck()
  const language = useLocale()
  const { data: markets = NO_MARKETS } = useQuery(marketsQuery)
  const today = dayInBangkok(serverNowMs())
  const { isBusy, failure, run } = useChange(useRequestId(propose))
  const failureRef = useRef<HTMLDivElement>(null)
  // The form is higher than many screens: a refusal below its end would not be seen.
  useEffect(() => {
    if (failure !== null) failureRef.current?.scrollIntoView({ block: 'nearest' })
  }, [failure])
  const fields = useForm<NewPeriod>({
    initial: {
      chosen: null,
      period_date: today,
      round: '',
      open_at: '',
      close_at: '',
      draw_at: '',
      reason: '',
    },
    check: ({ period_date, round, reason, ...entered }) => ({
      period_date: period_date === undefined ? t('move.bad_time') : null,
      round: round === '' || (ROUND.test(round) && Number(round) > 0) ? null : t('move.bad_round'),
      ...inWords(findPeriodTimesProblems(entered, nowInBangkok(), period_date ?? null), (problem) =>
        t(`move.${problem}`),
      ),
      reason: checkReason(reason),
    }),
    send: () => send(),
  })
  const product_code = fields.values.chosen ?? markets[0]?.product_code
  const send = async (): Promise<void> => {
    const { period_date, round, reason } = fields.values
    const [open_at, close_at, draw_at] = times.map((name) => readBangkok(fields.values[name]))
    if (product_code === undefined || period_date === undefined || !close_at || !draw_at) return
    const payload = {
      product_code,
      period_date,
      ...(round === '' ? {} : { round: Number(round) }),
      ...(open_at ? { open_at } : {}),
      close_at,
      draw_at,
    }
    if (!(await run({ kind: 'create_period', payload, reason: reason.trim() }))) return
    showToast('plain', t('move.done'))
    onDone()
  }
  return (
    <Stack noValidate as="form" gap={12} onSubmit={fields.submit}>
      <p>{t('new_period.hint')}</p>
      {product_code !== undefined && (
        <SelectField
          label={t('new_period.market')}
          {...fields.propsOf('chosen')}
          value={product_code}
          choices={markets.map((one) => ({ value: one.product_code, label: localizedName(one, language) }))}
        />
      )}
      <DayField label={t('new_period.day')} min={today} max={lastPeriodDay()} {...fields.propsOf('period_date')} />
      <TextInput
        label={t('new_period.round')}
        description={t('new_period.round_hint')}
        inputMode="numeric"
        autoComplete="off"
        {...fields.propsOf('round')}
      />
      <TextInput
        label={t('new_period.open_at')}
        description={t('new_period.open_hint')}
        type="datetime-local"
        {...periodTimeBounds()}
        {...fields.propsOf('open_at')}
      />
      <TextInput label={t('close_at')} type="datetime-local" {...periodTimeBounds()} {...fields.propsOf('close_at')} />
      <TextInput label={t('draw_at')} type="datetime-local" {...periodTimeBounds()} {...fields.propsOf('draw_at')} />
      <ReasonField {...fields.propsOf('reason')} />
      {failure !== null && (
        <div ref={failureRef}>
          <Alert kind="bad">{failure}</Alert>
        </div>
      )}
      <Button type="submit" isBusy={isBusy}>
        {t('move.send')}
      </Button>
    </Stack>
  )
}
