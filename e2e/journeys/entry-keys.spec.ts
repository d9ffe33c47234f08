// Goal: bets take few taps and keys, which are counted here, and each makes the bet that was meant.

import type { Locator } from '@playwright/test'
import { checkScreen } from '../check-screen.ts'
import { expect, test } from '../fixtures.ts'
import { anyRound, item, joinMember, placeTicket } from '../history.ts'
import { betPageOf } from '../pages/bet-page.ts'
import { Builder, Keypad, SlipList } from '../pages/entry-styles.ts'
import { newUsername } from '../pages/register-page.ts'
import { openAs } from '../pages/session.ts'
import { wordsOf } from '../pages/words.ts'

const product_code = 'thai-evening'
const t = wordsOf('th')

test('taps of the keypad @phone-only', async ({ page, url, office, isPhone, openShownPeriod }, info) => {
  await openShownPeriod(product_code, anyRound())
  await openAs(page, await joinMember(url, office, newUsername(info.project.name, 'tap')))
  const bet = betPageOf(page, isPhone)
  const keypad = new Keypad(page, isPhone, t)
  // The rate of the last bet holds for the next one.
  await bet.open(product_code, 'mobile')
  await bet.choosePackage('90')
  let taps = 0
  const tap = async (part: Locator): Promise<void> => {
    taps += 1
    await part.tap()
  }
  const key = (digit: string) => page.getByRole('button', { name: digit, exact: true })
  const quick = (baht: number) => page.getByRole('button', { name: t('bet.quick.stake', { baht: String(baht) }) })
  const count = async (most: number, act: () => Promise<void>): Promise<void> => {
    taps = 0
    await act()
    expect(taps).toBeLessThanOrEqual(most)
  }

  await test.step('the first bet, from the list of markets on', () =>
    count(5, async () => {
      await page.goto('/')
      await tap(page.locator(`a[href="/bet/${product_code}"]`).first())
      for (const part of [key('4'), key('7'), quick(20), bet.submit]) await tap(part)
      await expect(bet.orderId).toBeVisible()
    }))
  await bet.closeAnswer()

  await test.step('a further number', () =>
    count(2, async () => {
      for (const part of [key('1'), key('2')]) await tap(part)
      await expect(bet.totalNet).toHaveText('20.00')
    }))

  await test.step('50 on the top and 20 below, where both columns have prices', async () => {
    await keypad.choose('bottom')
    await keypad.quick(10)
    await count(4, async () => {
      for (const part of [key('4'), key('7'), quick(50), quick(20)]) await tap(part)
      await expect(page.getByTestId('running-row').first()).toContainText('47บน 50ล่าง 20')
    })
    await count(2, async () => {
      for (const part of [key('3'), key('3')]) await tap(part)
      await expect(page.getByTestId('running-row').first()).toContainText('33บน 50ล่าง 20')
    })
  })
  await checkScreen(page, info, 'entry-keypad')

  await test.step('a hardware keyboard writes the same language', async () => {
    await keypad.number.focus()
    await page.keyboard.type('56=30*10')
    await page.keyboard.press('Enter')
    await page.keyboard.type('78')
    await expect(page.getByTestId('running-row').nth(0)).toContainText('78บน 30ล่าง 10')
    await expect(page.getByTestId('running-row').nth(1)).toContainText('56บน 30ล่าง 10')
  })

  await test.step('the prices stand after another style and a reload', async () => {
    await bet.chooseStyle('builder')
    await bet.chooseStyle('mobile')
    await expect(keypad.price('bottom')).toContainText('10')
    await page.reload()
    await expect(keypad.price('top')).toContainText('30')
    await keypad.key('90')
    await keypad.press(new RegExp(`^${t('bet.view.slip')} \\d`))
    const slip = new SlipList(page)
    await expect
      .poll(() => slip.stakes())
      .toEqual([
        ...['12 20', '47 50', '33 50', '56 30', '78 30', '90 30'],
        ...['12 10', '47 20', '33 20', '56 10', '78 10', '90 10'],
      ])
  })
})

async function tapAll(most: number, ...parts: readonly Locator[]): Promise<void> {
  expect(parts.length).toBeLessThanOrEqual(most)
  for (const part of parts) await part.filter({ visible: true }).first().tap()
}

