// Goal: each entry style makes the promised slip, on a phone by touch and on a desktop by keyboard; errors are shown
// beside their input; and the house's yellow and grey numbers are visible before anything is sent.

import { type Language, placeOrder } from '@megalot/contract'
import { randomUUID } from 'node:crypto'
import { checkScreen, checkWidth } from '../check-screen.ts'
import { expect, memberOf, roundOf, tagOf, test } from '../fixtures.ts'
import { betPageOf } from '../pages/bet-page.ts'
import { Builder, Keypad, SlipList } from '../pages/entry-styles.ts'
import { LoginPage } from '../pages/login-page.ts'
import { signIn } from '../pages/session.ts'
import { wordsOf } from '../pages/words.ts'

const slot = 3
/** A market of its own for each project, so that they need not wait for each other. */
const marketOf = (isPhone: boolean): string => (isPhone ? 'germany' : 'russia')

for (const [index, language] of (['th', 'en'] as const satisfies readonly Language[]).entries()) {
  test.describe(`in ${language}`, { tag: tagOf(language, 'th-phone') }, () => {
    // One language is checked in light mode, the other in dark mode: language and colours do not affect each other's
    // checks.
    test.use({ colorScheme: language === 'th' ? 'light' : 'dark' })
    describeStyles(language, index * 4)
  })
}

