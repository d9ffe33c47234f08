// Goal: a ticket is sent once whatever happens on its way, the member decides about what the house did not take whole,
// and the slip outlives everything but its sending: a crash, a lost session, another tab, a full device.

import { getOrder, listPeriodOrders, type Order, type Period, refusals } from '@megalot/contract'
import type { Page } from '@playwright/test'
import { Api, logInThroughApi } from '../api.ts'
import { checkScreen, keepPicture } from '../check-screen.ts'
import { expect, memberOf, roundOf, test } from '../fixtures.ts'
import type { Office } from '../office.ts'
import { betPageOf } from '../pages/bet-page.ts'
import { LoginPage } from '../pages/login-page.ts'
import { readSessionId } from '../pages/session.ts'

// Many steps share one log-in: on a busy machine they take longer than a usual journey.
test.setTimeout(240_000)

const slot = 4
/** A market of its own for each project, so that no other journey's period is shown instead. */
const marketOf = (isPhone: boolean): string => (isPhone ? 'uk' : 'india')
const fiveMinutesMs = 5 * 60_000

async function start(page: Page, url: string, office: Office, isPhone: boolean, projectName: string, round: number) {
  const product_code = marketOf(isPhone)
  // Each journey's period closes well before the last one's, so that it is the one on screen.
  const period = await office.openPeriod(product_code, roundOf(projectName, round), (6 - round) * fiveMinutesMs)
  await new LoginPage(page).logIn(memberOf(projectName, slot))
  const api = new Api(url)
  api.sessionId = await readSessionId(page)
  const bet = betPageOf(page, isPhone)
  await bet.open(product_code)
  await bet.choosePackage('90')
  return { product_code, period, api, bet }
}

async function listIds(api: Api, { period_code }: Period): Promise<number[]> {
  return (await api.call(listPeriodOrders, { query: { period_code } })).map(({ order_id }) => order_id)
}

test('what the house takes in part is confirmed, returned in part or whole, or cancelled', async ({
  page,
  url,
  office,
  isPhone,
}, info) => {
  const { product_code, period, api, bet } = await start(page, url, office, isPhone, info.project.name, 1)
  await office.setQuota({ product_code, bet_type: '2top', full_satang: 10_000, half_satang: 0 })
  await office.setNumber(period.period_code, { bet_type: '2bottom', number: '12', set_to: 'half' })
  await office.setNumber(period.period_code, { bet_type: '2top', number: '99', set_to: 'closed' })
  const decision = page.getByTestId('order-decision')
  const readOrder = async (): Promise<Order> =>
    api.call(getOrder, { params: { order_id: (await bet.orderId.textContent()) ?? '' } })

  /** Sends 150 on a number of which 100 are left, something at half pay, something closed, and something taken whole. */
  const send = async (number: string): Promise<void> => {
    await bet.fillGrid([
      { bet_type: '2top', number, bet_satang: 15_000 },
      { bet_type: '2bottom', number: '12', bet_satang: 2_000 },
      { bet_type: '2top', number: '99', bet_satang: 500 },
      { bet_type: '1top', number: '7', bet_satang: 1_000 },
    ])
    await bet.submit.click()
    await expect(decision).toBeVisible()
  }

  await test.step('everything confirmed', async () => {
    await send('41')
    await expect(decision.getByText('มีรายการที่ไม่ได้รับยอดจ่ายเต็มจำนวน')).toBeVisible()
    const row = decision.getByRole('row').filter({ hasText: '41' })
    if (!isPhone) await expect(row.getByRole('cell')).toContainText(['41', '150.00', '100.00', '90', '90'])
    await expect(decision.getByText('ดูอีก 1 รายการที่รับเต็ม')).toBeVisible()
    await expect(decision.getByRole('checkbox', { name: /99/ })).toBeDisabled()
    await checkScreen(page, info, 'bet-partial')
    await decision.getByRole('button', { name: 'ยืนยันทั้งหมด' }).click()
    await expect(decision).toBeHidden()
    const order = await readOrder()
    expect(order).toMatchObject({ status: 'CONFIRMED', received_satang: 10_000 + 2_000 + 1_000 })
    await bet.answer.getByRole('button', { name: 'แทงต่อ' }).click()
  })

  await test.step('one item returned, the rest confirmed', async () => {
    await send('42')
    await decision.getByRole('checkbox', { name: /42/ }).click()
    await decision.getByRole('button', { name: 'ยืนยัน 2 รายการ' }).click()
    await expect(decision).toBeHidden()
    const order = await readOrder()
    expect(order.status).toBe('CONFIRMED')
    expect(order.items.find(({ number }) => number === '42')).toMatchObject({ bet_satang: 0, status: 'returned' })
    await page.keyboard.press('Escape')
  })

  await test.step('everything returned', async () => {
    await send('43')
    await decision.getByRole('button', { name: 'คืนทั้งหมด' }).click()
    await page.getByRole('dialog', { name: 'คืนทุกรายการหรือไม่' }).getByRole('button', { name: 'คืนทั้งหมด' }).click()
    await expect(decision).toBeHidden()
    expect((await readOrder()).status).toBe('CANCELLED')
    await page.keyboard.press('Escape')
  })

  await test.step('left open, found again among the latest tickets, and cancelled there', async () => {
    await send('44')
    const order_id = (await bet.orderId.textContent()) ?? ''
    await bet.answer.getByRole('button', { name: 'ตัดสินใจภายหลัง' }).click()
    const latest = await bet.showLatest()
    await latest.getByText(`#${order_id}`).click()
    await decision.getByRole('button', { name: 'ยกเลิกบิล' }).click()
    await page.getByRole('dialog', { name: 'ยกเลิกบิลนี้หรือไม่' }).getByRole('button', { name: 'ยกเลิกบิล' }).click()
    await expect(decision).toBeHidden()
    expect((await api.call(getOrder, { params: { order_id } })).status).toBe('CANCELLED')
  })

  await test.step('a member who accepts anything is not asked', async () => {
    await bet.open(product_code)
    await page.getByLabel('ถ้ารับไม่เต็มหรืออัตราจ่ายเปลี่ยน').selectOption('accept')
    await bet.fillGrid([{ bet_type: '2top', number: '45', bet_satang: 15_000 }])
    await bet.submit.click()
    await expect(bet.orderId).toBeVisible()
    await expect(decision).toBeHidden()
    expect(await readOrder()).toMatchObject({ status: 'CONFIRMED', received_satang: 10_000 })
  })
})

