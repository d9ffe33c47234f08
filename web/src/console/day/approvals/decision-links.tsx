import { Link } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import { TicketLink } from '../../../shared/tickets/orders/ticket-link.tsx'
import { useUser } from '../../../lib/user/user-query.ts'
import { isOfResult, resultActionOf } from './decision-row.ts'
import type { DecisionRow } from './decision-row.ts'

/** The period that a proposal is about, where there is one: one that is proposed is made by the approval. */
function findPeriodCode({ approval }: DecisionRow): string | null {
  if (approval?.kind === 'create_period' && approval.state !== 'executed') return null
  return /^period:(.+)$/.exec(approval?.subject ?? '')?.[1] ?? null
}

/** The subject of a decision, as a link if the user may open it. */
export function RecordLink({ row }: { row: DecisionRow }) {
  const { subject, product_code, approval } = row
  const order_id = Number(/^order:(\d+)$/.exec(approval?.subject ?? '')?.[1] ?? 0)
  const period_code = row.period_code ?? findPeriodCode(row)
  const { permissions } = useUser()
  if (order_id > 0) return <TicketLink order_id={order_id}>{subject}</TicketLink>
  if (period_code !== null && isOfResult(row) && permissions.includes('results.do'))
    return (
      <Link to="/results" search={{ period: period_code }}>
        {subject}
      </Link>
    )
  if (period_code !== null && product_code !== null && permissions.includes('risk.view'))
    return (
      <Link to="/risk" search={{ market: product_code, period: period_code }}>
        {subject}
      </Link>
    )
  const user_id = /^user:(\d+)$/.exec(approval?.subject ?? '')?.[1]
  if (user_id !== undefined && approval?.kind === 'change_share_terms' && permissions.includes('people.view'))
    return (
      <Link to="/people/$user_id" params={{ user_id }}>
        {subject}
      </Link>
    )
  return <>{subject}</>
}

/** Links to the audit log of the decision's subject. */
export function HistoryLink({ row: { period_code, approval } }: { row: DecisionRow }) {
  const t = useTranslations('approvals')
  const { permissions } = useUser()
  if (!permissions.includes('audit.view')) return null
  const subject = approval === null ? `period:${period_code ?? ''}` : `approval:${approval.approval_id}`
  return (
    <p>
      <Link to="/audit" search={{ subject }}>
        {t('history')}
      </Link>
    </p>
  )
}

interface ResultLinkProps {
  row: DecisionRow
  /** Shown for other subjects, and to users who may not enter results. */
  otherwise: string
}

/** The way to the form of a result that waits for its second entry, or to two entries that differ. The first one stays unseen. */
export function ResultLink({ row, otherwise }: ResultLinkProps) {
  const t = useTranslations('approvals')
  const { permissions } = useUser()
  const { period_code } = row
  const action = resultActionOf(row, permissions)
  if (action === null || period_code === null) return <>{otherwise}</>
  return (
    <Link to="/results" search={{ period: period_code }}>
      {t(action)}
    </Link>
  )
}
