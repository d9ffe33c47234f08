import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslations } from 'use-intl'
import { NO_MARKETS, useMarkets } from '../../../shared/markets/queries.ts'
import { formatWholeBaht } from '../../../lib/format/money.ts'
import { useUser } from '../../../lib/user/user-query.ts'
import { DataGrid } from '../../../ui/grid/data-grid.tsx'
import type { GridColumn } from '../../../ui/grid/grid-column.ts'
import { Intro } from '../../../ui/layout.tsx'
import { PageTitle } from '../../../ui/page-title.tsx'
import { EmptyNote } from '../../../ui/query-view.tsx'
import { RefreshButton } from '../../../ui/refresh-button.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import pages from '../../lists/lists.module.css'
import { permissionsOf } from '../../menu.ts'
import type { QuotasSearch } from './numbers-search.ts'
import { allPackagesQuery } from '../rates/queries.ts'
import { useGridState } from '../../lists/use-grid-state.ts'
import classes from './numbers.module.css'
import { periodsByMarket } from './periods-by-market.ts'
import { quotasWithExceptionsQuery } from './queries.ts'
import { keyOfRow, listQuotaRows, type QuotaRow } from './quota-rows.ts'
import { QuotaSheet } from './quota-sheet.tsx'
import { useNumberWords } from './use-number-words.ts'

const route = getRouteApi('/main/numbers/quotas')

/** Quotas per number: of a market, of its packages, and of a period. */
export function QuotasPage() {
  const t = useTranslations('numbers')
  const tab = useTranslations('console.tab')
  const words = useNumberWords()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const setSearch = (next: QuotasSearch): void => void navigate({ search: next, replace: true })
  const mayChange = permissionsOf(useUser()).has('risk.do')
  const markets = useMarkets().data ?? NO_MARKETS
  const { open, ...closed } = search
  const { bet_type, ...ofEveryType } = closed
  const { rows: known, query, market } = useQuotaRows(search.product_code)
  const rows = known?.filter((row) => bet_type === undefined || row.bet_type === bet_type)
  const columns = useQuotaColumns()
  const grid = useGridState({ list: 'quotas', columns, search, onSearch: setSearch })
  return (
    <>
      <PageTitle title={t('title')}>
        <RefreshButton isBusy={query.isRefetching} onRefresh={() => void query.refetch()} />
      </PageTitle>
      <Intro>{t('quota.text')}</Intro>
      <DataGrid
        {...grid}
        label={tab('quotas')}
        columns={columns}
        rows={rows}
        {...(rows === undefined ? {} : { total: rows.length })}
        keyOf={keyOfRow}
        error={query.error}
        onRetry={() => void query.refetch()}
        empty={<EmptyNote title={t('quota.none')} />}
        {...(mayChange ? { onOpen: (row: QuotaRow) => setSearch({ ...search, open: keyOfRow(row) }) } : {})}
      >
        <div className={pages.filters}>
          <SelectField
            label={t('column.market')}
            value={market?.product_code ?? ''}
            choices={markets.map((one) => ({ value: one.product_code, label: words.marketName(one.product_code) }))}
            onChange={(chosen) => setSearch({ ...closed, product_code: chosen })}
          />
          <SelectField<string>
            label={t('column.bet_type')}
            value={bet_type ?? ''}
            choices={[
              { value: '', label: t('any_bet_type') },
              ...(market?.bet_types ?? []).map((value) => ({ value, label: words.typeName(value) })),
            ]}
            onChange={(chosen) => setSearch(chosen === '' ? ofEveryType : { ...ofEveryType, bet_type: chosen })}
          />
        </div>
      </DataGrid>
      <QuotaSheet
        row={mayChange ? (rows?.find((row) => keyOfRow(row) === open) ?? null) : null}
        onClose={() => setSearch(closed)}
      />
    </>
  )
}

/** The quotas of a market; of the first one while none is chosen. */
function useQuotaRows(chosen: string | undefined) {
  const { data: markets = NO_MARKETS } = useMarkets()
  const query = useQuery(quotasWithExceptionsQuery)
  const packages = useQuery({ ...allPackagesQuery, enabled: permissionsOf(useUser()).has('terms.view') })
  const market = markets.find((one) => one.product_code === chosen) ?? markets[0]
  const rows = useMemo(() => {
    if (market === undefined || query.data === undefined) return undefined
    const { product_code, bet_types } = market
    const period_code = periodsByMarket([market]).get(product_code)
    const package_codes = (packages.data ?? [])
      .filter((one) => one.product_code === product_code)
      .map((one) => one.package_code)
    const period_codes = period_code === undefined ? [] : [period_code]
    return listQuotaRows({ product_code, bet_types, package_codes, period_codes }, query.data)
  }, [market, query.data, packages.data])
  return { rows, query, market }
}

function useQuotaColumns(): readonly GridColumn<QuotaRow>[] {
  const t = useTranslations('numbers')
  const words = useNumberWords()
  return useMemo(() => {
    const scopeOf = ({ package_code, period_code }: QuotaRow): string =>
      [
        ...(period_code === null ? [] : [words.periodName(period_code, null)]),
        ...(package_code === null ? [] : [t('quota.scope.package', { code: package_code })]),
      ].join(' · ') || t('quota.scope.market')
    const amountOf =
      (name: 'full_satang' | 'half_satang') =>
      ({ quota, scope }: QuotaRow): string => {
        if (quota !== null) return formatWholeBaht(quota[name])
        if (name === 'half_satang') return '–'
        if (scope === 'period_package') return t('quota.not_own_here')
        return t(scope === 'market' ? 'quota.no_limit' : 'quota.not_own')
      }
    return [
      {
        name: 'bet_type',
        label: t('column.bet_type'),
        isRowName: true,
        text: ({ bet_type }) => words.typeName(bet_type),
        cell: ({ bet_type, scope }) => (
          <span className={scope === 'market' ? classes.ofMarket : classes.dim}>{words.typeName(bet_type)}</span>
        ),
      },
      { name: 'scope', label: t('quota.scope.label'), text: scopeOf, cell: scopeOf, width: 'minmax(10rem, 1.6fr)' },
      ...(['full_satang', 'half_satang'] as const).map((name) => ({
        name,
        label: t(`quota.${name}`),
        isFigure: true,
        text: amountOf(name),
        cell: (row: QuotaRow) => <span className={row.quota === null ? classes.dim : ''}>{amountOf(name)(row)}</span>,
      })),
    ]
  }, [t, words])
}
