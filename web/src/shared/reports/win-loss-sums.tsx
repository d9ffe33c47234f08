import type { RefundedSums, WinLoss } from '@megalot/contract'
import { useTranslations } from 'use-intl'
import { formatBaht, formatCount, formatSignedBaht } from '../../lib/format/money.ts'
import { Text } from '../../ui/layout.tsx'
import classes from './win-loss-sums.module.css'

interface WinLossSumsProps {
  totals: WinLoss
  /** For an operator: named as the members', without the colours of their chair. */
  isOfMembers?: boolean
}

/** Sums of what was bet and won, as the server has them. */
export function WinLossSums({ totals, isOfMembers = false }: WinLossSumsProps) {
  const t = useTranslations('reports.sums')
  const chair = useTranslations('reports.chair')
  const parts = [
    ['tickets', formatCount(totals.ticket_count)],
    ['received', formatBaht(totals.received_satang)],
    ['discount', formatBaht(totals.discount_satang)],
    ['win', formatBaht(totals.win_satang)],
    ['total', formatSignedBaht(totals.total_satang)],
  ] as const
  return (
    <dl className={classes.sums} data-testid="win-loss-sums">
      {parts.map(([name, text]) => (
        <div
          key={name}
          data-name={name}
          data-sign={name === 'total' && !isOfMembers ? Math.sign(totals.total_satang) : undefined}
        >
          <dt>{name === 'total' && isOfMembers ? chair('members') : t(name)}</dt>
          <dd className="number">{text}</dd>
        </div>
      ))}
    </dl>
  )
}

/** What was given back of periods that are void. */
export function RefundedLine({ refunded }: { refunded: RefundedSums }) {
  const t = useTranslations('reports.sums')
  if (refunded.ticket_count === 0) return null
  return (
    <Text tone="dim" data-testid="refunded">
      {t('refunded', { count: refunded.ticket_count, amount: formatBaht(refunded.refund_satang) })}
    </Text>
  )
}

/** What is bet on periods without a result yet: neither won nor lost. */
export function PendingLine({ pending }: { pending: WinLoss }) {
  const t = useTranslations('reports.sums')
  if (pending.ticket_count === 0) return null
  return (
    <Text tone="dim">{t('pending', { count: pending.ticket_count, amount: formatBaht(pending.received_satang) })}</Text>
  )
}
