// Goal: a slip of three hundred rows is as easy to use as a short one: only visible rows are rendered, keys and screen
// readers reach every row, and all of it is sent. And the keypad fits the smallest supported screen.

import type { Language } from '@megalot/contract'
import { getOrder } from '@megalot/contract'
import type { Page } from '@playwright/test'
import { checkScreen, checkWidth } from '../check-screen.ts'
import { expect, memberOf, roundOf, test } from '../fixtures.ts'
import { betPageOf } from '../pages/bet-page.ts'
import { Keypad, SlipList } from '../pages/entry-styles.ts'
import { signIn } from '../pages/session.ts'
import { wordsOf } from '../pages/words.ts'

const slot = 2
const rows = 300
const last = rows - 1
/** A market of its own for each project, so that they need not wait for each other. */
const marketOf = (isPhone: boolean): string => (isPhone ? 'nikkei-am' : 'nikkei-pm')

function makeLines(count: number): string {
  return Array.from({ length: count }, (_, index) => `${String(index).padStart(3, '0')}=5`).join('\n')
}

/** How many rows of the grid the browser really lays out and paints. */
function countDrawnRows(page: Page): Promise<number> {
  return page
    .locator('table tbody tr td:first-child > input')
    .evaluateAll((inputs) => inputs.filter((input) => input.checkVisibility({ contentVisibilityAuto: true })).length)
}

for (const [index, language] of (['th', 'en'] as const satisfies readonly Language[]).entries()) {
  test(`a slip of ${rows} rows (${language})`, async ({ page, url, isPhone, openShownPeriod }, info) => {
    const product_code = marketOf(isPhone)
    await openShownPeriod(product_code, roundOf(info.project.name, index + 1))
    const api = await signIn(page, url, memberOf(info.project.name, slot), language)
    const bet = betPageOf(page, isPhone, language)
    await bet.open(product_code)
    await bet.choosePackage('90')
    await bet.cell(0, 'number').waitFor()

    await test.step('pasted at once, with only the visible rows rendered', async () => {
      await bet.cell(0, 'number').evaluate((cell, text) => {
        const clipboardData = new DataTransfer()
        clipboardData.setData('text', text)
        cell.focus()
        cell.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
      }, makeLines(rows))
      await expect(bet.totalNet).toHaveText('1,500.00')
      await expect.poll(() => countDrawnRows(page)).toBeLessThan(60)
      await checkScreen(page, info, `bet-long-${language}`)
    })
    await test.step('keys go from row to row, and to the last one', async () => {
      await bet.cell(0, 'top').focus()
      for (let step = 0; step < 40; step += 1) await page.keyboard.press('ArrowDown')
      await expect(bet.cell(40, 'top')).toBeFocused()
      await expect(bet.cell(40, 'top')).toBeInViewport()
      await bet.cell(last, 'top').focus()
      await expect(bet.cell(last, 'top')).toBeInViewport()
      await bet.cell(last, 'top').selectText()
      await page.keyboard.type('7')
      await expect(bet.totalNet).toHaveText('1,502.00')
      // The empty row that is always last.
      await page.keyboard.press('ArrowDown')
      await expect(bet.cell(rows, 'number')).toBeFocused()
    })
    await test.step('removing a row, also at the edge of a rendered block, keeps the keyboard focus', async () => {
      for (const row of [24, 25, 49]) {
        const next = await bet.cell(row + 1, 'number').inputValue()
        await bet.cell(row, 'top').focus()
        await page.keyboard.press('Control+Delete')
        await expect(bet.cell(row, 'number')).toHaveValue(next)
        await expect(bet.cell(row, 'top')).toBeFocused()
      }
      // After a removal the rows move, and so does the focused cell, from one block into the next.
      await bet.cell(49, 'number').focus()
      const number = await bet.cell(49, 'number').inputValue()
      await page.keyboard.press('Control+z')
      await expect(bet.cell(50, 'number')).toHaveValue(number)
      await expect(bet.cell(50, 'number')).toBeFocused()
      await page.keyboard.press('Control+z')
      await page.keyboard.press('Control+z')
      await expect(bet.totalNet).toHaveText('1,502.00')
    })
    await test.step('a screen reader gets a table of all rows, each cell with its position', async () => {
      // One for the head, one for the empty row.
      await expect(page.getByRole('table').getByRole('row')).toHaveCount(rows + 2)
      const name = language === 'th' ? `แถว ${rows} บน` : `Row ${rows} Top`
      await expect(page.getByRole('textbox', { name })).toHaveValue('7')
    })
    await test.step('as a list, too, only the visible rows are rendered', async () => {
      await bet.chooseStyle('builder')
      const { list } = new SlipList(page)
      await expect(list.getByRole('textbox').first()).toHaveValue('5')
      expect(await list.getByRole('textbox').count()).toBeLessThan(100)
      // One stop of the Tab key after the other, past the edge of the first rendered block.
      await list.getByRole('textbox').first().focus()
      for (let step = 0; step < 60; step += 1) {
        await page.keyboard.press('Tab')
        // A person is not faster than the screen.
        await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
      }
      const reached = await page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '')
      expect(reached).toContain('030')
      await list.getByRole('textbox').last().scrollIntoViewIfNeeded()
      await checkWidth(page, info, `bet-long-list-${language}`)
    })
    await test.step('all of it is sent', async () => {
      await bet.send()
      await expect(bet.orderId).toBeVisible()
      const order_id = (await bet.orderId.textContent()) ?? ''
      const order = await api.call(getOrder, { params: { order_id } })
      expect(order).toMatchObject({ status: 'CONFIRMED', item_count: rows, bet_satang: 150_200 })
    })
  })
}

