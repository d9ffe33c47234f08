import { Button } from '../../ui/button.tsx'
import type { Order } from '@megalot/contract'
import IconCopyPlus from '~icons/copy-plus'
import IconPrinter from '~icons/printer'
import IconShare from '~icons/share'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Suspense, lazy, useState } from 'react'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { copyTicket } from './orders/copied-ticket.ts'
import { marketsQuery, stateOfMarket } from '../markets/queries.ts'
import { useSend } from '../../lib/forms/use-send.ts'
import { serverNowMs } from '../../lib/clock/server-clock.ts'
import { showToast } from '../../lib/feedback/toast.ts'
import { useUser } from '../../lib/user/user-query.ts'
import { DialogSheet } from '../../ui/dialog-sheet.tsx'
import { Row } from '../../ui/layout.tsx'
import { Skeleton } from '../../ui/query-view.tsx'
import classes from './bill-page.module.css'

const ShareSheet = lazy(async () => ({ default: (await import('./share/share-sheet.tsx')).ShareSheet }))

/** What can be done with a ticket beside deciding about it. */
export function BillActions({ order, children }: { order: Order; children?: ReactNode }) {
  const t = useTranslations('bills')
  const navigate = useNavigate()
  const user = useUser()
  const [isSharing, setIsSharing] = useState(false)
  const queries = useQueryClient()
  const { product_code } = order.period
  const copy = async (): Promise<void> => {
    // Whether the market is open may not be known yet.
    const markets = await queries.ensureQueryData(marketsQuery)
    const market = markets.find((one) => one.product_code === product_code)
    if (market === undefined || stateOfMarket(market, serverNowMs()).kind !== 'open') {
      showToast('bad', t('copy.closed'))
      return
    }
    copyTicket(order)
    void navigate({ to: '/bet/$product_code', params: { product_code } })
  }
  const { isBusy, run } = useSend(copy, (failure) => showToast('bad', failure))
  return (
    <Row gap={8} align="center" className={classes.actions}>
      <Button variant="default" icon={<IconShare size={18} stroke={1.75} />} onClick={() => setIsSharing(true)}>
        {t('share.open')}
      </Button>
      <Button
        variant="default"
        icon={<IconPrinter size={18} stroke={1.75} />}
        onClick={() => void navigate({ to: '/print/bills/$order_id', params: { order_id: String(order.order_id) } })}
      >
        {t('print')}
      </Button>
      {user.level === 'member' && (
        <Button
          variant="default"
          icon={<IconCopyPlus size={18} stroke={1.75} />}
          isBusy={isBusy}
          onClick={() => void run()}
        >
          {t('copy.action')}
        </Button>
      )}
      {children}
      <DialogSheet isOpen={isSharing} onClose={() => setIsSharing(false)} title={t('share.title')}>
        <Suspense fallback={<Skeleton count={1} height={420} />}>
          <ShareSheet order={order} />
        </Suspense>
      </DialogSheet>
    </Row>
  )
}
