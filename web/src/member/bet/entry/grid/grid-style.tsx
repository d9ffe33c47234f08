import { Suspense, memo, useState } from 'react'
import { useTranslations } from 'use-intl'
import { Skeleton } from '../../../../ui/query-view.tsx'
import type { Desk } from '../../desk.ts'
import { lazyChunks } from '../../lazy-chunks.ts'
import classes from './slip-grid.module.css'
import { SlipGrid } from './slip-grid.tsx'

const { ManyEntry } = lazyChunks

/** Style A: the grid, and the box for many numbers at once, folded until it is wanted. */
export const GridStyle = memo(function GridStyle({ desk }: { desk: Desk }) {
  const t = useTranslations('entry.many')
  const [hasMany, setHasMany] = useState(false)
  return (
    <>
      <SlipGrid desk={desk} />
      <details className={classes.many} onToggle={() => setHasMany(true)}>
        <summary>{t('title')}</summary>
        {hasMany && (
          <Suspense fallback={<Skeleton count={3} height={46} />}>
            <ManyEntry desk={desk} />
          </Suspense>
        )}
      </details>
    </>
  )
})
