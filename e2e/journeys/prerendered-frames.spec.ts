// Goal: before any script of the application runs, a page shows the frame that it will have: in the device's language and
// theme, to those it is meant for. The application then takes its place without anything that moves.

import { getCaptcha } from '@megalot/contract'
import type { Page } from '@playwright/test'
import { expect, roundOf, test } from '../fixtures.ts'
import { joinMember } from '../history.ts'
import { LoginPage } from '../pages/login-page.ts'
import { newUsername } from '../pages/register-page.ts'
import { openAs } from '../pages/session.ts'
import { Shell } from '../pages/shell.ts'

const product_code = 'hanoi-vip'

/** Keeps the application's files back, so that a page stays as it was served. @returns lets them through from now on */
async function holdScripts(page: Page): Promise<() => Promise<void>> {
  await page.route(/\/assets\/.*\.js$/, (route) => route.abort())
  return () => page.unroute(/\/assets\/.*\.js$/)
}

const frameOf = (page: Page) => page.locator('#frame')

/** Where the keys, the tabs and the send button stand: all that does not depend on the market. */
function readPlaces(page: Page, root: '#frame' | '#root') {
  return page.evaluate((selector) => {
    const parts = document.querySelectorAll(
      ['nav a', 'header button', 'fieldset button', '[data-totals-bar] button']
        .map((one) => `${selector} ${one}`)
        .join(),
    )
    const shown = [...parts].filter((part) => part.checkVisibility() && part.getBoundingClientRect().width > 0)
    return shown.map((part) => {
      const { x, y, width, height } = part.getBoundingClientRect()
      return [part.textContent ?? '', ...[x, y, width, height].map(Math.round)].join(' ')
    })
  }, root)
}

test('a member sees the frame before the application runs, and nothing of it moves @phone-only', async ({
  page,
  url,
  office,
  openShownPeriod,
}, info) => {
  await openShownPeriod(product_code, roundOf(info.project.name, 1))
  await openAs(page, await joinMember(url, office, newUsername(info.project.name, 'pnt')))
  const problems: string[] = []
  const letThrough = await holdScripts(page)
  await page.goto(`/bet/${product_code}`)
  await expect(frameOf(page).getByText('ส่งโพย')).toBeVisible()
  await expect(frameOf(page).getByText('แทงหวย').filter({ visible: true }).first()).toBeVisible()
  await page.evaluate(() => document.fonts.ready)
  const before = await readPlaces(page, '#frame')
  expect(before.length).toBeGreaterThan(30)

  await letThrough()
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(message.text())
  })
  page.on('pageerror', (error) => problems.push(error.message))
  await page.reload()
  await page.getByTestId('submit-ticket').waitFor()
  await expect(frameOf(page)).toHaveCount(0)
  const after = await readPlaces(page, '#root')
  // Only the count on the slip is part of both and may differ.
  expect(after).toEqual(expect.arrayContaining(before))
  expect(problems).toEqual([])
})

test('the layout does not shift when the application takes the place of the frame', async ({
  page,
  url,
  office,
}, info) => {
  await openAs(page, await joinMember(url, office, newUsername(info.project.name, 'pnt')))
  await page.addInitScript(() => {
    const shifts = { sum: 0 }
    Object.assign(window, { shifts })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.sum += (entry as PerformanceEntry & { value: number }).value
    }).observe({ type: 'layout-shift', buffered: true })
  })
  // As on a first visit: the web font is not there.
  await page.evaluate(() => localStorage.removeItem('megalot.letters'))
  await page.goto(`/bet/${product_code}`)
  await expect(page.getByTestId('credit-remain')).toBeVisible()
  await expect(frameOf(page)).toHaveCount(0)
  const sum = await page.evaluate(() => (window as unknown as { shifts: { sum: number } }).shifts.sum)
  expect(sum).toBeLessThanOrEqual(0.02)
})

test('without a session no frame of a page inside is shown, with one no log-in @phone-only', async ({
  page,
  url,
  office,
}, info) => {
  await holdScripts(page)
  for (const path of [`/bet/${product_code}`, '/bills']) {
    await page.goto(path)
    await expect(frameOf(page)).toHaveCount(1)
    await expect(frameOf(page)).toBeHidden()
    await expect(page.locator('#splash')).toBeVisible()
  }
  await page.goto('/auth/login')
  await expect(frameOf(page).getByText('ชื่อผู้ใช้')).toBeVisible()
  await page.goto('/auth/register')
  await expect(frameOf(page)).toBeHidden()

  await openAs(page, await joinMember(url, office, newUsername(info.project.name, 'pnt')))
  await page.goto('/auth/login')
  await expect(frameOf(page)).toBeHidden()
  await page.goto('/')
  await expect(frameOf(page)).toBeHidden()
})

