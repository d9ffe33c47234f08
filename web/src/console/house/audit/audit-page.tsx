import type { AuditRow } from '@megalot/contract'
import IconFileDownload from '~icons/file-download'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { listRowDifferences } from '../../changes/audit/differences.ts'
import { type AuditFilter, auditQuery, downloadAudit } from '../../changes/audit/queries.ts'
import { useAuditWords } from '../../changes/audit/use-audit-words.ts'
import { showToast } from '../../../lib/feedback/toast.ts'
import { dropUndefined } from '../../../lib/search/drop-undefined.ts'
import { useUser } from '../../../lib/user/user-query.ts'
import { formatInstant } from '../../../lib/format/dates.ts'
import { useSend } from '../../../lib/forms/use-send.ts'
import { Button } from '../../../ui/button.tsx'
import { DataGrid } from '../../../ui/grid/data-grid.tsx'
import type { GridColumn } from '../../../ui/grid/grid-column.ts'
import { Intro } from '../../../ui/layout.tsx'
import { PageTitle } from '../../../ui/page-title.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { EmptyNote, Skeleton } from '../../../ui/query-view.tsx'
import { RefreshButton } from '../../../ui/refresh-button.tsx'
import { Becomes } from '../../changes/becomes.tsx'
import type { AuditSearch } from './audit-search.ts'
import { useGridState } from '../../lists/use-grid-state.ts'
import { AuditFilters } from './audit-filters.tsx'
import { AuditSheet } from './audit-sheet.tsx'
import { AuditSubject } from './audit-subject.tsx'
import { ChainState } from './chain-state.tsx'

const route = getRouteApi('/main/audit')

/** The audit log: actor, principal, address, differences and reason, with the state of the hash chain. */
export function AuditPage() {
  const t = useTranslations('audit')
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const setSearch = (next: AuditSearch): void => void navigate({ search: next, replace: true })
  const { row, sort, columns: shownColumns, log_ins, ...chosen } = search
  const settings = dropUndefined({ sort, columns: shownColumns })
  const isWhole = log_ins === 'on'
  // A chosen action may be a log-in.
  const filter: AuditFilter = isWhole || chosen.action !== undefined ? chosen : { ...chosen, log_ins: 'off' }
  const isUnfiltered = isWhole && Object.values(chosen).every((value) => value === undefined)
  const query = useInfiniteQuery(auditQuery(filter))
  const rows = useMemo(() => query.data?.pages.flatMap(({ data }) => data), [query.data])
  const head = query.data?.pages[0]?.head
  const isOffice = useUser().is_office
  const columns = useAuditColumns()
  const grid = useGridState({ list: 'audit', columns, search, onSearch: setSearch })
  const { row: _row, ...closed } = search
  const file = useSend(
    () => downloadAudit(filter),
    (failure) => showToast('bad', failure),
  )
  const exportRows = async (): Promise<void> => {
    if (await file.run()) showToast('good', t('exported'))
  }
  return (
    <>
      <PageTitle title={t('title')}>
        <RefreshButton isBusy={query.isRefetching} onRefresh={() => void query.refetch()} />
      </PageTitle>
      <Intro>{t('text')}</Intro>
      {query.data?.pages[0] === undefined ? (
        query.error === null && <Skeleton count={1} height={56} />
      ) : (
        <ChainState {...query.data.pages[0]} />
      )}
      <DataGrid
        {...grid}
        label={t('title')}
        columns={columns}
        rows={rows}
        {...(isOffice && isUnfiltered && head ? { total: head.chain_no } : {})}
        keyOf={({ chain_no }) => String(chain_no)}
        error={query.error}
        onRetry={() => void query.refetch()}
        empty={
          query.hasNextPage ? (
            <EmptyNote title={t('none_yet')}>{t('none_yet_hint')}</EmptyNote>
          ) : (
            <EmptyNote title={t('none')} />
          )
        }
        onOpen={({ chain_no }) => setSearch({ ...search, row: chain_no })}
        more={{
          hasMore: query.hasNextPage,
          isBusy: query.isFetchingNextPage,
          onMore: () => void query.fetchNextPage(),
        }}
      >
        <AuditFilters search={search} onSearch={setSearch} />
        {chosen.action === undefined && (
          <Checkbox
            label={t('filter.log_ins')}
            isChecked={isWhole}
            onChange={(isOn) =>
              setSearch(isOn ? { ...chosen, ...settings, log_ins: 'on' } : { ...chosen, ...settings })
            }
          />
        )}
        <Button
          size="sm"
          variant="default"
          isBusy={file.isBusy}
          icon={<IconFileDownload size={18} stroke={1.75} aria-hidden="true" />}
          onClick={() => void exportRows()}
        >
          {t('export')}
        </Button>
      </DataGrid>
      <AuditSheet chain_no={row ?? null} rows={rows} onClose={() => setSearch(closed)} />
    </>
  )
}

