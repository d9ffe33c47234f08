import { Button } from '../../ui/button.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import type { Period, ProductPeriod } from '@megalot/contract'
import { checkDrawResult } from '@megalot/rules'
import type { DrawResult } from '@megalot/rules'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { useAction } from '../../lib/forms/use-action.ts'
import { useFields } from '../../lib/forms/use-fields.ts'
import { localizedName } from '../../lib/i18n/localized-name.ts'
import { formatDay, formatInstant } from '../../lib/format/dates.ts'
import { marketsQuery, periodsQuery } from '../markets/queries.ts'
import { useServerTime } from '../../lib/clock/server-clock.ts'
import { Alert } from '../../ui/alert.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { Skeleton, EmptyNote, QueryView } from '../../ui/query-view.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import classes from './oversight.module.css'
import { sendAward, sendCorrection } from './queries.ts'

/** Where the office enters results and corrects them: one enters, a colleague repeats it. */
export function AwardEntryPage() {
  const t = useTranslations('oversight.awards')
  const markets = useQuery(marketsQuery)
  return (
    <>
      <PageTitle title={t('title')} />
      <Alert kind="plain">{t('two_people')}</Alert>
      <QueryView query={markets} skeleton={<Skeleton count={1} height={320} />}>
        {(known) => <AwardEntry markets={known} />}
      </QueryView>
    </>
  )
}

function AwardEntry({ markets }: { markets: readonly ProductPeriod[] }) {
  const t = useTranslations('oversight.awards')
  const common = useTranslations('common')
  const language = useLocale()
  const [product_code, setProduct] = useState(markets[0]?.product_code ?? '')
  const [period_code, setPeriod] = useState('')
  const market = markets.find((one) => one.product_code === product_code)
  const periods = useQuery(periodsQuery(market?.product_code))
  const nameOf = ({ period_date, round, status }: Period): string =>
    [
      formatDay(period_date, language),
      ...(round === null ? [] : [common('round', { round: String(round) })]),
      common(`period_status.${status}`),
    ].join(' · ')
  if (market === undefined) return <EmptyNote title={t('none')} />
  return (
    <section className={classes.card}>
      <SelectField
        label={t('market')}
        value={product_code}
        choices={markets.map((one) => ({ value: one.product_code, label: localizedName(one, language) }))}
        onChange={(code) => {
          setProduct(code)
          setPeriod('')
        }}
      />
      <QueryView query={periods} skeleton={<Skeleton count={1} height={72} />}>
        {(known) => {
          const due = known.filter(({ status }) => status === 'closed' || status === 'settled')
          if (due.length === 0) return <EmptyNote title={t('none')} />
          const period = due.find((one) => one.period_code === period_code) ?? due[0]!
          return (
            <>
              <SelectField
                label={t('period')}
                value={period.period_code}
                choices={due.map((one) => ({ value: one.period_code, label: nameOf(one) }))}
                onChange={setPeriod}
              />
              <ResultForm key={period.period_code} market={market} period={period} />
            </>
          )
        }}
      </QueryView>
    </section>
  )
}

const NO_FIELDS = { first_prize: '', top3: '', bottom2: '', front3: '', back3: '', reason: '' }
type Field = keyof typeof NO_FIELDS
const NO_PROBLEMS = { first_prize: null, top3: null, bottom2: null, front3: null, back3: null, reason: null }
const MIN_REASON_LENGTH = 3

type OwnResult = DrawResult & { front3?: string[]; back3?: string[] }

function listOf(text: string): string[] {
  return text.split(/[\s,]+/).filter((number) => number !== '')
}

/** The fields as a result; numbers of a list stand beside each other with a space between. */
function resultOf(values: typeof NO_FIELDS, isGovernment: boolean): OwnResult {
  const { first_prize, top3, bottom2, front3, back3 } = values
  if (!isGovernment) return { top3, bottom2 }
  return { first_prize, top3: first_prize.slice(3), bottom2, front3: listOf(front3), back3: listOf(back3) }
}

function ResultForm({ market, period }: { market: ProductPeriod; period: Period }) {
  const t = useTranslations('oversight.awards')
  const language = useLocale()
  const { isBusy, failure, run } = useAction()
  const [state, setState] = useState<Awaited<ReturnType<typeof sendAward>>['state'] | null>(null)
  const { period_code } = period
  const isDrawn = useServerTime((nowMs) => nowMs >= Date.parse(period.draw_at))
  const isCorrection = period.status === 'settled'
  const isGovernment = market.bet_types.includes('3front')
  const fields = useFields<Field, 'reason'>(
    NO_FIELDS,
    ({ reason }) => ({
      ...NO_PROBLEMS,
      reason: isCorrection && reason.trim().length < MIN_REASON_LENGTH ? 'reason' : null,
    }),
    (problem) => t(`problem.${problem}`),
  )
  const result = resultOf(fields.values, isGovernment)
  const [problem] = checkDrawResult(result, market.bet_types, period.period_date)
  const send = async (): Promise<void> => {
    setState(null)
    const reason = fields.values.reason.trim()
    const sent = isCorrection
      ? await sendCorrection({ period_code, result, reason })
      : await sendAward(period.period_date, { period_code, result })
    setState(sent.state)
    fields.reset()
  }
  const fieldOf = (name: Field) => ({ ...fields.propsOf(name), label: t(`field.${name}`), autoComplete: 'off' })
  const figures = { inputMode: 'numeric' } as const
  return (
    <form
      noValidate
      className={classes.form}
      onSubmit={(event) =>
        fields.submit(event, () => {
          if (problem === undefined) void run(send)
        })
      }
    >
      {isCorrection && <Alert kind="warn">{t('correction')}</Alert>}
      <div className={classes.pair}>
        {isGovernment ? (
          <>
            <TextInput {...fieldOf('first_prize')} {...figures} maxLength={6} />
            <TextInput {...fieldOf('front3')} maxLength={20} description={t('with_spaces')} />
            <TextInput {...fieldOf('back3')} maxLength={20} description={t('with_spaces')} />
          </>
        ) : (
          <TextInput {...fieldOf('top3')} {...figures} maxLength={3} />
        )}
        <TextInput {...fieldOf('bottom2')} {...figures} maxLength={2} />
      </div>
      {isCorrection && <TextInput {...fieldOf('reason')} maxLength={200} />}
      {fields.areProblemsShown && problem !== undefined && <Alert kind="bad">{t(`problem.${problem.code}`)}</Alert>}
      {failure !== null && <Alert kind="bad">{failure}</Alert>}
      {state !== null && <Alert kind="good">{t(`state.${state}`)}</Alert>}
      {!isDrawn && (
        <Alert kind="plain">{t('not_drawn', { time: formatInstant(period.draw_at, language, 'dayAndTime') })}</Alert>
      )}
      <Button type="submit" isBusy={isBusy} disabled={!isDrawn}>
        {isCorrection ? t('correct') : t('enter')}
      </Button>
    </form>
  )
}
