import type { Page } from '@playwright/test'

/** Replaces the browser's own dialog, and counts how often it was opened. */
export async function countPrints(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    Object.assign(window, { prints: 0, print: () => ((window as unknown as { prints: number }).prints += 1) })
  })
  return () => page.evaluate(() => (window as unknown as { prints: number }).prints)
}
