import { useTranslations } from 'use-intl'
import { Skeleton } from '../../ui/query-view.tsx'
import { useFrameHold } from '../../ui/static-frame.ts'

/** In place of the page while its market is fetched; on the first visit the prerendered frame stays instead. */
export function BetPageSkeleton() {
  const t = useTranslations('bet')
  useFrameHold()
  return (
    <>
      <h1 className="visually-hidden">{t('title')}</h1>
      <Skeleton count={6} height={72} />
    </>
  )
}

/** The same in place of the desk. */
export function BetDeskSkeleton() {
  useFrameHold()
  return <Skeleton count={6} height={52} />
}
