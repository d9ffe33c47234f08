import type { Order } from '@megalot/contract'
import { useLocale, useTranslations } from 'use-intl'
import { formatInstant } from '../../lib/format/dates.ts'
import { OrderStatusChip, type ShownStatus } from '../../ui/order-status-chip.tsx'
import classes from './bill-timeline.module.css'

interface Moment {
  key: string
  at: string
  what: string
  /** Null: it stayed what it was. */
  status: ShownStatus | null
  /** Who did it. */
  actor: string
  reason: string | null
}

/** The quota check is over by the time anybody reads of it: it made nothing else of the ticket. */
const statusOfStep = { check_ticket: 'VALIDATED', check_quota: null } as const

/** What becomes of a ticket by what is done to its whole period: its status is the ticket's own, and stays. */
const statusOfPeriodEvent = { period_void: 'REFUNDED', settle: null, correct: null } as const

/** Everything that has happened to a ticket: when, what it became by it, by whom and why. */
export function BillTimeline({ order }: { order: Order }) {
  const t = useTranslations('bills')
  const language = useLocale()
  const { steps, events, username } = order
  // What the last step made of it: the first event says where it came from.
  const placedAs = events[0]?.from_status ?? order.status
  const moments: readonly Moment[] = [
    { key: 'CREATED', at: order.created_at, what: t('step.created'), status: 'CREATED', actor: username, reason: null },
    ...steps.map(({ step, at }) => ({
      key: step,
      at,
      what: t(`step.${step}`),
      status: step === 'create_ticket' ? placedAs : statusOfStep[step],
      actor: t('system'),
      reason: null,
    })),
    ...events.map(({ event, at, to_status, actor, is_by_office, reason }): Moment => ({
      key: `${event} ${at}`,
      at,
      what: t(`event.${event}`),
      status: event in statusOfPeriodEvent ? statusOfPeriodEvent[event as keyof typeof statusOfPeriodEvent] : to_status,
      actor: actor ?? t(is_by_office ? 'office' : 'system'),
      reason,
    })),
  ]
  return (
    <ol className={classes.line} data-testid="timeline">
      {moments.map(({ key, at, what, status, actor, reason }) => (
        <li key={key} className={classes.moment}>
          <span className={classes.what}>{what}</span>
          <time className={classes.time} dateTime={at}>
            {formatInstant(at, language, 'timeWithSeconds')}
            <span className={classes.day}> {formatInstant(at, language, 'weekday')}</span>
          </time>
          <span className={classes.facts}>
            {status !== null && <OrderStatusChip status={status} />}
            <span>{t('by', { actor })}</span>
            {reason !== null && <span className={classes.reason}>{t('because', { reason })}</span>}
          </span>
        </li>
      ))}
    </ol>
  )
}