test('the log-in page shows its captcha before the application runs, and keeps it @phone-only', async ({
  page,
  url,
  office,
}, info) => {
  const addresses: string[] = []
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === getCaptcha.path) addresses.push(request.url())
  })
  const letThrough = await holdScripts(page)
  await page.goto('/auth/login')
  const early = frameOf(page).locator('img')
  await expect.poll(() => early.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
  expect(addresses).toEqual([await early.evaluate((image: HTMLImageElement) => image.src)])

  await letThrough()
  addresses.length = 0
  const login = new LoginPage(page)
  await login.open()
  await expect(frameOf(page)).toHaveCount(0)
  await expect(login.picture).toHaveJSProperty('complete', true)
  expect(addresses).toEqual([await login.picture.evaluate((image: HTMLImageElement) => image.src)])
  const username = newUsername(info.project.name, 'pnt')
  await joinMember(url, office, username)
  await login.logIn(username)
})

test('a frame in another language than the stored one is not shown @phone-only', async ({
  page,
  context,
  url,
  office,
}, info) => {
  await openAs(page, await joinMember(url, office, newUsername(info.project.name, 'pnt')), 'en')
  await holdScripts(page)
  await page.goto('/bills')
  await expect(page.locator('html')).toHaveAttribute('lang', 'th')
  await expect(frameOf(page)).toBeHidden()
  await context.addCookies([{ name: 'megalot_language', value: 'en', url }])
  await page.goto('/bills')
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  await expect(frameOf(page).getByText('Awards').filter({ visible: true })).toBeVisible()
})

for (const [system, stored, shown] of [
  ['light', 'dark', 'dark'],
  ['dark', 'light', 'light'],
  ['dark', null, 'dark'],
  ['light', 'auto', 'light'],
] as const)
  test(`on a ${system} system with the theme ${stored} the first paint is ${shown} @phone-only`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: system })
    await page.goto('/live')
    await page.evaluate((theme) => theme !== null && localStorage.setItem('megalot.colour-scheme', theme), stored)
    await holdScripts(page)
    await page.goto('/auth/login')
    await expect(frameOf(page).getByText('รหัสผ่าน', { exact: true })).toBeVisible()
    const page_colour = await page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    expect(page_colour).toBe(shown === 'dark' ? 'rgb(18, 22, 26)' : 'rgb(244, 246, 247)')
    await expect(page.locator('html')).toHaveAttribute('data-color-scheme', shown)

    await page.goto('/console')
    await expect(page.locator('html')).toHaveAttribute('data-color-scheme', shown)
    expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe(page_colour)
  })

test('a session that has ended leads to the log-in page, and the frame is gone @phone-only', async ({ page }) => {
  await page.goto('/live')
  await page.evaluate(() => {
    const session = { state: { session_token: '00000000-0000-4000-8000-000000000000' }, version: 0 }
    localStorage.setItem('megalot.session.1.0.0', JSON.stringify(session))
  })
  await page.goto(`/bet/${product_code}`)
  await expect(page).toHaveURL(/\/auth\/login/)
  await expect(new LoginPage(page).submit).toBeVisible()
  await expect(frameOf(page)).toHaveCount(0)
  await expect(page.locator('html')).not.toHaveAttribute('data-with-keypad')
})

async function waitForWorker(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready
    if (navigator.serviceWorker.controller === null)
      await new Promise((resolve) =>
        navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true }),
      )
  })
}

test.describe('with a service worker', () => {
  test.use({ serviceWorkers: 'allow' })

  test('the worker answers in the language that was switched to @phone-only', async ({
    page,
    url,
    office,
    isPhone,
  }, info) => {
    await page.clock.install()
    await openAs(page, await joinMember(url, office, newUsername(info.project.name, 'pnt')))
    await page.goto('/bills')
    const shell = new Shell(page, isPhone)
    await shell.chooseLanguage('en')
    await expect(page.locator('html')).toHaveAttribute('lang', 'en')
    await page.clock.fastForward(6_000)
    await waitForWorker(page)
    const response = await page.reload()
    expect(response?.fromServiceWorker()).toBe(true)
    expect(await response?.text()).toContain('<html lang="en" data-page="inside"')
    await page.goto(`/bet/${product_code}`)
    await shell.chooseLanguage('th')
    await expect(page.locator('html')).toHaveAttribute('lang', 'th')
    const thai = await page.reload()
    expect(thai?.fromServiceWorker()).toBe(true)
    expect(await thai?.text()).toContain('<html lang="th" data-page="bet"')
  })

  test('the worker never answers for the console @desktop-only', async ({ page, url, office }, info) => {
    await page.clock.install()
    await openAs(page, await joinMember(url, office, newUsername(info.project.name, 'pnt')))
    await page.goto('/bills')
    await page.clock.fastForward(6_000)
    await waitForWorker(page)
    expect((await page.goto('/bills'))?.fromServiceWorker()).toBe(true)
    const response = await page.goto('/console/people')
    expect(response?.fromServiceWorker()).toBe(false)
    expect(await response?.text()).toContain('/assets/console/')
    const kept = await page.evaluate(async () => {
      const names = await caches.keys()
      const lists = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()))
      return lists.flat().map((request) => request.url)
    })
    expect(kept.filter((address) => address.includes('console'))).toEqual([])
  })
})
