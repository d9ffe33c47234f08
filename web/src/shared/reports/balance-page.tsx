import type { CreditInfo, Transaction } from '@megalot/contract'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { dropUndefined } from '../../lib/search/drop-undefined.ts'
import { localizedName } from '../../lib/i18n/localized-name.ts'
import { formatInstant } from '../../lib/format/dates.ts'
import { formatBaht, formatSignedBaht } from '../../lib/format/money.ts'
import { marketsQuery } from '../markets/queries.ts'
import { TicketLink } from '../tickets/orders/ticket-link.tsx'
import { useUser } from '../../lib/user/user-query.ts'
import { InfiniteScroll } from '../../ui/infinite-scroll.tsx'
import { Card, Hint, Links, Row, Text } from '../../ui/layout.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { VirtualTable } from '../../ui/virtual-table.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { Skeleton, EmptyNote, QueryView } from '../../ui/query-view.tsx'
import classes from './balance-page.module.css'
import { creditQuery, fetchStatementFile, statementSearchOf, statementQuery, usualSpan } from './queries.ts'
import { ReportBar } from './report-bar.tsx'
import type { ReportSearch } from './report-search.ts'
import tables from './report-tables.module.css'
import { ReportTabs } from './report-tabs.tsx'
import { ReportTools } from './report-tools.tsx'
import { creditMovedBy, linesOfStatement } from './statement-lines.ts'

const route = getRouteApi('/main/reports/balance')

/** Every movement of the account with the balance after it: one's own, or that of somebody in the downline. */
export function BalancePage() {
  const t = useTranslations('reports')
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { user_id, username } = search
  const isBettor = useUser().level === 'member'
  const { date_from, date_to } = isBettor ? search : usualSpan(search)
  // An operator's money is under Money: here it reads the statements of others.
  const isOperator = !isBettor && user_id === undefined
  const statement = statementSearchOf(dropUndefined({ ...search, date_from, date_to }))
  const query = useInfiniteQuery({ ...statementQuery(statement), enabled: !isOperator })
  const [wantsLedger, setWantsLedger] = useState(false)
  // The credit of others is not known here.
  const isLedger = wantsLedger || user_id !== undefined
  const credit = useQuery({ ...creditQuery, enabled: user_id === undefined })
  return (
    <>
      <PageTitle title={username === undefined ? t('tabs.balance') : t('balance_of', { username })} />
      <ReportTabs />
      <ReportBar
        search={search}
        span={dropUndefined({ date_from, date_to })}
        hasAllDays={isBettor}
        tools={
          isOperator ? undefined : (
            <ReportTools
              kind="balance"
              search={dropUndefined({ ...search, date_from, date_to })}
              isBusy={query.isRefetching}
              onRefresh={() =>
                void Promise.all([query.refetch(), ...(user_id === undefined ? [credit.refetch()] : [])])
              }
              fetchFile={() => fetchStatementFile(statement)}
            />
          )
        }
        onChange={(next) => void navigate({ search: next, replace: true })}
      />
      {user_id === undefined && (
        <QueryView query={credit} skeleton={<Skeleton count={1} height={84} />}>
          {(known) => (isOperator ? <CreditToGive credit={known} /> : <CreditSum credit={known} />)}
        </QueryView>
      )}
      {isBettor && (
        <Links>
          <Link to="/balance">{t('own_money')}</Link>
        </Links>
      )}
      {isOperator ? (
        <Operator />
      ) : (
        <QueryView query={query} skeleton={<Skeleton count={8} height={52} gap={4} />}>
          {({ pages }) => {
            const rows = pages.flatMap(({ data }) => data)
            const { opening_balance_satang, closing_balance_satang } = pages[0]!
            return (
              <>
                {(date_from !== undefined || date_to !== undefined) && (
                  <dl className={classes.ends}>
                    <div>
                      <dt>{t('opening')}</dt>
                      <dd className="number">{formatBaht(opening_balance_satang)}</dd>
                    </div>
                    <div>
                      <dt>{t('closing')}</dt>
                      <dd className="number">{formatBaht(closing_balance_satang)}</dd>
                    </div>
                  </dl>
                )}
                {rows.length > 0 ? (
                  <>
                    {user_id === undefined && (
                      <Checkbox label={t('ledger')} isChecked={isLedger} onChange={setWantsLedger} />
                    )}
                    {!isLedger && <Hint>{t('remain_hint')}</Hint>}
                    <Statement
                      rows={isLedger ? rows : linesOfStatement(rows)}
                      credit_limit_satang={isLedger ? null : (credit.data?.credit_limit_satang ?? null)}
                    />
                  </>
                ) : query.hasNextPage ? (
                  <Skeleton count={3} height={52} />
                ) : (
                  <None search={search} />
                )}
              </>
            )
          }}
        </QueryView>
      )}
      <InfiniteScroll
        hasMore={!isOperator && query.hasNextPage}
        isBusy={query.isFetching}
        isPaused={query.isFetchNextPageError}
        onMore={() => void query.fetchNextPage()}
      />
    </>
  )
}

