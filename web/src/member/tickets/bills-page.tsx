import { Button } from '../../ui/button.tsx'
import IconArrowsMaximize from '~icons/arrows-maximize'
import IconArrowsMinimize from '~icons/arrows-minimize'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, getRouteApi } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslations } from 'use-intl'
import { InfiniteScroll } from '../../ui/infinite-scroll.tsx'
import { Row } from '../../ui/layout.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { Skeleton, EmptyNote, QueryView } from '../../ui/query-view.tsx'
import { RefreshButton } from '../../ui/refresh-button.tsx'
import { BillFilterBar } from './bill-filter-bar.tsx'
import type { BillFilters } from './bill-filters.ts'
import { BillList } from './bill-list.tsx'
import { BillTabs } from './bill-tabs.tsx'
import { groupBills } from './group-bills.ts'
import { billsQuery, countFilters, deletedBillsQuery } from './queries.ts'
import type { BillsResult } from './queries.ts'
import { useFolding } from './use-folding.ts'

const route = getRouteApi('/main/bills')
const deletedRoute = getRouteApi('/main/bills/deleted')

/** The member's tickets. */
export function BillsPage() {
  const filters = route.useSearch()
  const navigate = route.useNavigate()
  const query = useInfiniteQuery(billsQuery(filters))
  return (
    <BillsView
      kind="all"
      query={query}
      filters={filters}
      onFilter={(next) => void navigate({ search: next, replace: true })}
    />
  )
}

/** The tickets that an upline or the office has deleted. */
export function DeletedBillsPage() {
  const filters = deletedRoute.useSearch()
  const navigate = deletedRoute.useNavigate()
  const query = useInfiniteQuery(deletedBillsQuery(filters))
  return (
    <BillsView
      kind="deleted"
      query={query}
      filters={filters}
      onFilter={(next) => void navigate({ search: next, replace: true })}
    />
  )
}

interface BillsViewProps {
  kind: 'all' | 'deleted'
  query: BillsResult
  filters: BillFilters
  onFilter: (filters: BillFilters) => void
}

function BillsView({ kind, query, filters, onFilter }: BillsViewProps) {
  const t = useTranslations('bills')
  const folding = useFolding()
  const isDeleted = kind === 'deleted'
  const isNarrowed = countFilters(filters) > 0 || filters.search !== undefined
  const { isOpen } = folding
  const parts = query.data?.pages
  const lines = useMemo(
    () =>
      groupBills(
        (parts ?? []).map(({ data }) => data),
        isOpen,
      ),
    [parts, isOpen],
  )
  const FoldIcon = folding.isAllOpen ? IconArrowsMinimize : IconArrowsMaximize
  return (
    <>
      <PageTitle title={t(isDeleted ? 'deleted.title' : 'title')}>
        <Row gap={8} justify="end">
          <Button
            variant="default"
            icon={<FoldIcon size={18} stroke={1.75} />}
            disabled={lines.length === 0}
            onClick={() => folding.setAll(!folding.isAllOpen)}
          >
            {folding.isAllOpen ? t('list.collapse_all') : t('list.expand_all')}
          </Button>
          <RefreshButton isBusy={query.isRefetching} onRefresh={() => void query.refetch()} />
        </Row>
      </PageTitle>
      <BillTabs />
      <BillFilterBar filters={filters} isAboutDeleted={isDeleted} onChange={onFilter} />
      <QueryView query={query} skeleton={<Skeleton count={8} height={64} gap={4} />}>
        {() => {
          if (lines.length > 0) {
            return (
              <BillList
                name={`${kind} ${JSON.stringify(filters)}`}
                lines={lines}

                onToggle={folding.toggle}
              />
            )
          }
          // A part may be empty although there is more behind it.
          if (query.hasNextPage) return <Skeleton count={3} height={64} gap={4} />
          if (isNarrowed) return <EmptyNote title={t('none_found')}>{t('none_found_hint')}</EmptyNote>
          if (isDeleted) return <EmptyNote title={t('deleted.none')}>{t('deleted.none_hint')}</EmptyNote>
          return (
            <EmptyNote title={t('none')}>
              <Link to="/">{t('none_hint')}</Link>
            </EmptyNote>
          )
        }}
      </QueryView>
      <InfiniteScroll
        hasMore={query.hasNextPage}
        isBusy={query.isFetching}
        // Folded up, a list has no end to scroll to: then only the button asks for more.
        isPaused={query.isFetchNextPageError || !isEndInSight(query.data?.pages.at(-1)?.data, folding.isOpen)}
        onMore={() => void query.fetchNextPage()}
      />
    </>
  )
}

/** Whether any ticket of the last part is shown; an empty part hides nothing. */
function isEndInSight(
  part: readonly { period: { period_code: string } }[] | undefined,
  isOpen: (period_code: string) => boolean,
): boolean {
  return part === undefined || part.length === 0 || part.some(({ period }) => isOpen(period.period_code))
}