test('a reply that is lost is found, and a ticket that never left is sent again only when asked', async ({
  page,
  url,
  office,
  isPhone,
  context,
}, info) => {
  const { period, api, bet } = await start(page, url, office, isPhone, info.project.name, 2)

  await test.step('the network fails after the server has the ticket', async () => {
    await page.route('**/api/order/create', async (route) => {
      await route.fetch()
      await context.setOffline(true)
      await route.abort()
    })
    await bet.fillGrid([{ bet_type: '2top', number: '51', bet_satang: 2_000 }])
    await bet.submit.click()
    await expect(bet.answer.getByText('รอการเชื่อมต่อ')).toBeVisible()
    await checkScreen(page, info, 'bet-waiting')
    await page.unroute('**/api/order/create')
    await context.setOffline(false)
    await expect(bet.orderId).toBeVisible()
    expect(await listIds(api, period)).toEqual([Number(await bet.orderId.textContent())])
    await page.keyboard.press('Escape')
    await expect(bet.cell(0, 'number')).toHaveValue('')
  })

  await test.step('the network fails before', async () => {
    await page.route('**/api/order/create', (route) => route.abort())
    await bet.fillGrid([{ bet_type: '2top', number: '52', bet_satang: 2_000 }])
    await bet.submit.click()
    await expect(bet.answer.getByText('ระบบไม่ได้รับโพยนี้')).toBeVisible()
    expect(await listIds(api, period)).toHaveLength(1)
    await page.unroute('**/api/order/create')
    await bet.answer.getByRole('button', { name: 'ส่งอีกครั้ง' }).click()
    await expect(bet.orderId).toBeVisible()
    expect(await listIds(api, period)).toHaveLength(2)
    await page.keyboard.press('Escape')
  })

  await test.step('a device without room says so, and sends nothing', async () => {
    await bet.fillGrid([{ bet_type: '2top', number: '53', bet_satang: 2_000 }])
    await page.evaluate(() => {
      for (let size = 1 << 20; size > 0; size >>= 1)
        try {
          for (let part = 0; part < 20; part += 1) localStorage.setItem(`fill.${size}.${part}`, 'x'.repeat(size))
        } catch {
          // Smaller pieces fill what is left.
        }
    })
    await bet.cell(0, 'top').fill('2500')
    await expect(page.getByText('เครื่องนี้เก็บโพยไม่ได้')).toBeVisible()
    await bet.submit.click()
    await expect(bet.answer.getByText('ที่เก็บข้อมูลของเครื่องนี้เต็ม')).toBeVisible()
    await checkScreen(page, info, 'bet-no-room')
    expect(await listIds(api, period)).toHaveLength(2)
    await page.keyboard.press('Escape')
    await page.evaluate(() => {
      for (const key of Object.keys(localStorage)) if (key.startsWith('fill.')) localStorage.removeItem(key)
    })
    await bet.cell(0, 'top').fill('25')
    await expect(page.getByText('เครื่องนี้เก็บโพยไม่ได้')).toBeHidden()
    await bet.place()
    expect(await listIds(api, period)).toHaveLength(3)
  })
})

