import type { OrderSummary } from '@megalot/contract'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { useUser } from '../../../lib/user/user-query.ts'
import { Button } from '../../../ui/button.tsx'
import { Text } from '../../../ui/layout.tsx'
import { voidProposalsQuery } from './queries.ts'
import { useIsClosed } from './removal-sheet.tsx'

/** Why a ticket can be neither deleted nor voided by this user now; null where it can. What must fail is not offered. */
function useObstacle({ order_id, period }: OrderSummary, isClosed: boolean, isOffice: boolean): ReactNode {
  const t = useTranslations('tickets')
  const { data: proposals = [] } = useQuery({ ...voidProposalsQuery, enabled: isOffice })
  if (!isClosed) return null
  if (period.status === 'settled') return t('settled')
  if (period.status === 'void') return t('period_void')
  if (!isOffice) return t('closed')
  const proposal = proposals.find(({ approval }) => approval?.subject === `order:${order_id}`)
  return proposal ? <Link to="/approvals">{t('void_asked', { username: proposal.begun_by.username })}</Link> : null
}

interface RemovalCellProps {
  order: OrderSummary
  onChoose: (order: OrderSummary) => void
}

/** The button that deletes or voids a ticket, or why this user cannot. */
export function RemovalCell({ order, onChoose }: RemovalCellProps) {
  const t = useTranslations('tickets')
  const { is_office } = useUser()
  const isClosed = useIsClosed(order)
  const isRemoved = order.status !== 'CONFIRMED' && order.status !== 'WAIT_CONFIRM'
  const obstacle = useObstacle(order, isClosed, is_office)
  if (isRemoved) return null
  if (obstacle !== null)
    return (
      <Text as="span" tone="dim">
        {obstacle}
      </Text>
    )
  return (
    <Button variant="default" size="sm" onClick={() => onChoose(order)}>
      {isClosed ? t('void') : t('delete')}
      <span className="visually-hidden"> #{order.order_id}</span>
    </Button>
  )
}
