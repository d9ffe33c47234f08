import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { queryClient } from '../../../lib/api/query-client.ts'
import { formatInstant } from '../../../lib/format/dates.ts'
import { useUser } from '../../../lib/user/user-query.ts'
import { Button } from '../../../ui/button.tsx'
import { DataGrid } from '../../../ui/grid/data-grid.tsx'
import type { GridColumn } from '../../../ui/grid/grid-column.ts'
import { Hint, Row } from '../../../ui/layout.tsx'
import { PageTitle } from '../../../ui/page-title.tsx'
import { EmptyNote } from '../../../ui/query-view.tsx'
import { RefreshButton } from '../../../ui/refresh-button.tsx'
import { SegmentedControl } from '../../../ui/segmented-control.tsx'
import pages from '../../lists/lists.module.css'
import type { ApprovalsSearch } from './approvals-search.ts'
import { useTermsWords, writeTermsChanges } from '../../changes/terms-changes.ts'
import { useGridState } from '../../lists/use-grid-state.ts'
import classes from './approvals.module.css'
import { resultActionOf, rowOf, rowOfDecided, verdictsOf } from './decision-row.ts'
import type { DecisionRow } from './decision-row.ts'
import { RecordLink, ResultLink } from './decision-links.tsx'
import { DecisionSheet } from './decision-sheet.tsx'
import { decidedQuery, waitingQuery } from './queries.ts'
import type { Verdict } from './queries.ts'
import { useSubjectWords } from './use-subject-words.ts'

const route = getRouteApi('/main/approvals')

/** A row whose sheet is open, and the verdict chosen there at first. */
interface OpenDecision {
  row: DecisionRow
  verdict: Verdict | null
}

/** The keys of a row that decide it. */
const keyOfVerdict: Readonly<Record<Verdict, string>> = { approve: 'a', reject: 'r', withdraw: 'w' }

/** Everything that one person has begun and a second one decides. */
export function ApprovalsPage() {
  const t = useTranslations('approvals')
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const setSearch = (next: ApprovalsSearch): void => void navigate({ search: next, replace: true })
  const isDecided = search.list === 'decided'
  const waiting = useQuery({ ...waitingQuery, enabled: !isDecided })
  const decided = useInfiniteQuery({ ...decidedQuery, enabled: isDecided })
  const query = isDecided ? decided : waiting
  const words = useSubjectWords()
  const rows = useMemo(
    () =>
      isDecided
        ? decided.data?.pages.flatMap(({ data }) => data.map((decision) => rowOfDecided(decision, words)))
        : waiting.data?.map((decision) => rowOf(decision, words)),
    [isDecided, decided.data, waiting.data, words],
  )
  const [open, setOpen] = useState<OpenDecision | null>(null)
  const columns = useDecisionColumns(isDecided, setOpen)
  const grid = useGridState({ list: 'approvals', columns, search, onSearch: setSearch })
  return (
    <>
      <PageTitle title={t('title')}>
        <RefreshButton isBusy={query.isRefetching} onRefresh={() => void query.refetch()} />
      </PageTitle>
      <DataGrid
        {...grid}
        label={t(isDecided ? 'decided' : 'waiting')}
        columns={columns}
        rows={rows}
        keyOf={({ key }) => key}
        error={query.error}
        onRetry={() => void query.refetch()}
        empty={
          <EmptyNote title={t(isDecided ? 'none_decided' : 'none')}>{isDecided ? undefined : t('none_hint')}</EmptyNote>
        }
        onOpen={(row) => setOpen({ row, verdict: null })}
        onRowKey={(row, key) => {
          const verdict = verdictsOf(row).find((one) => keyOfVerdict[one] === key)
          if (verdict === undefined) return false
          setOpen({ row, verdict })
          return true
        }}
        more={{
          hasMore: isDecided && decided.hasNextPage,
          isBusy: decided.isFetchingNextPage,
          onMore: () => void decided.fetchNextPage(),
        }}
      >
        <div className={pages.filters}>
          <SegmentedControl
            label={t('list')}
            value={search.list ?? 'waiting'}
            choices={(['waiting', 'decided'] as const).map((value) => ({ value, label: t(value) }))}
            onChange={(list) => {
              const { list: _before, ...rest } = search
              setSearch(list === 'decided' ? { ...rest, list } : rest)
            }}
          />
          {!isDecided && <Hint className={pages.keys}>{t('keys')}</Hint>}
        </div>
      </DataGrid>
      <DecisionSheet
        open={open}
        onClose={() => setOpen(null)}
        findWaiting={({ key }) =>
          queryClient
            .getQueryData(waitingQuery.queryKey)
            ?.map((decision) => rowOf(decision, words))
            .find((row) => row.key === key)
        }
      />
    </>
  )
}

