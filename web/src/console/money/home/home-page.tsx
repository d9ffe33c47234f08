import type { MoneyHome } from '@megalot/contract'
import { useQueries, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { serverNowMs } from '../../../lib/clock/server-clock.ts'
import { formatInstant, formatMoment } from '../../../lib/format/dates.ts'
import { formatBaht } from '../../../lib/format/money.ts'
import { useUser } from '../../../lib/user/user-query.ts'
import { useNames } from '../../../shared/markets/use-names.ts'
import { Card, Heading, Hint, Stack } from '../../../ui/layout.tsx'
import { PageTitle } from '../../../ui/page-title.tsx'
import { QueryView, Skeleton } from '../../../ui/query-view.tsx'
import { RefreshButton } from '../../../ui/refresh-button.tsx'
import { bookResultsQuery } from '../../day/risk/queries.ts'
import { permissionsOf } from '../../menu.ts'
import { Balance } from '../balance.tsx'
import classes from './home.module.css'
import { OwnProposals } from './own-proposals.tsx'
import { homeQuery } from './queries.ts'

/** What an agent sees first: its money, what can go wrong, and what waits. */
export function HomePage() {
  const t = useTranslations('home')
  const query = useQuery(homeQuery)
  return (
    <>
      <PageTitle title={t('title')}>
        <RefreshButton isCompact isBusy={query.isRefetching} onRefresh={() => void query.refetch()} />
      </PageTitle>
      <QueryView query={query} skeleton={<Skeleton count={5} height={88} />}>
        {(home) => <Home home={home} />}
      </QueryView>
    </>
  )
}

function Home({ home }: { home: MoneyHome }) {
  const user = useUser()
  const permissions = permissionsOf(user)
  return (
    <Stack gap={12}>
      <Money home={home} />
      <div className={classes.parts}>
        {permissions.has('risk.view') && <WorstCase closing={home.closing} />}
        <Waiting home={home} />
        {!user.is_office && <OwnProposals />}
        <Closing closing={home.closing} mayViewRisk={permissions.has('risk.view')} />
        <OverFigure rows={home.over_figure} />
        <NewMembers members={home.new_members} mayGive={permissions.has('credit.do')} />
      </div>
    </Stack>
  )
}

function Money({ home }: { home: MoneyHome }) {
  const t = useTranslations('home')
  const { collect_satang, collect_count, pay_satang, pay_count, pass_up_satang, own_week_satang } = home
  const word = (satang: number) => t(satang === 0 ? 'even' : satang > 0 ? 'profit' : 'loss')
  const last = home.own_last_week_satang
  return (
    <section className={classes.money} aria-label={t('money')}>
      <Link to="/money" search={{ show: 'collect' }} className={classes.tile}>
        <span className={classes.label}>{t('collect')}</span>
        <span className={classes.amount} data-tone="good">
          {formatBaht(collect_satang)}
        </span>
        <span className={classes.fact}>{t('people', { count: collect_count })}</span>
      </Link>
      <Link to="/money" search={{ show: 'pay' }} className={classes.tile}>
        <span className={classes.label}>{t('pay')}</span>
        <span className={classes.amount} data-tone="warn">
          {formatBaht(pay_satang)}
        </span>
        <span className={classes.fact}>{t('people', { count: pay_count })}</span>
      </Link>
      {pass_up_satang !== null && (
        <div className={classes.tile}>
          <span className={classes.label}>{t('above')}</span>
          <span className={classes.amount}>
            <Balance satang={0 - pass_up_satang} isAbove />
          </span>
        </div>
      )}
      <div className={classes.tile}>
        <span className={classes.label}>
          {t('own_week')} · {word(own_week_satang)}
        </span>
        <span
          className={classes.amount}
          data-tone={own_week_satang === 0 ? undefined : own_week_satang > 0 ? 'good' : 'bad'}
        >
          {formatBaht(Math.abs(own_week_satang))}
        </span>
        <span className={classes.fact}>{t('last_week', { word: word(last), amount: formatBaht(Math.abs(last)) })}</span>
      </div>
    </section>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Card as="section" gap={4} pad={[12, 14]} aria-label={title}>
      <Heading>{title}</Heading>
      {children}
    </Card>
  )
}

type Closings = MoneyHome['closing']

/** The periods whose worst results are computed. */
const WATCHED = 3
const RESULTS_REFETCH_MS = 60_000

/** The worst result of the own part among the periods that close first. */
function WorstCase({ closing }: { closing: Closings }) {
  const t = useTranslations('home.worst')
  const { periodName } = useNames()
  const watched = closing.slice(0, WATCHED)
  const queries = useQueries({
    queries: watched.map(({ period }) => ({
      ...bookResultsQuery(period.period_code, 'own', {}),
      refetchInterval: RESULTS_REFETCH_MS,
    })),
  })
  const [worst] = watched
    .flatMap(({ period }, index) => {
      const results = queries[index]?.data
      return results === undefined ? [] : [{ period, results }]
    })
    .toSorted((one, other) => one.results.worst_case_satang - other.results.worst_case_satang)
  if (worst === undefined && queries.some(({ isPending }) => isPending))
    return (
      <Part title={t('title')}>
        <Skeleton count={2} height={40} />
      </Part>
    )
  if (worst === undefined || worst.results.worst_case_satang >= 0)
    return (
      <Part title={t('title')}>
        <Hint>{t('none')}</Hint>
      </Part>
    )
  const { period, results } = worst
  const [result] = results.worst
  return (
    <Part title={t('title')}>
      <span className={classes.amount} data-tone="bad" data-testid="worst-case">
        {formatBaht(results.worst_case_satang)}
      </span>
      <Link to="/risk" search={{ market: period.product_code, period: period.period_code }}>
        {periodName(period.period_code, period.product_code)}
        {result !== undefined && ` · ${t('result', { top: result.top3, bottom: result.bottom2 })}`}
      </Link>
      <Hint>{t('hint', { count: watched.length })}</Hint>
    </Part>
  )
}

function Waiting({ home: { open_dispute_count, clearings_below_count, clearings_above_count } }: { home: MoneyHome }) {
  const t = useTranslations('home.waiting')
  return (
    <Part title={t('title')}>
      {open_dispute_count + clearings_below_count + clearings_above_count === 0 ? (
        <Hint>{t('none')}</Hint>
      ) : (
        <ul className={classes.list}>
          {open_dispute_count > 0 && (
            <li>
              <Link to="/money/history" search={{ is_disputed: true }}>
                {t('disputes', { count: open_dispute_count })}
              </Link>
            </li>
          )}
          {clearings_below_count > 0 && (
            <li>
              <Link to="/money/clearings">{t('clearings_below', { count: clearings_below_count })}</Link>
            </li>
          )}
          {clearings_above_count > 0 && (
            <li>
              <Link to="/money/clearings" search={{ side: 'above' }}>
                {t('clearings_above', { count: clearings_above_count })}
              </Link>
            </li>
          )}
        </ul>
      )}
    </Part>
  )
}

function Closing({ closing, mayViewRisk }: { closing: Closings; mayViewRisk: boolean }) {
  const t = useTranslations('home.closing')
  const language = useLocale()
  const { periodName } = useNames()
  return (
    <Part title={t('title')}>
      {closing.length === 0 ? (
        <Hint>{t('none')}</Hint>
      ) : (
        <ul className={classes.list}>
          {closing.map(({ period, ticket_count, received_satang }) => (
            <li key={period.period_code}>
              {mayViewRisk ? (
                <Link to="/risk" search={{ market: period.product_code, period: period.period_code }}>
                  {periodName(period.period_code, period.product_code)}
                </Link>
              ) : (
                periodName(period.period_code, period.product_code)
              )}
              <span className={classes.fact}>
                {t('closes', { at: formatMoment(Date.parse(period.close_at), serverNowMs(), language) })} ·{' '}
                {t('tickets', { count: ticket_count })} · {formatBaht(received_satang)}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Part>
  )
}

function OverFigure({ rows }: { rows: MoneyHome['over_figure'] }) {
  const t = useTranslations('home.over')
  return (
    <Part title={t('title')}>
      {rows.length === 0 ? (
        <Hint>{t('none')}</Hint>
      ) : (
        <ul className={classes.list}>
          {rows.map(({ user_id, username, balance_satang }) => (
            <li key={user_id}>
              <Link
                to="/people/$user_id"
                params={{ user_id: String(user_id) }}
                search={{ money: balance_satang > 0 ? 'receive' : 'pay' }}
              >
                {username}
              </Link>
              <Balance satang={balance_satang} />
            </li>
          ))}
        </ul>
      )}
    </Part>
  )
}

function NewMembers({ members, mayGive }: { members: MoneyHome['new_members']; mayGive: boolean }) {
  const t = useTranslations('home.members')
  const language = useLocale()
  return (
    <Part title={t('title')}>
      {members.length === 0 ? (
        <Hint>{t('none')}</Hint>
      ) : (
        <ul className={classes.list}>
          {members.map(({ user_id, username, created_at }) => (
            <li key={user_id}>
              <span>
                <Link to="/people/$user_id" params={{ user_id: String(user_id) }}>
                  {username}
                </Link>{' '}
                <span className={classes.fact}>
                  {t('since', { at: formatInstant(created_at, language, 'dayAndTime') })}
                </span>
              </span>
              {mayGive && (
                <Link
                  to="/people/$user_id"
                  params={{ user_id: String(user_id) }}
                  search={{ credit: 'open' }}
                  aria-label={t('credit_of', { name: username })}
                >
                  {t('credit')}
                </Link>
              )}
            </li>
          ))}
        </ul>
      )}
    </Part>
  )
}
