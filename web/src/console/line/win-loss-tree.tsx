import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useLocale, useTranslations } from 'use-intl'
import { MarketName } from '../../features/markets/market-name.tsx'
import {
  periodsWinLossQuery,
  periodTicketsQuery,
  summaryBody,
  summaryQuery,
  summarySpan,
} from '../../features/reports/queries.ts'
import { formatInstant } from '../../lib/format/dates.ts'
import { Button } from '../../ui/button.tsx'
import type { GridColumn } from '../../ui/grid-column.ts'
import classes from '../console-pages.module.css'
import { usersOf, writePath } from './line-search.ts'
import type { LineSearch, PathUser } from './line-search.ts'
import { amountColumn, countColumn, ReportGrid } from './report-grid.tsx'

interface TreeProps {
  search: LineSearch
  onSearch: (search: LineSearch) => void
}

interface OpenTreeProps extends TreeProps {
  users: readonly PathUser[]
  /** Opens another node of the tree. */
  onGo: (users: readonly PathUser[], period_code?: string) => void
}

/** Win and loss from the top of the line to one ticket, a step at a time; each step is one call for what is below a node. */
export function WinLossTree({ search, onSearch }: TreeProps) {
  const t = useTranslations('line')
  const users = usersOf(search)
  const go = (next: readonly PathUser[], period_code?: string): void => {
    const { path: _path, period_code: _period, sort: _sort, columns: _columns, ...rest } = search
    const path = writePath(next)
    onSearch({
      ...rest,
      ...(path === undefined ? {} : { path }),
      ...(period_code === undefined ? {} : { period_code }),
    })
  }
  const last = users.at(-1)
  const props = { search, onSearch, users, onGo: go }
  return (
    <>
      <nav aria-label={t('path')} className={classes.links}>
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
      </nav>
      {last === undefined || !last.isMember ? (
        <UsersLevel {...props} />
      ) : search.period_code === undefined ? (
        <PeriodsLevel {...props} member={last} />
      ) : (
        <TicketsLevel {...props} member={last} period_code={search.period_code} />
      )}
    </>
  )
}

/** The users directly below a level. */
function UsersLevel({ search, onSearch, users, onGo }: OpenTreeProps) {
  const t = useTranslations('line')
  const last = users.at(-1)
  const subject = last === undefined ? {} : { user_id: last.user_id }
  const query = useQuery(summaryQuery(summaryBody({ ...summarySpan(search), ...search, ...subject }, 'user')))
  type Row = NonNullable<typeof query.data>['rows'][number]
  const columns: readonly GridColumn<Row>[] = [
    {
      name: 'username',
      label: t('user'),
      isRowName: true,
      text: ({ user }) => user?.username ?? '',
      cell: ({ user }) => user?.username,
    },
    countColumn('tickets', t('tickets'), ({ member }) => member.ticket_count),
    amountColumn('received', t('received'), ({ member }) => member.received_satang),
    amountColumn('discount', t('discount'), ({ member }) => member.discount_satang),
    amountColumn('win', t('win'), ({ member }) => member.win_satang),
    amountColumn('member', t('member_total'), ({ member }) => member.total_satang),
    amountColumn('between', t('between_total'), ({ between }) => between.total_satang),
    amountColumn('share', t('own_share'), ({ level }) => level.share_satang),
    amountColumn('commission', t('own_commission'), ({ level }) => level.commission_satang),
    amountColumn('level', t('own_total'), ({ level }) => level.total_satang),
    amountColumn('upline', t('upline_total'), ({ upline }) => upline.total_satang),
  ]
  return (
    <ReportGrid
      list="tree-users"
      label={t('report.tree')}
      columns={columns}
      rows={query.data?.rows}
      total={query.data?.row_count}
      keyOf={({ user }) => String(user?.user_id)}
      onOpen={({ user }) => {
        if (user === null) return
        const { user_id, username, level } = user
        onGo([...users, { user_id: String(user_id), username, isMember: level === 'member' }])
      }}
      {...{ search, onSearch, query }}
    />
  )
}

/** The periods of one member. */
function PeriodsLevel({ search, onSearch, users, onGo, member }: OpenTreeProps & { member: PathUser }) {
  const t = useTranslations('line')
  const query = useInfiniteQuery(periodsWinLossQuery({ ...summarySpan(search), ...search, user_id: member.user_id }))
  type Row = NonNullable<typeof query.data>['pages'][number]['data'][number]
  const columns: readonly GridColumn<Row>[] = [
    {
      name: 'period',
      label: t('period'),
      isRowName: true,
      text: ({ period }) => period.period_code,
      cell: ({ period }) => <MarketName period={period} />,
      width: 'minmax(13rem, 2fr)',
    },
    countColumn('tickets', t('tickets'), ({ ticket_count }) => ticket_count),
    amountColumn('received', t('received'), ({ received_satang }) => received_satang),
    amountColumn('discount', t('discount'), ({ discount_satang }) => discount_satang),
    amountColumn('win', t('win'), ({ win_satang }) => win_satang),
    amountColumn('member', t('member_total'), ({ total_satang }) => total_satang),
  ]
  return (
    <ReportGrid
      list="tree-periods"
      label={t('report.tree')}
      columns={columns}
      rows={query.data?.pages.flatMap(({ data }) => data)}
      keyOf={({ period }) => period.period_code}
      onOpen={({ period }) => onGo(users, period.period_code)}
      {...{ search, onSearch, query }}
    />
  )
}

interface TicketsLevelProps extends OpenTreeProps {
  member: PathUser
  period_code: string
}

/** The tickets of one member in one period. */
function TicketsLevel({ search, onSearch, member, period_code }: TicketsLevelProps) {
  const t = useTranslations('line')
  const language = useLocale()
  const navigate = useNavigate()
  const query = useInfiniteQuery(periodTicketsQuery(period_code, { user_id: member.user_id }))
  type Row = NonNullable<typeof query.data>['pages'][number]['data'][number]
  const columns: readonly GridColumn<Row>[] = [
    {
      name: 'order_id',
      label: t('ticket'),
      isRowName: true,
      text: ({ order_id }) => String(order_id),
      cell: ({ order_id }) => `#${order_id}`,
    },
    {
      name: 'created_at',
      label: t('placed_at'),
      text: ({ created_at }) => created_at,
      cell: ({ created_at }) => formatInstant(created_at, language, 'dayAndTime'),
      width: 'minmax(8.5rem, 1fr)',
    },
    countColumn('items', t('items'), ({ items }) => items.length),
    amountColumn('received', t('received'), ({ received_satang }) => received_satang),
    amountColumn('discount', t('discount'), ({ discount_satang }) => discount_satang),
    amountColumn('win', t('win'), ({ win_satang }) => win_satang),
    amountColumn('member', t('member_total'), ({ total_satang }) => total_satang),
  ]
  return (
    <ReportGrid
      list="tree-tickets"
      label={t('report.tree')}
      columns={columns}
      rows={query.data?.pages.flatMap(({ data }) => data)}
      keyOf={({ order_id }) => String(order_id)}
      onOpen={({ order_id }) => void navigate({ to: '/bills/$order_id', params: { order_id: String(order_id) } })}
      {...{ search, onSearch, query }}
    />
  )
}
