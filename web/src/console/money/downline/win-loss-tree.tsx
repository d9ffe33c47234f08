import type { Period, WinLoss, WinLossSummary } from '@megalot/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useLocale, useTranslations } from 'use-intl'
import { periodsWinLossQuery, periodTicketsQuery } from '../../../shared/reports/queries.ts'
import { OwnSums } from '../../../shared/reports/own-sums.tsx'
import { useNames } from '../../../shared/markets/use-names.ts'
import { TicketLink } from '../../../shared/tickets/orders/ticket-link.tsx'
import { formatInstant } from '../../../lib/format/dates.ts'
import { formatCount } from '../../../lib/format/money.ts'
import { useUser } from '../../../lib/user/user-query.ts'
import { Button } from '../../../ui/button.tsx'
import type { GridColumn, GridSum } from '../../../ui/grid/grid-column.ts'
import { Hint, Links } from '../../../ui/layout.tsx'
import { permissionsOf } from '../../menu.ts'
import { usersOf, writePath } from './downline-search.ts'
import type { DownlineSearch, PathUser } from './downline-search.ts'
import type { TableProps } from './downline-tables.tsx'
import { downlineSpan, summaryPagesQuery } from './queries.ts'
import { countColumn, periodColumn, textColumn } from './report-columns.tsx'
import { moneyColumns, moneySums, summaryColumns, summarySums, toSummedRow } from './report-sums.ts'
import type { MoneyRow, SummedRow } from './report-sums.ts'
import { useReportChair } from './use-report-chair.ts'

interface LevelProps extends TableProps {
  users: readonly PathUser[]
  /** Opens another node of the tree. */
  onGo: (users: readonly PathUser[], period_code?: string) => void
}

/** Another node of the tree; how the former one was sorted says nothing there. */
function searchAt(search: DownlineSearch, users: readonly PathUser[], period_code?: string): DownlineSearch {
  const { path: _path, period_code: _period, sort: _sort, columns: _columns, ...rest } = search
  const path = writePath(users)
  return { ...rest, ...(path === undefined ? {} : { path }), ...(period_code === undefined ? {} : { period_code }) }
}

/** The way from the top of the line down to the node that is open. */
export function TreePath({ search, onSearch }: Pick<TableProps, 'search' | 'onSearch'>) {
  const t = useTranslations('downline')
  const { periodName } = useNames()
  const users = usersOf(search)
  const go = (next: readonly PathUser[]): void => onSearch(searchAt(search, next))
  return (
    <Links aria-label={t('path')} as="nav" gap={[4, 20]}>
      <Button variant="subtle" disabled={users.length === 0} onClick={() => go([])}>
        {search.username ?? t('top')}
      </Button>
      {users.map((user, at) => (
        <Button
          key={user.user_id}
          variant="subtle"
          disabled={at === users.length - 1 && search.period_code === undefined}
          onClick={() => go(users.slice(0, at + 1))}
        >
          {user.username}
        </Button>
      ))}
      {search.period_code !== undefined && (
        <Button variant="subtle" disabled>
          {periodName(search.period_code)}
        </Button>
      )}
    </Links>
  )
}

/** Win and loss from the top of the downline to one ticket. Each step is one call for a node's children. */
export function WinLossTree(props: TableProps) {
  const { search, onSearch } = props
  const users = usersOf(search)
  const last = users.at(-1)
  const level = {
    ...props,
    users,
    onGo: (next: readonly PathUser[], period_code?: string) => onSearch(searchAt(search, next, period_code)),
  }
  if (last === undefined || !last.isMember) return <UsersLevel {...level} />
  if (search.period_code === undefined) return <PeriodsLevel {...level} member={last} />
  return <TicketsLevel {...level} member={last} period_code={search.period_code} />
}

/** The level's figures of the days, and where the balances of today are. */
function TreeHead({ summary, name }: { summary: WinLossSummary; name: string | undefined }) {
  const t = useTranslations('reports.chair')
  const permissions = permissionsOf(useUser())
  return (
    <>
      <OwnSums summary={summary} username={name} isShort />
      <Hint>
        {t('span_only')}
        {permissions.has('money.view') && (
          <>
            {' · '}
            <Link to="/money">{t('balances')}</Link>
          </>
        )}
      </Hint>
    </>
  )
}

