import type { Clearing } from '@megalot/contract'
import { clearingStates } from '@megalot/contract/browser'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { addDays } from '../../../lib/format/calendar-day.ts'
import { formatDays, formatInstant } from '../../../lib/format/dates.ts'
import { formatSignedBaht } from '../../../lib/format/money.ts'
import { useUser } from '../../../lib/user/user-query.ts'
import { Button } from '../../../ui/button.tsx'
import { DayField } from '../../../ui/day-field.tsx'
import { DataGrid } from '../../../ui/grid/data-grid.tsx'
import type { GridColumn } from '../../../ui/grid/grid-column.ts'
import { Intro } from '../../../ui/layout.tsx'
import { PageTitle } from '../../../ui/page-title.tsx'
import { EmptyNote } from '../../../ui/query-view.tsx'
import { RefreshButton } from '../../../ui/refresh-button.tsx'
import { SegmentedControl } from '../../../ui/segmented-control.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import lists from '../../lists/lists.module.css'
import { useGridState } from '../../lists/use-grid-state.ts'
import { Balance } from '../balance.tsx'
import type { ClearingsSearch as Search } from './clearings-search.ts'
import { clearingsQuery } from './queries.ts'
import { StateChip } from './state-chip.tsx'

const route = getRouteApi('/main/money/clearings')

/** The clearing statements with the caller's children, or with its parent. */
export function ClearingsPage() {
  const t = useTranslations('clearings')
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const setSearch = (next: Search): void => void navigate({ search: next, replace: true })
  const { is_office } = useUser()
  const { sort: _sort, columns: _columns, ...filters } = search
  const { side = 'below' } = filters
  const query = useInfiniteQuery(clearingsQuery(filters))
  const rows = useMemo(() => query.data?.pages.flatMap(({ data }) => data), [query.data])
  const columns = useClearingColumns(side)
  const grid = useGridState({ list: 'clearings', columns, search, onSearch: setSearch })
  return (
    <>
      <PageTitle title={t('title')}>
        <RefreshButton isBusy={query.isRefetching} onRefresh={() => void query.refetch()} />
      </PageTitle>
      <Intro>{t(side === 'below' ? 'text' : 'text_above')}</Intro>
      <DataGrid
        {...grid}
        label={t('title')}
        columns={columns}
        rows={rows}
        total={query.data?.pages.at(-1)?.total_count ?? 0}
        keyOf={({ clearing_id }) => String(clearing_id)}
        error={query.error}
        onRetry={() => void query.refetch()}
        empty={<EmptyNote title={t('none')}>{t('none_hint')}</EmptyNote>}
        onOpen={({ clearing_id }) =>
          void navigate({ to: '/money/clearings/$clearing_id', params: { clearing_id: String(clearing_id) } })
        }
        more={{
          hasMore: query.hasNextPage,
          isBusy: query.isFetchingNextPage,
          onMore: () => void query.fetchNextPage(),
        }}
      >
        <Filters search={search} hasSides={!is_office} onSearch={setSearch} />
      </DataGrid>
    </>
  )
}

interface FiltersProps {
  search: Search
  /** Whether the caller has a parent. */
  hasSides: boolean
  onSearch: (search: Search) => void
}

function Filters({ search, hasSides, onSearch }: FiltersProps) {
  const t = useTranslations('clearings')
  const set = <Name extends keyof Search>(name: Name, value: Search[Name] | undefined): void => {
    const { [name]: _before, ...rest } = search
    onSearch(value === undefined ? rest : { ...rest, [name]: value })
  }
  const { week, state, user_id, side, ...others } = search
  return (
    <>
      {hasSides && (
        <SegmentedControl
          label={t('side.label')}
          value={side ?? 'below'}
          choices={(['below', 'above'] as const).map((value) => ({ value, label: t(`side.${value}`) }))}
          onChange={(next) => set('side', next === 'below' ? undefined : next)}
        />
      )}
      <search className={lists.fields} aria-label={t('filter.label')}>
        <DayField label={t('filter.week')} value={week} onChange={(day) => set('week', day)} />
        <SelectField
          label={t('filter.state')}
          value={state ?? ''}
          choices={[
            { value: '' as const, label: t('filter.any') },
            ...clearingStates.map((value) => ({ value, label: t(`state.${value}`) })),
          ]}
          onChange={(next) => set('state', next === '' ? undefined : next)}
        />
        {(week ?? state ?? user_id) !== undefined && (
          <Button variant="subtle" onClick={() => onSearch({ ...others, ...(side === undefined ? {} : { side }) })}>
            {t('filter.clear')}
          </Button>
        )}
      </search>
    </>
  )
}

function useClearingColumns(side: Clearing['side']): readonly GridColumn<Clearing>[] {
  const t = useTranslations('clearings')
  const language = useLocale()
  return useMemo(() => {
    const isAbove = side === 'above'
    const balance = (name: 'forward' | 'due' | 'carried', read: (row: Clearing) => number): GridColumn<Clearing> => ({
      name,
      label: t(`column.${name}`),
      text: (row) => String(read(row) / 100),
      cell: (row) => <Balance satang={read(row)} isAbove={isAbove} />,
      isFigure: true,
    })
    const amount = (name: 'payments' | 'corrected', read: (row: Clearing) => number): GridColumn<Clearing> => ({
      name,
      label: t(`column.${name}`),
      text: (row) => String(read(row) / 100),
      cell: (row) => (read(row) === 0 ? '–' : formatSignedBaht(read(row))),
      isFigure: true,
    })
    const weekOf = ({ week }: Clearing): string => formatDays(week, addDays(week, 6), language)
    return [
      {
        name: 'child',
        label: t('column.child'),
        isRowName: true,
        text: ({ child }) => child.username,
        cell: ({ child }) => child.username,
        width: 'minmax(7rem, 1fr)',
      },
      { name: 'week', label: t('column.week'), text: weekOf, cell: weekOf, width: 'minmax(8rem, 1fr)' },
      {
        name: 'state',
        label: t('column.state'),
        text: ({ state }) => t(`state.${state}`),
        cell: ({ state }) => <StateChip state={state} />,
      },
      { ...balance('forward', (row) => row.forward_satang), isOptional: true },
      balance('due', (row) => row.due_satang),
      amount('payments', (row) => row.payments_satang + row.adjusted_satang),
      amount('corrected', (row) => row.corrected_satang),
      balance('carried', (row) => row.carried_satang),
      {
        name: 'changed',
        label: t('column.changed'),
        text: ({ changed_at }) => formatInstant(changed_at, language, 'dayAndTime'),
        cell: ({ changed_at }) => formatInstant(changed_at, language, 'dayAndTime'),
        isOptional: true,
      },
    ]
  }, [t, language, side])
}
