import type { PeopleSums, Person } from '@megalot/contract'
import { useQuery } from '@tanstack/react-query'
import { Link, getRouteApi } from '@tanstack/react-router'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { useUser } from '../../lib/user/user-query.ts'
import { Button } from '../../ui/button.tsx'
import { DataGrid } from '../../ui/grid/data-grid.tsx'
import type { GridSum } from '../../ui/grid/grid-column.ts'
import { PageTitle } from '../../ui/page-title.tsx'
import { EmptyNote } from '../../ui/query-view.tsx'
import { RefreshButton } from '../../ui/refresh-button.tsx'
import { permissionsOf } from '../menu.ts'
import type { PeopleSearch } from './people-search.ts'
import { useGridState } from '../lists/use-grid-state.ts'
import { ChangeSheet } from './change-sheet.tsx'
import type { ChangeKind, ChangeTask } from './change-task.ts'
import { PasswordRequests } from './password-requests.tsx'
import { PeopleFilterBar } from './people-filter-bar.tsx'
import classes from './people.module.css'
import { sumsQuery } from './queries.ts'
import { usePeopleColumns } from './use-people-columns.tsx'
import type { PeopleActions, PersonRow } from './use-people-columns.tsx'
import { PhonePerson } from './phone-person.tsx'
import { filtersOf, useListRows, useTreeRows } from './use-people-rows.ts'

const route = getRouteApi('/main/people')

/** As `MAX_FOUND_ROWS`: the server adds up no more. */
const MAX_SUMMED = 5_000

/** More nodes than this do not fit into an address. */
const MAX_OPEN = 50

/** The keys of a row that change its user. */
const keysOfChange: Readonly<Record<string, ChangeKind>> = { c: 'credit', s: 'status', p: 'packages' }

/** The line of the caller as a list or as a tree: found, shown, and changed one by one or many at once. */
export function PeoplePage() {
  const t = useTranslations('people')
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const setSearch = (next: PeopleSearch): void => void navigate({ search: next, replace: true })
  const isTree = search.form === 'tree'
  const open = useMemo(() => (search.open ?? '').split(',').filter(Boolean).map(Number), [search.open])
  const permissions = permissionsOf(useUser())
  const list = useListRows(permissions.has('terms.view') ? search : withoutPackage(search), !isTree)
  const tree = useTreeRows(open, isTree)
  const [task, setTask] = useState<ChangeTask | null>(null)
  const may = useMayChange()
  const toggle = ({ user_id }: Person): void => {
    const next = open.includes(user_id) ? open.filter((id) => id !== user_id) : [...open, user_id].slice(-MAX_OPEN)
    const { open: _before, ...rest } = search
    setSearch(next.length === 0 ? rest : { ...rest, open: next.join(',') })
  }
  const change = (kind: ChangeKind, people: readonly Person[], onChanged = (): void => {}): void =>
    setTask({ kind, people, onChanged })
  const { sort: _sort, order: _order, ...found } = filtersOf(search)
  const total = list.total ?? 0
  const sums = useQuery({ ...sumsQuery(found), enabled: !isTree && total > 1 && total <= MAX_SUMMED })
  const changeMany = (kind: ChangeKind, chosen: readonly Person[], clear: () => void, isAll: boolean): void => {
    if (isAll) setTask({ kind, people: [], found: { filter: found, count: list.total ?? 0 }, onChanged: clear })
    else change(kind, chosen, clear)
  }
  const actions = useStableActions({
    onChange: (kind, person) => change(kind, [person]),
    onToggle: toggle,
    onLoadMore: ({ user_id }) => tree.loadMore(user_id),
    mayChangeStatus: may.status,
    mayChangeCredit: may.credit,
    mayViewCredit: permissions.has('credit.view'),
    mayViewTickets: permissions.has('tickets.view'),
    mayViewNet: permissions.has('reports.view'),
    mayViewMoney: permissions.has('money.view'),
    mayViewPackages: permissions.has('terms.view'),
  })
  const columns = usePeopleColumns(actions)
  const grid = useGridState({ list: 'people', columns, search, onSearch: setSearch })
  const pressKey = (row: PersonRow, key: string): boolean => {
    if ((key === 'ArrowRight' && row.isOpen === false) || (key === 'ArrowLeft' && row.isOpen === true)) {
      toggle(row)
      return true
    }
    const kind = keysOfChange[key]
    if (kind === undefined || !may[kind] || row.parent_id === null) return false
    change(kind, [row])
    return true
  }
  const rows = isTree ? tree.rows : list.rows
  return (
    <>
      <PageTitle title={t('title')}>
        {may.status && (
          <Link to="/people/new" className={classes.action}>
            {t('to_new')}
          </Link>
        )}
        <Link to="/people/codes" className={classes.action}>
          {t('to_codes')}
        </Link>
        <RefreshButton
          isCompact
          isBusy={isTree ? tree.isRefetching : list.query.isRefetching}
          onRefresh={() => (isTree ? tree.refetch() : void list.query.refetch())}
        />
      </PageTitle>
      {may.status && <PasswordRequests />}
      <DataGrid
        {...grid}
        {...(isTree ? {} : { phoneRow: phoneRowOf })}
        {...(isTree
          ? { sort: null, branchOf: ({ depth, isOpen }: PersonRow) => ({ level: depth + 1, isOpen }) }
          : list.total === undefined
            ? {}
            : {
                total: list.total,
                sums: sums.data === undefined ? [] : [sumOf(t('sum', { count: list.total }), sums.data)],
                allFound: {
                  filter: JSON.stringify(found),
                  label: t('all_found', { count: list.total }),
                  selected: t('all_selected', { count: list.total }),
                },
              })}
        label={t('title')}
        columns={columns}
        rows={rows}
        keyOf={({ user_id }) => String(user_id)}
        error={isTree ? tree.error : list.query.error}
        onRetry={() => (isTree ? tree.refetch() : void list.query.refetch())}
        empty={<EmptyNote title={t('none')}>{t('none_hint')}</EmptyNote>}
        onOpen={({ user_id }) => void navigate({ to: '/people/$user_id', params: { user_id: String(user_id) } })}
        onRowKey={pressKey}
        {...(may.status || may.credit || may.packages
          ? {
              // oxlint-disable-next-line react/no-unstable-nested-components -- a render prop, not a component
              bulkActions: (chosen: readonly PersonRow[], clear: () => void, isAll: boolean) => (
                <>
                  {(['status', 'credit', 'packages'] as const).flatMap((kind) =>
                    may[kind]
                      ? [
                          <Button
                            key={kind}
                            size="sm"
                            variant="default"
                            onClick={() => changeMany(kind, chosen, clear, isAll)}
                          >
                            {t(`bulk.${kind}`)}
                          </Button>,
                        ]
                      : [],
                  )}
                </>
              ),
            }
          : {})}
        more={{
          hasMore: isTree ? tree.hasMore : list.query.hasNextPage,
          isBusy: isTree ? tree.isLoadingMore : list.query.isFetchingNextPage,
          onMore: () => (isTree ? tree.loadMore() : void list.query.fetchNextPage()),
        }}
      >
        <PeopleFilterBar search={search} onSearch={setSearch} />
      </DataGrid>
      <ChangeSheet task={task} onClose={() => setTask(null)} />
    </>
  )
}

