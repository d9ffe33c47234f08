// Checks for every screen: no violations of axe, nothing wider than the screen. And with E2E_SCREENSHOTS=1 a screenshot
// for people, which takes as long as the checks.

import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page, type TestInfo } from '@playwright/test'
import { fileURLToPath } from 'node:url'

const outputFolder = fileURLToPath(new URL('output', import.meta.url))

async function findAxeViolations(page: Page, part: string | undefined): Promise<string[]> {
  const isThere = await page.evaluate(() => 'axe' in window)
  // Half a megabyte, read once in each page and run there: the application has no cross-origin frames, for which axe
  // would open a page of its own each time.
  const axe = new AxeBuilder(isThere ? { page, axeSource: 'void 0' } : { page }).setLegacyMode()
  if (part !== undefined) axe.include(part)
  const { violations } = await axe
    // Without `preload` axe does not read every style sheet anew: no rule of these tags needs them.
    .options({ resultTypes: ['violations'], preload: false })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
    .analyze()
  return violations.flatMap(({ id, help, nodes }) => nodes.map(({ target }) => `${id}: ${help}: ${target.join(' ')}`))
}

/** Waits for a page and for the content of its skeletons. */
export async function waitUntilThere(page: Page): Promise<void> {
  // The frame that is shown until the member is loaded has a heading too.
  await expect(page.getByRole('heading', { level: 1, name: /^(?!กำลังโหลด|Loading)/ })).toBeVisible()
  await expect(page.getByTestId('skeleton')).toHaveCount(0)
}

/** Waits until nothing changes any more. Fonts that arrive later move the text, and colours in a transition give wrong contrasts. */
export async function settlePage(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await document.fonts.ready
    // A spinner never ends.
    const fading = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
    await Promise.all(fading.map(({ finished }) => finished.catch(() => undefined)))
    scrollTo(0, 0)
  })
}

/** Finds elements that are wider than the screen, and saves a screenshot under e2e/output where that is wanted. */
export async function checkWidth(page: Page, info: TestInfo, name: string): Promise<void> {
  await settlePage(page)
  const width = await page.evaluate(() => document.documentElement.scrollWidth)
  if (process.env.E2E_SCREENSHOTS) await page.screenshot({ path: `${outputFolder}/${info.project.name}-${name}.png` })
  // Not the window's own width: on a phone the window grows with its content.
  expect.soft(width, `${name} is wider than the screen`).toBeLessThanOrEqual(page.viewportSize()!.width)
}

/**
 * Checks the present screen, with axe too unless `E2E_AXE` is `off`.
 * @param part selects the element that axe checks, where it has checked everything else before
 */
export async function checkScreen(page: Page, info: TestInfo, name: string, part?: string): Promise<void> {
  await checkWidth(page, info, name)
  if (process.env.E2E_AXE === 'off') return
  const normal = page.viewportSize()!
  const height = await page.evaluate(() => document.documentElement.scrollHeight)
  // Axe checks the whole page: content that a fixed bar half covers can be scrolled out from under it.
  if (height > normal.height) await page.setViewportSize({ ...normal, height })
  expect.soft(await findAxeViolations(page, part), `axe on ${name}`).toEqual([])
  if (height <= normal.height) return
  await page.setViewportSize(normal)
  // A list draws its rows anew for another height: a tap meanwhile would begin on one element and end on another.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
}
