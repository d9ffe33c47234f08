import { useLayoutEffect } from 'react'

const counts = new Map<string, number>()

/**
 * Marks the root element while something is on screen that styles elsewhere must make room for: `data-with-NAME`. Asking
 * for it with `html:has(…)` instead makes the browser search the whole page after each key.
 */
export function useRootAttribute(name: 'dialog' | 'keypad' | 'totals-bar', isShown = true): void {
  useLayoutEffect(() => {
    if (!isShown) return undefined
    count(name, 1)
    return () => count(name, -1)
  }, [name, isShown])
}

function count(name: string, change: number): void {
  const shown = (counts.get(name) ?? 0) + change
  counts.set(name, shown)
  document.documentElement.toggleAttribute(`data-with-${name}`, shown > 0)
}