/** Where an operator finds the money of its line. */
function Operator() {
  const t = useTranslations('reports')
  const { permissions } = useUser()
  return (
    <EmptyNote title={t('none_upline')}>
      <p>{t('none_hint_upline')}</p>
      <Row as="nav" gap={[4, 20]} justify="center" aria-label={t('none_upline')}>
        {permissions.includes('money.view') && (
          <>
            <Link to="/money">{t('see_sheet')}</Link>
            <Link to="/money/clearings">{t('see_clearings')}</Link>
          </>
        )}
        <Link to="/reports/summary">{t('see_summary')}</Link>
      </Row>
    </EmptyNote>
  )
}

/** Why the statement is empty, and where to go: members to the markets. */
function None({ search }: { search: ReportSearch }) {
  const t = useTranslations('reports')
  if (Object.keys(search).length > 0) return <EmptyNote title={t('none_in_span')}>{t('none_in_span_hint')}</EmptyNote>
  return (
    <EmptyNote title={t('none')}>
      <Link to="/">{t('none_hint')}</Link>
    </EmptyNote>
  )
}

/** How the account's balance and the remaining credit hang together; the statement alone shows only the balance. */
function CreditSum({ credit }: { credit: CreditInfo }) {
  const t = useTranslations('reports.credit')
  return (
    <CreditParts
      title={t('title')}
      parts={[
        ['limit', '', credit.credit_limit_satang],
        ['balance', '+', credit.balance_satang],
        ['held', '−', credit.held_satang],
        ['remain', '=', credit.credit_remain_satang],
      ]}
    />
  )
}

/** What is left of an operator's credit limit to give to those directly below. */
function CreditToGive({ credit: { credit_limit_satang } }: { credit: CreditInfo }) {
  const t = useTranslations('reports.credit')
  const { credit_to_give_satang, principal } = useUser()
  if (credit_to_give_satang === null) return null
  // An assistant has no limit of its own.
  const given: readonly CreditPart[] =
    principal === null
      ? [
          ['limit', '', credit_limit_satang],
          ['given', '−', credit_limit_satang - credit_to_give_satang],
        ]
      : []
  return (
    <CreditParts
      title={t('title_to_give')}
      parts={[...given, ['to_give', given.length === 0 ? '' : '=', credit_to_give_satang]]}
    />
  )
}

type CreditPart = readonly [
  name: 'limit' | 'balance' | 'held' | 'remain' | 'given' | 'to_give',
  sign: string,
  satang: number,
]

function CreditParts({ title, parts }: { title: string; parts: readonly CreditPart[] }) {
  const t = useTranslations('reports.credit')
  return (
    <Card as="section" pad={[12, 16]} aria-label={title} data-testid="credit-sum">
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
    </Card>
  )
}

interface StatementProps {
  rows: readonly Transaction[]
  /** Turns balances into the credit that is left by today's limit; null leaves balances. */
  credit_limit_satang: number | null
}

function Statement({ rows, credit_limit_satang }: StatementProps) {
  const t = useTranslations('reports')
  const language = useLocale()
  const { data: markets = [] } = useQuery(marketsQuery)
  const amountOf = (row: Transaction): number => (credit_limit_satang === null ? row.amount_satang : creditMovedBy(row))
  const nameOf = (code: string): string => {
    const market = markets.find((one) => one.product_code === code)
    return market === undefined ? code : localizedName(market, language)
  }
  return (
    <VirtualTable
      label={t('statement')}
      className={tables.entries}
      rowPx={72}
      rows={rows}
      keyOf={({ entry_id }) => entry_id}
      columns={[
        { name: 'at', label: t('at') },
        { name: 'entry', label: t('entry') },
        { name: 'period', label: t('market') },
        { name: 'amount', label: t('amount'), isFigure: true },
        { name: 'balance', label: t(credit_limit_satang === null ? 'balance' : 'remain'), isFigure: true },
      ]}
      cellsOf={(row) => ({
        at: <time dateTime={row.at}>{formatInstant(row.at, language, 'dayAndTime')}</time>,
        entry: (
          <Row as="span" gap={[0, 12]} align="center">
            <Text as="span" strong>
              {t(`kind.${row.kind}`)}
            </Text>
            {row.order_id !== null && (
              <TicketLink order_id={row.order_id} className={tables.link}>
                {t('ticket', { order_id: String(row.order_id) })}
              </TicketLink>
            )}
          </Row>
        ),
        period: row.product_code === null ? '' : nameOf(row.product_code),
        amount: (
          <Text as="span" strong className={tables.amount} data-sign={Math.sign(amountOf(row))}>
            {formatSignedBaht(amountOf(row))}
          </Text>
        ),
        balance: formatBaht(
          credit_limit_satang === null
            ? row.balance_satang
            : credit_limit_satang + row.balance_satang - row.held_balance_satang,
        ),
      })}
    />
  )
}
