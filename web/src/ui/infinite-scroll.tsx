import { useEffect, useRef } from 'react'
import { LoadMore } from './load-more.tsx'

interface InfiniteScrollProps {
  hasMore: boolean
  isBusy: boolean
  /** Only the button asks: after a failure, or where the list does not grow by what comes. */
  isPaused: boolean
  onMore: () => void
}

/** So far before its end comes into sight the next part of a list is asked for. */
const AHEAD = '900px'

/** The end of a list that goes on by itself; the button is for those who get there sooner, and for keys. */
export function InfiniteScroll({ hasMore, isBusy, isPaused, onMore }: InfiniteScrollProps) {
  const end = useRef<HTMLDivElement>(null)
  const ask = useRef(onMore)
  useEffect(() => {
    ask.current = onMore
  })
  useEffect(() => {
    if (end.current === null || !hasMore || isBusy || isPaused) return undefined
    // Observes again after each page of the list, because an empty one leaves the end in sight.
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) ask.current()
      },
      { rootMargin: AHEAD },
    )
    observer.observe(end.current)
    return () => observer.disconnect()
  }, [hasMore, isBusy, isPaused])
  return (
    <div ref={end}>
      <LoadMore hasMore={hasMore} isBusy={isBusy} onMore={onMore} />
    </div>
  )
}
