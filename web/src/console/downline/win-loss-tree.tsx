import type { SummaryRow } from '@megalot/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useLocale, useTranslations } from 'use-intl'
import { periodsWinLossQuery, periodTicketsQuery } from '../../features/reports/queries.ts'
import { formatInstant } from '../../lib/format/dates.ts'
import { Button } from '../../ui/button.tsx'
import type { GridColumn } from '../../ui/grid-column.ts'
import classes from '../console-pages.module.css'
import { usersOf, writePath } from './downline-search.ts'
import type { DownlineSearch, PathUser } from './downline-search.ts'
import type { TableProps } from './downline-tables.tsx'
import { downlineSpan, summaryPagesQuery } from './queries.ts'
import { amountColumn, countColumn, periodColumn } from './report-columns.tsx'

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
  const users = usersOf(search)
  const go = (next: readonly PathUser[]): void => onSearch(searchAt(search, next))
  return (
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
  )
}

/** Win and loss from the top of the line to one ticket, a step at a time; each step is one call for what is below a node. */
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

/** The users directly below a level. */
function UsersLevel({ search, onSearch, Rows, users, onGo }: LevelProps) {
  const t = useTranslations('downline')
  const last = users.at(-1)
  const subject = last === undefined ? {} : { user_id: last.user_id }
  const query = useInfiniteQuery(summaryPagesQuery({ ...search, ...subject }, 'user'))
  const columns: readonly GridColumn<SummaryRow>[] = [
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
    {
      ...amountColumn<SummaryRow>('between', t('between_total'), ({ between }) => between.total_satang),
      isOptional: true,
    },
    { ...amountColumn<SummaryRow>('share', t('own_share'), ({ level }) => level.share_satang), isOptional: true },
    {
      ...amountColumn<SummaryRow>('commission', t('own_commission'), ({ level }) => level.commission_satang),
      isOptional: true,
    },
    amountColumn('level', t('own_total'), ({ level }) => level.total_satang),
    amountColumn('upline', t('upline_total'), ({ upline }) => upline.total_satang),
  ]
  return (
    <Rows
      list="tree-users"
      label={t('report.tree')}
      columns={columns}
      rows={query.data?.pages.flatMap(({ rows }) => rows)}
      total={query.data?.pages[0]?.row_count}
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
function PeriodsLevel({ search, onSearch, Rows, users, onGo, member }: LevelProps & { member: PathUser }) {
  const t = useTranslations('downline')
  const query = useInfiniteQuery(periodsWinLossQuery({ ...search, ...downlineSpan(search), user_id: member.user_id }))
  type Row = NonNullable<typeof query.data>['pages'][number]['data'][number]
  const columns: readonly GridColumn<Row>[] = [
    { ...periodColumn<Row>(t('period'), ({ period }) => period), isRowName: true },
    countColumn('tickets', t('tickets'), ({ ticket_count }) => ticket_count),
    amountColumn('received', t('received'), ({ received_satang }) => received_satang),
    amountColumn('discount', t('discount'), ({ discount_satang }) => discount_satang),
    amountColumn('win', t('win'), ({ win_satang }) => win_satang),
    amountColumn('member', t('member_total'), ({ total_satang }) => total_satang),
  ]
  return (
    <Rows
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

interface TicketsLevelProps extends LevelProps {
  member: PathUser
  period_code: string
}

/** The tickets of one member in one period. */
function TicketsLevel({ search, onSearch, Rows, member, period_code }: TicketsLevelProps) {
  const t = useTranslations('downline')
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
    <Rows
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
