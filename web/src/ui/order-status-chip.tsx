import type { OrderItemStatus, OrderStatus } from '@megalot/contract'
import { IconBan, IconCheck, IconClock, IconHourglass, IconLock, IconTrophy, IconX } from '@tabler/icons-react'
import { useTranslations } from 'use-intl'
import classes from './order-status-chip.module.css'

const orderLooks = {
  CREATED: ['plain', IconClock],
  VALIDATED: ['plain', IconClock],
  PROCESSING: ['plain', IconClock],
  WAIT_CONFIRM: ['warn', IconHourglass],
  CONFIRMED: ['good', IconCheck],
  INVALID: ['bad', IconX],
  CANCELLED: ['bad', IconBan],
  DELETED: ['bad', IconBan],
} as const satisfies Record<OrderStatus, readonly [string, unknown]>

const itemLooks = {
  wait_confirm: ['warn', IconHourglass],
  awaiting_result: ['plain', IconClock],
  won: ['good', IconTrophy],
  lost: ['plain', IconX],
  returned: ['warn', IconBan],
  closed: ['bad', IconLock],
  refunded: ['warn', IconBan],
} as const satisfies Record<OrderItemStatus, readonly [string, unknown]>

/** The status of a ticket: colour, sign and word. */
export function OrderStatusChip({ status }: { status: OrderStatus }) {
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
