import { Suspense } from 'react'
import { useTranslations } from 'use-intl'
import { DialogSheet } from '../../../ui/dialog-sheet.tsx'
import { Bones } from '../../../ui/query-view.tsx'
import { laterParts, lazyPart } from '../lazy-chunks.ts'

interface MarketSheetProps {
  isOpen: boolean
  onClose: () => void
}

const MarketChoices = lazyPart(laterParts.marketChoices, ({ MarketChoices: component }) => component)

/** The market switch. */
export function MarketSheet({ isOpen, onClose }: MarketSheetProps) {
  const t = useTranslations('bet.market')
  return (
    <DialogSheet isOpen={isOpen} onClose={onClose} title={t('choose')}>
      <Suspense fallback={<Bones count={8} height={48} />}>
        <MarketChoices onChoose={onClose} />
      </Suspense>
    </DialogSheet>
  )
}
