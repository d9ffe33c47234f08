import type { AwardPreview, Period, ProductPeriod } from '@megalot/contract'
import { checkDrawResult } from '@megalot/rules'
import { useQuery } from '@tanstack/react-query'
import type { UseQueryResult } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { ChangeEvent } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { refreshAfter } from '../../../lib/api/query-client.ts'
import { useServerTime } from '../../../lib/clock/server-clock.ts'
import { useErrorMessage } from '../../../lib/errors/use-error-message.ts'
import { formatInstant } from '../../../lib/format/dates.ts'
import { makeChange } from '../../../lib/api/use-change.ts'
import { useSend } from '../../../lib/forms/use-send.ts'
import { useReasonCheck } from '../../../lib/forms/reason.ts'
import { useForm } from '../../../lib/forms/use-form.ts'
import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'
import { Grid, Stack } from '../../../ui/layout.tsx'
import { QueryView, Skeleton } from '../../../ui/query-view.tsx'
import { ReasonField } from '../../../ui/reason-field.tsx'
import { TextInput } from '../../../ui/text-input.tsx'
import { AwardEntriesNote } from './award-entries-note.tsx'
import { AwardPreviewTable } from './award-preview.tsx'
import { awardEntriesQuery, awardPreviewQuery } from './award-queries.ts'
import classes from './results.module.css'
import { sendAward, sendCorrection } from '../../people/tickets/queries.ts'
import {
  formatDigits,
  isFull,
  listResultFields,
  type ResultField,
  resultOf,
  type ResultShown,
  writeDigitCount,
} from './result-fields.ts'
import { useResultText } from './use-result-text.ts'

const NO_FIELDS = { first_prize: '', top3: '', bottom2: '', front3: '', back3: '', reason: '' }

/** Puts the focus into the field after this one; the last one keeps it, and Enter sends. */
function focusNext(input: HTMLInputElement): void {
  const inputs = [...(input.form?.querySelectorAll('input') ?? [])]
  inputs[inputs.indexOf(input) + 1]?.focus()
}

interface ResultFormProps {
  market: ProductPeriod
  period: Period
  /** Whether the first field has the focus at once. */
  takesFocus: boolean
  /** The user has entered a result that is no correction. */
  onEntered: () => void
}

/**
 * Who has entered a result of the period so far, and the form for the next entry. There is none for the person of the first
 * entry, while two entries differ, while the result is being paid, and for a paid result before somebody wants to correct it.
 */
export function ResultForm(props: ResultFormProps) {
  const t = useTranslations('results')
  const entries = useQuery(awardEntriesQuery(props.period.period_code))
  const [isCorrecting, setCorrecting] = useState(false)
  const { status } = props.period
  // The entries are asked for more often than the period: both say together that it is paid.
  const isStale = status === 'closed' && entries.data !== undefined && entries.data.paid_result !== null
  useEffect(() => {
    if (isStale) void refreshAfter('period_paid')
  }, [isStale])
  if (status !== 'closed' && status !== 'settled') return <Alert kind="warn">{t(`no_entry.${status}`)}</Alert>
  return (
    <QueryView query={entries} skeleton={<Skeleton count={1} height={120} />}>
      {(known) => {
        const { state, kind, needs_other, paid_result } = known
        const isUncorrected = kind === 'correction' && state === 'none'
        const isOffered = state === 'none' || (state === 'entered' && !needs_other)
        return (
          <>
            {state === 'agreed' && <Alert kind="good">{t('state.agreed')}</Alert>}
            {paid_result !== null && <PaidResult result={paid_result} />}
            <AwardEntriesNote entries={known} />
            {isUncorrected && !isCorrecting ? (
              <Button variant="default" onClick={() => setCorrecting(true)}>
                {t('begin_correction')}
              </Button>
            ) : (
              isOffered && (
                <EntryForm
                  key={kind}
                  {...props}
                  takesFocus={props.takesFocus || isCorrecting}
                  isCorrection={kind === 'correction'}
                  onSent={() => (kind === 'correction' ? setCorrecting(false) : props.onEntered())}
                />
              )
            )}
          </>
        )
      }}
    </QueryView>
  )
}

function PaidResult({ result }: { result: ResultShown }) {
  const t = useTranslations('results')
  const writeResult = useResultText()
  return (
    <Alert kind="good">
      <p data-testid="paid-result">{t('paid_result', { result: writeResult(result) })}</p>
    </Alert>
  )
}