test('taps around a ticket @phone-only', async ({ page, url, office, isPhone, openShownPeriod }, info) => {
  await page.addInitScript(() => {
    let shared = 0
    Object.assign(navigator, {
      canShare: () => true,
      share: async () => void (document.documentElement.dataset['shared'] = String((shared += 1))),
    })
  })
  const period = await openShownPeriod(product_code, anyRound())
  const member = await joinMember(url, office, newUsername(info.project.name, 'tpa'))
  await placeTicket(member, period, [item('2top', '47', 20)])
  await openAs(page, member)
  const bet = betPageOf(page, isPhone)
  await bet.open(product_code, 'mobile')
  await bet.choosePackage('70')
  const main = page.locator('[data-content]')
  const menu = (name: 'bills' | 'reports') => page.getByRole('link', { name: t(`shell.menu.${name}`), exact: true })

  await test.step('the last ticket again, from the list of markets on', async () => {
    await page.goto('/')
    await tapAll(
      2,
      page.locator(`a[href="/bet/${product_code}"]`),
      page.getByRole('toolbar').getByRole('button', { name: t('entry.tools.repeat') }),
    )
    await expect(page.getByTestId('running-row')).toContainText('47บน 20')
    await tapAll(1, bet.submit)
    await expect(bet.orderId).toBeVisible()
  })

  await test.step('shared after sending', async () => {
    await tapAll(1, bet.answer.getByRole('button', { name: t('bills.share.to_line') }))
    await expect(page.locator('html')).toHaveAttribute('data-shared', '1')
  })
  await bet.closeAnswer()

  await test.step('did 47 win?', async () => {
    await tapAll(3, menu('bills'), main.getByRole('searchbox'))
    await page.keyboard.type('47')
    await expect(main.locator('mark').filter({ hasText: '47' }).first()).toBeInViewport()
  })

  await test.step("this month's win and loss, with its chart where a period is settled", async () => {
    await office.closePeriod(period.period_code)
    await office.settle(period, { top3: '147', bottom2: '99' })
    await tapAll(2, menu('reports'), main.getByRole('link', { name: t('reports.tabs.summary') }))
    await expect(page.getByTestId('chart-over-time')).toBeInViewport()
  })
})

test('keys of the grid @desktop-only', async ({ page, url, office, isPhone, openShownPeriod }, info) => {
  await openShownPeriod(product_code, anyRound())
  await openAs(page, await joinMember(url, office, newUsername(info.project.name, 'key')))
  const bet = betPageOf(page, isPhone)
  await bet.open(product_code, 'grid')
  await bet.choosePackage('90')
  const columns = ['number', 'top', 'bottom', 'roll'] as const
  const expectRow = async (row: number, texts: readonly string[]): Promise<void> => {
    for (const [at, text] of texts.entries()) await expect(bet.cell(row, columns[at]!)).toHaveValue(text)
  }
  const type = async (text: string, ...keys: readonly string[]): Promise<void> => {
    await page.keyboard.type(text)
    for (const key of keys) await page.keyboard.press(key)
  }
  await bet.cell(0, 'number').focus()

  await test.step('a whole line fills its row and leads to the next one', async () => {
    await type('12=50*20', 'Enter')
    await expectRow(0, ['12', '50', '20', ''])
    await expect(bet.cell(1, 'number')).toBeFocused()
  })
  await test.step('a line with the same amounts takes three keys', async () => {
    await type('34', 'ArrowDown')
    await expectRow(1, ['34', '50', '20', ''])
    await expect(bet.cell(2, 'number')).toBeFocused()
  })
  await test.step('Enter in an empty first amount repeats the amounts above, which are shown before', async () => {
    await type('56', 'Enter')
    await expect(bet.cell(2, 'top')).toBeFocused()
    await expect(bet.cell(2, 'bottom')).toHaveAttribute('placeholder', '20')
    await checkScreen(page, info, 'entry-grid')
    await type('', 'Enter')
    await expectRow(2, ['56', '50', '20', ''])
    await expect(bet.cell(3, 'number')).toBeFocused()
  })
  await test.step('amounts typed cell by cell never become numbers', async () => {
    await type('78', 'Enter')
    await type('10', 'Enter')
    await type('5', 'Enter')
    await expect(bet.cell(3, 'roll')).toBeFocused()
    await type('', 'Enter')
    await expectRow(3, ['78', '10', '5', ''])
    await expect(bet.cell(4, 'number')).toBeFocused()
  })
  await test.step('a line that may mean another bet stays as it is', async () => {
    await type('11,22=50', 'Enter')
    await expect(page.getByTestId('toasts')).toContainText(t('bet.grid.paste.reason.several_numbers'))
    await expect(bet.cell(4, 'number')).toBeFocused()
    await expectRow(4, ['11,22=50'])
    await page.keyboard.press('Control+a')
  })
  await test.step('a line is filled in wherever the focus goes, and undone as one', async () => {
    await type('90=5', 'Tab')
    await expectRow(4, ['90', '5', '', ''])
    await expect(bet.totalNet).toHaveText('230.00')
    await page.keyboard.press('Control+z')
    await expectRow(4, ['', '', '', ''])
  })
  await test.step('and before the slip is sent', async () => {
    await bet.cell(4, 'number').focus()
    await type('x0=10', 'Control+Enter')
    await expect(bet.orderId).toBeVisible()
    await bet.closeAnswer()
    const latest = await bet.showLatest()
    await expect(latest).toContainText('415.00')
  })
})