function useDecisionColumns(
  isDecided: boolean,
  onDecide: (open: OpenDecision) => void,
): readonly GridColumn<DecisionRow>[] {
  const t = useTranslations('approvals')
  const kinds = useTranslations('audit.kind')
  const { permissions } = useUser()
  const language = useLocale()
  const terms = useTermsWords()
  return useMemo(() => {
    // Rows of terms would look the same without what they change.
    const changeOf = ({ approval }: DecisionRow): string =>
      approval?.kind === 'change_game_config' ? writeTermsChanges(approval, terms) : ''
    const column = (
      name: string,
      label: string,
      read: (row: DecisionRow) => string,
      more: Partial<GridColumn<DecisionRow>> = {},
    ): GridColumn<DecisionRow> => ({ name, label, text: read, cell: read, ...more })
    const mayOf = (row: DecisionRow): string => {
      const action = resultActionOf(row, permissions)
      if (action !== null) return t(action)
      if (row.is_locked) return t('locked')
      const verdicts = verdictsOf(row).map((verdict) => t(`verdict.${verdict}`))
      return verdicts.join(' · ') || t('others')
    }
    const moment = (at: string | null): string => (at === null ? '–' : formatInstant(at, language, 'dayAndTime'))
    return [
      column('kind', t('column.kind'), ({ kind }) => kinds(kind), {
        isRowName: true,
        width: 'minmax(8rem, 1.4fr)',
      }),
      column('subject', t('column.subject'), (row) => [row.subject, changeOf(row)].filter(Boolean).join(' · '), {
        width: 'minmax(9rem, 1.6fr)',
        cell: (row) => {
          const change = changeOf(row)
          const subject = <RecordLink row={row} />
          // One element: on a phone the label stands beside it.
          return change === '' ? (
            subject
          ) : (
            <div className={classes.terms}>
              {subject}
              <p>{change}</p>
            </div>
          )
        },
      }),
      column('reason', t('column.reason'), ({ reason }) => reason ?? '–', { width: 'minmax(8rem, 1.4fr)' }),
      column('begun_by', t('column.begun_by'), ({ begun_by }) => begun_by?.username ?? '–'),
      column('begun_at', t('column.begun_at'), ({ begun_at }) => moment(begun_at), {
        width: 'minmax(8rem, 1fr)',
        // Decided requests are read by the time of the decision.
        isOptional: isDecided,
      }),
      isDecided
        ? column(
            'outcome',
            t('column.state'),
            ({ decided }) => (decided === null ? '–' : t(`state.${decided.outcome}`)),
            { width: 'minmax(7rem, 1fr)' },
          )
        : column('expires_at', t('column.expires_at'), ({ expires_at }) => moment(expires_at), {
            width: 'minmax(8rem, 1fr)',
          }),
      ...(isDecided
        ? [
            column('decided_by', t('column.decided_by'), ({ decided }) => decided?.decided_by?.username ?? '–'),
            column('decided_at', t('column.decided_at'), ({ decided }) => moment(decided?.decided_at ?? null), {
              width: 'minmax(7rem, 1fr)',
            }),
            column('verdict_reason', t('column.verdict_reason'), ({ decided }) => decided?.reason ?? '–', {
              width: 'minmax(8rem, 1.2fr)',
            }),
          ]
        : [
            column('may', t('column.may'), mayOf, {
              hasActions: true,
              cell: (row) =>
                verdictsOf(row).length === 0 ? (
                  <ResultLink row={row} otherwise={mayOf(row)} />
                ) : (
                  <Row as="span" gap={4} className={classes.verdicts}>
                    {verdictsOf(row).map((verdict) => (
                      <Button
                        key={verdict}
                        size="sm"
                        variant="light"
                        tone={verdict === 'approve' ? 'plain' : 'bad'}
                        aria-keyshortcuts={keyOfVerdict[verdict]}
                        onClick={() => onDecide({ row, verdict })}
                      >
                        {t(`verdict.${verdict}`)}
                      </Button>
                    ))}
                  </Row>
                ),
              width: 'minmax(11rem, 1.2fr)',
            }),
          ]),
    ]
  }, [t, kinds, language, terms, permissions, isDecided, onDecide])
}
