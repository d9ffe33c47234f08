import type { Transaction } from '@megalot/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useLocale, useTranslations } from 'use-intl'
import { formatInstant } from '../../lib/dates.ts'
import { formatBaht, formatSignedBaht } from '../../lib/money.ts'
import { LoadMore } from '../../ui/load-more.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { Bones, EmptyNote, QueryView } from '../../ui/query-view.tsx'
import { RefreshButton } from '../../ui/refresh-button.tsx'
import tables from '../../ui/table.module.css'
import { statementQuery } from './queries.ts'
import classes from './reports-page.module.css'

export function ReportsPage() {
  const t = useTranslations('reports')
  const query = useInfiniteQuery(statementQuery)
  return (
    <>
      <PageTitle title={t('title')}>
        <RefreshButton isBusy={query.isRefetching} onRefresh={() => void query.refetch()} />
      </PageTitle>
      <QueryView query={query} skeleton={<Bones count={8} height={52} gap={4} />}>
        {({ pages }) => {
          const rows = pages.flat()
          return rows.length === 0 ? (
            <EmptyNote title={t('none')}>
              <Link to="/">{t('none_hint')}</Link>
            </EmptyNote>
          ) : (
            <Statement rows={rows} />
          )
        }}
      </QueryView>
      <LoadMore
        hasMore={query.hasNextPage}
        isBusy={query.isFetchingNextPage}
        onMore={() => void query.fetchNextPage()}
      />
    </>
  )
}

function Statement({ rows }: { rows: readonly Transaction[] }) {
  const t = useTranslations('reports')
  const language = useLocale()
  return (
    <section className={tables.card}>
      <table className={tables.table}>
        <caption className={classes.caption}>{t('statement')}</caption>
        <thead>
          <tr>
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
              <td>
                <span className={classes.entry}>
                  <span className={classes.kind}>{t(`kind.${row.kind}`)}</span>
                  {row.order_id !== null && (
                    <Link
                      to="/bills/$order_id"
                      params={{ order_id: String(row.order_id) }}
                      className={classes.link ?? ''}
                    >
                      {t('ticket', { order_id: String(row.order_id) })}
                    </Link>
                  )}
                  <time className={classes.time} dateTime={row.at}>
                    {formatInstant(row.at, language, 'dayAndTime')}
                  </time>
                </span>
              </td>
              <td className={tables.figure}>
                <span className={classes.amount} data-sign={Math.sign(row.amount_satang)}>
                  {formatSignedBaht(row.amount_satang)}
                </span>
              </td>
              <td className={tables.figure}>{formatBaht(row.balance_satang)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
