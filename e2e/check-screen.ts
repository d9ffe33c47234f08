// What must hold on every screen: nothing axe objects to, nothing wider than the screen. And a picture for people.

import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page, type TestInfo } from '@playwright/test'
import { fileURLToPath } from 'node:url'

const outputFolder = fileURLToPath(new URL('output', import.meta.url))

async function findAxeViolations(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
    .analyze()
  return violations.flatMap(({ id, help, nodes }) => nodes.map(({ target }) => `${id}: ${help}: ${target.join(' ')}`))
}

/** Keeps a picture of the screen as it stands under e2e/output, and finds what is wider than the screen. */
export async function keepPicture(page: Page, info: TestInfo, name: string): Promise<void> {
  // Fonts that arrive later move the text, and colours that still fade measure wrongly. A wheel that turns never ends.
  await page.evaluate(async () => {
    await document.fonts.ready
    const fading = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
    await Promise.all(fading.map(({ finished }) => finished.catch(() => undefined)))
  })
  await page.evaluate(() => scrollTo(0, 0))
  await page.screenshot({ path: `${outputFolder}/${info.project.name}-${name}.png` })
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  expect.soft(overflow, `${name} is wider than the screen by so many pixels`).toBeLessThanOrEqual(0)
}

/** Checks the screen as it stands, with axe too. */
export async function checkScreen(page: Page, info: TestInfo, name: string): Promise<void> {
  await keepPicture(page, info, name)
  expect.soft(await findAxeViolations(page), `axe on ${name}`).toEqual([])
}
