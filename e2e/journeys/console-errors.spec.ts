// Goal: no page writes an error into the console of the browser, and an error would be found. These journeys open every page that the
// two routers declare; `screens.spec.ts` checks the same of the pages with their content.

import { CONSOLE_BASE } from '@megalot/contract'
import { readFileSync } from 'node:fs'
import { waitUntilThere } from '../check-screen.ts'
import { takeConsoleErrors } from '../console-errors.ts'
import { expect, memberOf, test } from '../fixtures.ts'
import { openAs, signIn } from '../pages/session.ts'

/** Values for the parameters of addresses; there is no ticket and no user of these numbers, which pages must bear as well. */
const params: Readonly<Record<string, string>> = {
  product_code: 'thai-government',
  period_code: 'thai-government-2025-12-16',
  clearing_id: '999999',
  order_id: '999999',
  user_id: '999999',
}

/** The addresses of an application's pages; what is printed of them has no heading of its own. */
function readAddresses(application: 'member' | 'console'): readonly string[] {
  const pages = readFileSync(new URL('../../web/src/routes/access.txt', import.meta.url), 'utf8')
  return Array.from(pages.matchAll(new RegExp(`^${application} (/.*)$`, 'gm')), (match) => match[1]!)
    .filter((path) => !path.endsWith('/$') && !/^\/print\/./.test(path))
    .map((path) => path.replaceAll(/\$(\w+)/g, (_, name: string) => params[name]!))
}

test('an error is found in the first page of a journey and in any other @desktop-only', async ({
  page,
  browser,
  url,
}) => {
  await page.goto('/auth/login')
  await page.evaluate(() => console.error('an error of the first page'))
  const context = await browser.newContext()
  const other = await context.newPage()
  await other.goto(`${url}/auth/login`)
  await other.evaluate(() => void Promise.reject(new Error('a promise that nobody awaits')))
  await other.evaluate(() => {
    setTimeout(() => {
      throw new Error('thrown in a timer')
    })
  })
  const found: string[] = []
  await expect
    .poll(() => found.push(...takeConsoleErrors()) && found.join('\n'))
    .toMatch(/an error of the first page[\s\S]*a promise that nobody awaits[\s\S]*thrown in a timer/)
  await context.close()
})

test('no page of the member app writes an error @desktop-only', async ({ page, url }, info) => {
  test.slow()
  await signIn(page, url, memberOf(info.project.name, 7))
  const addresses = readAddresses('member')
  expect(addresses).toContain('/bills/999999')
  for (const address of addresses)
    await test.step(address, async () => {
      await page.goto(address)
      await waitUntilThere(page)
      expect(takeConsoleErrors()).toEqual([])
    })
})

test('no page of the console writes an error @desktop-only', async ({ page, office }) => {
  test.slow()
  await openAs(page, office.apis[1])
  const addresses = readAddresses('console').map((path) => CONSOLE_BASE + path)
  expect(addresses).toContain('/console/people/999999')
  for (const address of addresses)
    await test.step(address, async () => {
      await page.goto(address)
      await waitUntilThere(page)
      expect(takeConsoleErrors()).toEqual([])
    })
})