/** A row about a ticket names its member as well. */
function isOfTicket(subject: string): boolean {
  return subject.startsWith('order:')
}

function useAuditColumns(): readonly GridColumn<AuditRow>[] {
  const t = useTranslations('audit')
  const language = useLocale()
  const becomes = useTranslations('console')('becomes')
  const words = useAuditWords()
  return useMemo(() => {
    const text = (name: string, label: string, read: (row: AuditRow) => string): GridColumn<AuditRow> => ({
      name,
      label,
      text: read,
      cell: read,
    })
    /** The first field that changed, and how many more there are. */
    const change = (row: AuditRow) => {
      const changed = listRowDifferences(row).filter(({ isChanged }) => isChanged)
      const [first] = changed
      if (first === undefined) return null
      const { path } = first
      return {
        name: path.map((part) => words.nameField(part)).join(' › '),
        before: words.nameValue(path, first.before),
        after: words.nameValue(path, first.after),
        more: changed.length === 1 ? '' : ` ${t('more_changes', { count: changed.length - 1 })}`,
      }
    }
    return [
      {
        ...text('at', t('at'), ({ at }) => formatInstant(at, language, 'dayAndTime')),
        isRowName: true,
        width: 'minmax(8rem, 0.8fr)',
      },
      text('actor', t('actor'), (row) => row.actor?.username ?? words.nameUnnamed(row)),
      text('principal', t('principal'), ({ actor, principal }) =>
        principal === null || principal.user_id === actor?.user_id ? '–' : principal.username,
      ),
      text('did', t('did'), ({ action }) => words.nameAction(action)),
      {
        ...text('subject_user', t('subject_user'), ({ subject, subject_user }) =>
          [
            subject_user?.username,
            ...(subject_user === null || isOfTicket(subject) ? [words.nameSubject(subject)] : []),
          ]
            .filter((part) => part !== undefined)
            .join(' · '),
        ),
        cell: ({ subject, subject_user }) => (
          <span>
            {subject_user?.username}
            {subject_user !== null && isOfTicket(subject) && ' · '}
            {(subject_user === null || isOfTicket(subject)) && (
              <AuditSubject subject={subject} name={words.nameSubject(subject)} />
            )}
          </span>
        ),
        width: 'minmax(9rem, 1.4fr)',
      },
      {
        name: 'change',
        label: t('change'),
        width: 'minmax(12rem, 2fr)',
        text: (row) => {
          const found = change(row)
          return found === null ? '' : `${found.name}: ${found.before} ${becomes} ${found.after}${found.more}`
        },
        cell: (row) => {
          const found = change(row)
          if (found === null) return '–'
          return (
            <span>
              {found.name}: {found.before}
              <Becomes />
              {found.after}
              {found.more}
            </span>
          )
        },
      },
      text('reason', t('reason'), ({ reason }) => reason ?? ''),
      text('address', t('address'), ({ address }) => address ?? '–'),
      {
        ...text('subject', t('subject_name'), ({ subject }) => words.nameSubject(subject)),
        cell: ({ subject }) => <AuditSubject subject={subject} name={words.nameSubject(subject)} />,
        isOptional: true,
      },
      { ...text('chain_no', t('chain_no'), ({ chain_no }) => String(chain_no)), isOptional: true, isFigure: true },
      { ...text('hash', t('hash'), ({ hash }) => hash.slice(0, 12)), isOptional: true },
    ]
  }, [t, language, words, becomes])
}
