// Goal: the gallery shows every part of the web's ui and the views of the shell, and each of their states passes axe in both
// languages and both themes, without an error in the console.

import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { checkScreen } from '../check-screen.ts'
import { expect, test } from '../fixtures.ts'

const script = fileURLToPath(new URL('../../scripts/gallery.mjs', import.meta.url))
const ui = fileURLToPath(new URL('../../web/src/ui', import.meta.url))
/** Views of the member app's shell; `.oxlintrc.json` keeps them from importing data. */
const shellViews = ['main-menu', 'news-line', 'shell-frame', 'top-bar-view']

// On one device: the parts lay themselves out, and two servers would share a cache.
let server: ChildProcess
let address: string

test.beforeAll(async () => {
  server = spawn(process.execPath, [script, '--port', '0'], { stdio: ['ignore', 'pipe', 'inherit'] })
  address = await new Promise((resolve, reject) => {
    server.once('exit', (code) => reject(new Error(`the gallery ended with ${code}`)))
    server.stdout!.once('data', (line) => resolve(String(line).trim()))
  })
})

test.afterAll(() => void server.kill('SIGTERM'))

for (const [language, theme] of [
  ['th', 'light'],
  ['th', 'dark'],
  ['en', 'light'],
  ['en', 'dark'],
] as const)
  test(`every part in its states: ${language}, ${theme} @phone-only`, async ({ page }, info) => {
    const problems: string[] = []
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) problems.push(message.text())
    })
    page.on('pageerror', (error) => problems.push(error.message))
    await page.goto(`${address}?language=${language}&theme=${theme}`)
    await page.locator('[data-part=wide-table]').waitFor()

    const parts = await page
      .locator('[data-part]')
      .evaluateAll((all) => all.map((one) => (one as HTMLElement).dataset['part']))
    const files = readdirSync(ui, { recursive: true, encoding: 'utf8' }).flatMap(
      (name) => /^(?:.*\/)?([^/]+)\.tsx$/.exec(name)?.[1] ?? [],
    )
    expect(parts).toEqual([...files, ...shellViews].toSorted())

    await checkScreen(page, info, `gallery-${language}-${theme}`)
    for (const opens of await page.locator('[data-opens]').all()) {
      await opens.click()
      const state = await opens.locator('xpath=ancestor::figure').getAttribute('data-state')
      const part = await opens.locator('xpath=ancestor::*[@data-part]').getAttribute('data-part')
      const figure = `[data-part="${part}"] figure[data-state="${state}"]`
      await checkScreen(page, info, `gallery-${language}-${theme}-${state}`, figure)
      const close = page.locator('dialog[open] [data-closes]')
      await ((await close.count()) > 0 ? close : opens).click()
    }
    expect(problems).toEqual([])
  })

test('the search field finds parts and states @phone-only', async ({ page }) => {
  await page.goto(`${address}?language=en&theme=light`)
  const search = page.getByRole('searchbox')
  await search.fill('very soon')
  await expect(page.locator('[data-state]')).toHaveCount(1)
  await expect(page.locator('[data-part=countdown]')).toBeVisible()
  await search.fill('no such part')
  await expect(page.locator('[data-part]')).toHaveCount(0)
  await expect(page.getByText('No part has this name')).toBeVisible()
})
