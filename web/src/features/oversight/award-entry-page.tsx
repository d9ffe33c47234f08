import type { Period, ProductPeriod } from '@megalot/contract'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { localizedName } from '../../lib/i18n/localized-name.ts'
import { formatDay } from '../../lib/format/dates.ts'
import { marketsQuery, periodsQuery } from '../markets/queries.ts'
import { Alert } from '../../ui/alert.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { Skeleton, EmptyNote, QueryView } from '../../ui/query-view.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { periodQuery } from './award-queries.ts'
import classes from './oversight.module.css'
import { ResultForm } from './result-form.tsx'

const route = getRouteApi('/main/results')

/** Where the office enters results and corrects them: one enters, a colleague repeats it. */
export function AwardEntryPage() {
  const t = useTranslations('oversight.awards')
  const markets = useQuery(marketsQuery)
  const { period = '' } = route.useSearch()
  return (
    <>
      <PageTitle title={t('title')} />
      <Alert kind="plain">{t('two_people')}</Alert>
      <QueryView query={markets} skeleton={<Skeleton count={1} height={320} />}>
        {(known) => <AwardEntry markets={known} period_code={period} key={period} />}
      </QueryView>
    </>
  )
}

/** The market of a period: codes of periods begin with that of their market. */
function marketOf(markets: readonly ProductPeriod[], period_code: string): ProductPeriod | undefined {
  return markets.find(
    ({ product_code }) =>
      /^-\d{8}(-\d+)?$/.test(period_code.slice(product_code.length)) && period_code.startsWith(product_code),
  )
}

function withNamed(known: readonly Period[], named: Period | undefined): readonly Period[] {
  return named === undefined || known.some(({ period_code }) => period_code === named.period_code)
    ? known
    : [named, ...known]
}

interface AwardEntryProps {
  markets: readonly ProductPeriod[]
  /** The period that the address names; empty: none. */
  period_code: string
}

function AwardEntry({ markets, period_code: named_code }: AwardEntryProps) {
  const t = useTranslations('oversight.awards')
  const common = useTranslations('common')
  const language = useLocale()
  const namedMarket = marketOf(markets, named_code)
  const [product_code, setProduct] = useState((namedMarket ?? markets[0])?.product_code ?? '')
  const [period_code, setPeriod] = useState(named_code)
  const market = markets.find((one) => one.product_code === product_code)
  const periods = useQuery(periodsQuery(market?.product_code))
  const named = useQuery(periodQuery(market === namedMarket ? market?.product_code : undefined, named_code))
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
          // Another period than the one that was asked for must not take its place.
          if (named.isLoading) return <Skeleton count={1} height={72} />
          const due = withNamed(known, named.data).filter(({ status }) => status === 'closed' || status === 'settled')
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
              <ResultForm
                key={period.period_code}
                market={market}
                period={period}
                isReady={period.period_code === named_code}
              />
            </>
          )
        }}
      </QueryView>
    </section>
  )
}
