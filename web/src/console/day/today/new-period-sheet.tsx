import { MAX_REASON_LENGTH } from '@megalot/contract/browser'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { marketsQuery, NO_MARKETS } from '../../../shared/markets/queries.ts'
import { nowInBangkok, readBangkok } from '../../../lib/format/bangkok-field.ts'
import { serverNowMs } from '../../../lib/clock/server-clock.ts'
import { showToast } from '../../../lib/feedback/toast.ts'
import { dayInBangkok } from '../../../lib/format/dates.ts'
import { useAction } from '../../../lib/forms/use-action.ts'
import { useFields } from '../../../lib/forms/use-fields.ts'
import { useRequestId } from '../../../lib/forms/use-request-id.ts'
import { localizedName } from '../../../lib/i18n/localized-name.ts'
import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'
import { DayField } from '../../../ui/day-field.tsx'
import { DialogSheet } from '../../../ui/dialog-sheet.tsx'
import { Stack } from '../../../ui/layout.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { TextInput } from '../../../ui/text-input.tsx'
import { lastPeriodDay, periodTimeBounds } from '../../changes/period-bounds.ts'
import { findPeriodTimesProblems } from './period-times.ts'
import type { PeriodTimesProblem } from './period-times.ts'
import { proposeTimes } from './queries.ts'
import { isShortReason } from '../../../lib/forms/reason.ts'

const ROUND = /^\d{1,3}$/

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
  const reasonLabel = useTranslations('common.reason')('label')
  const language = useLocale()
  const { data: markets = NO_MARKETS } = useQuery(marketsQuery)
  const today = dayInBangkok(serverNowMs())
  const [chosen, setChosen] = useState<string | null>(null)
  const [period_date, setDate] = useState<string | undefined>(today)
  const product_code = chosen ?? markets[0]?.product_code
  const { isBusy, failure, run } = useAction()
  const failureRef = useRef<HTMLDivElement>(null)
  // The form is higher than many screens: a refusal below its end would not be seen.
  useEffect(() => {
    if (failure !== null) failureRef.current?.scrollIntoView({ block: 'nearest' })
  }, [failure])
  const sendOnce = useRequestId()
  const fields = useFields<
    (typeof times)[number] | 'round' | 'reason',
    PeriodTimesProblem | 'bad_round' | 'reason_short'
  >(
    { open_at: '', close_at: '', draw_at: '', round: '', reason: '' },
    ({ round, reason, ...entered }) => ({
      ...findPeriodTimesProblems(entered, nowInBangkok(), period_date ?? null),
      round: round === '' || (ROUND.test(round) && Number(round) > 0) ? null : 'bad_round',
      reason: isShortReason(reason) ? 'reason_short' : null,
    }),
    (problem) => t(`move.${problem}`),
    ['open_at', 'round'],
  )
  const send = async (): Promise<void> => {
    const { round, reason } = fields.values
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
    const proposal = { kind: 'create_period' as const, payload, reason: reason.trim() }
    await sendOnce(proposal, (request_id) => proposeTimes({ ...proposal, request_id }))
    showToast('plain', t('move.done'))
    onDone()
  }
  return (
    <Stack noValidate as="form" gap={12} onSubmit={(event) => fields.submit(event, () => void run(send))}>
      <p>{t('new_period.hint')}</p>
      {product_code !== undefined && (
        <SelectField
          label={t('new_period.market')}
          value={product_code}
          choices={markets.map((one) => ({ value: one.product_code, label: localizedName(one, language) }))}
          onChange={setChosen}
        />
      )}
      <DayField label={t('new_period.day')} value={period_date} min={today} max={lastPeriodDay()} onChange={setDate} />
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
      <TextInput label={reasonLabel} maxLength={MAX_REASON_LENGTH} autoComplete="off" {...fields.propsOf('reason')} />
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
