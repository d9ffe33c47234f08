import type { CreditInfo, Transaction } from '@megalot/contract'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useLocale, useTranslations } from 'use-intl'
import { formatInstant } from '../../lib/dates.ts'
import { formatBaht, formatSignedBaht } from '../../lib/money.ts'
import { LoadMore } from '../../ui/load-more.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { Bones, EmptyNote, QueryView } from '../../ui/query-view.tsx'
import { RefreshButton } from '../../ui/refresh-button.tsx'
import tables from '../../ui/table.module.css'
import { creditQuery, statementQuery } from './queries.ts'
import classes from './reports-page.module.css'

export function ReportsPage() {
  const t = useTranslations('reports')
  const query = useInfiniteQuery(statementQuery)
  const credit = useQuery(creditQuery)
  const refresh = (): void => {
    void query.refetch()
    void credit.refetch()
  }
  return (
    <>
      <PageTitle title={t('title')}>
        <RefreshButton isBusy={query.isRefetching} onRefresh={refresh} />
      </PageTitle>
      <QueryView query={credit} skeleton={<Bones count={1} height={84} />}>
        {(known) => <CreditSum credit={known} />}
      </QueryView>
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

/** How the account's balance and the remaining credit hang together; the statement alone shows only the balance. */
function CreditSum({ credit }: { credit: CreditInfo }) {
  const t = useTranslations('reports.credit')
  const parts = [
    ['limit', '', credit.credit_limit_satang],
    ['balance', '+', credit.balance_satang],
    ['held', '−', credit.held_satang],
    ['remain', '=', credit.credit_remain_satang],
  ] as const
  return (
    <section className={classes.credit} aria-label={t('title')} data-testid="credit-sum">
      <dl className={classes.sum}>
        {parts.map(([name, sign, satang]) => (
          <div key={name} data-name={name}>
            <dt>
              {sign !== '' && <span className={classes.sign}>{sign}</span>} {t(name)}
            </dt>
            <dd className="number">{formatBaht(satang)}</dd>
          </div>
        ))}
      </dl>
    </section>
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
