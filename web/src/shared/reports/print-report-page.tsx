import type { Transaction } from '@megalot/contract'
import { listPeriodWinLoss } from '@megalot/contract/browser'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useLocale, useTranslations } from 'use-intl'
import { queryKeys } from '../../lib/api/query-keys.ts'
import { formatInstant } from '../../lib/format/dates.ts'
import { callRoute } from '../../lib/api/http-client.ts'
import { formatBaht, formatCount, formatSignedBaht } from '../../lib/format/money.ts'
import { useSession } from '../../lib/session/session-store.ts'
import { MarketName } from '../markets/market-name.tsx'
import { PrintSheet } from '../print/print-sheet.tsx'
import { Skeleton, EmptyNote, QueryView } from '../../ui/query-view.tsx'
import tables from '../../ui/table.module.css'
import { WideTable } from '../../ui/wide-table.tsx'
import { AboutDownline } from './about-downline.tsx'
import { fetchStatement, summaryBody, summaryQuery, usualSpan, winLossSearchOf } from './queries.ts'
import type { ReportSearch } from './report-search.ts'
import { OwnSums } from './own-sums.tsx'
import { SummaryTable } from './summary-table.tsx'
import { PendingLine, RefundedLine, WinLossSums } from './win-loss-sums.tsx'

const route = getRouteApi('/print/reports/$kind')

/** Paper takes so many rows; who needs more has the file. */
const PARTS = 5
const PART_SIZE = 100

/** A report on paper, as the page showed it that it was asked from. */
export function PrintReportPage() {
  const t = useTranslations('reports')
  const { kind } = route.useParams()
  const search = route.useSearch()
  if (kind === 'balance') return <PrintedStatement search={search} />
  if (kind === 'summary') return <PrintedSummary search={search} />
  if (kind === 'win-loss') return <PrintedPeriods search={search} />
  return <EmptyNote title={t('no_such_report')} />
}

