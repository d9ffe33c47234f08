// Goal: an operator sees how fast the pages of real visits are.

import { expect, test } from '../fixtures.ts'

/** The visits whose first page was the manual of visitors. */
async function countVisits(): Promise<number> {
  const metrics = await (await fetch(process.env.E2E_METRICS ?? '')).text()
  return Number(/^megalot_page_lcp_seconds_count\{application="member",page="\/help"\} (\d+)$/m.exec(metrics)?.[1] ?? 0)
}

test('a visit sends its web vitals by the pattern of its page', async ({ page }) => {
  const before = await countVisits()
  const measurement = page.waitForResponse(/\/assets\/vitals-.*\.js$/)
  await page.goto('/help')
  await measurement
  await page.waitForLoadState('networkidle')
  await page.goto('about:blank')
  await expect.poll(countVisits).toBeGreaterThan(before)
})
