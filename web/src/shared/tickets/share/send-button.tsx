import type { Order } from '@megalot/contract'
import IconShare from '~icons/share'
import { Suspense, lazy, useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from '../../../ui/button.tsx'
import { DialogSheet } from '../../../ui/dialog-sheet.tsx'
import { Skeleton } from '../../../ui/query-view.tsx'
import { canShareFile, pictureFile, shareFile } from './share-picture.ts'
import { usePicture } from './use-picture.ts'

const loadPicture = () => import('./ticket-picture.ts')
const ShareSheet = lazy(async () => ({ default: (await import('./share-sheet.tsx')).ShareSheet }))

/** Sends a ticket's picture with one press. Where the device cannot share files, a sheet offers to save it. */
export function SendButton({ order }: { order: Order }) {
  const t = useTranslations('bills.share')
  const picture = usePicture(order)
  const [isBusy, setIsBusy] = useState(false)
  const [isAsking, setIsAsking] = useState(false)
  const canShare = typeof navigator.share === 'function'
  useEffect(() => {
    // The browser allows sharing for a few seconds after the press: the drawing must not be waited for.
    if (canShare) void loadPicture().catch(() => undefined)
  }, [canShare])
  const send = async (): Promise<void> => {
    setIsBusy(true)
    try {
      const file = pictureFile(order.order_id, await (await loadPicture()).drawPicture(picture))
      if (!canShareFile(file) || !(await shareFile(file, picture.title))) setIsAsking(true)
    } catch {
      setIsAsking(true)
    } finally {
      setIsBusy(false)
    }
  }
  return (
    <>
      <Button
        variant="default"
        icon={<IconShare size={18} stroke={1.75} />}
        isBusy={isBusy}
        onClick={() => (canShare ? void send() : setIsAsking(true))}
      >
        {t(canShare ? 'to_line' : 'open')}
      </Button>
      <DialogSheet isOpen={isAsking} onClose={() => setIsAsking(false)} title={t('title')}>
        <Suspense fallback={<Skeleton count={1} height={420} />}>
          <ShareSheet order={order} />
        </Suspense>
      </DialogSheet>
    </>
  )
}
