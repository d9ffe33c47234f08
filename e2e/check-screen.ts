// What must hold on every screen: nothing axe objects to, nothing wider than the screen. And a picture for people.

import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page, type TestInfo } from '@playwright/test'
import { fileURLToPath } from 'node:url'

const outputFolder = fileURLToPath(new URL('output', import.meta.url))

async function findAxeViolations(page: Page): Promise<string[]> {
  const isThere = await page.evaluate(() => 'axe' in window)
  // Its half a megabyte is read once in each page, and run there: the application has no frames from elsewhere, for which it
  // would open a page of its own each time.
  const axe = new AxeBuilder(isThere ? { page, axeSource: 'void 0' } : { page }).setLegacyMode()
  const { violations } = await axe
    .options({ resultTypes: ['violations'] })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
    .analyze()
  return violations.flatMap(({ id, help, nodes }) => nodes.map(({ target }) => `${id}: ${help}: ${target.join(' ')}`))
}

/** Keeps a picture of the screen as it stands under e2e/output, and finds what is wider than the screen. */
export async function keepPicture(page: Page, info: TestInfo, name: string): Promise<void> {
  const width = await page.evaluate(async () => {
    // Fonts that arrive later move the text, and colours that still fade measure wrongly. A wheel that turns never ends.
    await document.fonts.ready
    const fading = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
    await Promise.all(fading.map(({ finished }) => finished.catch(() => undefined)))
    scrollTo(0, 0)
    return document.documentElement.scrollWidth
  })
  await page.screenshot({ path: `${outputFolder}/${info.project.name}-${name}.png` })
  // Not the window's own width: on a phone the window grows with what is in it.
  expect.soft(width, `${name} is wider than the screen`).toBeLessThanOrEqual(page.viewportSize()!.width)
}

/** Checks the screen as it stands, with axe too. */
export async function checkScreen(page: Page, info: TestInfo, name: string): Promise<void> {
  await keepPicture(page, info, name)
  const usual = page.viewportSize()!
  const height = await page.evaluate(() => document.documentElement.scrollHeight)
  // Axe judges the whole page at once: what a bar at the edge half covers can be scrolled from under it.
  if (height > usual.height) await page.setViewportSize({ ...usual, height })
  expect.soft(await findAxeViolations(page), `axe on ${name}`).toEqual([])
  if (height > usual.height) await page.setViewportSize(usual)
}
