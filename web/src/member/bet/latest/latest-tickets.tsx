import { LatestOrders } from '../../../shared/tickets/latest/latest-orders.tsx'
import { slipStoreOf } from '../slip/slip-store.ts'
import type { SlipKey } from '../slip/slip-store.ts'
import { LatestActions } from './latest-actions.tsx'

interface LatestTicketsProps {
  slipKey: SlipKey
  canBet: boolean
}

/** The member's last tickets of a period, to be bet again or taken back. */
export function LatestTickets({ slipKey, canBet }: LatestTicketsProps) {
  return (
    <LatestOrders
      period_code={slipKey.period_code}
      renderActions={(order) => <LatestActions order={order} store={canBet ? slipStoreOf(slipKey) : null} />}
    />
  )
}
