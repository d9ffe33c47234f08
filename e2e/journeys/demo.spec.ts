// Whoever starts the demo and logs in, in any role, finds a house with history: no page of money is empty, and
// generated results are marked.

import { listProductAwards, type Language } from '@megalot/contract'
import type { Page, TestInfo } from '@playwright/test'
import { logInThroughApi } from '../api.ts'
import { checkWidth } from '../check-screen.ts'
import { enterHouse, expect, test } from '../fixtures.ts'
import { openAs, signIn } from '../pages/session.ts'

let house: Awaited<ReturnType<typeof enterHouse>>

test.beforeAll(async () => {
  house = await enterHouse('demo')
})
test.afterAll(() => house?.leave())

/** Opens pages one after another; none of them is empty. */
async function walk(page: Page, info: TestInfo, name: string, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    await page.goto(`${house.url}${path}`)
    await expect(page.getByRole('heading', { level: 1, name: /^(?!กำลังโหลด|Loading)/ })).toBeVisible()
    await expect(page.getByTestId('skeleton')).toHaveCount(0)
    await expect(page.getByTestId('empty-note'), `${name} ${path}`).toHaveCount(0)
    await checkWidth(page, info, `demo-${name}${path.replace(/\?.*/, '').replaceAll('/', '-')}`)
  }
}

/** The page itself starts with this month, which may just have begun. */
const summary = `/reports/summary?date_from=${new Date(Date.now() - 15 * 86_400_000).toISOString().slice(0, 10)}`
const ofMembers = ['/bills', '/reports', '/reports/balance', summary, '/awards', '/awards/statistics', '/announcements']
const ofUplines = ['/reports', summary, '/awards', '/console/tickets', '/console/people']

test('a member with history @phone-only', async ({ page, isPhone }, info) => {
  const language: Language = isPhone ? 'th' : 'en'
  await signIn(page, house.url, 'member02', language)
  await walk(page, info, 'member02', ofMembers)
  // A ticket waits for confirmation, and there are unread notices.
  await page.goto(`${house.url}/`)
  await expect(page.getByText(isPhone ? '1 บิลรอยืนยัน' : '1 ticket to confirm')).toBeVisible()
})

test('generated results are marked @desktop-only', async ({ page, isPhone }) => {
  const api = await logInThroughApi(house.url, 'member05')
  const awards = await api.call(listProductAwards, { query: { product_code: 'hanoi' } })
  expect(awards.map(({ is_demo }) => is_demo)).toEqual([true, true, true, true, true])
  await openAs(page, api, isPhone ? 'th' : 'en')
  await page.goto(`${house.url}/awards`)
  const others = page.getByRole('region', { name: isPhone ? 'ผลล่าสุดของหวยอื่น' : 'Latest results of other markets' })
  const marks = others.getByText(isPhone ? 'ผลสาธิต' : 'Demo result', { exact: true })
  await expect(marks.first()).toBeVisible()
  // One row is the table's head.
  expect(await marks.count()).toBe((await others.getByRole('row').count()) - 1)
})

test('the levels above, and the office @desktop-only', async ({ page, isPhone }, info) => {
  const language: Language = isPhone ? 'en' : 'th'
  // Each on one of the two devices: the content of the pages is tested elsewhere.
  if (isPhone) {
    await signIn(page, house.url, 'agent02', language)
    await walk(page, info, 'agent02', ofUplines)
  } else {
    await signIn(page, house.url, 'senior01', language)
    await walk(page, info, 'senior01', ofUplines)
    await signIn(page, house.url, 'office01', language)
    await walk(page, info, 'office01', [
      ...ofUplines,
      '/console/tickets?state=DELETED',
      '/console/results',
      '/console/messages',
    ])
  }
})

test('a new member has no data yet @phone-only', async ({ page }) => {
  await signIn(page, house.url, 'member01', 'en')
  await page.goto(`${house.url}/bills`)
  await expect(page.getByTestId('empty-note')).toBeVisible()
})
