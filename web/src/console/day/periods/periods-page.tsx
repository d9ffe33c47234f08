import type { ProductPeriod } from '@megalot/contract'
import { Link, getRouteApi, useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { type MarketState, stateOfMarket, useMarkets } from '../../../shared/markets/queries.ts'
import { serverNowMs } from '../../../lib/clock/server-clock.ts'
import { formatInstant } from '../../../lib/format/dates.ts'
import { useNames } from '../../../shared/markets/use-names.ts'
import { localizedName } from '../../../lib/i18n/localized-name.ts'
import { Countdown } from '../../../ui/countdown.tsx'
import { DataGrid } from '../../../ui/grid/data-grid.tsx'
import { Flag } from '../../../ui/flag.tsx'
import type { GridColumn } from '../../../ui/grid/grid-column.ts'
import { Row, Text } from '../../../ui/layout.tsx'
import { PageTitle } from '../../../ui/page-title.tsx'
import { EmptyNote } from '../../../ui/query-view.tsx'
import { RefreshButton } from '../../../ui/refresh-button.tsx'
import { sortPeriods } from '../../changes/sort-periods.ts'
import { useGridState } from '../../lists/use-grid-state.ts'

const route = getRouteApi('/main/periods')

const tones: Partial<Record<MarketState['kind'], 'good' | 'warn' | 'bad'>> = {
  open: 'good',
  maintained: 'warn',
  off: 'bad',
}

/** Users who do not bet see a market without a package. */
function stateSeen(market: ProductPeriod) {
  return stateOfMarket({ ...market, has_package: true }, serverNowMs())
}

/** Every market with its current period, those that close next first. */
export function PeriodsPage() {
  const t = useTranslations('periods')
  const query = useMarkets()
  const search = route.useSearch()
  const navigate = useNavigate()
  const columns = usePeriodColumns()
  const grid = useGridState({
    list: 'periods',
    columns,
    search,
    onSearch: (next) => void navigate({ to: '/periods', search: next, replace: true }),
  })
  const language = useLocale()
  const rows = query.data && sortPeriods(query.data, grid.sort, language)
  return (
    <>
      <PageTitle title={t('title')}>
        <RefreshButton isBusy={query.isRefetching} onRefresh={() => void query.refetch()} />
      </PageTitle>
      <DataGrid
        {...grid}
        label={t('title')}
        columns={columns}
        rows={rows}
        {...(rows === undefined ? {} : { total: rows.length })}
        keyOf={({ product_code }) => product_code}
        error={query.error}
        onRetry={() => void query.refetch()}
        empty={<EmptyNote title={t('none')} />}
        onOpen={({ product_code }) => void navigate({ to: '/markets/$product_code', params: { product_code } })}
      />
    </>
  )
}

function usePeriodColumns(): readonly GridColumn<ProductPeriod>[] {
  const t = useTranslations('periods')
  const language = useLocale()
  const { dayAndRound } = useNames()
  return useMemo(() => {
    const instantOf =
      (name: 'open_at' | 'close_at' | 'draw_at') =>
      ({ current_period }: ProductPeriod): string =>
        current_period === null ? '' : formatInstant(current_period[name], language, 'dayAndTime')
    const periodOf = ({ current_period: period }: ProductPeriod): string => (period === null ? '' : dayAndRound(period))
    return [
      {
        name: 'market',
        label: t('market'),
        isRowName: true,
        isSortable: true,
        width: 'minmax(12rem, 1.6fr)',
        text: (market) => localizedName(market, language),
        cell: (market) => (
          <Row as="span" inline nowrap gap={8} align="center">
            <Flag country_code={market.country_code} width={24} />
            <Link to="/markets/$product_code" params={{ product_code: market.product_code }} tabIndex={-1}>
              {localizedName(market, language)}
            </Link>
          </Row>
        ),
      },
      {
        name: 'state',
        label: t('state'),
        text: (market) => t(`kind.${stateSeen(market).kind}`),
        cell: (market) => {
          const { kind } = stateSeen(market)
          return (
            <Text as="span" tone={tones[kind] ?? 'dim'} strong={kind === 'open'}>
              {t(`kind.${kind}`)}
            </Text>
          )
        },
      },
      { name: 'period', label: t('period'), text: periodOf, cell: periodOf, width: 'minmax(9rem, 1.2fr)' },
      {
        name: 'closes_in',
        label: t('closes_in'),
        cell: (market) => {
          const state = stateSeen(market)
          return state.kind === 'open' ? <Countdown until_ms={state.close_ms} /> : '–'
        },
        width: 'minmax(9rem, 1fr)',
      },
      {
        name: 'open_at',
        label: t('open_at'),
        text: instantOf('open_at'),
        cell: instantOf('open_at'),
        isSortable: true,
        isOptional: true,
      },
      {
        name: 'close_at',
        label: t('close_at'),
        text: instantOf('close_at'),
        cell: instantOf('close_at'),
        isSortable: true,
      },
      {
        name: 'draw_at',
        label: t('draw_at'),
        text: instantOf('draw_at'),
        cell: instantOf('draw_at'),
        isSortable: true,
      },
    ] satisfies readonly GridColumn<ProductPeriod>[]
  }, [t, dayAndRound, language])
}