test('the formulas are a sheet of the other styles', async ({ page, url, office, isPhone, openShownPeriod }, info) => {
  await openShownPeriod(product_code, anyRound())
  await openAs(page, await joinMember(url, office, newUsername(info.project.name, 'fml')))
  const bet = betPageOf(page, isPhone)
  const keypad = new Keypad(page, isPhone, t)
  const builder = new Builder(page, isPhone)
  const sheet = page.getByRole('dialog')
  const open = async (): Promise<void> => {
    await bet.input.press(page.getByRole('toolbar').getByRole('button', { name: t('entry.tools.formulas') }))
    await expect(sheet.getByTestId('add-entry')).toBeVisible()
  }
  await bet.open(product_code, 'mobile')
  await bet.choosePackage('90')
  await keypad.quick(20)

  await test.step('it shows the numbers and the total at the prices of the keypad before they are added', async () => {
    await open()
    await builder.choose(2, 'siblings')
    await expect(builder.count).toHaveText(t('entry.preview.count', { count: 20 }))
    await expect(sheet.getByTestId('add-entry')).toHaveText(t('entry.builder.add', { items: 20, total: '400.00' }))
    await checkScreen(page, info, 'entry-formulas')
    await builder.choose(3, 'jubwin_3d')
    await builder.tap(['1', '4', '7'])
    await checkScreen(page, info, 'entry-formulas-jubwin')
    await builder.addEntry()
    await expect(sheet).toBeHidden()
    await expect(bet.totalNet).toHaveText('120.00')
    await expect(page.getByTestId('running-row')).toHaveCount(5)
  })
  await test.step('a number typed after it leaves the rows of the sheet as they are', async () => {
    await keypad.key('47')
    await keypad.quick(50)
    await expect(bet.totalNet).toHaveText('170.00')
  })
  await test.step('beside the grid, Enter leads through the prices and adds', async () => {
    await bet.chooseStyle('grid')
    await open()
    await builder.choose(2, 'nineteen_doors')
    await builder.text.fill('5')
    await builder.text.press('Enter')
    await expect(builder.amount('top')).toBeFocused()
    await expect(builder.amount('top')).toHaveValue('50')
    for (const column of ['top', 'bottom', 'roll'] as const) await builder.amount(column).press('Enter')
    await expect(sheet).toBeHidden()
    await expect(bet.totalNet).toHaveText('1,120.00')
  })
  await test.step('the style of the formulas has no second way to them', async () => {
    await bet.chooseStyle('builder')
    await expect(builder.amount('top')).toHaveValue('50')
    await expect(page.getByRole('toolbar').getByRole('button', { name: t('entry.tools.formulas') })).toBeHidden()
  })
})