function PrintedPeriods({ search }: { search: ReportSearch }) {
  const t = useTranslations('reports')
  const isOwn = useSession(({ user }) => user?.level === 'member')
  const query = useQuery({
    queryKey: queryKeys.print.periods(search),
    queryFn: async ({ signal }) => {
      const query = winLossSearchOf(search)
      const parts = []
      for (let page = 0; page < PARTS; page += 1) {
        const part = await callRoute(listPeriodWinLoss, {
          query: { ...query, page: String(page), ipp: String(PART_SIZE) },
          signal,
        })
        parts.push(part)
        if (part.data.length < PART_SIZE) break
      }
      return { ...parts[0]!, rows: parts.flatMap(({ data }) => data) }
    },
  })
  return (
    <PrintSheet title={t('tabs.win_loss')} backTo="/reports" isReady={query.data !== undefined}>
      <QueryView query={query} skeleton={<Skeleton count={6} height={40} />}>
        {({ rows, totals, pending, refunded, date_from, date_to }) => (
          <>
            <AboutDownline search={search} span={{ date_from, date_to }} />
            <WinLossSums totals={totals} isOfMembers={!isOwn} />
            <PendingLine pending={pending} />
            <RefundedLine refunded={refunded} />
            {rows.length === 0 ? (
              <EmptyNote title={t('none_in_span')} />
            ) : (
              <WideTable label={t('title')}>
                <table className={`${tables.table} ${tables.paper}`}>
                  <thead>
                    <tr>
                      <th scope="col">{t('period')}</th>
                      {(['tickets', 'received', 'discount', 'win', 'total'] as const).map((name) => (
                        <th key={name} scope="col" className={tables.figure}>
                          {t(`sums.${name}`)}
                        </th>
                      ))}
                    </tr>
                  </thead>
                  <tbody>
                    {rows.map((row) => (
                      <tr key={row.period.period_code}>
                        <td>
                          <MarketName period={row.period} />
                        </td>
                        <td className={tables.figure}>{formatCount(row.ticket_count)}</td>
                        <td className={tables.figure}>{formatBaht(row.received_satang)}</td>
                        <td className={tables.figure}>{formatBaht(row.discount_satang)}</td>
                        <td className={tables.figure}>{formatBaht(row.win_satang)}</td>
                        <td className={tables.figure}>
                          {row.period.status === 'settled' ? formatSignedBaht(row.total_satang) : '–'}
                        </td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </WideTable>
            )}
            {rows.length === PARTS * PART_SIZE && <p>{t('print_cut', { count: rows.length })}</p>}
          </>
        )}
      </QueryView>
    </PrintSheet>
  )
}

function PrintedStatement({ search }: { search: ReportSearch }) {
  const t = useTranslations('reports')
  const language = useLocale()
  const query = useQuery({
    queryKey: queryKeys.print.statement(search),
    queryFn: async ({ signal }) => {
      const first = await fetchStatement(search, undefined, PART_SIZE, signal)
      const rows: Transaction[] = [...first.data]
      let next = first.next_before
      for (let part = 1; part < PARTS && next !== null; part += 1) {
        const more = await fetchStatement(search, String(next), PART_SIZE, signal)
        rows.push(...more.data)
        next = more.next_before
      }
      return { ...first, rows, isCut: next !== null }
    },
  })
  return (
    <PrintSheet title={t('tabs.balance')} backTo="/reports/balance" isReady={query.data !== undefined}>
      <QueryView query={query} skeleton={<Skeleton count={8} height={40} />}>
        {({ rows, isCut, opening_balance_satang, closing_balance_satang }) => (
          <>
            <AboutDownline search={search} span={search} />
            <p>
              {t('opening')} {formatBaht(opening_balance_satang)} · {t('closing')} {formatBaht(closing_balance_satang)}
            </p>
            {rows.length === 0 ? (
              <EmptyNote title={t('none_in_span')} />
            ) : (
              <WideTable label={t('title')}>
                <table className={`${tables.table} ${tables.paper}`}>
                  <thead>
                    <tr>
                      <th scope="col">{t('at')}</th>
                      <th scope="col">{t('entry')}</th>
                      <th scope="col" className={tables.figure}>
                        {t('amount')}
                      </th>
                      <th scope="col" className={tables.figure}>
                        {t('balance')}
                      </th>
                    </tr>
                  </thead>
                  <tbody>
                    {rows.map((row) => (
                      <tr key={row.entry_id}>
                        <td>{formatInstant(row.at, language, 'dayAndTime')}</td>
                        <td>
                          {t(`kind.${row.kind}`)}
                          {row.order_id !== null && ` · ${t('ticket', { order_id: String(row.order_id) })}`}
                        </td>
                        <td className={tables.figure}>{formatSignedBaht(row.amount_satang)}</td>
                        <td className={tables.figure}>{formatBaht(row.balance_satang)}</td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </WideTable>
            )}
            {isCut && <p>{t('print_cut', { count: rows.length })}</p>}
          </>
        )}
      </QueryView>
    </PrintSheet>
  )
}

function PrintedSummary({ search }: { search: ReportSearch }) {
  const t = useTranslations('reports')
  const isOwn = useSession(({ user }) => user?.level === 'member')
  const group_by = search.group_by ?? (isOwn ? 'period' : 'user')
  const query = useQuery(summaryQuery(summaryBody(search, group_by)))
  return (
    <PrintSheet title={t('tabs.summary')} backTo="/reports/summary" isReady={query.data !== undefined}>
      <AboutDownline search={search} span={usualSpan(search)} />
      <QueryView query={query} skeleton={<Skeleton count={6} height={40} />}>
        {(summary) => (
          <>
            {isOwn ? (
              <WinLossSums totals={summary.totals.member} />
            ) : (
              <OwnSums summary={summary} username={search.username} />
            )}
            <PendingLine pending={summary.pending} />
            <RefundedLine refunded={summary.refunded} />
            <SummaryTable
              summary={summary}
              nameHead={t(`group.${group_by}`)}
              isOwn={isOwn}
              username={search.username}
            />
            {summary.row_count > summary.rows.length && <p>{t('print_cut', { count: summary.rows.length })}</p>}
          </>
        )}
      </QueryView>
    </PrintSheet>
  )
}
