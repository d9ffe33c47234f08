import type { OrderSummary, PersonProfile } from '@megalot/contract'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { ShareOf } from './share-form.tsx'
import { writePercent } from './share-rates.ts'
import { showToast } from '../../lib/feedback/toast.ts'
import { formatInstant } from '../../lib/format/dates.ts'
import { formatBaht, formatCount, formatSignedBaht } from '../../lib/format/money.ts'
import { useUser } from '../../lib/user/user-query.ts'
import { Button } from '../../ui/button.tsx'
import { DialogSheet } from '../../ui/dialog-sheet.tsx'
import { Facts, Heading, Links, Row } from '../../ui/layout.tsx'
import { isLost, OrderStatusChip, shownStatus } from '../../ui/order-status-chip.tsx'
import { EmptyNote, QueryView, Skeleton } from '../../ui/query-view.tsx'
import { WideTable } from '../../ui/wide-table.tsx'
import tables from '../../ui/table.module.css'
import { permissionsOf } from '../menu.ts'
import classes from './people.module.css'
import { groupByMarket } from '../money/rates/package-picker.tsx'
import { useNames } from '../../shared/markets/use-names.ts'
import { ContactNoteFacts } from './contact-note.tsx'
import { ticketsOfQuery } from './queries.ts'
import { StatusText } from '../lists/status-text.tsx'

interface ProfileProps {
  profile: PersonProfile
}

/** Amounts of a user. Those that the caller may not view are absent. */
const amounts = [
  ['credit_limit_satang', formatBaht],
  ['balance_satang', formatSignedBaht],
  ['held_satang', formatBaht],
  ['credit_used_satang', formatBaht],
  ['credit_remain_satang', formatBaht],
  ['net_7_days_satang', formatSignedBaht],
] as const

/** The user's facts, credit and figures, with links to its money. */
export function ProfileFacts({ profile }: ProfileProps) {
  const t = useTranslations('people')
  const ofUser = useTranslations('user')
  const language = useLocale()
  const permissions = permissionsOf(useUser())
  const { user_id, username, level, credit_range } = profile
  const search = { user_id: String(user_id), username }
  const moment = (at: string): string => formatInstant(at, language, 'dayAndTime')
  return (
    <>
      <Facts
        facts={[
          [t('column.display_name'), profile.display_name || '–'],
          [t('column.level'), ofUser(`level.${level}`)],
          [t('column.own_status'), <StatusText key="own" status={profile.own_status} />],
          [t('column.status'), <StatusText key="status" status={profile.status} />],
          // Remaining = limit + balance − held.
          ...amounts.flatMap(([name, write]) => {
            const satang = profile[name]
            return satang === null ? [] : ([[t(`column.${name}`), write(satang)]] as const)
          }),
          ...(credit_range === null
            ? []
            : ([
                [
                  t('profile.credit_range'),
                  credit_range.least_satang > credit_range.most_satang
                    ? t('profile.range_owed', { owed: formatBaht(credit_range.least_satang) })
                    : t('profile.range', {
                        least: formatBaht(credit_range.least_satang),
                        most: formatBaht(credit_range.most_satang),
                      }),
                ],
              ] as const)),
          ...(level === 'member'
            ? []
            : ([
                [t('column.agent_count'), formatCount(profile.agent_count)],
                [t('column.member_count'), formatCount(profile.member_count)],
              ] as const)),
          [t('column.agent_code'), profile.agent_code ?? '–'],
          [t('column.created_at'), moment(profile.created_at)],
          [t('column.last_log_in_at'), profile.last_log_in_at === null ? t('never') : moment(profile.last_log_in_at)],
          [t('column.is_online'), t(profile.is_online ? 'online' : 'offline')],
        ]}
      />
      {profile.contact_note !== null && (
        <ContactNoteFacts
          profile={profile}
          note={profile.contact_note}
          mayChange={profile.can_change && permissions.has('people.do')}
        />
      )}
      <Links as="nav" aria-label={t('profile.pages')}>
        {level === 'member' && permissions.has('tickets.view') && (
          <Link to="/tickets" search={{ username }}>
            {t('profile.bills')}
          </Link>
        )}
        {permissions.has('reports.view') && (
          <>
            <Link to="/reports" search={search}>
              {t('profile.win_loss')}
            </Link>
            <Link to="/reports/balance" search={search}>
              {t('profile.statement')}
            </Link>
          </>
        )}
        {level !== 'member' && (
          <Link to="/people" search={{ form: 'tree' }}>
            {t('profile.tree')}
          </Link>
        )}
      </Links>
    </>
  )
}

