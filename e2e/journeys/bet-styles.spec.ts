// Goal: each way to enter numbers makes the slip it promises, on a phone with a finger and on a desktop with keys; what
// is wrong is said where it is; and the house's yellow and grey numbers are seen before anything is sent.

import { type Period, placeOrder } from '@megalot/contract'
import { randomUUID } from 'node:crypto'
import { Api } from '../api.ts'
import { checkScreen } from '../check-screen.ts'
import { expect, memberOf, roundOf, test } from '../fixtures.ts'
import { betPageOf } from '../pages/bet-page.ts'
import { Builder, Keypad, SlipList } from '../pages/entry-styles.ts'
import { LoginPage } from '../pages/login-page.ts'
import { readSessionId } from '../pages/session.ts'

// Many steps share one log-in: on a busy machine they take longer than a usual journey.
test.setTimeout(240_000)

const slot = 3
/** A market of its own for each project, so that no other journey's period is shown instead. */
const marketOf = (isPhone: boolean): string => (isPhone ? 'germany' : 'russia')
/** Each journey's period closes well before the last one's, so that it is the one on screen. */
const fiveMinutesMs = 5 * 60_000

test('style B: every mode of the catalogue, live counts, the board with its marks', async ({
  page,
  office,
  isPhone,
}, info) => {
  const product_code = marketOf(isPhone)
  const { period_code } = await office.openPeriod(product_code, roundOf(info.project.name, 1), 5 * fiveMinutesMs)
  await office.setNumber(period_code, { bet_type: '2top', number: '05', set_to: 'closed' })
  await office.setNumber(period_code, { bet_type: '2bottom', number: '50', set_to: 'half' })
  await new LoginPage(page).logIn(memberOf(info.project.name, slot))
  const bet = betPageOf(page, isPhone)
  const builder = new Builder(page)
  const clear = page.getByRole('button', { name: 'ล้างโพย' })
  await bet.open(product_code, 'builder')
  await bet.choosePackage('90')

  // Way, what is typed, what is tapped, and how many numbers there must be: the counts of the rules.
  const entries: readonly [1 | 2 | 3, string, string, readonly string[], number][] = [
    [3, 'six_doors', '123', [], 6],
    [3, 'six_doors', '112', [], 3],
    [3, 'triple', '', [], 10],
    [3, 'jubwin_3d', '', ['1', '2', '3', '4'], 24],
    [3, 'jubwin_3d', '', ['1', '2', '3', 'รวมเบิ้ล/ตอง'], 27],
    [3, 'jubwin_3d_two_tails', '', ['0', '1', '2', '3', '4', '5', '6'], 420],
    [2, 'nineteen_doors', '5', [], 19],
    [2, 'fix_front', '7', [], 10],
    [2, 'fix_back', '7', [], 10],
    [2, 'double', '', [], 10],
    [2, 'low', '', [], 50],
    [2, 'high', '', [], 50],
    [2, 'odd', '', [], 50],
    [2, 'even', '', [], 50],
    [2, 'jubwin_2d', '', ['1', '2', '3'], 6],
    [2, 'typed', '12 ๓๔ 1256', [], 3],
    [1, 'typed', '7 8', [], 2],
  ]
  for (const [digits, way, text, taps, count] of entries) {
    await test.step(`${way} ${text}${taps.join('')}`, async () => {
      await builder.choose(digits, way)
      if (text !== '') await builder.text.fill(text)
      for (const tap of taps) {
        if (/^\d$/.test(tap)) await builder.tap([tap])
        else await page.getByText(tap, { exact: true }).click()
      }
      await expect(builder.count).toHaveText(`${count} เลข`)
      await builder.amount('top').fill('5')
      await builder.add.click()
      // At the rates of this package there is no discount: the net is what was staked.
      await expect(bet.totalNet).toHaveText(`${(count * 5).toLocaleString('en-US')}.00`)
      await expect(page.getByTestId('announcer')).toContainText(`${count} รายการ`)
      await clear.click()
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
    await clear.click()
    await builder.amount('roll').fill('')
  })

  await test.step('the board shows what is nearly full and what is closed, and warns beside the stake', async () => {
    await builder.choose(2, 'board')
    const closed = page.getByRole('button', { name: '05 ปิดรับ' })
    await expect(closed).toBeVisible()
    await expect(page.getByRole('button', { name: '50 ใกล้เต็ม' })).toBeVisible()
    await closed.click()
    await builder.tap(['06', '07'])
    await checkScreen(page, info, 'bet-board')
    await builder.amount('top').fill('20')
    await builder.add.click()
    const slip = new SlipList(page)
    expect(await slip.stakes()).toEqual(['05 20', '06 20', '07 20'])
    await expect(slip.list.getByText('เลขปิดรับ จะไม่ได้รับยอด')).toHaveCount(1)
    await checkScreen(page, info, 'bet-builder')
  })

  await test.step('what is missing is said', async () => {
    await builder.choose(2, 'nineteen_doors')
    await builder.amount('top').fill('')
    await builder.add.click()
    await expect(page.getByText('ต้องใส่เลขอย่างน้อย 1 ตัว')).toBeVisible()
    await builder.text.fill('5')
    await builder.add.click()
    await expect(page.getByText('กรุณาใส่จำนวนเงินอย่างน้อยหนึ่งช่อง')).toBeVisible()
    await builder.choose(3, 'jubwin_3d')
    await builder.tap(['1', '2'])
    await builder.add.click()
    await expect(page.getByText('ต้องใส่เลขอย่างน้อย 3 ตัว')).toBeVisible()
  })
})

test('the keypad: numbers are taken when complete, the last amount repeats, the slip is in its sheet', async ({
  page,
  isPhone,
  office,
}, info) => {
  const product_code = marketOf(isPhone)
  await office.openPeriod(product_code, roundOf(info.project.name, 2), 4 * fiveMinutesMs)
  await new LoginPage(page).logIn(memberOf(info.project.name, slot))
  const bet = betPageOf(page, isPhone)
  const keypad = new Keypad(page)
  const slip = new SlipList(page)
  await bet.open(product_code, 'mobile')
  await bet.choosePackage('90')
  await checkScreen(page, info, 'bet-keypad-empty')

  await keypad.press('45')
  await expect(page.getByText('ใส่จำนวนเงิน', { exact: true })).toBeVisible()
  await keypad.button('ใส่ 20 บาท').click()
  // Top and bottom.
  await expect(bet.totalNet).toHaveText('40.00')
  await keypad.press('67')
  await expect(bet.totalNet).toHaveText('80.00')
  await keypad.button('ใส่ 50 บาท').click()
  await expect(bet.totalNet).toHaveText('140.00')
  await keypad.undo.click()
  await expect(bet.totalNet).toHaveText('80.00')
  // Another amount, written digit by digit, holds for what follows.
  await keypad.button('แก้จำนวนเงิน').click()
  await keypad.press('35')
  await keypad.button('เสร็จ กลับไปใส่เลข').click()
  await keypad.button('กลับเลข').click()
  await keypad.press('12')
  await expect(bet.totalNet).toHaveText('220.00')
  // Keys of a keyboard do the same.
  await keypad.amount.focus()
  await page.keyboard.press('Tab')
  await keypad.button('กลับเลข').click()
  await page.keyboard.type('99')
  await expect(bet.totalNet).toHaveText('290.00')
  await checkScreen(page, info, 'bet-keypad')

  await keypad.button(/^โพย \d/).click()
  expect(await slip.stakes()).toEqual([
    ...['45 20', '67 20', '12 35', '21 35', '99 35'],
    ...['45 20', '67 20', '12 35', '21 35', '99 35'],
  ])
  await slip.list.getByRole('textbox').nth(2).fill('3')
  await expect(slip.list.getByText('ต่ำกว่าขั้นต่ำ 5')).toBeVisible()
  await slip.list.getByRole('textbox').nth(2).fill('40')
  await slip.list.getByRole('button', { name: 'ลบ 99' }).first().click()
  await expect(page.getByRole('dialog').getByText('260.00').first()).toBeVisible()
  await checkScreen(page, info, 'bet-slip-sheet')
  await page.getByRole('dialog').getByRole('button', { name: 'ส่งโพย' }).click()
  await expect(bet.orderId).toBeVisible()
  await bet.answer.getByRole('button', { name: 'แทงต่อ' }).click()
  await expect(bet.totalNet).toHaveText('0.00')
})

test('a ticket of 20 lines from the log-in on, without a mouse (en)', async ({ page, office, isPhone }, info) => {
  const product_code = marketOf(isPhone)
  await office.openPeriod(product_code, roundOf(info.project.name, 3), 3 * fiveMinutesMs)
  const login = new LoginPage(page, 'en')
  await login.open()
  await login.chooseLanguage('en')
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
  const bet = betPageOf(page, isPhone, 'en')
  await bet.submit.waitFor()
  // The grid is the next style from whichever this device uses.
  for (let turn = 0; turn < 3 && !(await bet.cell(0, 'number').isVisible()); turn += 1)
    await page.keyboard.press('Alt+s')
  const rates = page.getByRole('group', { name: 'Reward rate' }).getByRole('radio')
  await rates.last().focus()
  await page.keyboard.press('Space')
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
  await expect(page.getByRole('dialog', { name: 'Keyboard' })).toBeVisible()
  await checkScreen(page, info, 'bet-help')
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
})

test('import, number sets, repeating, duplicates and problems beside their rows', async ({
  page,
  url,
  office,
  isPhone,
}, info) => {
  const product_code = marketOf(isPhone)
  const period: Period = await office.openPeriod(product_code, roundOf(info.project.name, 4), 2 * fiveMinutesMs)
  await new LoginPage(page).logIn(memberOf(info.project.name, slot))
  const bet = betPageOf(page, isPhone)
  const slip = new SlipList(page)
  const tool = (name: string) => page.getByRole('toolbar').getByRole('button', { name })
  const dialog = page.getByRole('dialog')
  await bet.open(product_code, 'builder')
  await bet.choosePackage('90')

  await test.step('nothing is imported before it was seen', async () => {
    await tool('นำเข้า').click()
    await dialog
      .getByRole('textbox')
      .fill('12=50*50\n123 100 0 100\nx5=20*20\nสมชาย 12=50\n123x10x10\nx12 10\n12=5*5*5*5*9')
    await expect(page.getByTestId('import-summary')).toHaveText('อ่าน 7 บรรทัด ได้ 42 รายการ ข้าม 1 ผิด 3')
    await checkScreen(page, info, 'bet-import')
    // What 123 100 100 means is for the member to say.
    await dialog.getByRole('textbox').fill('123 100 100')
    await expect(dialog.getByText('นำเข้าไม่สำเร็จ กรุณาตรวจสอบข้อมูลอีกครั้ง')).toBeVisible()
    await dialog.getByText('เลข 3 ตัว จำนวนที่สองเป็นโต๊ด').click()
    await expect(page.getByTestId('import-summary')).toContainText('ได้ 2 รายการ')
    await dialog.getByRole('textbox').fill('12=50*50\n34=20')
    await page.getByTestId('import-add').click()
    expect(await slip.stakes()).toEqual(['12 50', '34 20', '12 50'])
  })

  await test.step('a set of numbers is kept and used', async () => {
    await tool('ชุดเลข').click()
    await dialog.getByLabel('ชื่อชุดเลข').fill('ประจำ')
    await page.keyboard.press('Enter')
    await expect(dialog.getByRole('button', { name: /^ประจำ/ })).toBeVisible()
    await checkScreen(page, info, 'bet-sets')
    await dialog.getByRole('button', { name: /^ประจำ/ }).click()
    await expect(page.getByText('พบเลขซ้ำ 3 เลข')).toBeVisible()
  })

  await test.step('duplicates are put together, or kept apart when the member says so', async () => {
    await page.getByRole('button', { name: 'รวมยอด' }).click()
    expect(await slip.stakes()).toEqual(['12 100', '34 40', '12 100'])
    await tool('เลิกทำ').click()
    await page.getByRole('button', { name: 'คงไว้ทั้งหมด' }).click()
    await expect(page.getByText('พบเลขซ้ำ')).toBeHidden()
    expect(await slip.stakes()).toHaveLength(6)
    await tool('ล้างโพย').click()
  })

  await test.step('the last ticket is put on the slip again', async () => {
    const api = new Api(url)
    api.sessionId = await readSessionId(page)
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
    await tool('ซ้ำบิลล่าสุด').click()
    await expect(bet.totalNet).toHaveText('40.00')
    expect(await slip.stakes()).toEqual(['123 25', '77 15'])
  })

  await test.step('style A says beside a row what is wrong with it, and how much is still taken', async () => {
    await tool('ล้างโพย').click()
    await bet.chooseStyle('grid')
    await bet.cell(0, 'number').fill('12')
    await bet.cell(0, 'top').fill('10')
    await expect(page.getByText('รับได้อีก 9,990')).toBeVisible()
    await bet.cell(1, 'number').fill('34')
    await bet.cell(1, 'top').fill('20000')
    await expect(page.getByText('เกินสูงสุด 10,000')).toBeVisible()
    await bet.cell(2, 'number').fill('56')
    await bet.cell(2, 'top').fill('1')
    await expect(page.getByText('ต่ำกว่าขั้นต่ำ 5')).toBeVisible()
    await expect(page.getByTestId('announcer')).toContainText('ต่ำกว่าขั้นต่ำ 5')
    await bet.cell(3, 'number').fill('12')
    await bet.cell(3, 'top').fill('10')
    await expect(page.getByText('เลขซ้ำในโพย').first()).toBeVisible()
    await checkScreen(page, info, 'bet-grid-problems')
    await page.getByText('ใส่หลายเลขพร้อมกัน').click()
    await page.getByTestId('entry-text').fill('5')
    await page.getByText('6/19 ประตู', { exact: true }).click()
    await page.getByTestId('amount-top').fill('5')
    await page.getByTestId('add-many').click()
    await expect(bet.cell(4, 'number')).toHaveValue('50')
    await expect(bet.cell(22, 'number')).toHaveValue('95')
  })
})
