import type { ListedOrder } from '@megalot/contract'
import IconRepeat from '~icons/repeat'
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import { showToast } from '../../../lib/feedback/toast.ts'
import { useSend } from '../../../lib/forms/use-send.ts'
import { orderQuery } from '../../../shared/tickets/orders/queries.ts'
import { Button } from '../../../ui/button.tsx'
import { CancelButton } from '../../tickets/order-decision.tsx'
import type { SlipStore } from '../slip/slip-store.ts'
import { useAddLines } from '../slip/use-add-lines.ts'

const route = getRouteApi('/main/bet/$product_code')

interface LatestActionsProps {
  order: ListedOrder
  /** The slip of the period; null where nothing can be bet. */
  store: SlipStore | null
}

/** Bets a ticket again, and takes it back while its member may. */
export function LatestActions({ order, store }: LatestActionsProps) {
  return (
    <>
      {store !== null && <RepeatButton order_id={order.order_id} store={store} />}
      <CancelButton order={order} isCompact />
    </>
  )
}

function RepeatButton({ order_id, store }: { order_id: number; store: SlipStore }) {
  const t = useTranslations('entry.tools')
  const word = useTranslations('bet.latest')('repeat')
  const queries = useQueryClient()
  const navigate = route.useNavigate()
  const addLines = useAddLines(store)
  const repeat = async (): Promise<void> => {
    const { items } = await queries.ensureQueryData(orderQuery(String(order_id)))
    const lines = items.map(({ bet_type, number, asked_satang }) => ({ bet_type, number, bet_satang: asked_satang }))
    if (!addLines(lines)) return
    showToast('good', t('repeated', { order_id: String(order_id), count: lines.length }))
    // On a phone the slip is another tab.
    void navigate({ search: ({ view: _view, ...rest }) => rest, replace: true })
  }
  const { isBusy, run } = useSend(repeat, (failure) => showToast('bad', failure))
  return (
    <Button
      variant="subtle"
      icon={<IconRepeat size={18} stroke={1.75} />}
      isBusy={isBusy}
      aria-label={word}
      title={word}
      onClick={() => void run()}
    />
  )
}
