import type { DownlineUser } from '@megalot/contract'
import { IconBan, IconCircleCheck, IconPlayerPause } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslations } from 'use-intl'
import { downlineQuery } from '../features/oversight/queries.ts'
import { formatBaht } from '../lib/format/money.ts'
import { DataGrid } from '../ui/data-grid.tsx'
import type { GridColumn } from '../ui/grid-column.ts'
import { LoadMore } from '../ui/load-more.tsx'
import { PageTitle } from '../ui/page-title.tsx'
import { EmptyNote } from '../ui/query-view.tsx'
import { RefreshButton } from '../ui/refresh-button.tsx'
import { TextInput } from '../ui/text-input.tsx'
import classes from './console-pages.module.css'
import type { PeopleSearch } from './page-search.ts'
import { PersonSheet } from './person-sheet.tsx'
import { useGridState } from './use-grid-state.ts'
import { useTypedFilter } from './use-typed-filter.ts'

const route = getRouteApi('/main/people')

/** Satang as a spreadsheet reads an amount. */
function plainBaht(satang: number): string {
  return (satang / 100).toFixed(2)
}

const statusIcons = { NORMAL: IconCircleCheck, SUSPENDED: IconBan, DISABLED_BET: IconPlayerPause } as const

/** Who stands under the caller: found by name, with credit and status; a row opens what is known of the user. */
export function PeoplePage() {
  const t = useTranslations('console.people')
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const setSearch = (next: PeopleSearch): void => void navigate({ search: next, replace: true })
  const filter = useTypedFilter(search.search, (text) => {
    const { search: _before, ...rest } = search
    setSearch(text === '' ? rest : { ...rest, search: text })
  })
  const query = useInfiniteQuery(downlineQuery(search.search ?? ''))
  const rows = useMemo(() => query.data?.pages.flat().filter(({ is_office }) => !is_office), [query.data])
  const columns = usePeopleColumns()
  const grid = useGridState({ list: 'people', columns, search, onSearch: setSearch })
  const { user: _open, ...closed } = search
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
        keyOf={({ user_id }) => String(user_id)}
        error={query.error}
        onRetry={() => void query.refetch()}
        empty={<EmptyNote title={t('none')} />}
        onOpen={({ username }) => setSearch({ ...search, user: username })}
        more={
          <LoadMore
            hasMore={query.hasNextPage}
            isBusy={query.isFetchingNextPage}
            onMore={() => void query.fetchNextPage()}
          />
        }
      >
        <search className={classes.filters}>
          <TextInput
            type="search"
            label={t('search')}
            maxLength={100}
            autoCapitalize="off"
            className={classes.filter ?? ''}
            {...filter}
          />
        </search>
      </DataGrid>
      <PersonSheet username={search.user ?? null} onClose={() => setSearch(closed)} />
    </>
  )
}

function usePeopleColumns(): readonly GridColumn<DownlineUser>[] {
  const t = useTranslations('console.people')
  const shell = useTranslations('shell')
  return useMemo(() => {
    const money = (
      name: 'credit_limit_satang' | 'credit_used_satang' | 'credit_remain_satang' | 'balance_satang' | 'held_satang',
      isOptional = false,
    ): GridColumn<DownlineUser> => ({
      name,
      label: t(name),
      isFigure: true,
      isOptional,
      text: (user) => plainBaht(user[name]),
      cell: (user) => formatBaht(user[name]),
    })
    return [
      {
        name: 'username',
        label: t('username'),
        isRowName: true,
        text: ({ username }) => username,
        cell: ({ username }) => username,
      },
      {
        name: 'display_name',
        label: t('display_name'),
        text: ({ display_name }) => display_name,
        cell: ({ display_name }) => display_name || '–',
        isOptional: true,
      },
      {
        name: 'level',
        label: t('level'),
        text: ({ level }) => shell(`level.${level}`),
        cell: ({ level }) => shell(`level.${level}`),
      },
      {
        name: 'status',
        label: t('status'),
        text: ({ status }) => shell(`status.${status}`),
        cell: ({ status }) => {
          const Icon = statusIcons[status]
          return (
            <span className={`${classes.market} ${classes.chip}`} data-status={status}>
              <Icon size={16} stroke={2} aria-hidden="true" />
              {shell(`status.${status}`)}
            </span>
          )
        },
      },
      money('credit_limit_satang'),
      money('credit_used_satang'),
      money('credit_remain_satang'),
      money('held_satang', true),
      money('balance_satang', true),
    ]
  }, [t, shell])
}
