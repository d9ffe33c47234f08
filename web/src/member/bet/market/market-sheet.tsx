import { Suspense } from 'react'
import { useTranslations } from 'use-intl'
import { DialogSheet } from '../../../ui/dialog-sheet.tsx'
import { Skeleton } from '../../../ui/query-view.tsx'
import { lazyChunks } from '../lazy-chunks.ts'

interface MarketSheetProps {
  isOpen: boolean
  onClose: () => void
}

const { MarketChoices } = lazyChunks

/** The market switch. */
export function MarketSheet({ isOpen, onClose }: MarketSheetProps) {
  const t = useTranslations('bet.market')
  return (
    <DialogSheet isOpen={isOpen} onClose={onClose} title={t('choose')}>
      <Suspense fallback={<Skeleton count={8} height={48} />}>
        <MarketChoices onChoose={onClose} />
      </Suspense>
    </DialogSheet>
  )
}