/** Packages and share. */
export function TermsFacts({ profile }: ProfileProps) {
  const t = useTranslations('people.profile')
  const shares = useTranslations('people.shares')
  const mayChange = permissionsOf(useUser()).has('terms.do') && profile.can_change && profile.level !== 'member'
  const [isOpen, setIsOpen] = useState(false)
  const packages = profile.packages ?? []
  const { share } = profile
  const byMarket = groupByMarket(packages)
  const { marketName: nameOfMarket } = useNames()
  return (
    <>
      <Heading>{t('packages')}</Heading>
      {packages.length === 0 ? (
        <EmptyNote title={t('no_packages')} />
      ) : (
        <Facts
          facts={[...byMarket].map(([product_code, given]) => [
            nameOfMarket(product_code),
            given.map(({ name }) => name).join(', '),
          ])}
        />
      )}
      <Heading>{shares('share')}</Heading>
      {profile.level === 'company' && <p>{shares('rest')}</p>}
      {profile.level !== 'company' && share !== null && (
        <Facts
          facts={[
            [shares('field.position'), writePercent(share.position_rate)],
            [shares('field.line'), writePercent(share.line_rate)],
            [shares('field.commission'), writePercent(share.commission_rate)],
          ]}
        />
      )}
      {mayChange && (
        <Row gap={8} align="center" className={classes.buttons}>
          <Button variant="default" onClick={() => setIsOpen(true)}>
            {t('change_share')}
          </Button>
        </Row>
      )}
      <DialogSheet isOpen={isOpen} onClose={() => setIsOpen(false)} title={t('change_share')}>
        <ShareOf
          user_id={profile.user_id}
          parent_id={profile.parent_id}
          onDone={() => {
            showToast('good', t('share_changed'))
            setIsOpen(false)
          }}
        />
      </DialogSheet>
    </>
  )
}

/** The member's own limits. Only the member can change them. */
export function LimitFacts({ profile: { play_limits } }: ProfileProps) {
  const t = useTranslations('people.profile')
  const language = useLocale()
  const limits = (play_limits?.limits ?? []).filter(({ amount_satang }) => amount_satang !== null)
  const pause = play_limits?.break ?? null
  return (
    <>
      <p className={classes.dim}>{t('limits_hint')}</p>
      {pause !== null && (
        <p>{t(`break.${pause.kind}`, { at: formatInstant(pause.until_at, language, 'dayAndTime') })}</p>
      )}
      {limits.length === 0 ? (
        <EmptyNote title={t('no_limits')} />
      ) : (
        <Facts
          facts={limits.map(({ kind, span, amount_satang, used_satang }) => [
            `${t(`limit_kind.${kind}`)} · ${t(`limit_span.${span}`)}`,
            t('limit_used', { used: formatBaht(used_satang), amount: formatBaht(amount_satang ?? 0) }),
          ])}
        />
      )}
    </>
  )
}

/** The last tickets of a member, and the way to all of them. */
export function TicketList({ profile: { user_id, username } }: ProfileProps) {
  const t = useTranslations('people.profile')
  const language = useLocale()
  const query = useQuery(ticketsOfQuery(user_id, username))
  const lost = useTranslations('common')('item_status.lost')
  const prizeOf = (order: OrderSummary): string => {
    if (order.win_satang > 0) return formatBaht(order.win_satang)
    return isLost(order) ? lost : '–'
  }
  return (
    <QueryView query={query} skeleton={<Skeleton count={5} height={40} />}>
      {(orders) =>
        orders.length === 0 ? (
          <EmptyNote title={t('no_tickets')} />
        ) : (
          <>
            <WideTable label={t('tab.tickets')} isCard>
              <table className={tables.table}>
                <thead>
                  <tr>
                    <th scope="col">{t('ticket')}</th>
                    <th scope="col" className={tables.figure}>
                      {t('net')}
                    </th>
                    <th scope="col" className={tables.figure}>
                      {t('prize')}
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {orders.map((order) => (
                    <tr key={order.order_id}>
                      <td>
                        <Link to="/bills/$order_id" params={{ order_id: String(order.order_id) }}>
                          #{order.order_id}
                        </Link>
                        <Row gap={[2, 12]} size="small" tone="dim" className={classes.placed}>
                          {formatInstant(order.created_at, language, 'dayAndTime')}
                          <OrderStatusChip status={shownStatus(order)} />
                        </Row>
                      </td>
                      <td className={tables.figure}>{formatBaht(order.net_satang)}</td>
                      <td className={tables.figure}>{prizeOf(order)}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </WideTable>
            <Links>
              <Link to="/tickets" search={{ username }}>
                {t('all_tickets')}
              </Link>
            </Links>
          </>
        )
      }
    </QueryView>
  )
}

/** The last sessions. */
export function SessionList({ profile: { sessions } }: ProfileProps) {
  const t = useTranslations('people.profile')
  const language = useLocale()
  const moment = (at: string): string => formatInstant(at, language, 'dayAndTime')
  if (sessions.length === 0) return <EmptyNote title={t('no_sessions')} />
  return (
    <WideTable label={t('tab.sessions')} isCard>
      <table className={tables.table}>
        <thead>
          <tr>
            <th scope="col">{t('started_at')}</th>
            <th scope="col">{t('last_active_at')}</th>
            <th scope="col">{t('ended_at')}</th>
          </tr>
        </thead>
        <tbody>
          {sessions.map(({ started_at, last_active_at, ended_at }) => (
            <tr key={started_at}>
              <td>{moment(started_at)}</td>
              <td>{moment(last_active_at)}</td>
              <td>{ended_at === null ? t('session_open') : moment(ended_at)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </WideTable>
  )
}
