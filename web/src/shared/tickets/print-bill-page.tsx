import type { Order } from '@megalot/contract'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import { orderQuery } from './orders/queries.ts'
import { PrintSheet } from '../print/print-sheet.tsx'
import { Skeleton, QueryView } from '../../ui/query-view.tsx'
import classes from './print-bill-page.module.css'
import { QrMark } from './share/qr-mark.tsx'
import { usePicture } from './share/use-picture.ts'

const route = getRouteApi('/print/bills/$order_id')

/** A ticket on paper: the same that its picture shows, as text. */
export function PrintBillPage() {
  const t = useTranslations('bills')
  const { order_id } = route.useParams()
  const query = useQuery({ ...orderQuery(order_id), refetchInterval: false })
  return (
    <PrintSheet title={t('one', { order_id })} backTo={`/bills/${order_id}`} isReady={query.data !== undefined}>
      <QueryView query={query} skeleton={<Skeleton count={2} height={200} />}>
        {(order) => <PrintedBill order={order} />}
      </QueryView>
    </PrintSheet>
  )
}

function PrintedBill({ order }: { order: Order }) {
  const t = useTranslations('bills')
  const { title, facts, status, groups, totals, qr } = usePicture(order)
  return (
    <>
      <div className={classes.head}>
        <div>
          <p className={classes.market}>{title}</p>
          {[...facts, status].map((fact) => (
            <p key={fact}>{fact}</p>
          ))}
          <p>
            {t('owner')}: {order.username}
          </p>
          {order.note !== '' && (
            <p>
              {t('note')}: {order.note}
            </p>
          )}
        </div>
        <div className={classes.qr}>
          <QrMark text={qr.text} label={t('share.qr')} />
        </div>
      </div>
      {groups.map(({ name, cells, won }) => (
        <section key={name} className={classes.group}>
          <h2 className={classes.type}>{name}</h2>
          <ul className={classes.cells}>
            {cells.map(({ number, amount, look }, index) => (
              <li key={`${index} ${number}`} className={classes.cell} data-look={look}>
                <strong>
                  {number}
                  {look === 'won' && ` ${won}`}
                </strong>
                <span>{amount}</span>
              </li>
            ))}
          </ul>
        </section>
      ))}
      <dl className={classes.totals}>
        {totals.map(({ name, amount }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className="number">{amount}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}
