import type { Payment } from '@megalot/contract'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { formatDay, formatInstant } from '../../../lib/format/dates.ts'
import { formatBaht, formatSignedBaht } from '../../../lib/format/money.ts'
import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'
import { DataGrid } from '../../../ui/grid/data-grid.tsx'
import type { GridColumn } from '../../../ui/grid/grid-column.ts'
import { Facts, Intro, Row, Text } from '../../../ui/layout.tsx'
import { PageTitle } from '../../../ui/page-title.tsx'
import { EmptyNote } from '../../../ui/query-view.tsx'
import { RefreshButton } from '../../../ui/refresh-button.tsx'
import { useGridState } from '../../lists/use-grid-state.ts'
import { Balance, useMethodWords } from '../balance.tsx'
import { MoneyFileButtons } from '../money-file-buttons.tsx'
import { HistoryFilters } from './history-filters.tsx'
import type { HistorySearch } from './history-search.ts'
import { forReader, useKindWord } from './payment-words.ts'
import { PaymentDetail } from './payment-detail.tsx'
import { disputeCountQuery, type PaymentFilters, paymentsQuery } from './queries.ts'

const route = getRouteApi('/main/money/history')

/** The filters of the address as the server takes them. */
function filtersOf({
  sort: _sort,
  columns: _columns,
  row: _row,
  search,
  is_disputed,
  ...rest
}: HistorySearch): PaymentFilters {
  const found = search?.trim() ?? ''
  return { ...rest, ...(found !== '' && { search: found }), ...(is_disputed && { is_disputed: 'true' as const }) }
}

/** Every payment, adjustment and reversal between the caller and its children, or its parent. */
export function HistoryPage() {
  const t = useTranslations('history')
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const setSearch = (next: HistorySearch): void => void navigate({ search: next, replace: true })
  const filters = filtersOf(search)
  const isAbove = search.side === 'above'
  const query = useInfiniteQuery(paymentsQuery(filters))
  const rows = useMemo(() => query.data?.pages.flatMap(({ data }) => data), [query.data])
  const columns = usePaymentColumns(isAbove)
  const grid = useGridState({ list: 'payments', columns, search, onSearch: setSearch })
  const { row, ...closed } = search
  const { user_id, date_from, date_to, ...ofPayments } = filters
  const sums = query.data?.pages[0]
  return (
    <>
      <PageTitle title={t('title')}>
        <RefreshButton isBusy={query.isRefetching} onRefresh={() => void query.refetch()} />
      </PageTitle>
      <Intro>{t('text')}</Intro>
      {search.is_disputed !== true && !isAbove && <Disputes onShow={() => setSearch({ is_disputed: true })} />}
      {sums !== undefined && <Sums {...sums} />}
      <DataGrid
        {...grid}
        label={t('title')}
        columns={columns}
        rows={rows}
        total={sums?.total_count ?? 0}
        keyOf={({ payment_id }) => String(payment_id)}
        error={query.error}
        onRetry={() => void query.refetch()}
        empty={<EmptyNote title={t('none')}>{t('none_hint')}</EmptyNote>}
        onOpen={({ payment_id }) => setSearch({ ...search, row: payment_id })}
        fileTools={
          <MoneyFileButtons
            formats={['xlsx', 'csv']}
            body={{
              report: 'payments',
              payments: ofPayments,
              ...(user_id !== undefined && { user_id: Number(user_id) }),
              ...(date_from !== undefined && { date_from }),
              ...(date_to !== undefined && { date_to }),
            }}
          />
        }
        more={{
          hasMore: query.hasNextPage,
          isBusy: query.isFetchingNextPage,
          onMore: () => void query.fetchNextPage(),
        }}
      >
        <HistoryFilters search={search} onSearch={setSearch} />
      </DataGrid>
      <PaymentDetail payment_id={row ?? null} isAbove={isAbove} onClose={() => setSearch(closed)} />
    </>
  )
}

