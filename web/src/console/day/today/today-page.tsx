import type { DayPeriod, Maintenance } from '@megalot/contract'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useCallback, useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { serverNowMs } from '../../../lib/clock/server-clock.ts'
import { loadArea } from '../../../lib/i18n/language-store.ts'
import { showToast } from '../../../lib/feedback/toast.ts'
import { formatInstant } from '../../../lib/format/dates.ts'
import { formatBaht, formatCount } from '../../../lib/format/money.ts'
import { useUser } from '../../../lib/user/user-query.ts'
import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'
import { DataGrid } from '../../../ui/grid/data-grid.tsx'
import type { GridSort } from '../../../ui/grid/grid-column.ts'
import { Fact, Facts, Hint } from '../../../ui/layout.tsx'
import { PageTitle } from '../../../ui/page-title.tsx'
import { EmptyNote } from '../../../ui/query-view.tsx'
import { RefreshButton } from '../../../ui/refresh-button.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import pages from '../../lists/lists.module.css'
import { permissionsOf } from '../../menu.ts'
import { ResultQueue } from '../results/result-queue.tsx'
import { type DayFilter, dayFilters, type TodaySearch } from './today-search.ts'
import { useGridState } from '../../lists/use-grid-state.ts'
import {
  type DayAction,
  actionOfKey,
  awaitsDraw,
  isInFilter,
  listDayActions,
  listDayRows,
  sumDay,
} from './day-actions.ts'
import { type ChosenAction, ActionSheet } from './action-sheet.tsx'
import { NewPeriodSheet } from './new-period-sheet.tsx'
import { todayQuery } from './queries.ts'
import classes from './today.module.css'
import { useDayColumns } from './use-day-columns.tsx'

const BrokenInvariants = lazy(async () => {
  const [module] = await Promise.all([import('./broken-invariants.tsx'), loadArea('invariants')])
  return { default: module.BrokenInvariants }
})

const CalendarWarnings = lazy(async () => {
  const [module] = await Promise.all([import('../calendar/calendar-warnings.tsx'), loadArea('calendar')])
  return { default: module.CalendarWarnings }
})

const route = getRouteApi('/main/today')

/** Every period of all markets that somebody has to watch today, by close. */
export function TodayPage() {
  const t = useTranslations('day')
  const language = useLocale()
  const user = useUser()
  const query = useQuery(todayQuery)
  const search = route.useSearch()
  const navigate = useNavigate()
  const [chosen, setChosen] = useState<ChosenAction | null>(null)
  const [isNewOpen, setNewOpen] = useState(false)
  const onAction = useCallback(
    (action: DayAction, row: DayPeriod): void => {
      if (action === 'result') void navigate({ to: '/results', search: { period: row.period.period_code } })
      else setChosen({ action, row })
    },
    [navigate],
  )
  const setSearch = (next: TodaySearch): void => void navigate({ to: '/today', search: next, replace: true })
  const mayEnterResults = user.is_office && user.permissions.includes('results.do')
  const columns = useDayColumns(onAction)
  const grid = useGridState({ list: 'today', columns, search, onSearch: setSearch })
  const filter = search.show ?? 'now'
  const rows = query.data && sortDay(listDayRows(query.data.periods, filter), grid.sort)
  const onRowKey = (row: DayPeriod, key: string): boolean => {
    const action = actionOfKey(key)
    if (action === undefined) return false
    const isPossible = listDayActions(row, user, serverNowMs()).includes(action)
    if (isPossible) onAction(action, row)
    else if (action === 'result' && awaitsDraw(row, user, serverNowMs()))
      showToast('plain', t('not_drawn', { time: formatInstant(row.period.draw_at, language, 'dayAndTime') }))
    else return false
    return true
  }
  return (
    <>
      <PageTitle title={t('title')}>
        {user.is_office && user.permissions.includes('periods.do') && (
          <Button variant="default" onClick={() => setNewOpen(true)}>
            {t('new_period.title')}
          </Button>
        )}
        <RefreshButton isBusy={query.isRefetching} onRefresh={() => void query.refetch()} />
      </PageTitle>
      {user.is_office && (
        <Suspense>
          <BrokenInvariants />
          <CalendarWarnings />
        </Suspense>
      )}
      {query.data && query.data.maintenance !== null && <MaintenanceNote maintenance={query.data.maintenance} />}
      {mayEnterResults && <ResultQueue />}
      <DaySums periods={query.data?.periods} search={search} />
      <DataGrid
        {...grid}
        label={t('title')}
        columns={columns}
        rows={rows}
        {...(rows === undefined ? {} : { total: rows.length })}
        keyOf={({ period }) => period.period_code}
        error={query.error}
        onRetry={() => void query.refetch()}
        empty={<EmptyNote title={t('none')} />}
        onOpen={({ period: { product_code, period_code } }) =>
          void (user.permissions.includes('risk.view')
            ? navigate({ to: '/risk', search: { market: product_code, period: period_code } })
            : navigate({ to: '/markets/$product_code', params: { product_code } }))
        }
        onRowKey={onRowKey}
      >
        <SelectField
          label={t('filter.label')}
          value={filter}
          choices={dayFilters.map((name) => ({ value: name, label: t(`filter.${name}`) }))}
          onChange={(value) => {
            const { show: _before, ...rest } = search
            setSearch(value === 'now' ? rest : { ...rest, show: value })
          }}
        />
      </DataGrid>
      {user.is_office && <Hint className={pages.keys}>{t('keys')}</Hint>}
      <ActionSheet chosen={chosen} onClose={() => setChosen(null)} />
      <NewPeriodSheet isOpen={isNewOpen} onClose={() => setNewOpen(false)} />
    </>
  )
}

