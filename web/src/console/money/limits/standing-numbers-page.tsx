import type { StandingNumber } from '@megalot/contract'
import { betTypes } from '@megalot/rules'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { formatDay } from '../../../lib/format/dates.ts'
import { DataGrid } from '../../../ui/grid/data-grid.tsx'
import type { GridColumn, GridSort } from '../../../ui/grid/grid-column.ts'
import { PageTitle } from '../../../ui/page-title.tsx'
import { EmptyNote } from '../../../ui/query-view.tsx'
import { RefreshButton } from '../../../ui/refresh-button.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import pages from '../../lists/lists.module.css'
import type { StandingNumbersSearch } from './numbers-search.ts'
import { useGridState } from '../../lists/use-grid-state.ts'
import { standingNumbersQuery } from './queries.ts'
import { useNumberWords } from './use-number-words.ts'

const route = getRouteApi('/main/numbers/standing')

/** The numbers that standing rules set in the next period of each market. */
export function StandingNumbersPage() {
  const t = useTranslations('numbers')
  const tab = useTranslations('console.tab')
  const words = useNumberWords()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const setSearch = (next: StandingNumbersSearch): void => void navigate({ search: next, replace: true })
  const query = useQuery(standingNumbersQuery)
  const columns = useStandingColumns()
  const grid = useGridState({ list: 'standing-numbers', columns, search, onSearch: setSearch })
  const { product_code, ...others } = search
  const known = query.data
  const markets = [...new Set((known ?? []).map((row) => row.product_code))]
  const requested = known?.filter((row) => product_code === undefined || row.product_code === product_code)
  const rows = requested && sortStanding(requested, grid.sort)
  return (
    <>
      <PageTitle title={t('title')}>
        <RefreshButton isBusy={query.isRefetching} onRefresh={() => void query.refetch()} />
      </PageTitle>
      <DataGrid
        {...grid}
        label={tab('standing')}
        columns={columns}
        rows={rows}
        {...(rows === undefined ? {} : { total: rows.length })}
        keyOf={(row) => `${row.product_code} ${row.bet_type} ${row.number}`}
        error={query.error}
        onRetry={() => void query.refetch()}
        empty={
          <EmptyNote title={t('no_standing')}>
            <p>{t('no_standing_hint')}</p>
          </EmptyNote>
        }
        onOpen={({ rule_id }) => void navigate({ to: '/numbers/rules', search: { rule_id } })}
      >
        <div className={pages.filters}>
          <SelectField
            label={t('column.market')}
            value={product_code ?? ''}
            choices={[
              { value: '', label: t('any_market') },
              ...markets.map((value) => ({ value, label: words.marketName(value) })),
            ]}
            onChange={(chosen) => setSearch(chosen === '' ? others : { ...others, product_code: chosen })}
          />
        </div>
      </DataGrid>
    </>
  )
}

const typeOrder = new Map(betTypes.map(({ code }, index) => [code, index]))

const readers: Readonly<Record<string, (row: StandingNumber) => string | number>> = {
  number: ({ number }) => number,
  bet_type: ({ bet_type }) => typeOrder.get(bet_type)!,
  value: ({ value }) => value.set_to,
  until: ({ until_date }) => until_date ?? '9999',
}

function sortStanding(rows: readonly StandingNumber[], sort: GridSort | null): readonly StandingNumber[] {
  const read = sort === null ? undefined : readers[sort.column]
  if (read === undefined) return rows
  const sign = sort?.direction === 'desc' ? -1 : 1
  return rows.toSorted((one, other) => {
    const [a, b] = [read(one), read(other)]
    return a < b ? -sign : a > b ? sign : 0
  })
}

function useStandingColumns(): readonly GridColumn<StandingNumber>[] {
  const t = useTranslations('numbers')
  const language = useLocale()
  const words = useNumberWords()
  return useMemo(() => {
    const column = (
      name: string,
      label: string,
      read: (row: StandingNumber) => string,
      more: Partial<GridColumn<StandingNumber>> = {},
    ): GridColumn<StandingNumber> => ({ name, label, text: read, cell: read, ...more })
    const untilOf = ({ until_date }: StandingNumber): string =>
      until_date === null ? t('no_end') : formatDay(until_date, language)
    return [
      column('number', t('column.number'), ({ number }) => number, { isRowName: true, isSortable: true }),
      column('bet_type', t('column.bet_type'), ({ bet_type }) => words.typeName(bet_type), { isSortable: true }),
      column('market', t('column.market'), ({ product_code }) => words.marketName(product_code), {
        width: 'minmax(10rem, 1.4fr)',
      }),
      column('value', t('column.value'), ({ value }) => words.valueText(value), {
        isSortable: true,
        width: 'minmax(10rem, 1.4fr)',
      }),
      column('until', t('until'), untilOf, { isSortable: true }),
      column('rule', t('column.rule'), ({ rule_id }) => String(rule_id), {
        cell: ({ rule_id }) => (
          <Link to={'/numbers/rules'} search={{ rule_id }} tabIndex={-1}>
            {rule_id}
          </Link>
        ),
      }),
    ]
  }, [t, language, words])
}
