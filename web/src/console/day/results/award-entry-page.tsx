import type { Period, ProductPeriod } from '@megalot/contract'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { localizedName } from '../../../lib/i18n/localized-name.ts'
import { marketsQuery, periodQuery, periodsQuery, withPeriod } from '../../../shared/markets/queries.ts'
import { useNames } from '../../../shared/markets/use-names.ts'
import { Alert } from '../../../ui/alert.tsx'
import { Card } from '../../../ui/layout.tsx'
import { PageTitle } from '../../../ui/page-title.tsx'
import { Skeleton, EmptyNote, QueryView } from '../../../ui/query-view.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { firstAwaitedQuery } from './award-queries.ts'
import { byDraw } from './due-results.ts'
import { NextDue } from './next-due.tsx'
import { ResultQueue } from './result-queue.tsx'
import { ResultForm } from './result-form.tsx'

const route = getRouteApi('/main/results')

/** The office enters and corrects results here. One person enters, a second person repeats. */
export function AwardEntryPage() {
  const t = useTranslations('results')
  const markets = useQuery(marketsQuery)
  const { period = '' } = route.useSearch()
  return (
    <>
      <PageTitle title={t('title')} />
      <Alert kind="plain">{t('two_people')}</Alert>
      <ResultQueue current={period} />
      <QueryView query={markets} skeleton={<Skeleton count={1} height={320} />}>
        {(known) =>
          period === '' ? (
            <FirstAwaited markets={known} />
          ) : (
            <AwardEntry markets={known} period_code={period} key={period} />
          )
        }
      </QueryView>
    </>
  )
}

/** The form of the first period that awaits its result. Nobody has asked for it, so the focus stays at the top of the page. */
function FirstAwaited({ markets }: { markets: readonly ProductPeriod[] }) {
  const first = useQuery(firstAwaitedQuery)
  // The first period of an earlier visit may have its result by now.
  if (first.isFetching && !first.isFetchedAfterMount) return <Skeleton count={1} height={320} />
  return (
    <QueryView query={first} skeleton={<Skeleton count={1} height={320} />}>
      {(period) => <AwardEntry markets={markets} period_code={period?.period_code ?? ''} takesFocus={false} />}
    </QueryView>
  )
}

/** The market of a period. Period codes begin with the market's code. */
function marketOf(markets: readonly ProductPeriod[], period_code: string): ProductPeriod | undefined {
  return markets.find(
    ({ product_code }) =>
      /^-\d{8}(-\d+)?$/.test(period_code.slice(product_code.length)) && period_code.startsWith(product_code),
  )
}

interface AwardEntryProps {
  markets: readonly ProductPeriod[]
  /** The period that is shown at first; empty: one of the first market. What comes later does not take its place. */
  period_code: string
  /** Whether its first field has the focus at once. */
  takesFocus?: boolean
}

function AwardEntry({ markets, period_code, takesFocus = true }: AwardEntryProps) {
  const t = useTranslations('results')
  const language = useLocale()
  const [named_code] = useState(period_code)
  const namedMarket = marketOf(markets, named_code)
  const [product_code, setProduct] = useState((namedMarket ?? markets[0])?.product_code ?? '')
  const market = markets.find((one) => one.product_code === product_code)
  const [isNamed, setNamed] = useState(true)
  if (market === undefined) return <EmptyNote title={t('none')} />
  return (
    <Card as="section" gap={12} pad={[14, 16, 16]} most={640}>
      <SelectField
        label={t('market')}
        value={product_code}
        choices={markets.map((one) => ({ value: one.product_code, label: localizedName(one, language) }))}
        onChange={(code) => {
          setProduct(code)
          setNamed(false)
        }}
      />
      <PeriodsOfMarket
        key={product_code}
        market={market}
        named_code={isNamed && market === namedMarket ? named_code : ''}
        takesFocus={takesFocus}
      />
    </Card>
  )
}

interface PeriodsOfMarketProps {
  market: ProductPeriod
  /** Empty: none. */
  named_code: string
  takesFocus: boolean
}

/** The periods of a market that have a result or await one. */
function PeriodsOfMarket({ market, named_code, takesFocus }: PeriodsOfMarketProps) {
  const t = useTranslations('results')
  const periods = useQuery(periodsQuery(market.product_code))
  const named = useQuery(periodQuery(market.product_code, named_code))
  return (
    <QueryView query={periods} skeleton={<Skeleton count={1} height={72} />}>
      {(known) => {
        // Another period than the one that was asked for must not take its place.
        if (named.isLoading) return <Skeleton count={1} height={72} />
        // Nor where it takes no result: the form says why.
        const due = withPeriod(known, named.data).filter(
          ({ status, period_code }) => status === 'closed' || status === 'settled' || period_code === named_code,
        )
        if (due.length === 0) return <EmptyNote title={t('none')} />
        return <PeriodChoice market={market} due={due} named_code={named_code} takesFocus={takesFocus} />
      }}
    </QueryView>
  )
}

interface PeriodChoiceProps extends PeriodsOfMarketProps {
  /** At least one. */
  due: readonly Period[]
}

/** The chosen period and its form. The choice stays when another period closes or this one is settled. */
function PeriodChoice({ market, due, named_code, takesFocus }: PeriodChoiceProps) {
  const t = useTranslations('results')
  const [period_code, setPeriod] = useState(() => {
    const closed = due.filter(({ status }) => status === 'closed').toSorted(byDraw)
    return (due.find((one) => one.period_code === named_code) ?? closed[0] ?? due[0]!).period_code
  })
  const [entered, setEntered] = useState('')
  const period = due.find((one) => one.period_code === period_code) ?? due[0]!
  const { withStatus } = useNames()
  return (
    <>
      <SelectField
        label={t('period')}
        value={period.period_code}
        choices={due.map((one) => ({ value: one.period_code, label: withStatus(one) }))}
        onChange={setPeriod}
      />
      <ResultForm
        key={period.period_code}
        market={market}
        period={period}
        takesFocus={takesFocus && period.period_code === named_code}
        onEntered={() => setEntered(period.period_code)}
      />
      {entered === period.period_code && <NextDue current={period} />}
    </>
  )
}