const figures = ['tickets', 'stake_satang', 'worst_case_satang', 'result_satang'] as const

/** By a column; by itself as the server gives them, by close. */
function sortDay(rows: readonly DayPeriod[], sort: GridSort | null): readonly DayPeriod[] {
  if (sort === null) return rows
  const sign = sort.direction === 'asc' ? 1 : -1
  const time = (['close_at', 'draw_at'] as const).find((name) => name === sort.column)
  if (time !== undefined)
    return rows.toSorted((one, other) => sign * (Date.parse(one.period[time]) - Date.parse(other.period[time])))
  const figure = figures.find((name) => name === sort.column)
  if (figure === undefined) return rows
  // Rows without the figure are last in any case.
  return rows.toSorted((one, other) => {
    const [first, second] = [one[figure], other[figure]]
    if (first === null || second === null) return Number(first === null) - Number(second === null)
    return sign * (first - second)
  })
}

/** Of the whole application: no period accepts bets during it, even if its row says that it is open. */
function MaintenanceNote({ maintenance: { until_at } }: { maintenance: Maintenance }) {
  const t = useTranslations('day.maintenance')
  const language = useLocale()
  const mayEnd = permissionsOf(useUser()).has('maintenance.do')
  return (
    <Alert kind="warn">
      {t('text')} {until_at !== null && t('until', { time: formatInstant(until_at, language, 'dayAndTime') })}{' '}
      {mayEnd && <Link to="/maintenance">{t('link')}</Link>}
    </Alert>
  )
}

/**
 * What the day comes to; the counts lead to their periods.
 * @param periods undefined: not there yet; the figures have their places from the beginning
 */
function DaySums({ periods, search }: { periods: readonly DayPeriod[] | undefined; search: TodaySearch }) {
  const t = useTranslations('day.sum')
  const count = (filter: DayFilter): string =>
    periods === undefined ? '–' : formatCount(periods.filter((row) => isInFilter(row, filter)).length)
  const sumOf = (name: 'tickets' | 'stake_satang', write: (sum: number) => string): string =>
    periods === undefined ? '–' : write(sumDay(periods, name))
  return (
    <Facts className={classes.sums} below={12} aria-label={t('label')}>
      {(['open', 'due', 'alerts'] as const).map((name) => (
        <Fact key={name} label={t(name)}>
          <Link
            to="/today"
            search={{ ...search, show: name }}
            replace
            className={classes.count}
            aria-label={t('show', { name: t(name), count: count(name) })}
          >
            {count(name)}
          </Link>
        </Fact>
      ))}
      <Fact label={t('tickets')}>{sumOf('tickets', formatCount)}</Fact>
      <Fact label={t('stake')}>{sumOf('stake_satang', formatBaht)}</Fact>
    </Facts>
  )
}
