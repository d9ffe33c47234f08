import type { Order, OrderItem } from '@megalot/contract'
import { columnOfBetType } from '@megalot/rules'
import { useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { formatInstant } from '../../../lib/format/dates.ts'
import { formatBaht, formatWholeBaht } from '../../../lib/format/money.ts'
import { OutcomeChip } from '../../../ui/order-status-chip.tsx'
import { MarketName } from '../../markets/market-name.tsx'
import classes from './ticket-card.module.css'
import { linesOfItems, possibleWin } from './ticket-lines.ts'
import type { TicketLine } from './ticket-lines.ts'

interface TicketCardProps {
  order: Order
  /** How many lines are shown before the member asks for all. */
  most: number
  /** Whose it is, where the reader sees tickets of several members. */
  owner?: ReactNode
}

/** A ticket as a card: a line for each number, the stakes, and what they can win or have won. */
export function TicketCard({ order, most, owner }: TicketCardProps) {
  const t = useTranslations('bills')
  const language = useLocale()
  const [isAll, setIsAll] = useState(false)
  const lines = useMemo(() => linesOfItems(order.items), [order.items])
  const possible_satang = useMemo(() => possibleWin(order), [order])
  const shown = isAll || lines.length <= most ? lines : lines.slice(0, most)
  return (
    <article
      className={classes.card}
      aria-label={t('one', { order_id: String(order.order_id) })}
      data-testid="ticket-card"
    >
      <header className={classes.head}>
        <MarketName period={order.period} />
        <OutcomeChip order={order} />
        <p className={classes.facts}>
          <span>
            {t('number_short')} <span data-testid="order-id">{order.order_id}</span>
          </span>
          <span>{formatInstant(order.created_at, language, 'dayAndTime')}</span>
          <span>
            {t('package')} {order.package_code}
          </span>
          {order.tag !== null && <span>{t(`tag.${order.tag}`)}</span>}
          {owner !== undefined && <span>{owner}</span>}
        </p>
        {order.note !== '' && <p className={classes.note}>{order.note}</p>}
      </header>
      <ul className={classes.lines} data-many={shown.length > most || undefined}>
        {shown.map((line) => (
          <Line key={line.number} line={line} isOpen={possible_satang !== null} />
        ))}
      </ul>
      {shown.length < lines.length && (
        <button type="button" className={classes.more} onClick={() => setIsAll(true)}>
          {t('more_numbers', { count: lines.length - shown.length })}
        </button>
      )}
      <Sums order={order} possible_satang={possible_satang} />
    </article>
  )
}

/** A number with its stakes, and what it pays. */
function Line({ line: { number, items, win_satang, possible_satang }, isOpen }: { line: TicketLine; isOpen: boolean }) {
  const t = useTranslations('bills')
  return (
    <li className={classes.line} data-won={win_satang > 0 || undefined} data-testid="ticket-line">
      <strong className={classes.number}>{number}</strong>{' '}
      <span className={classes.parts}>
        {items.map((item) => (
          <Part key={item.line_no} item={item} />
        ))}
      </span>{' '}
      {win_satang > 0 ? (
        <span className={classes.pays}>
          {t('line.won')} <span className="number">+{formatWholeBaht(win_satang)}</span>
        </span>
      ) : (
        isOpen &&
        possible_satang > 0 && (
          <span className={classes.pays}>
            <span className={classes.dim}>{t('line.pays')}</span>{' '}
            <span className="number">{formatWholeBaht(possible_satang)}</span>
          </span>
        )
      )}
    </li>
  )
}

/** The stake in one column. What was not accepted is struck out before what was. */
function Part({ item }: { item: OrderItem }) {
  const t = useTranslations('bills')
  const { status, asked_satang, received_satang, is_half_pay } = item
  const isOff = status === 'returned' || status === 'closed' || status === 'refunded'
  return (
    <span className={classes.part} data-status={status}>
      {t(`column.${columnOfBetType(item.bet_type)}`)}{' '}
      {(received_satang < asked_satang || isOff) && <s className="number">{formatWholeBaht(asked_satang)}</s>}
      {!isOff && <b className="number">{formatWholeBaht(received_satang)}</b>}
      {isOff && <span>{t(`line.${status}`)}</span>}
      {is_half_pay && !isOff && <span className={classes.half}>{t('half')}</span>}
    </span>
  )
}

function Sums({ order, possible_satang }: { order: Order; possible_satang: number | null }) {
  const t = useTranslations('bills')
  const { bet_satang, received_satang, discount_satang, net_satang, win_satang, status, period } = order
  const isDecided = status === 'CONFIRMED' && period.status === 'settled'
  const sums = [
    ['bet', bet_satang],
    ...(received_satang === bet_satang ? [] : [['received', received_satang] as const]),
    ...(discount_satang === 0 ? [] : [['discount', discount_satang] as const]),
    ...(net_satang === bet_satang ? [] : [['net', net_satang] as const]),
  ] as const
  return (
    <dl className={classes.sums} aria-label={t('totals')}>
      {sums.map(([name, satang]) => (
        <div key={name} data-name={name}>
          <dt>{t(name)}</dt>
          <dd className="number">{formatBaht(satang)}</dd>
        </div>
      ))}
      {possible_satang !== null && (
        <div data-name="possible">
          <dt>{t('possible')}</dt>
          <dd className="number">{formatBaht(possible_satang)}</dd>
        </div>
      )}
      {isDecided && (
        <div data-name="win" data-won={win_satang > 0 || undefined}>
          <dt>{t('win')}</dt>
          <dd className="number">{formatBaht(win_satang)}</dd>
        </div>
      )}
    </dl>
  )
}
