import type { OrderItemStatus, OrderStatus, OrderSummary } from '@megalot/contract'
import IconBan from '~icons/ban'
import IconCheck from '~icons/check'
import IconClock from '~icons/clock'
import IconHourglass from '~icons/hourglass'
import IconLock from '~icons/lock'
import IconTrophy from '~icons/trophy'
import IconX from '~icons/x'
import { useTranslations } from 'use-intl'
import { formatWholeBaht } from '../lib/format/money.ts'
import { Countdown } from './countdown.tsx'
import classes from './order-status-chip.module.css'

/** A ticket's status as a person reads it. */
export type ShownStatus = OrderStatus | 'REFUNDED'

const orderLooks = {
  CREATED: ['plain', IconClock],
  VALIDATED: ['plain', IconClock],
  PROCESSING: ['plain', IconClock],
  WAIT_CONFIRM: ['warn', IconHourglass],
  CONFIRMED: ['good', IconCheck],
  INVALID: ['bad', IconX],
  CANCELLED: ['bad', IconBan],
  DELETED: ['bad', IconBan],
  REFUNDED: ['warn', IconBan],
} as const satisfies Record<ShownStatus, readonly [string, unknown]>

const itemLooks = {
  wait_confirm: ['warn', IconHourglass],
  awaiting_result: ['plain', IconClock],
  won: ['good', IconTrophy],
  lost: ['plain', IconX],
  returned: ['warn', IconBan],
  closed: ['bad', IconLock],
  refunded: ['warn', IconBan],
} as const satisfies Record<OrderItemStatus, readonly [string, unknown]>

/** How a ticket's status is shown: a confirmed ticket of a void period is refunded. */
export function shownStatus({ status, period }: Pick<OrderSummary, 'status' | 'period'>): ShownStatus {
  return status === 'CONFIRMED' && period.status === 'void' ? 'REFUNDED' : status
}

/** Whether a ticket has no prize: its result is out, and nothing was paid for it. */
export function isLost({
  status,
  period,
  win_satang,
}: Pick<OrderSummary, 'status' | 'period' | 'win_satang'>): boolean {
  return status === 'CONFIRMED' && period.status === 'settled' && win_satang === 0
}

/** What became of a ticket, as its member asks. */
type Outcome = 'won' | 'lost' | 'awaiting' | Exclude<ShownStatus, 'CONFIRMED'>

const outcomeLooks = {
  ...orderLooks,
  won: ['good', IconTrophy],
  lost: ['plain', IconX],
  awaiting: ['plain', IconClock],
} as const satisfies Record<Outcome, readonly [string, unknown]>

type DecidedTicket = Pick<OrderSummary, 'status' | 'period' | 'win_satang' | 'confirm_deadline_at'>

function outcomeOf(order: DecidedTicket): Outcome {
  const status = shownStatus(order)
  if (status !== 'CONFIRMED') return status
  if (isLost(order)) return 'lost'
  return order.period.status === 'settled' ? 'won' : 'awaiting'
}

/** The outcome of a ticket: awaiting its result, won with the amount, lost, or the time left to confirm it. */
export function OutcomeChip({ order }: { order: DecidedTicket }) {
  const t = useTranslations('common.outcome')
  const status = useTranslations('common.order_status')
  const outcome = outcomeOf(order)
  const [look, Icon] = outcomeLooks[outcome]
  const { confirm_deadline_at } = order
  return (
    <span
      className={classes.chip}
      data-look={look}
      data-testid="order-status"
      data-status={shownStatus(order)}
      data-outcome={outcome}
    >
      <Icon size={16} stroke={2} aria-hidden="true" />
      {outcome === 'won' || outcome === 'lost' || outcome === 'awaiting'
        ? t(outcome, { amount: formatWholeBaht(order.win_satang) })
        : status(outcome)}
      {outcome === 'WAIT_CONFIRM' && confirm_deadline_at !== null && (
        <Countdown until_ms={Date.parse(confirm_deadline_at)} isBare />
      )}
    </span>
  )
}

/** The status of a ticket: colour, sign and word. */
export function OrderStatusChip({ status }: { status: ShownStatus }) {
  const t = useTranslations('common.order_status')
  const [look, Icon] = orderLooks[status]
  return (
    <span className={classes.chip} data-look={look} data-testid="order-status" data-status={status}>
      <Icon size={16} stroke={2} aria-hidden="true" />
      {t(status)}
    </span>
  )
}

/** The status of one item: awaiting result, won, lost … */
export function ItemStatusChip({ status }: { status: OrderItemStatus }) {
  const t = useTranslations('common.item_status')
  const [look, Icon] = itemLooks[status]
  return (
    <span className={classes.chip} data-look={look} data-status={status}>
      <Icon size={16} stroke={2} aria-hidden="true" />
      {t(status)}
    </span>
  )
}
