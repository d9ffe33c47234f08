import type { Envelope, Signal, Rows } from '@megalot/contract'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { formatDay } from '../../../lib/format/dates.ts'
import { Alert } from '../../../ui/alert.tsx'
import { DataGrid } from '../../../ui/grid/data-grid.tsx'
import { DayField } from '../../../ui/day-field.tsx'
import type { GridColumn, GridSort } from '../../../ui/grid/grid-column.ts'
import { Intro } from '../../../ui/layout.tsx'
import { PageTitle } from '../../../ui/page-title.tsx'
import { EmptyNote } from '../../../ui/query-view.tsx'
import { RefreshButton } from '../../../ui/refresh-button.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import classes from '../../lists/lists.module.css'
import type { SignalsSearch } from './signals-search.ts'
import { useGridState } from '../../lists/use-grid-state.ts'
import { signalsQuery } from './queries.ts'
import { SignalSheet } from './signal-sheet.tsx'
import { type SignalWords, useSignalWords } from './use-signal-words.ts'

const route = getRouteApi('/main/signals')

type Found = Envelope<Rows['listSignals']>

/** Unusual stakes, deletions, log-ins, wins, cancellations, credit and results for the office to examine. */
export function SignalsPage() {
  const t = useTranslations('signals')
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const setSearch = (next: SignalsSearch): void => void navigate({ search: next, replace: true })
  const { date_from, date_to, kind, row } = search
  const query = useQuery(
    signalsQuery({
      ...(date_from === undefined ? {} : { date_from }),
      ...(date_to === undefined ? {} : { date_to }),
    }),
  )
  const words = useSignalWords()
  const columns = useSignalColumns(words)
  const grid = useGridState({ list: 'signals', columns, search, onSearch: setSearch })
  const signals = query.data?.data
  const chosen = query.data?.kinds.find((one) => one.kind === kind)
  const rows =
    signals && sortSignals(kind === undefined ? signals : signals.filter((one) => one.kind === kind), grid.sort)
  const { row: _row, ...closed } = search
  return (
    <>
      <PageTitle title={t('title')}>
        <RefreshButton isBusy={query.isRefetching} onRefresh={() => void query.refetch()} />
      </PageTitle>
      <Intro>{t('text')}</Intro>
      {query.data && chosen !== undefined && (
        <Intro data-testid="signal-rule">{words.rule(chosen.kind, query.data.thresholds)}</Intro>
      )}
      {query.data && <CutKinds found={query.data} words={words} />}
      <DataGrid
        {...grid}
        label={t('title')}
        columns={columns}
        rows={rows}
        keyOf={({ signal_key }) => signal_key}
        error={query.error}
        onRetry={() => void query.refetch()}
        empty={query.data ? <NothingFound found={query.data} kind={kind} words={words} /> : null}
        onOpen={({ signal_key }) => setSearch({ ...search, row: signal_key })}
      >
        <SignalFilters search={search} found={query.data} words={words} onSearch={setSearch} />
      </DataGrid>
      <SignalSheet
        signal_key={row ?? null}
        signals={signals}
        thresholds={query.data?.thresholds}
        words={words}
        onClose={() => setSearch(closed)}
      />
    </>
  )
}

interface SignalFiltersProps {
  search: SignalsSearch
  found: Found | undefined
  words: SignalWords
  onSearch: (search: SignalsSearch) => void
}

/** Days and kind; all of it stands in the address. The days that the server took are shown where none are chosen. */
function SignalFilters({ search, found, words, onSearch }: SignalFiltersProps) {
  const t = useTranslations('signals.filter')
  const { row: _row, ...open } = search
  const from = search.date_from ?? found?.date_from
  const to = search.date_to ?? found?.date_to
  const setDays = (days: { date_from?: string | undefined; date_to?: string | undefined }): void => {
    const { date_from: _from, date_to: _to, ...rest } = open
    const next = { date_from: from, date_to: to, ...days }
    onSearch({
      ...rest,
      ...(next.date_from === undefined ? {} : { date_from: next.date_from }),
      ...(next.date_to === undefined ? {} : { date_to: next.date_to }),
    })
  }
  const kinds = found?.kinds ?? []
  const total = kinds.reduce((sum, { count }) => sum + count, 0)
  return (
    <search className={classes.fields} aria-label={t('label')}>
      <DayField label={t('from')} value={from} max={to} onChange={(date_from) => setDays({ date_from })} />
      <DayField label={t('to')} value={to} min={from} onChange={(date_to) => setDays({ date_to })} />
      <SelectField
        label={t('kind')}
        value={search.kind ?? ''}
        choices={[
          { value: '', label: t('all', { count: total }) },
          ...kinds.map(({ kind, count }) => ({
            value: kind as string,
            label: t('counted', { kind: words.kindName(kind), count }),
          })),
        ]}
        onChange={(kind) => {
          const { kind: _kind, ...rest } = open
          onSearch(kind === '' ? rest : { ...rest, kind })
        }}
      />
    </search>
  )
}

/** Kinds of which not all signals are shown. */
function CutKinds({ found: { data, kinds }, words }: { found: Found; words: SignalWords }) {
  const t = useTranslations('signals')
  return kinds.map(({ kind, count }) => {
    const shown = data.filter((one) => one.kind === kind).length
    return (
      shown < count && (
        <Alert key={kind} kind="warn">
          {t('cut', { kind: words.kindName(kind), count, shown })}
        </Alert>
      )
    )
  })
}

/** Names the kinds and the days that were searched. */
function NothingFound({ found, kind, words }: { found: Found; kind: string | undefined; words: SignalWords }) {
  const t = useTranslations('signals')
  const language = useLocale()
  const kinds = found.kinds.filter((one) => kind === undefined || one.kind === kind)
  return (
    <EmptyNote title={t('none')}>
      {t('none_hint', {
        from: formatDay(found.date_from, language),
        to: formatDay(found.date_to, language),
        kinds: kinds.map((one) => words.kindName(one.kind)).join(' · '),
      })}
    </EmptyNote>
  )
}

/** By the instants; by itself as the server gives them, by kind and severity. */
function sortSignals(signals: readonly Signal[], sort: GridSort | null): readonly Signal[] {
  const column = (['first_at', 'last_at'] as const).find((name) => name === sort?.column)
  if (sort === null || column === undefined) return signals
  const sign = sort.direction === 'asc' ? 1 : -1
  return signals.toSorted((one, other) => sign * (Date.parse(one[column]) - Date.parse(other[column])))
}

function useSignalColumns(words: SignalWords): readonly GridColumn<Signal>[] {
  const t = useTranslations('signals.column')
  return useMemo(() => {
    const text = (
      name: 'kind' | 'users' | 'figures' | 'period' | 'last_at' | 'first_at',
      read: (signal: Signal) => string,
      more: Partial<GridColumn<Signal>> = {},
    ): GridColumn<Signal> => ({ name, label: t(name), text: read, cell: read, ...more })
    return [
      text('kind', ({ kind }) => words.kindName(kind), { isRowName: true, width: 'minmax(11rem, 1fr)' }),
      text('users', words.usersOf, { width: 'minmax(8rem, 1fr)' }),
      text('figures', words.figures, { width: 'minmax(16rem, 2.4fr)' }),
      text('period', words.periodOf, { width: 'minmax(9rem, 1fr)' }),
      text('last_at', ({ last_at }) => words.instant(last_at), { isSortable: true, width: 'minmax(8.5rem, 0.8fr)' }),
      text('first_at', ({ first_at }) => words.instant(first_at), { isSortable: true, isOptional: true }),
    ]
  }, [t, words])
}