/** A row of sums. Only the summed columns have a figure. */
function sumOf(label: string, sums: PeopleSums): GridSum<PersonRow> {
  const { credit_limit_satang, credit_used_satang } = sums
  const credit_remain_satang = null
  const row = {
    ...sums,
    credit_limit_satang,
    credit_used_satang,
    credit_remain_satang,
    balance_satang: null,
    parent_id: null,
    member_count: null,
    agent_count: null,
    package_count: null,
  }
  return { label, row: row as unknown as PersonRow }
}

const phoneRowOf = (row: PersonRow): ReactNode => <PhonePerson person={row} />

/** The caller's permissions on users. */
function useMayChange(): Readonly<Record<ChangeKind, boolean>> {
  const permissions = permissionsOf(useUser())
  const isAllowed = permissions.has('people.do')
  return {
    status: isAllowed,
    name: isAllowed,
    sessions: isAllowed,
    credit: permissions.has('credit.do'),
    packages: permissions.has('terms.do'),
  }
}

/** A link of somebody who views packages still finds people. */
function withoutPackage({ package: _package, ...rest }: PeopleSearch): PeopleSearch {
  return rest
}

/** One object for all renders, because new columns would be drawn again. */
function useStableActions(actions: PeopleActions): PeopleActions {
  const latest = useRef(actions)
  useEffect(() => {
    latest.current = actions
  })
  const { mayChangeStatus, mayChangeCredit, mayViewCredit, mayViewNet, mayViewMoney, mayViewTickets, mayViewPackages } =
    actions
  return useMemo(
    () => ({
      onChange: (kind, person) => latest.current.onChange(kind, person),
      onToggle: (person) => latest.current.onToggle(person),
      onLoadMore: (person) => latest.current.onLoadMore(person),
      mayChangeStatus,
      mayChangeCredit,
      mayViewCredit,
      mayViewNet,
      mayViewMoney,
      mayViewTickets,
      mayViewPackages,
    }),
    [mayChangeStatus, mayChangeCredit, mayViewCredit, mayViewNet, mayViewMoney, mayViewTickets, mayViewPackages],
  )
}