for (const [index, language] of (['th', 'en'] as const satisfies readonly Language[]).entries()) {
  test(`996 items are sent as two tickets (${language})`, async ({ page, url, isPhone, openShownPeriod }, info) => {
    const product_code = marketOf(isPhone)
    await openShownPeriod(product_code, roundOf(info.project.name, index + 4))
    const api = await signIn(page, url, memberOf(info.project.name, slot), language)
    const t = wordsOf(language)
    const bet = betPageOf(page, isPhone, language)
    await bet.open(product_code, 'builder')
    await bet.choosePackage('90')
    await bet.input.press(page.getByRole('toolbar').getByRole('button', { name: t('entry.tools.import') }))
    const pairs = Array.from({ length: 100 }, (_, number) => `${String(number).padStart(2, '0')}=5*5`)
    await page
      .getByRole('dialog')
      .getByRole('textbox')
      .fill([...pairs, makeLines(796)].join('\n'))
    await bet.input.press(page.getByTestId('import-add'))
    await expect(bet.totalNet).toHaveText('4,980.00')
    await expect(bet.submit).toContainText(t('bet.totals.submit_several', { tickets: 2 }))
    await bet.send()
    await expect(page.getByRole('heading', { name: t('bet.submission.batch.done', { count: 2 }) })).toBeVisible()
    const tickets = page.getByTestId('batch-ticket').getByRole('link').getByRole('strong')
    const counts = []
    for (const order_id of await tickets.allTextContents()) {
      const order = await api.call(getOrder, { params: { order_id } })
      counts.push([order.status, order.item_count])
    }
    expect(counts).toEqual([
      ['CONFIRMED', 500],
      ['CONFIRMED', 496],
    ])
    await checkScreen(page, info, `bet-two-tickets-${language}`)
    await bet.closeAnswer()
    await expect(bet.totalNet).toHaveText('0.00')
  })
}

test('the keypad fits a screen of 568 px', async ({ page, url, isPhone, openShownPeriod }, info) => {
  const product_code = marketOf(isPhone)
  await openShownPeriod(product_code, roundOf(info.project.name, 3))
  await signIn(page, url, memberOf(info.project.name, slot))
  const t = wordsOf('th')
  for (const [width, height] of [
    [320, 568],
    [360, 640],
  ] as const) {
    await page.setViewportSize({ width, height })
    const bet = betPageOf(page, isPhone)
    await bet.open(product_code, 'mobile')
    await bet.choosePackage('90')
    const keypad = new Keypad(page, isPhone, t)
    await keypad.number.evaluate((field) => field.scrollIntoView({ block: 'start' }))
    // From the number to the send button: everything that a thumb needs is fully visible at once.
    const parts = [keypad.number, keypad.price('top'), bet.submit, bet.totalNet]
    for (const key of ['1', '5', '9', '0', '00', t('entry.tools.undo')]) {
      parts.push(
        page.getByRole('group', { name: t('entry.keypad.keys') }).getByRole('button', { name: key, exact: true }),
      )
    }
    for (const part of parts) await expect(part).toBeInViewport({ ratio: 1 })
    await keypad.key('45')
    await keypad.press(t('bet.quick.stake', { baht: '20' }))
    await expect(bet.totalNet).toHaveText('20.00')
    for (const part of parts) await expect(part).toBeInViewport({ ratio: 1 })
    await checkScreen(page, info, `bet-keypad-${height}`)
    await bet.input.press(page.getByRole('toolbar').getByRole('button', { name: t('entry.tools.clear') }))
  }
})