function describeStyles(language: Language, firstRound: number): void {
  const t = wordsOf(language)

  test('style B: every mode of the catalogue, live counts, the board with its marks', async ({
    page,
    url,
    office,
    isPhone,
    openShownPeriod,
  }, info) => {
    const product_code = marketOf(isPhone)
    const { period_code } = await openShownPeriod(product_code, roundOf(info.project.name, firstRound + 1))
    await office.setNumber(period_code, { bet_type: '2top', number: '05', set_to: 'closed' })
    await office.setNumber(period_code, { bet_type: '2bottom', number: '50', set_to: 'half' })
    await signIn(page, url, memberOf(info.project.name, slot), language)
    const bet = betPageOf(page, isPhone, language)
    const builder = new Builder(page, isPhone)
    const clear = () => bet.input.press(page.getByRole('button', { name: t('entry.tools.clear') }))
    await bet.open(product_code, 'builder')
    await bet.choosePackage('90')

    // Mode, typed text, tapped keys, and how many numbers there must be: the counts of the rules.
    const entries: readonly [1 | 2 | 3, string, string, readonly string[], number][] = [
      [3, 'six_doors', '123', [], 6],
      [3, 'six_doors', '112', [], 3],
      [3, 'triple', '', [], 10],
      [3, 'jubwin_3d', '', ['1', '2', '3', '4'], 24],
      [3, 'jubwin_3d', '', ['1', '2', '3', language === 'th' ? 'รวมเบิ้ล/ตอง' : 'Double/triple'], 27],
      [3, 'jubwin_3d_two_tails', '', ['0', '1', '2', '3', '4', '5', '6'], 420],
      [2, 'nineteen_doors', '5', [], 19],
      [2, 'fix_front', '7', [], 10],
      [2, 'fix_back', '7', [], 10],
      [2, 'double', '', [], 10],
      [2, 'siblings', '', [], 20],
      [2, 'low', '', [], 50],
      [2, 'high', '', [], 50],
      [2, 'odd', '', [], 50],
      [2, 'even', '', [], 50],
      [2, 'jubwin_2d', '', ['1', '2', '3'], 6],
      [2, 'typed', '12 ๓๔ 1256', [], 3],
      [1, 'typed', '7 8', [], 2],
    ]
    for (const [digits, mode, text, taps, count] of entries) {
      await test.step(`${mode} ${text}${taps.join('')}`, async () => {
        await builder.choose(digits, mode)
        if (text !== '') await builder.text.fill(text)
        for (const tap of taps) {
          if (/^\d$/.test(tap)) await builder.tap([tap])
          else await builder.tick(tap)
        }
        await expect(builder.count).toHaveText(t('entry.preview.count', { count }))
        await builder.amount('top').fill('5')
        await builder.addEntry()
        // At the rates of this package there is no discount: the net is the stake.
        await expect(bet.totalNet).toHaveText(`${(count * 5).toLocaleString('en-US')}.00`)
        await expect(page.getByTestId('announcer')).toContainText(t('import.items', { count }))
        await clear()
        await expect(bet.totalNet).toHaveText('0.00')
      })
    }

    await test.step('a roll is staked once for all orders of its digits', async () => {
      await builder.choose(3, 'six_doors')
      await builder.text.fill('123')
      await builder.amount('top').fill('5')
      await builder.amount('roll').fill('10')
      await builder.amount('roll').press('Enter')
      await expect(bet.totalNet).toHaveText('40.00')
      await clear()
      await builder.amount('roll').fill('')
    })

    await test.step('the board shows what pays half and what is closed, and warns beside the stake', async () => {
      await builder.choose(2, 'board')
      const closed = page.getByRole('button', { name: `05 ${t('entry.board.grey')}` })
      await expect(closed).toBeVisible()
      const half = page.getByRole('button', { name: `50 ${t('entry.board.half')}` })
      await expect(half).toBeVisible()
      // One tab stop for a hundred numbers, which moves with the focus; the arrows lead to the others.
      const tabStop = page.locator('fieldset:has([aria-pressed]) button[tabindex="0"][aria-pressed]')
      await expect(tabStop).toHaveText(/^00/)
      await tabStop.focus()
      for (const key of ['ArrowDown', 'ArrowRight', 'End', 'ArrowLeft']) await page.keyboard.press(key)
      await expect(tabStop).toHaveText(/^98/)
      await expect(tabStop).toBeFocused()
      await bet.input.press(closed)
      await builder.tap(['06', '07'])
      await checkScreen(page, info, `bet-board-${language}`)
      await builder.amount('top').fill('20')
      await builder.addEntry()
      const slip = new SlipList(page)
      await expect.poll(() => slip.stakes()).toEqual(['05 20', '06 20', '07 20'])
      await expect(slip.list.getByText(t('bet.problem.number_closed'))).toHaveCount(1)
      await checkScreen(page, info, `bet-builder-${language}`)
      await bet.input.press(half)
      await builder.amount('top').fill('')
      await builder.amount('bottom').fill('20')
      await expect(page.getByRole('listitem').filter({ hasText: `50${t('entry.board.half')}` })).toBeVisible()
      await checkScreen(page, info, `bet-half-${language}`)
      await builder.addEntry()
      await expect(slip.list.getByText(t('entry.board.half'), { exact: true })).toHaveCount(1)
      await builder.amount('bottom').fill('')
    })

    await test.step('missing input is reported', async () => {
      await builder.choose(2, 'nineteen_doors')
      await builder.amount('top').fill('')
      await builder.addEntry()
      await expect(page.getByText(t('entry.problem.too_few_digits', { digits: 1 }))).toBeVisible()
      await builder.text.fill('5')
      await builder.addEntry()
      await expect(page.getByText(t('entry.problem.no_stake'))).toBeVisible()
      await builder.choose(3, 'jubwin_3d')
      await builder.tap(['1', '2'])
      await builder.addEntry()
      await expect(page.getByText(t('entry.problem.too_few_digits', { digits: 3 }))).toBeVisible()
    })
  })

  test('the keypad: complete numbers are added, the last amount repeats, the slip is in its sheet', async ({
    page,
    url,
    office,
    isPhone,
    openShownPeriod,
  }, info) => {
    const product_code = marketOf(isPhone)
    const { period_code } = await openShownPeriod(product_code, roundOf(info.project.name, firstRound + 2))
    await office.setNumber(period_code, { bet_type: '2top', number: '99', set_to: 'half' })
    await office.setNumber(period_code, { bet_type: '2top', number: '88', set_to: 'closed' })
    await signIn(page, url, memberOf(info.project.name, slot), language)
    const bet = betPageOf(page, isPhone, language)
    const keypad = new Keypad(page, isPhone, t)
    const slip = new SlipList(page)
    await bet.open(product_code, 'mobile')
    await bet.choosePackage('90')
    await checkScreen(page, info, `bet-keypad-empty-${language}`)
    if (isPhone) {
      const normal = page.viewportSize()!
      for (const height of [normal.height, 640]) {
        await test.step(`everything a number needs is visible on a phone ${height} px high`, async () => {
          await page.setViewportSize({ ...normal, height })
          await expect.poll(() => keypad.findHidden()).toEqual([])
          await checkWidth(page, info, `bet-keypad-${height}-${language}`)
        })
      }
      await page.setViewportSize(normal)
    }

    // A new member bets on the top alone, until the bottom has a price too.
    await keypad.key('45')
    await expect(page.getByText(t('entry.keypad.needs_amount'), { exact: true })).toBeVisible()
    await keypad.quick(20)
    await expect(bet.totalNet).toHaveText('20.00')
    await keypad.choose('bottom')
    await keypad.quick(20)
    // Top and bottom.
    await expect(bet.totalNet).toHaveText('40.00')
    await keypad.key('67')
    await expect(bet.totalNet).toHaveText('80.00')
    await keypad.quick(50)
    await keypad.quick(50)
    await expect(bet.totalNet).toHaveText('140.00')
    await keypad.undo()
    await expect(bet.totalNet).toHaveText('80.00')
    // What is taken back does not stand for the next number.
    await expect(keypad.price('top')).toContainText('20')
    // Other prices, typed digit by digit, apply to the following numbers.
    for (const _price of ['top', 'bottom']) {
      await keypad.press(t('entry.keypad.next_price'))
      await keypad.key('35')
    }
    await keypad.press(t('entry.keypad.done'))
    await keypad.press(t('entry.builder.reverse'))
    await keypad.key('12')
    await expect(bet.totalNet).toHaveText('220.00')
    // Keys of a keyboard do the same.
    await keypad.number.focus()
    await keypad.press(t('entry.builder.reverse'))
    await page.keyboard.type('99')
    await expect(bet.totalNet).toHaveText('290.00')
    const added = (number: string) => page.getByTestId('running-row').filter({ hasText: number })
    await page.keyboard.type('88')
    await expect(added('88')).toContainText(t('entry.board.grey'))
    await expect(added('99')).toContainText(t('entry.board.half'))
    await checkScreen(page, info, `bet-keypad-${language}`)
    await keypad.undo()
    await expect(bet.totalNet).toHaveText('290.00')

    await keypad.press(new RegExp(`^${t('bet.view.slip')} \\d`))
    await expect
      .poll(() => slip.stakes())
      .toEqual([...['45 20', '67 20', '12 35', '21 35', '99 35'], ...['45 20', '67 20', '12 35', '21 35', '99 35']])
    await slip.list.getByRole('textbox').nth(2).fill('3')
    await expect(slip.list.getByText(t('bet.problem.under_min', { limit: '5' }))).toBeVisible()
    await slip.list.getByRole('textbox').nth(2).fill('40')
    await bet.input.press(slip.list.getByRole('button', { name: t('entry.list.remove', { number: '99' }) }).first())
    await expect(page.getByRole('dialog').getByText('260.00').first()).toBeVisible()
    await checkScreen(page, info, `bet-slip-sheet-${language}`)
    await bet.input.press(page.getByRole('dialog').getByRole('button', { name: t('bet.totals.submit') }))
    await expect(bet.orderId).toBeVisible()
    await bet.closeAnswer()
    await expect(bet.totalNet).toHaveText('0.00')
  })

  test('a ticket of 20 lines from the log-in on, without a mouse', async ({ page, isPhone, openShownPeriod }, info) => {
    const product_code = marketOf(isPhone)
    await openShownPeriod(product_code, roundOf(info.project.name, firstRound + 3))
    const login = new LoginPage(page, language)
    await page.goto('/live')
    await page.evaluate((chosen) => localStorage.setItem('megalot.language', chosen), language)
    await login.open()
    await login.username.focus()
    await page.keyboard.type(memberOf(info.project.name, slot))
    await page.keyboard.press('Tab')
    await page.keyboard.type('demo1234')
    await login.captcha.focus()
    await page.keyboard.type('abcd')
    await page.keyboard.press('Enter')
    const market = page.locator(`a[href="/bet/${product_code}"]`).first()
    await market.focus()
    await page.keyboard.press('Enter')
    const bet = betPageOf(page, isPhone, language)
    await bet.submit.waitFor()
    // From the style of this device on to the grid.
    const grid = page.locator('input[type=radio][value=grid]')
    while (!(await grid.isChecked())) await page.keyboard.press('Alt+s')
    await bet.cell(0, 'number').waitFor()
    await page.getByTestId('rate').focus()
    await page.keyboard.press('Enter')
    await page.getByTestId('rate-90').focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('dialog')).toBeHidden()
    await page.keyboard.press('Alt+n')
    await expect(bet.cell(0, 'number')).toBeFocused()
    for (let line = 0; line < 20; line += 1) {
      await page.keyboard.type(String(line + 30))
      await page.keyboard.press('Enter')
      await page.keyboard.type('10')
      // Down to the next row's amount, and left to its number.
      await page.keyboard.press('ArrowDown')
      if (line < 19) await expect(bet.cell(line + 1, 'number')).toBeFocused()
    }
    await expect(bet.totalNet).toHaveText('200.00')

    await page.keyboard.press('?')
    await expect(page.getByRole('dialog', { name: t('entry.tools.title.help') })).toBeVisible()
    await checkScreen(page, info, `bet-help-${language}`)
    await page.keyboard.press('Escape')
    await bet.cell(4, 'top').focus()
    await page.keyboard.press('Alt+r')
    await expect(bet.cell(5, 'number')).toHaveValue('43')
    await expect(bet.totalNet).toHaveText('210.00')
    await bet.cell(4, 'number').focus()
    await page.keyboard.press('Control+Delete')
    await expect(bet.cell(4, 'number')).toHaveValue('43')
    await page.keyboard.press('Control+z')
    await expect(bet.cell(4, 'number')).toHaveValue('34')
    await page.keyboard.press('Control+z')
    await expect(bet.cell(5, 'number')).toHaveValue('35')
    await expect(bet.totalNet).toHaveText('200.00')
    await page.keyboard.press('Control+Enter')
    await expect(bet.orderId).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(bet.cell(0, 'number')).toHaveValue('')
    // The next ticket is typed at once.
    await expect(bet.cell(0, 'number')).toBeFocused()
  })

  test('import, number sets, repeating, duplicates and problems beside their rows', async ({
    page,
    url,
    isPhone,
    openShownPeriod,
  }, info) => {
    const product_code = marketOf(isPhone)
    const period = await openShownPeriod(product_code, roundOf(info.project.name, firstRound + 4))
    const api = await signIn(page, url, memberOf(info.project.name, slot), language)
    const bet = betPageOf(page, isPhone, language)
    const slip = new SlipList(page)
    const use = (name: string) => bet.input.press(page.getByRole('toolbar').getByRole('button', { name }))
    const dialog = page.getByRole('dialog')
    await bet.open(product_code, 'builder')
    await bet.choosePackage('90')

    await test.step('nothing is imported without a preview', async () => {
      await use(t('entry.tools.import'))
      await dialog
        .getByRole('textbox')
        .fill('12=50*50\n123 100 0 100\nx5=20*20\nสมชาย 12=50\n123x10x10\nx12 10\n12=5*5*5*5*9')
      await expect(page.getByTestId('import-summary')).toHaveText(
        `${t('import.summary', { lines: 7, items: 42, dropped: 1 })} ${t('import.in_error', { errors: 3 })}`,
      )
      // Half under the sheet's foot it would be too small a target.
      await dialog.getByRole('button', { name: t('import.largest_first') }).scrollIntoViewIfNeeded()
      await checkScreen(page, info, `bet-import-${language}`)
      // The member must say what 123 100 100 means.
      await dialog.getByRole('textbox').fill('123 100 100')
      await expect(dialog.getByText(t('import.failed'))).toBeVisible()
      await bet.input.tick(dialog.getByRole('checkbox', { name: t('import.second_roll') }))
      await expect(page.getByTestId('import-summary')).toContainText(language === 'th' ? 'ได้ 2 รายการ' : '2 items made')
      // The link of a wrong line selects it in the text: what is typed replaces it.
      await dialog.getByRole('textbox').fill('12=50*50\n1. 34=20')
      await bet.input.press(page.getByTestId('import-errors').getByRole('button'))
      await expect(dialog.getByRole('textbox')).toBeFocused()
      await page.keyboard.type('34=20')
      await expect(dialog.getByRole('textbox')).toHaveValue('12=50*50\n34=20')
      await expect(page.getByTestId('import-errors')).toBeHidden()
      await expect(page.getByTestId('import-lines')).toContainText(
        language === 'th' ? '2 ตัวบน 50 2 ตัวล่าง 50' : '2 top 50 2 bottom 50',
      )
      await bet.input.press(page.getByTestId('import-add'))
      await expect.poll(() => slip.stakes()).toEqual(['12 50', '34 20', '12 50'])
    })

    await test.step('a set of numbers is saved and used', async () => {
      await use(t('entry.tools.sets'))
      await dialog.getByLabel(t('entry.sets.name')).fill('ประจำ')
      await page.keyboard.press('Enter')
      await expect(dialog.getByRole('button', { name: /^ประจำ/ })).toBeVisible()
      await checkScreen(page, info, `bet-sets-${language}`)
      await bet.input.press(dialog.getByRole('button', { name: /^ประจำ/ }))
      await expect(page.getByText(t('entry.duplicate.title', { count: 3 }))).toBeVisible()
    })

    await test.step('duplicates are merged, or kept separate on request', async () => {
      await bet.input.press(page.getByRole('button', { name: t('entry.duplicate.merge') }))
      await expect.poll(() => slip.stakes()).toEqual(['12 100', '34 40', '12 100'])
      await use(t('entry.tools.undo'))
      await bet.input.press(page.getByRole('button', { name: t('entry.duplicate.keep') }))
      await expect(page.getByText(t('bet.refusal.duplicate'))).toBeHidden()
      await expect.poll(() => slip.stakes()).toHaveLength(6)
      await use(t('entry.tools.clear'))
    })

    await test.step('the last ticket is put on the slip again', async () => {
      await api.call(placeOrder, {
        body: {
          request_id: randomUUID(),
          period_code: period.period_code,
          package_code: '90',
          items: [
            { bet_type: '2top', number: '77', bet_satang: 1_500, rate: 9_000 },
            { bet_type: '3roll', number: '123', bet_satang: 2_500, rate: 15_000 },
          ],
        },
      })
      await use(t('entry.tools.repeat'))
      await expect(bet.totalNet).toHaveText('40.00')
      await expect.poll(() => slip.stakes()).toEqual(['123 25', '77 15'])
    })

    await test.step('style A shows beside a row what is wrong with it, and how much is still accepted', async () => {
      await use(t('entry.tools.clear'))
      await bet.chooseStyle('grid')
      await bet.cell(0, 'number').fill('12')
      await bet.cell(0, 'top').fill('10')
      await expect(page.getByText(t('bet.grid.room', { room: '9,990' }))).toBeVisible()
      await bet.cell(1, 'number').fill('34')
      await bet.cell(1, 'top').fill('20000')
      await expect(page.getByText(t('bet.problem.over_max', { limit: '10,000' }))).toBeVisible()
      await bet.cell(2, 'number').fill('56')
      await bet.cell(2, 'top').fill('1')
      await expect(page.getByText(t('bet.problem.under_min', { limit: '5' }))).toBeVisible()
      await expect(page.getByTestId('announcer')).toContainText(t('bet.problem.under_min', { limit: '5' }))
      await bet.cell(3, 'number').fill('12')
      await bet.cell(3, 'top').fill('10')
      await expect(page.getByText(t('bet.problem.duplicate')).first()).toBeVisible()
      await checkScreen(page, info, `bet-grid-problems-${language}`)
      await page.getByText(t('entry.many.title')).click()
      await page.getByTestId('entry-text').fill('5')
      await bet.input.tick(page.getByRole('checkbox', { name: t('entry.many.doors'), exact: true }))
      await page.getByTestId('amount-top').fill('5')
      await bet.input.press(page.getByTestId('add-many'))
      await expect(bet.cell(4, 'number')).toHaveValue('50')
      await expect(bet.cell(22, 'number')).toHaveValue('95')
    })
  })
}
