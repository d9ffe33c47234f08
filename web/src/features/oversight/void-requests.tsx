import { Button } from '../../ui/button.tsx'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import { useTranslations } from 'use-intl'
import { formatBaht } from '../../lib/format/money.ts'
import { useUser } from '../../lib/user/user-query.ts'
import { MarketName } from '../markets/market-name.tsx'
import classes from './oversight.module.css'
import { voidRequestsQuery } from './queries.ts'
import type { Removal } from './removal-sheet.tsx'
import { VoidRequestNote } from './void-request-note.tsx'

/** Tickets that one of the office asks to void; whoever has not asked may approve. */
export function VoidRequests({ onChoose }: { onChoose: (removal: Removal) => void }) {
  const t = useTranslations('oversight.bills')
  const headingId = useId()
  const { username } = useUser()
  const { data: requests = [] } = useQuery(voidRequestsQuery)
  if (requests.length === 0) return null
  return (
    <section aria-labelledby={headingId} className={classes.requests}>
      <h2 id={headingId} className={classes.heading}>
        {t('requests.title', { count: requests.length })}
      </h2>
      <ul>
        {requests.map((request) => {
          const { order, requested_by } = request
          const order_id = String(order.order_id)
          return (
            <li key={order_id}>
              <div>
                <p className={classes.ticket}>
                  <Link to="/bills/$order_id" params={{ order_id }} className={classes.link ?? ''}>
                    #{order_id}
                  </Link>{' '}
                  <MarketName period={order.period} />
                </p>
                <p>{t('whose', { username: order.username, amount: formatBaht(order.net_satang) })}</p>
                <VoidRequestNote request={request} />
              </div>
              {requested_by === username ? (
                <span className={classes.dim}>{t('requests.yours')}</span>
              ) : (
                <Button onClick={() => onChoose({ order, request })}>
                  {t('requests.approve')}
                  <span className="visually-hidden"> #{order_id}</span>
                </Button>
              )}
            </li>
          )
        })}
      </ul>
    </section>
  )
}
