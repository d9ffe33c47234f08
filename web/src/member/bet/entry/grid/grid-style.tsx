import { memo } from 'react'
import type { Desk } from '../../desk.ts'
import { ManyEntry } from './many-entry.tsx'
import { SlipGrid } from './slip-grid.tsx'

/** Style A: the box for many numbers at once, and the grid. */
export const GridStyle = memo(function GridStyle({ desk }: { desk: Desk }) {
  return (
    <>
      <ManyEntry desk={desk} />
      <SlipGrid desk={desk} />
    </>
  )
})
