import type { Order } from '@megalot/contract'
import IconCopyPlus from '~icons/copy-plus'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import { copyTicket } from './copied-ticket.ts'
import { marketsQuery, stateOfMarket } from '../../shared/markets/queries.ts'
import { useSend } from '../../lib/forms/use-send.ts'
import { serverNowMs } from '../../lib/clock/server-clock.ts'
import { showToast } from '../../lib/feedback/toast.ts'
import { Button } from '../../ui/button.tsx'

/** Copies a ticket's items into a new slip while its market is open. */
export function CopyButton({ order }: { order: Order }) {
  const t = useTranslations('bills.copy')
  const navigate = useNavigate()
  const queries = useQueryClient()
  const { product_code } = order.period
  const copy = async (): Promise<void> => {
    // Whether the market is open may not be known yet.
    const markets = await queries.ensureQueryData(marketsQuery)
    const market = markets.find((one) => one.product_code === product_code)
    if (market === undefined || stateOfMarket(market, serverNowMs()).kind !== 'open') {
      showToast('bad', t('closed'))
      return
    }
    copyTicket(order)
    void navigate({ to: '/bet/$product_code', params: { product_code } })
  }
  const { isBusy, run } = useSend(copy, (failure) => showToast('bad', failure))
  return (
    <Button
      variant="default"
      icon={<IconCopyPlus size={18} stroke={1.75} />}
      isBusy={isBusy}
      onClick={() => void run()}
    >
      {t('action')}
    </Button>
  )
}
