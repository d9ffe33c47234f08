import type { ListedOrder } from '@megalot/contract'
import IconCaretDown from '~icons/caret-down'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { WindowVirtualizer } from 'virtua'
import type { CacheSnapshot, WindowVirtualizerHandle } from 'virtua'
import { formatInstant } from '../../lib/format/dates.ts'
import { formatBaht } from '../../lib/format/money.ts'
import { MarketName } from '../../shared/markets/market-name.tsx'
import { ShownNumbers } from '../../shared/tickets/card/shown-numbers.tsx'
import { OutcomeChip } from '../../ui/order-status-chip.tsx'
import classes from './bill-list.module.css'
import type { BillLine } from './group-bills.ts'

/** How high a line is before it is drawn, and how much beyond the screen is drawn for a Tab key held down. */
const LINE_PX = 72
const BUFFER_PX = 700

/** The heights of the rows of the list that was left last, to restore its scroll position. */
let left: { name: string; sizes: CacheSnapshot } | null = null

interface BillListProps {
  /** Which list it is. */
  name: string
  lines: readonly BillLine[]
  onToggle: (period_code: string) => void
}

/** Tickets by their periods. Only what is near the screen is drawn: a member may have a hundred thousand. */
export function BillList({ name, lines, onToggle }: BillListProps) {
  const list = useRef<WindowVirtualizerHandle>(null)
  const [sizes] = useState(() => (left?.name === name ? left.sizes : undefined))
  useEffect(() => {
    const handle = list.current
    return () => {
      if (handle !== null) left = { name, sizes: handle.cache }
    }
  }, [name])
  return (
    <div className={classes.list} data-testid="bill-list" data-virtual-rows>
      <WindowVirtualizer
        ref={list}
        as="ul"
        item="li"
        itemSize={LINE_PX}
        bufferSize={BUFFER_PX}
        data={lines}
        {...(sizes === undefined ? {} : { cache: sizes })}
      >
        {(line) =>
          line.kind === 'head' ? (
            <PeriodHead key={line.key} head={line} onToggle={onToggle} />
          ) : (
            <BillCard key={line.key} order={line.order} isLast={line.is_last} />
          )
        }
      </WindowVirtualizer>
    </div>
  )
}

interface PeriodHeadProps {
  head: Extract<BillLine, { kind: 'head' }>
  onToggle: (period_code: string) => void
}

function PeriodHead({ head: { period, count, is_continued, is_open }, onToggle }: PeriodHeadProps) {
  const t = useTranslations('bills.list')
  const common = useTranslations('common')
  return (
    <h2 className={classes.head}>
      <button
        type="button"
        className={classes.toggle}
        aria-expanded={is_open}
        onClick={() => onToggle(period.period_code)}
      >
        <IconCaretDown size={20} stroke={1.75} aria-hidden="true" className={classes.arrow} />
        <MarketName period={period} />{' '}
        <span className={classes.headFacts}>
          {common(`period_status.${period.status}`)} · {t(is_continued ? 'more_bills' : 'bills', { count })}
        </span>
      </button>
    </h2>
  )
}

interface BillCardProps {
  order: ListedOrder
  /** The last one of its period ends the card that the period's head begins. */
  isLast: boolean
}

function BillCard({ order, isLast }: BillCardProps) {
  const t = useTranslations('bills')
  const language = useLocale()
  const { order_id } = order
  return (
    <Link
      to="/bills/$order_id"
      params={{ order_id: String(order_id) }}
      className={classes.card}
      data-last={isLast || undefined}
    >
      <ShownNumbers order={order} /> <span className={classes.money}>{formatBaht(order.net_satang)}</span>{' '}
      <span className={classes.facts}>
        {/* The spaces are for readers, who would run number and time together. */}
        <span>#{order_id}</span> <span>{formatInstant(order.created_at, language, 'dayAndTime')}</span>{' '}
        {/* The chip says that it waits. */}
        {order.tag !== null && order.tag !== 'manually_confirm' && <span>{t(`tag.${order.tag}`)}</span>}{' '}
        {order.note !== '' && <span className={classes.note}>{order.note}</span>}
      </span>{' '}
      <span className={classes.status}>
        <OutcomeChip order={order} />
      </span>
    </Link>
  )
}
