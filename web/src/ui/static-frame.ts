import { useLayoutEffect } from 'react'
import { setRootAttribute } from './root-attribute.ts'

// The prerendered frame (`web/page-builds.ts`) lies over the page until the page is complete: nothing is shown in between.
// The page's first script has decided whether it is shown at all.

/** A page that does not become complete is shown as it is. */
const LONGEST_MS = 10_000

let holds = 0
let isPageRendered = false

/** Removes the frame after the first page, as soon as no part of the page holds it. @param onPage calls back at each page */
export function removeFrameAfterPage(onPage: (then: () => void) => void): void {
  if (document.documentElement.dataset['frame'] !== 'shown') return removeFrame()
  onPage(() => {
    isPageRendered = true
    removeIfFree()
  })
  setTimeout(removeFrame, LONGEST_MS)
}

/** Keeps the frame in place of a skeleton, for as long as the skeleton would be shown. */
export function useFrameHold(): void {
  useLayoutEffect(() => {
    holds += 1
    return () => {
      holds -= 1
      removeIfFree()
    }
  }, [])
}

/** After all effects of a commit, and before it is painted. */
function removeIfFree(): void {
  queueMicrotask(() => {
    if (isPageRendered && holds === 0) removeFrame()
  })
}

function removeFrame(): void {
  const root = document.documentElement
  root.dataset['frame'] = 'none'
  delete root.dataset['frameStyle']
  document.querySelector('#frame')?.remove()
  setRootAttribute('keypad')
  setRootAttribute('totals-bar')
}