/** The users directly below a level. */
function UsersLevel({ search, onSearch, Rows, users, onGo }: LevelProps) {
  const t = useTranslations('downline')
  const sides = useTranslations('reports.chair')
  const last = users.at(-1)
  const chair = useReportChair(search)
  const subject = last === undefined ? {} : { user_id: last.user_id }
  const query = useInfiniteQuery(summaryPagesQuery({ ...search, ...subject }, 'user'))
  const columns: readonly GridColumn<SummedRow>[] = [
    { ...textColumn<SummedRow>('username', t('user'), ({ user }) => user?.username ?? ''), isRowName: true },
    ...summaryColumns(t, sides, chair),
  ]
  return (
    <Rows
      head={query.data && <TreeHead summary={query.data.pages[0]!} name={chair.name} />}
      list="tree-users"
      label={t('report.tree')}
      columns={columns}
      rows={query.data?.pages.flatMap(({ rows }) => rows).map(toSummedRow)}
      sums={summarySums(t, query.data?.pages[0])}
      total={query.data?.pages[0]?.row_count}
      keyOf={({ user }) => String(user?.user_id)}
      onOpen={({ user }) => {
        if (!user) return
        const { user_id, username, level } = user
        // While the next level loads, the rows of this one are still there to be pressed.
        if (users.some((one) => one.user_id === String(user_id))) return
        onGo([...users, { user_id: String(user_id), username, isMember: level === 'member' }])
      }}
      {...{ search, onSearch, query }}
    />
  )
}

/** A period of a member; without one, the sums of several. */
interface PeriodRow extends WinLoss, MoneyRow {
  period?: Period
}

function toPeriodRow(row: WinLoss & { period: Period }): PeriodRow {
  return { ...row, isDecided: row.period.status === 'settled' }
}

/** The periods of one member: those that await their result are marked, and in no total. */
function PeriodsLevel({ search, onSearch, Rows, users, onGo, member }: LevelProps & { member: PathUser }) {
  const t = useTranslations('downline')
  const query = useInfiniteQuery(periodsWinLossQuery({ ...search, ...downlineSpan(search), user_id: member.user_id }))
  const first = query.data?.pages[0]
  const rows = query.data?.pages.flatMap(({ data }) => data).map(toPeriodRow)
  const sums: readonly GridSum<PeriodRow>[] = moneySums(t, first)
  const columns: readonly GridColumn<PeriodRow>[] = [
    { ...periodColumn<PeriodRow>(t('period'), ({ period }) => period), isRowName: true },
    textColumn('result_state', t('result_state'), ({ isDecided }) => t(isDecided ? 'settled' : 'awaiting_result')),
    countColumn('tickets', t('tickets'), ({ ticket_count }) => ticket_count),
    ...moneyColumns<PeriodRow>(t),
  ]
  return (
    <Rows
      list="tree-periods"
      label={t('report.tree')}
      columns={columns}
      rows={rows}
      sums={sums}
      keyOf={({ period }) => period?.period_code ?? ''}
      onOpen={({ period }) => period && onGo(users, period.period_code)}
      {...{ search, onSearch, query }}
    />
  )
}

interface TicketsLevelProps extends LevelProps {
  member: PathUser
  period_code: string
}

/** A ticket of a period; without its id, the sums of all of them. */
interface TicketRow extends MoneyRow {
  order_id?: number
  created_at?: string
  items?: readonly unknown[]
}

function ticketCell({ order_id }: TicketRow) {
  return order_id !== undefined && <TicketLink order_id={order_id} />
}

/** The tickets of one member in one period. */
function TicketsLevel({ search, onSearch, Rows, member, period_code }: TicketsLevelProps) {
  const t = useTranslations('downline')
  const language = useLocale()
  const navigate = useNavigate()
  const query = useInfiniteQuery(periodTicketsQuery(period_code, { user_id: member.user_id }))
  const first = query.data?.pages[0]
  const isDecided = first?.period.status === 'settled'
  const sums: readonly GridSum<TicketRow>[] =
    first === undefined ? [] : [{ label: t(isDecided ? 'total' : 'pending'), row: { ...first.totals, isDecided } }]
  const columns: readonly GridColumn<TicketRow>[] = [
    {
      name: 'order_id',
      label: t('ticket'),
      isRowName: true,
      text: ({ order_id }) => String(order_id),
      cell: ticketCell,
    },
    {
      name: 'created_at',
      label: t('placed_at'),
      text: ({ created_at = '' }) => created_at,
      cell: ({ created_at }) => created_at !== undefined && formatInstant(created_at, language, 'dayAndTime'),
      width: 'minmax(8.5rem, 1fr)',
    },
    textColumn('result_state', t('result_state'), (row) => t(row.isDecided ? 'settled' : 'awaiting_result')),
    textColumn('items', t('items'), ({ items }) => (items === undefined ? '' : formatCount(items.length))),
    ...moneyColumns<TicketRow>(t),
  ]
  return (
    <Rows
      list="tree-tickets"
      label={t('report.tree')}
      columns={columns}
      rows={query.data?.pages.flatMap(({ data }) => data).map((row) => ({ ...row, isDecided }))}
      sums={sums}
      keyOf={({ order_id }) => String(order_id)}
      onOpen={({ order_id }) => void navigate({ to: '/bills/$order_id', params: { order_id: String(order_id) } })}
      {...{ search, onSearch, query }}
    />
  )
}
