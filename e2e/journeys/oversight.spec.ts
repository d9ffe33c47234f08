// Goal: the office's actions on results, tickets and shares need two people where they must, and the pages say so.

import { getOrder, getPeriod } from '@megalot/contract'
import { checkScreen } from '../check-screen.ts'
import { expect, test } from '../fixtures.ts'
import { anyRound, item, joinMember, placeTicket } from '../history.ts'
import { Input } from '../pages/input.ts'
import { newUsername } from '../pages/register-page.ts'
import { focusRow } from '../pages/rows.ts'
import { openAs } from '../pages/session.ts'

/** Markets of these journeys alone. */
const marketOf = (isPhone: boolean): string => (isPhone ? 'hang-seng-am' : 'hang-seng-pm')

test('a result is entered by two, and corrected by two (en) @desktop-only', async ({
  page,
  url,
  office,
  isPhone,
}, info) => {
  const input = new Input(page, isPhone)
  const product_code = marketOf(isPhone)
  const period = await office.openPeriod(product_code, anyRound())
  const { period_code } = period
  const member = await joinMember(url, office, newUsername(info.project.name, 'res'))
  await placeTicket(member, period, [item('3top', '123', 10), item('3top', '132', 10)])
  await office.closePeriod(period_code)
  const enter = async (top3: string, bottom2: string, reason?: string): Promise<void> => {
    await page.goto('/console/results')
    await page.getByLabel('Market').selectOption(product_code)
    await page.getByLabel('Period').selectOption(period_code)
    // A paid result has no form before somebody wants to correct it, but for the second of two people who do.
    const correct = page.getByRole('button', { name: 'Correct this result …' })
    await expect(correct.or(page.getByLabel('3 top'))).toBeVisible()
    if (await correct.isVisible()) await input.press(correct)
    await page.getByLabel('3 top').fill(top3)
    await page.getByLabel('2 bottom').fill(bottom2)
    if (reason !== undefined) {
      await page.getByLabel('Reason for the correction').fill(reason)
      // What it takes back and pays is read on any screen without scrolling sideways.
      const table = page.getByTestId('award-preview').locator('table')
      await expect(table).toContainText('5,500.00')
      const isCut = () => table.evaluate((one) => one.parentElement!.scrollWidth > one.parentElement!.clientWidth)
      const normal = page.viewportSize()!
      for (const width of isPhone ? [360, 390] : [normal.width]) {
        await page.setViewportSize({ ...normal, width })
        await checkScreen(page, info, `office-correction-preview-${width}`)
        expect(await isCut()).toBe(false)
      }
      await page.setViewportSize(normal)
    }
    await input.press(page.getByRole('button', { name: reason === undefined ? 'Enter result' : 'Correct result' }))
  }
  const [first, second] = office.apis
  const isSettled = async (): Promise<boolean> => {
    const { period } = await first.call(getPeriod, { params: { product_code, period_code } })
    return period.status === 'settled'
  }

  await openAs(page, first, 'en')
  await page.goto('/console/results')
  await page.getByLabel('Market').selectOption(product_code)
  await page.getByLabel('Period').selectOption(period_code)
  await expect(page.getByText('Its result can be entered from then on')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Enter result' })).toBeDisabled()
  await checkScreen(page, info, 'office-not-drawn')
  await office.holdDraw({ period_code })
  await enter('12', '34')
  await expect(page.getByText('3 top must have 3 digits')).toBeVisible()
  await enter('123', '45')
  await expect(page.getByText('Another office user must enter the same')).toBeVisible()
  expect(await isSettled()).toBe(false)
  await openAs(page, second, 'en')
  await enter('123', '45')
  await expect(page.getByTestId('paid-result')).toContainText('3 top 123')
  await expect.poll(isSettled).toBe(true)

  await enter('132', '45', 'two digits were swapped')
  await expect(page.getByText('Another office user must enter the same')).toBeVisible()
  await checkScreen(page, info, 'office-correction')
  await openAs(page, first, 'en')
  await enter('132', '45', 'two digits were swapped')
  await expect(page.getByTestId('paid-result')).toContainText('3 top 132')
  await page.goto('/awards')
  await expect(page.getByText('Corrected, was 123 / 45').first()).toBeVisible()
})

test('after the close a ticket is voided by two (th) @phone-only', async ({ page, url, office, isPhone }, info) => {
  const input = new Input(page, isPhone)
  const member = await joinMember(url, office, newUsername(info.project.name, 'voi'))
  const period = await office.openPeriod(marketOf(isPhone), anyRound())
  const { order_id } = await placeTicket(member, period, [item('2top', '12', 10)])
  await office.closePeriod(period.period_code)
  const status = async (): Promise<string> =>
    (await member.call(getOrder, { params: { order_id: String(order_id) } })).status
  const sheet = page.getByRole('dialog')
  const find = async (): Promise<void> => {
    await page.goto('/console/tickets')
    await page.getByLabel('เลขที่บิล ชื่อสมาชิก เลขที่แทง หมายเหตุ').fill(`#${order_id}`)
  }
  const asked = page.getByRole('link', { name: 'office01 ขอยกเลิกแล้ว รออีกคนอนุมัติ' }).first()
  const [first, second] = office.apis
  await openAs(page, first)
  await find()
  await input.press(page.getByRole('button', { name: `ยกเลิกหลังปิดรับ #${order_id}` }))
  await sheet.getByLabel('เหตุผล').fill('ระบบขัดข้อง')
  await input.press(sheet.getByRole('button', { name: 'ยกเลิกหลังปิดรับ' }))
  await expect(sheet).toBeHidden()
  await expect(asked).toBeVisible()
  expect(await status()).toBe('CONFIRMED')
  await openAs(page, second)
  await find()
  await expect(asked).toBeVisible()
  await checkScreen(page, info, 'office-void-asked')
  await input.press(asked)
  await expect(page).toHaveURL(/\/console\/approvals$/)
  // The address changes before the page does, and the list of tickets has a row of this ticket, too.
  await page
    .getByRole('grid', { name: 'รอตัดสิน' })
    .locator('[data-grid-row]')
    .filter({ hasText: `#${order_id}` })
    .locator('[data-row-name]')
    .click()
  await expect(sheet.getByText('ระบบขัดข้อง')).toBeVisible()
  await input.press(sheet.getByRole('button', { name: 'อนุมัติ', exact: true }))
  await expect(sheet).toBeHidden()
  expect(await status()).toBe('DELETED')
})

test("a level's share is seen and set with a reason (en) @phone-only", async ({ page, office, isPhone }, info) => {
  const input = new Input(page, isPhone)
  await openAs(page, office.apis[0], 'en')
  await page.goto('/console/people')
  await page.getByRole('searchbox').fill('agent01')
  await expect(page).toHaveURL(/search=agent01/)
  const row = page.locator('[data-grid-row]').filter({ hasText: 'agent01' }).first()
  await focusRow(row)
  await page.keyboard.press('Enter')
  await input.press(page.getByRole('link', { name: 'Packages and share' }))
  const open = page.getByRole('button', { name: 'Change the share' })
  await input.press(open)
  const sheet = page.getByRole('dialog')
  await sheet.getByLabel('Position (%)').fill('12.3')
  await sheet.getByLabel('Reason').fill('agreed on the phone')
  await input.press(sheet.getByRole('button', { name: 'Save' }))
  await expect(sheet.getByText('Must be 0 to 100 in steps of 0.5')).toBeVisible()
  await checkScreen(page, info, 'office-share')
  // Both devices set the same, whichever is first.
  await sheet.getByLabel('Position (%)').fill('12.5')
  await sheet.getByLabel('Line may hold at most (%)').fill('12')
  await input.press(sheet.getByRole('button', { name: 'Save' }))
  await expect(sheet.getByText('More than the line may hold')).toBeVisible()
  await sheet.getByLabel('Line may hold at most (%)').fill('20')
  await input.press(sheet.getByRole('button', { name: 'Save' }))
  await expect(sheet).toBeHidden()
  await input.press(open)
  await expect(sheet.getByLabel('Position (%)')).toHaveValue('12.5')
  await expect(sheet.getByLabel('Line may hold at most (%)')).toHaveValue('20')
  await expect(sheet.getByText('The upline can give up to 100 %')).toBeVisible()
})

test('a new agent gets no position above what its line may hold (th) @phone-only', async ({
  page,
  office,
  isPhone,
}, info) => {
  const input = new Input(page, isPhone)
  await openAs(page, office.apis[0], 'th')
  await page.goto('/console/people/new')
  const form = page.getByRole('form', { name: 'เปิดบัญชีใหม่' })
  const username = newUsername(info.project.name, 'line')
  await form.getByLabel('ชื่อผู้ใช้', { exact: true }).fill(username)
  await form.getByLabel('ชื่อที่แสดง').fill(username)
  await form.getByLabel('ระดับ', { exact: true }).selectOption({ label: 'ซูเปอร์ซีเนียร์' })
  await form.getByLabel('ถือสู้ (%)').fill('10')
  await expect(form.getByText('ให้ได้ไม่เกิน 100%')).toBeVisible()
  await input.press(form.getByRole('button', { name: 'เปิดบัญชี' }))
  await expect(form.getByText('เกินส่วนที่ทั้งสายถือได้')).toBeVisible()
  await checkScreen(page, info, 'office-new-agent-share')
  await form.getByLabel('ทั้งสายถือได้สูงสุด (%)').fill('30')
  await input.press(form.getByRole('button', { name: 'เปิดบัญชี' }))
  await expect(page.getByText(`เปิดบัญชี ${username} แล้ว`)).toBeVisible()
})
