import { Button } from '../../ui/button.tsx'
import type { Order } from '@megalot/contract'
import IconPrinter from '~icons/printer'
import IconShare from '~icons/share'
import { useNavigate } from '@tanstack/react-router'
import { Suspense, lazy, useState } from 'react'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { DialogSheet } from '../../ui/dialog-sheet.tsx'
import { Skeleton } from '../../ui/query-view.tsx'
import classes from './bill-page.module.css'

const ShareSheet = lazy(async () => ({ default: (await import('./share/share-sheet.tsx')).ShareSheet }))

/** Shares and prints a ticket; each application adds buttons of its own. */
export function BillActions({ order, children }: { order: Order; children?: ReactNode }) {
  const t = useTranslations('bills')
  const navigate = useNavigate()
  const [isSharing, setIsSharing] = useState(false)
  return (
    <div className={classes.actions}>
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
      {children}
      <DialogSheet isOpen={isSharing} onClose={() => setIsSharing(false)} title={t('share.title')}>
        <Suspense fallback={<Skeleton count={1} height={420} />}>
          <ShareSheet order={order} />
        </Suspense>
      </DialogSheet>
    </div>
  )
}
