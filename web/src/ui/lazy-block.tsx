import { useLayoutEffect, useRef, useState } from 'react'
import type { ReactNode, RefObject } from 'react'
import classes from './lazy-block.module.css'

/** So far beyond the edge a block is made: a Tab key held down must not run out of rows. */
const MARGIN_PX = 700

interface LazyBlockProps {
  /** The block's scroll container. */
  root: RefObject<HTMLElement | null>
  /** Whether it is made at once. */
  isShown: boolean
  /** About how high it is before it is made. */
  heightPx: number
  children: () => ReactNode
}

/**
 * A part of a long list. Its content is made when it comes near what is in sight, and from then on it stays: the browser passes
 * over it while it is out of sight.
 */
export function LazyBlock({ root, isShown, heightPx, children }: LazyBlockProps) {
  const [wasNear, setWasNear] = useState(isShown)
  const ref = useRef<HTMLDivElement>(null)
  const isMade = isShown || wasNear
  useLayoutEffect(() => {
    if (isMade || ref.current === null) return undefined
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setWasNear(true)
      },
      { root: root.current, rootMargin: `${MARGIN_PX}px 0px` },
    )
    observer.observe(ref.current)
    return () => observer.disconnect()
  }, [isMade, root])
  return (
    <div ref={ref} className={classes.block} style={{ '--height': `${heightPx}px` } as Record<string, string>}>
      {isMade ? children() : <div className={classes.space} />}
    </div>
  )
}