/** Leads to the disputes that wait for an answer. */
function Disputes({ onShow }: { onShow: () => void }) {
  const t = useTranslations('history')
  const { data: count = 0 } = useQuery(disputeCountQuery)
  if (count === 0) return null
  return (
    <Alert kind="warn">
      <Row gap={[4, 12]} align="center">
        {t('disputes', { count })}
        <Button size="sm" variant="default" onClick={onShow}>
          {t('show_disputes')}
        </Button>
      </Row>
    </Alert>
  )
}

interface SumsProps {
  received_satang: number
  paid_satang: number
  adjusted_satang: number
}

function Sums({ received_satang, paid_satang, adjusted_satang }: SumsProps) {
  const t = useTranslations('history.sum')
  return (
    <section aria-label={t('label')}>
      <Facts
        tabular
        facts={[
          [t('received'), formatBaht(received_satang)],
          [t('paid'), formatBaht(paid_satang)],
          [t('net'), <strong key="net">{formatSignedBaht(received_satang - paid_satang)}</strong>],
          ...(adjusted_satang === 0 ? [] : ([[t('adjusted'), formatSignedBaht(adjusted_satang)]] as const)),
        ]}
      />
    </section>
  )
}

function usePaymentColumns(isAbove: boolean): readonly GridColumn<Payment>[] {
  const t = useTranslations('history')
  const language = useLocale()
  const methods = useMethodWords()
  const kindOf = useKindWord(isAbove)
  const text = (
    name: keyof typeof columnNames,
    read: (payment: Payment) => string,
    more: Partial<GridColumn<Payment>> = {},
  ): GridColumn<Payment> => ({ name, label: t(`column.${name}`), text: read, cell: read, ...more })
  const stateOf = ({ reversed_by_id, dispute, has_slip }: Payment): string =>
    [
      ...(reversed_by_id === null ? [] : [t('state.reversed')]),
      ...(dispute === null ? [] : [t(dispute.answer === null ? 'state.disputed' : 'state.answered')]),
      ...(has_slip ? [t('state.slip')] : []),
    ].join(' · ')
  return [
    text('number', ({ number }) => number, { isRowName: true, width: 'minmax(5.5rem, 0.7fr)' }),
    text('day', ({ day }) => formatDay(day, language, 'shortDay'), { width: 'minmax(5.5rem, 0.8fr)' }),
    ...(isAbove ? [] : [text('child', ({ child }) => child.username)]),
    text('kind', kindOf, { width: 'minmax(5rem, 0.8fr)' }),
    text('method', ({ method }) => (method === null ? '–' : methods[method]), { width: 'minmax(4.5rem, 0.6fr)' }),
    text('amount', (payment) => formatSignedBaht(forReader(payment, isAbove)), {
      isFigure: true,
      cell: (payment) => <strong>{formatSignedBaht(forReader(payment, isAbove))}</strong>,
    }),
    text('after', ({ balance_after_satang }) => formatBaht(balance_after_satang), {
      isFigure: true,
      width: 'minmax(9rem, 1.2fr)',
      cell: ({ balance_after_satang }) => <Balance satang={balance_after_satang} isAbove={isAbove} />,
    }),
    text('note', ({ note }) => note ?? ''),
    // A child is not told who.
    ...(isAbove ? [] : [text('by', ({ recorded_by }) => recorded_by ?? t('detail.office'))]),
    text('state', stateOf, {
      cell: (payment) => (
        <Text as="span" {...(payment.dispute?.answer === null && { tone: 'warn' as const })}>
          {stateOf(payment)}
        </Text>
      ),
    }),
    ...(isAbove ? [] : [text('holder', ({ holder }) => holder ?? t('detail.office'), { isOptional: true })]),
    text('at', ({ recorded_at }) => formatInstant(recorded_at, language, 'dayAndTime'), { isOptional: true }),
  ]
}

const columnNames = {
  number: true,
  day: true,
  child: true,
  kind: true,
  method: true,
  amount: true,
  after: true,
  note: true,
  by: true,
  state: true,
  holder: true,
  at: true,
} as const
