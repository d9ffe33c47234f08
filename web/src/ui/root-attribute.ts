import { useLayoutEffect } from 'react'

type RootPart = 'dialog' | 'keypad' | 'totals-bar'

const counts = new Map<RootPart, number>()

/**
 * Marks the root element while something is on screen that styles elsewhere must make room for: `data-with-NAME`. Asking
 * for it with `html:has(…)` instead makes the browser search the whole page after each key.
 */
export function useRootAttribute(name: RootPart, isShown = true): void {
  useLayoutEffect(() => {
    if (!isShown) return undefined
    count(name, 1)
    return () => count(name, -1)
  }, [name, isShown])
}

function count(name: RootPart, change: number): void {
  const shown = (counts.get(name) ?? 0) + change
  counts.set(name, shown)
  setRootAttribute(name)
}

/** Sets the attribute to match the screen. The first script has already set some for the prerendered page. */
export function setRootAttribute(name: RootPart): void {
  document.documentElement.toggleAttribute(`data-with-${name}`, (counts.get(name) ?? 0) > 0)
}
