import type { Period, ProductPeriod } from '@megalot/contract'
import { betTypes } from '@megalot/rules'
import type { BetTypeCode } from '@megalot/rules'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { periodQuery, periodsQuery, useMarkets, withPeriod } from '../../../shared/markets/queries.ts'
import { localizedName } from '../../../lib/i18n/localized-name.ts'
import { PageTitle } from '../../../ui/page-title.tsx'
import { EmptyNote, QueryView, Skeleton } from '../../../ui/query-view.tsx'
import { SegmentedControl } from '../../../ui/segmented-control.tsx'
import { useNames } from '../../../shared/markets/use-names.ts'
import { SelectField } from '../../../ui/select-field.tsx'
import type { RiskSearch } from './risk-search.ts'
import { sortPeriods } from '../../changes/sort-periods.ts'
import { NumberBoard } from './number-board.tsx'
import { ResultBoard } from './result-board.tsx'
import classes from './risk.module.css'

const route = getRouteApi('/main/risk')
const NO_PERIODS: readonly Period[] = []
const allTypes = betTypes.map(({ code }) => code)

/** Exposure of a period by number and by result: the whole house for the office, the own downline for agents. */
export function RiskPage() {
  const t = useTranslations('risk')
  const language = useLocale()
  const markets = useMarkets()
  return (
    <>
      <PageTitle title={t('title')} />
      <QueryView query={markets} skeleton={<Skeleton count={12} height={34} />}>
        {(known) => {
          const inOrder = sortPeriods(known, null, language)
          return inOrder.length === 0 ? <EmptyNote title={t('no_market')} /> : <ChosenMarket markets={inOrder} />
        }}
      </QueryView>
    </>
  )
}

function ChosenMarket({ markets }: { markets: readonly ProductPeriod[] }) {
  const t = useTranslations('risk')
  const language = useLocale()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const setSearch = (next: RiskSearch): void => void navigate({ search: next, replace: true })
  const market = markets.find(({ product_code }) => product_code === search.market) ?? markets[0]!
  const { data: earlier = NO_PERIODS, isPending } = useQuery(periodsQuery(market.product_code))
  const current = market.current_period
  // Links lead to periods of long ago as well, which the list does not have.
  const isListed = search.period !== undefined && earlier.some((one) => one.period_code === search.period)
  const named = useQuery(periodQuery(market.product_code, isPending || isListed ? '' : (search.period ?? '')))
  const periods = withPeriod(withPeriod(earlier, named.data), current)
  const chosen = periods.find(({ period_code }) => period_code === search.period)
  // Until the periods are there: another board, in which somebody already works, would be taken away again.
  const isAwaited =
    (isPending || named.isLoading) && chosen === undefined && (search.period !== undefined || current === null)
  const period = chosen ?? (isAwaited ? undefined : (current ?? periods[0]))
  const bet_types = useBetTypesOf(market)
  const { withStatus } = useNames()
  return (
    <>
      <div className={classes.choice}>
        <SelectField
          label={t('market')}
          value={market.product_code}
          choices={markets.map((one) => ({ value: one.product_code, label: localizedName(one, language) }))}
          onChange={(product_code) => {
            const { period: _before, ...rest } = search
            setSearch({ ...rest, market: product_code })
          }}
        />
        {period !== undefined && (
          <SelectField
            label={t('period')}
            value={period.period_code}
            choices={periods.map((one) => ({ value: one.period_code, label: withStatus(one) }))}
            onChange={(period_code) => setSearch({ ...search, market: market.product_code, period: period_code })}
          />
        )}
        <SegmentedControl
          label={t('by')}
          value={search.by ?? 'numbers'}
          choices={(['numbers', 'results'] as const).map((value) => ({ value, label: t(`by_${value}`) }))}
          fill
          onChange={(by) => {
            const { by: _before, ...rest } = search
            setSearch(by === 'results' ? { ...rest, by } : rest)
          }}
        />
      </div>
      {isAwaited && <Skeleton count={12} height={34} />}
      {period === undefined && !isAwaited && <EmptyNote title={t('no_period')} />}
      {period !== undefined &&
        (search.by === 'results' ? (
          <ResultBoard key={period.period_code} {...{ period, bet_types, search }} onSearch={setSearch} />
        ) : (
          <NumberBoard key={period.period_code} {...{ period, bet_types, search }} onSearch={setSearch} />
        ))}
    </>
  )
}

/** The bet types of a market, always the same list for the same market. */
function useBetTypesOf({ bet_types }: ProductPeriod): readonly BetTypeCode[] {
  const names = bet_types.join()
  return useMemo(() => allTypes.filter((code) => names.split(',').includes(code)), [names])
}