interface EntryFormProps extends ResultFormProps {
  isCorrection: boolean
  onSent: () => void
}

/** The fields of a result. A full field passes the focus on, the preview updates itself, Enter sends. */
function EntryForm({ market, period, takesFocus, isCorrection, onSent }: EntryFormProps) {
  const t = useTranslations('results')
  const writeResult = useResultText()
  const language = useLocale()
  const form = useRef<HTMLFormElement>(null)
  const { period_code, period_date } = period
  const isDrawn = useServerTime((nowMs) => nowMs >= Date.parse(period.draw_at))
  const draw = { result_form: market.result_form, period_date }
  const names = listResultFields(draw)
  const checkReason = useReasonCheck()
  const fields = useForm({
    initial: NO_FIELDS,
    check: (values) => {
      const problems = checkDrawResult(resultOf(values, draw), market.result_form, period_date)
      const codeOf = (name: ResultField) => problems.find(({ code }) => code.includes(name))?.code
      const said = names.map((name) => [name, codeOf(name)] as const)
      return {
        ...Object.fromEntries(said.map(([name, code]) => [name, code === undefined ? null : t(`problem.${code}`)])),
        reason: isCorrection ? checkReason(values.reason) : null,
      }
    },
    send: ({ reason }) => {
      if (!isUnseen) void send(reason.trim())
    },
  })
  const result = resultOf(fields.values, draw)
  const [problem] = checkDrawResult(result, market.result_form, period_date)
  const isPreviewed = problem === undefined && isDrawn
  const preview = useQuery({ ...awardPreviewQuery(period_code, result), enabled: isPreviewed })
  // A correction takes money back: it is sent by somebody who has seen how much.
  const isUnseen = isCorrection && isPreviewed && preview.isPending
  useEffect(() => {
    if (takesFocus) form.current?.querySelector('input')?.focus()
  }, [takesFocus])
  const { isBusy, failure, run } = useSend((reason: string) =>
    isCorrection
      ? makeChange(sendCorrection, { period_code, result, reason })
      : makeChange(sendAward, { date: period_date, period_code, result }),
  )
  const send = async (reason: string): Promise<void> => {
    if (!(await run(reason))) return
    fields.reset()
    onSent()
  }
  const labelOf = (name: ResultField): string =>
    name === 'first_prize' && market.result_form !== 'government'
      ? t('published_digits', { digits: writeDigitCount(market.result_form) })
      : t(`field.${name}`)
  const propsOf = (name: ResultField) => ({
    ...fields.propsOf(name),
    label: labelOf(name),
    autoComplete: 'off',
    inputMode: 'numeric' as const,
    onChange: ({ currentTarget: input }: ChangeEvent<HTMLInputElement>) => {
      const text = formatDigits(name, input.value, draw)
      fields.change({ [name]: text })
      if (text.length > fields.values[name].length && isFull(name, text, draw)) focusNext(input)
    },
  })
  return (
    <Stack noValidate ref={form} as="form" gap={12} above={12} onSubmit={fields.submit}>
      {isCorrection && <Alert kind="warn">{t('correction')}</Alert>}
      <Grid least={140} fit gap={12} align="end">
        {names.map((name) => (
          <TextInput key={name} {...propsOf(name)} />
        ))}
      </Grid>
      {isCorrection && <ReasonField {...fields.propsOf('reason')} label={t('field.reason')} />}
      {failure !== null && <Alert kind="bad">{failure}</Alert>}
      {!isDrawn && (
        <Alert kind="plain">{t('not_drawn', { time: formatInstant(period.draw_at, language, 'dayAndTime') })}</Alert>
      )}
      {problem === undefined && !names.includes('top3') && <p>{writeResult(result)}</p>}
      {isPreviewed && <Preview preview={preview} />}
      <Button type="submit" isBusy={isBusy} disabled={!isDrawn || isUnseen}>
        {isCorrection ? t('correct') : t('enter')}
      </Button>
    </Stack>
  )
}

function Preview({ preview: { data, error } }: { preview: UseQueryResult<AwardPreview> }) {
  const errorMessage = useErrorMessage()
  if (data) return <AwardPreviewTable preview={data} />
  return error === null ? (
    <div className={classes.awaited} aria-hidden="true" />
  ) : (
    <Alert kind="warn">{errorMessage(error)}</Alert>
  )
}
