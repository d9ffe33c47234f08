// Goal: events elsewhere appear on an idle page within seconds, and again after a network failure. Polling is slower
// than these journeys wait.

import { cancelOrder, listenLive, placeOrder, type Order, type Period } from '@megalot/contract'
import type { Page } from '@playwright/test'
import { randomUUID } from 'node:crypto'
import type { Api } from '../api.ts'
import { expect, memberOf, roundOf, test } from '../fixtures.ts'
import { signIn } from '../pages/session.ts'
import { Shell } from '../pages/shell.ts'

/** Events arrive within a second or two; the credit is also polled every 30 s. */
const soon = { timeout: 8_000 }

/** A ticket of 100 Baht, enough to see in the credit. */
function place(api: Api, { period_code }: Period): Promise<Order> {
  const items = [{ bet_type: '2top' as const, number: '47', bet_satang: 10_000, rate: 7_000 }]
  return api.call(placeOrder, { body: { request_id: randomUUID(), period_code, package_code: '70', items } })
}

/** Markets of these journeys alone, one for each, and others on the phone than on the desktop. */
function marketOf(projectName: string, journey: 0 | 1 | 2 | 3): string {
  const markets =
    projectName === 'phone' ? ['taiwan', 'korea', 'singapore', 'thai-evening'] : ['dow', 'baac', 'china-pm', 'gsb']
  return markets[journey]!
}

async function waitForStream(page: Page): Promise<void> {
  await page.waitForResponse((response) => new URL(response.url()).pathname === listenLive.path)
}

test('a ticket placed and cancelled elsewhere appears by itself, with the credit @phone-only', async ({
  page,
  url,
  office,
  isPhone,
}, info) => {
  const period = await office.openPeriod(marketOf(info.project.name, 0), roundOf(info.project.name, 8))
  const api = await signIn(page, url, memberOf(info.project.name, 9))
  const shell = new Shell(page, isPhone)
  await Promise.all([waitForStream(page), page.goto('/bills')])
  await expect(shell.credit).toHaveText('50,000.00')

  // The same member elsewhere: a program with the browser's own session.
  const order = await place(api, period)
  const card = page.getByRole('listitem').filter({ hasText: `#${order.order_id}` })
  await expect(card.getByTestId('order-status')).toHaveAttribute('data-status', 'CONFIRMED', soon)
  await expect(shell.credit).not.toHaveText('50,000.00', soon)

  await api.call(cancelOrder, { params: { order_id: String(order.order_id) }, body: order })
  await expect(card.getByTestId('order-status')).toHaveAttribute('data-status', 'CANCELLED', soon)
  await expect(shell.credit).toHaveText('50,000.00', soon)
})

test('a period opened and closed by the office appears in the list of markets and disappears @phone-only', async ({
  page,
  url,
  office,
  openShownPeriod,
}, info) => {
  await signIn(page, url, memberOf(info.project.name, 9))
  await Promise.all([waitForStream(page), page.goto('/')])
  await expect(page.getByRole('listitem').first()).toBeVisible()
  const product_code = marketOf(info.project.name, 1)
  const period = await openShownPeriod(product_code, roundOf(info.project.name, 8))
  const card = page.getByRole('listitem').filter({ has: page.locator(`a[href="/bet/${product_code}"]`) })
  await expect(card.getByText(String(period.round))).toBeVisible(soon)
  await office.closePeriod(period.period_code)
  await expect(card.getByText(String(period.round))).toBeHidden(soon)
})

test('events during a network failure show when the network is back @phone-only', async ({
  page,
  url,
  office,
  isPhone,
}, info) => {
  const period = await office.openPeriod(marketOf(info.project.name, 2), roundOf(info.project.name, 8))
  const api = await signIn(page, url, memberOf(info.project.name, 9))
  await Promise.all([waitForStream(page), page.goto('/bills')])
  await expect(new Shell(page, isPhone).credit).toBeVisible()
  await page.context().setOffline(true)
  const order = await place(api, period)
  await Promise.all([waitForStream(page), page.context().setOffline(false)])
  const card = page.getByRole('listitem').filter({ hasText: `#${order.order_id}` })
  await expect(card).toBeVisible(soon)
})

test('without a stream the page polls @desktop-only', async ({ page, url, office, isPhone }, info) => {
  await page.clock.install()
  await page.route(`**${listenLive.path}`, (route) => route.abort())
  const period = await office.openPeriod(marketOf(info.project.name, 3), roundOf(info.project.name, 8))
  const api = await signIn(page, url, memberOf(info.project.name, 9))
  await page.goto('/bills')
  const shell = new Shell(page, isPhone)
  const before = (await shell.credit.textContent()) ?? ''
  await place(api, period)
  await page.clock.fastForward('00:31')
  await expect(shell.credit).not.toHaveText(before)
})