test('one slip in two tabs, after a crash, and after another device took the session', async ({
  page,
  url,
  office,
  isPhone,
  context,
}, info) => {
  const { product_code, period, api, bet } = await start(page, url, office, isPhone, info.project.name, 3)
  const other = await context.newPage()
  const otherBet = betPageOf(other, isPhone)

  await test.step('what one tab writes, the other shows; what one sends, the other no longer holds', async () => {
    await otherBet.open(product_code)
    await bet.fillGrid([{ bet_type: '2top', number: '61', bet_satang: 2_000 }])
    await expect(otherBet.cell(0, 'number')).toHaveValue('61')
    await expect(otherBet.cell(0, 'top')).toHaveValue('20')
    await bet.place()
    await expect(otherBet.cell(0, 'number')).toHaveValue('')
    expect(await listIds(api, period)).toHaveLength(1)
  })

  await test.step('a page that crashes has lost nothing', async () => {
    await otherBet.fillGrid([{ bet_type: '2bottom', number: '62', bet_satang: 3_000 }])
    await other.goto('chrome://crash').catch(() => undefined)
    const again = await context.newPage()
    const bets = betPageOf(again, isPhone)
    await bets.open(product_code)
    await expect(bets.cell(0, 'number')).toHaveValue('62')
    await expect(bets.cell(0, 'bottom')).toHaveValue('30')
    await again.close()
  })

  await test.step('a session that another device took leaves the slip where it is', async () => {
    // Sending is to be the first call of the lost session, before any that goes by itself.
    const holdReads = /\/(api|mgluser)\//
    await page.route(holdReads, (route) => (route.request().method() === 'GET' ? route.abort() : route.continue()))
    await logInThroughApi(url, memberOf(info.project.name, slot))
    await bet.submit.click()
    await expect(page).toHaveURL(/\/auth\/login/)
    await page.unroute(holdReads)
    await expect(page.getByText(refusals.session_replaced.th)).toBeVisible()
    const login = new LoginPage(page)
    await login.fill(memberOf(info.project.name, slot))
    await login.submit.click()
    await expect(page).toHaveURL(new RegExp(`/bet/${product_code}`))
    api.sessionId = await readSessionId(page)
    // The ticket was not taken, and is not sent again by itself.
    await expect(bet.answer.getByText('ระบบไม่ได้รับโพยนี้')).toBeVisible()
    await bet.answer.getByRole('button', { name: 'กลับไปที่โพย' }).click()
    await expect(bet.cell(0, 'number')).toHaveValue('62')
    expect(await listIds(api, period)).toHaveLength(1)
  })

  await test.step('a period that closes says so, and keeps what was drafted', async () => {
    await office.closePeriod(period.period_code)
    await page.reload()
    // Either the market has a next period, which offers the draft, or the closed one stays on screen with it.
    const offer = page.getByRole('button', { name: 'นำมาใช้กับงวดนี้' })
    const closed = page.getByText('งวดนี้ปิดรับแทงแล้ว')
    await expect(offer.or(closed).first()).toBeVisible()
    if (await offer.isVisible()) await offer.click()
    await expect(bet.cell(0, 'number')).toHaveValue('62')
  })
})

test('the page at 320 px, at 200 % zoom, in the dark and with large text', async ({
  page,
  url,
  office,
  isPhone,
}, info) => {
  const { bet } = await start(page, url, office, isPhone, info.project.name, 4)
  await bet.fillGrid([
    { bet_type: '2top', number: '71', bet_satang: 2_000 },
    { bet_type: '2bottom', number: '71', bet_satang: 100 },
    { bet_type: '3top', number: '123', bet_satang: 1_000_000 },
  ])
  const usual = page.viewportSize()!
  const looks: readonly [string, () => Promise<void>][] = [
    ['320', () => page.setViewportSize({ width: 320, height: 640 })],
    // Twice the size means half the room.
    ['zoom', () => page.setViewportSize({ width: 640, height: 400 })],
    [
      'dark',
      async () => {
        await page.setViewportSize(usual)
        await page.emulateMedia({ colorScheme: 'dark' })
      },
    ],
    ['large', () => page.evaluate(() => void (document.documentElement.style.fontSize = '150%'))],
  ]
  for (const [look, prepare] of looks) {
    await prepare()
    for (const style of ['grid', 'builder', 'mobile'] as const) {
      await bet.chooseStyle(style)
      await bet.submit.waitFor()
      // Colours are judged in the dark; the other looks change sizes only.
      const lookAt = look === 'dark' ? checkScreen : keepPicture
      await lookAt(page, info, `bet-${style}-${look}`)
    }
  }
})
