// From a key or a click until the page shows its effect, by the clock of the page.

import type { BrowserContext, Page } from 'playwright-core'

declare global {
  interface Window {
    /** When the last key was pressed or the last click was made. */
    lastInputAtMs: number
  }
}

export interface Shown {
  selector: string
  text: string
  /** Of several elements every one has the text; otherwise one of them. */
  isEvery?: boolean
}

/** Prepares all pages of a browser that are opened afterwards. */
export async function watchInput(context: BrowserContext): Promise<void> {
  // tsx wraps functions in a helper that does not exist in the page.
  await context.addInitScript('globalThis.__name = (marked) => marked')
  await context.addInitScript(() => {
    // A known device has the fonts cached: without them the machine may have none for Thai.
    localStorage.setItem('megalot.letters', 'true')
    window.lastInputAtMs = -1
    for (const type of ['keydown', 'click'] as const)
      window.addEventListener(type, ({ timeStamp }) => (window.lastInputAtMs = timeStamp), { capture: true })
  })
}

/**
 * Acts, and waits until its effect is on the screen.
 * @returns ms from the last key or click to the frame after the one that has the elements
 */
export async function timeUntilShown(page: Page, shown: Shown, act: () => Promise<unknown>): Promise<number> {
  const isDone = page.evaluate(awaitShown, shown)
  await act()
  return isDone
}

/** Runs in the page. Self-contained, because it is sent as text. */
function awaitShown({ selector, text, isEvery = false }: Shown): Promise<number> {
  const before = window.lastInputAtMs
  const longestMs = 30_000
  const startedAtMs = performance.now()
  return new Promise((resolve, reject) => {
    const look = (): void => {
      if (performance.now() - startedAtMs > longestMs) return reject(new Error(`${selector} did not show ${text}`))
      const texts = [...document.querySelectorAll(selector)].map(({ textContent }) => textContent ?? '')
      const hasText = (one: string): boolean => one.includes(text)
      const isThere = texts.length > 0 && (isEvery ? texts.every(hasText) : texts.some(hasText))
      const isShown = isThere && window.lastInputAtMs !== before
      // The frame after the one that found it has painted it.
      requestAnimationFrame(() => (isShown ? resolve(performance.now() - window.lastInputAtMs) : look()))
    }
    look()
  })
}
