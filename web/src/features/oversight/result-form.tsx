import type { Period, ProductPeriod } from '@megalot/contract'
import { checkDrawResult } from '@megalot/rules'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { ChangeEvent } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { useServerTime } from '../../lib/clock/server-clock.ts'
import { useErrorMessage } from '../../lib/errors/use-error-message.ts'
import { formatInstant } from '../../lib/format/dates.ts'
import { useAction } from '../../lib/forms/use-action.ts'
import { useFields } from '../../lib/forms/use-fields.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import { AwardEntriesNote } from './award-entries-note.tsx'
import { AwardPreviewTable } from './award-preview.tsx'
import { awardEntriesQuery, awardPreviewQuery } from './award-queries.ts'
import classes from './oversight.module.css'
import { sendAward, sendCorrection } from './queries.ts'
import { formatDigits, isFull, listResultFields, type ResultField, resultOf } from './result-fields.ts'

const NO_FIELDS = { first_prize: '', top3: '', bottom2: '', front3: '', back3: '', reason: '' }
type Field = keyof typeof NO_FIELDS
const NO_PROBLEMS = { first_prize: null, top3: null, bottom2: null, front3: null, back3: null, reason: null }
const MIN_REASON_LENGTH = 3

/** Puts the focus into the field after this one; the last one keeps it, and Enter sends. */
function focusNext(input: HTMLInputElement): void {
  const inputs = [...(input.form?.querySelectorAll('input') ?? [])]
  inputs[inputs.indexOf(input) + 1]?.focus()
}

interface ResultFormProps {
  market: ProductPeriod
  period: Period
  /** Whether the first field has the focus at once. */
  isReady: boolean
}

/**
 * Who has entered a result of the period so far, and the form for the next entry. While two entries differ a third is
 * refused: there is no form until they are removed, and then an empty one.
 */
export function ResultForm(props: ResultFormProps) {
  const entries = useQuery(awardEntriesQuery(props.period.period_code))
  return (
    <>
      {entries.data && <AwardEntriesNote entries={entries.data} />}
      {entries.data?.state !== 'locked' && <EntryForm {...props} />}
    </>
  )
}

/** Where a result is typed: a full field passes the focus on, the preview comes by itself, Enter sends. */
function EntryForm({ market, period, isReady }: ResultFormProps) {
  const t = useTranslations('oversight.awards')
  const language = useLocale()
  const form = useRef<HTMLFormElement>(null)
  const { isBusy, failure, run } = useAction()
  const [state, setState] = useState<Awaited<ReturnType<typeof sendAward>>['state'] | null>(null)
  const { period_code, period_date } = period
  const isDrawn = useServerTime((nowMs) => nowMs >= Date.parse(period.draw_at))
  const isCorrection = period.status === 'settled'
  const names = listResultFields(market.bet_types.includes('3front'), period_date)
  const fields = useFields<Field, 'reason'>(
    NO_FIELDS,
    ({ reason }) => ({
      ...NO_PROBLEMS,
      reason: isCorrection && reason.trim().length < MIN_REASON_LENGTH ? 'reason' : null,
    }),
    (problem) => t(`problem.${problem}`),
  )
  const result = resultOf(fields.values, names)
  const [problem] = checkDrawResult(result, market.bet_types, period_date)
  useEffect(() => {
    if (isReady) form.current?.querySelector('input')?.focus()
  }, [isReady])
  const send = async (): Promise<void> => {
    setState(null)
    const reason = fields.values.reason.trim()
    const sent = isCorrection
      ? await sendCorrection({ period_code, result, reason })
      : await sendAward(period_date, { period_code, result })
    setState(sent.state)
    fields.reset()
  }
  const propsOf = (name: ResultField) => ({
    ...fields.propsOf(name),
    label: t(`field.${name}`),
    autoComplete: 'off',
    inputMode: 'numeric' as const,
    onChange: ({ currentTarget: input }: ChangeEvent<HTMLInputElement>) => {
      const text = formatDigits(name, input.value, period_date)
      fields.change(name, text)
      if (text.length > fields.values[name].length && isFull(name, text, period_date)) focusNext(input)
    },
  })
  return (
    <form
      noValidate
      ref={form}
      className={classes.form}
      onSubmit={(event) =>
        fields.submit(event, () => {
          if (problem === undefined) void run(send)
        })
      }
    >
      {isCorrection && <Alert kind="warn">{t('correction')}</Alert>}
      <div className={classes.pair}>
        {names.map((name) => (
          <TextInput key={name} {...propsOf(name)} />
        ))}
      </div>
      {isCorrection && (
        <TextInput {...fields.propsOf('reason')} label={t('field.reason')} autoComplete="off" maxLength={200} />
      )}
      {fields.areProblemsShown && problem !== undefined && <Alert kind="bad">{t(`problem.${problem.code}`)}</Alert>}
      {failure !== null && <Alert kind="bad">{failure}</Alert>}
      {state !== null && <Alert kind="good">{t(`state.${state}`)}</Alert>}
      {!isDrawn && (
        <Alert kind="plain">{t('not_drawn', { time: formatInstant(period.draw_at, language, 'dayAndTime') })}</Alert>
      )}
      {problem === undefined && isDrawn && <Preview period_code={period_code} result={result} />}
      <Button type="submit" isBusy={isBusy} disabled={!isDrawn}>
        {isCorrection ? t('correct') : t('enter')}
      </Button>
    </form>
  )
}

function Preview({ period_code, result }: { period_code: string; result: ReturnType<typeof resultOf> }) {
  const errorMessage = useErrorMessage()
  const { data, error } = useQuery(awardPreviewQuery(period_code, result))
  if (data) return <AwardPreviewTable preview={data} />
  return error === null ? (
    <div className={classes.awaited} aria-hidden="true" />
  ) : (
    <Alert kind="warn">{errorMessage(error)}</Alert>
  )
}
