// Goal: a Monday of receipts. An agent pastes what its members have paid, saves it in one call, and no credit limit changes. On a
// phone the full amount is received by two taps, and can be taken back before it is sent.

import { getPerson, getWeekSheet, type Language } from '@megalot/contract'
import type { Page } from '@playwright/test'
import { logInThroughApi } from '../api.ts'
import { checkScreen } from '../check-screen.ts'
import { enterHouse, expect, test } from '../fixtures.ts'
import { openAs } from '../pages/session.ts'
import { bahtText, wordsOf } from '../pages/words.ts'

// One house and one agent: its journeys run one after another.
test.describe.configure({ mode: 'serial' })

let house: Awaited<ReturnType<typeof enterHouse>>
test.beforeAll(async () => {
  house = await enterHouse('money')
})
test.afterAll(() => house.leave())

const amountOf = (satang: number) => (satang / 100).toFixed(2)

async function openAgent(page: Page, language: Language) {
  const api = await logInThroughApi(house.url, 'agent01', language)
  await openAs(page, api, language)
  const readSheet = () => api.callWhole(getWeekSheet, { query: {} })
  const limitOf = async (user_id: number) =>
    (await api.call(getPerson, { params: { user_id: String(user_id) } })).credit_limit_satang
  return { readSheet, limitOf }
}

test('receipts of a Monday are pasted and saved at once @desktop-only', async ({ page }, info) => {
  const t = wordsOf('th')
  const { readSheet, limitOf } = await openAgent(page, 'th')
  await page.goto(`${house.url}/console/`)
  await expect(page.getByRole('heading', { level: 1, name: t('home.title') })).toBeVisible()
  await checkScreen(page, info, 'money-home-th')

  const before = await readSheet()
  const [first, second] = before.data.filter(({ balance_satang }) => balance_satang !== 0)
  await page.goto(`${house.url}/console/money`)
  const fieldOf = (name: string) => page.getByLabel(t('sheet.amount_of', { name }), { exact: true })
  await expect(fieldOf(first!.username)).toBeVisible()
  await checkScreen(page, info, 'money-sheet-th')
  // One is settled in full, the other by a part, and a third line names nobody.
  const part_satang = Math.sign(second!.balance_satang) * 100
  const lines = [
    `${first!.username}\t${amountOf(first!.balance_satang)}`,
    `${second!.username}\t${amountOf(part_satang)}`,
    'nobody99\t5',
  ]
  await fieldOf(first!.username).focus()
  await page.evaluate((text) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', text)
    document.activeElement!.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
    )
  }, lines.join('\n'))
  await expect(page.getByTestId('sheet-bar')).toContainText('2')
  await expect(page.getByText('nobody99')).toBeVisible()
  const limits = await Promise.all([first!, second!].map(({ user_id }) => limitOf(user_id)))
  await page.keyboard.press('Control+Enter')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByTestId('payment-count')).toHaveText(t('sheet.save.will', { ok: 2, refused: 0 }))
  await checkScreen(page, info, 'money-preview-th')
  const save = dialog.getByRole('button', { name: t('sheet.save.confirm', { count: 2 }) })
  await expect(save).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  await expect(page.getByTestId('sheet-bar')).toHaveCount(0)
  const after = await readSheet()
  const balanceOf = (user_id: number) => after.data.find((row) => row.user_id === user_id)!.balance_satang
  expect(balanceOf(first!.user_id)).toBe(0)
  expect(balanceOf(second!.user_id)).toBe(second!.balance_satang - part_satang)
  expect(await Promise.all([first!, second!].map(({ user_id }) => limitOf(user_id)))).toEqual(limits)
  // The last payment of the caller is taken back by its key.
  await page.keyboard.press('z')
  await dialog.getByLabel(t('common.reason.label')).fill('กรอกผิดคน')
  await dialog.getByRole('button', { name: t('sheet.reverse.confirm') }).click()
  await expect(dialog).toBeHidden()
  const reversed = await readSheet()
  expect(reversed.sums.net_satang).not.toBe(after.sums.net_satang)
})

test('one payment shows its consequence and gives a receipt @desktop-only', async ({ page }, info) => {
  const t = wordsOf('en')
  const { readSheet, limitOf } = await openAgent(page, 'en')
  const row = (await readSheet()).data.findLast(({ balance_satang }) => balance_satang !== 0)!
  const { user_id, balance_satang } = row
  const limit = await limitOf(user_id)
  const direction = balance_satang > 0 ? 'receive' : 'pay'
  await page.goto(`${house.url}/console/people/${user_id}?money=${direction}`)
  const dialog = page.getByRole('dialog')
  const amount = bahtText(Math.abs(balance_satang))
  await expect(dialog.getByTestId('payment-effect')).toContainText(t('sheet.pay.effect.limit'))
  await expect(dialog.getByTestId('payment-effect')).toContainText(t('money.balance.clear'))
  await checkScreen(page, info, 'money-payment-en')
  await dialog.getByRole('button', { name: t(`sheet.pay.confirm_${direction}`, { amount }) }).click()
  await expect(dialog.getByTestId('receipt-picture')).toBeVisible()
  await dialog.getByRole('button', { name: t('sheet.receipt.close') }).click()
  expect((await readSheet()).data.find((one) => one.user_id === user_id)!.balance_satang).toBe(0)
  expect(await limitOf(user_id)).toBe(limit)
  await page.goto(`${house.url}/console/people/${user_id}?tab=money`)
  await expect(page.getByRole('table', { name: t('sheet.person.payments') }).or(page.getByRole('table'))).toBeVisible()
  await checkScreen(page, info, 'money-profile-en')
})

test('a payment far past 0 is sent for approval, and withdrawn on the home @desktop-only', async ({ page }, info) => {
  const t = wordsOf('th')
  const { readSheet } = await openAgent(page, 'th')
  const { user_id, username, balance_satang } = (await readSheet()).data[0]!
  await page.goto(`${house.url}/console/people/${user_id}?money=receive`)
  const dialog = page.getByRole('dialog')
  const baht = Math.max(0, Math.ceil(balance_satang / 100)) + 20_000
  await dialog.getByLabel(t('sheet.pay.amount')).fill(String(baht))
  await dialog.getByRole('radio', { name: t('sheet.pay.yesterday') }).check()
  await dialog.getByRole('button', { name: t('sheet.pay.confirm_receive', { amount: bahtText(baht * 100) }) }).click()
  await dialog.getByLabel(t('common.reason.label')).fill('จ่ายล่วงหน้า')
  await dialog.getByRole('button', { name: t('sheet.propose.send') }).click()
  await expect(dialog).toBeHidden()

  await page.goto(`${house.url}/console/home`)
  const waiting = page.getByRole('region', { name: t('home.proposals.title') })
  await expect(waiting).toContainText(username)
  await checkScreen(page, info, 'money-home-proposal-th')
  await waiting.getByRole('button', { name: t('home.proposals.withdraw_of', { name: username }) }).click()
  await dialog.getByLabel(t('common.reason.label')).fill('กรอกผิด')
  await dialog.getByRole('button', { name: t('home.proposals.withdraw') }).click()
  await expect(waiting).toHaveCount(0)
  expect((await readSheet()).data.find((one) => one.user_id === user_id)!.balance_satang).toBe(balance_satang)
})

for (const language of ['th', 'en'] as const)
  test(`two taps on a phone receive the full amount, and one takes it back (${language}) @phone-only`, async ({
    page,
  }, info) => {
    const t = wordsOf(language)
    const { readSheet } = await openAgent(page, language)
    await page.goto(`${house.url}/console/home`)
    await checkScreen(page, info, `money-home-${language}`)
    const row = (await readSheet()).data.find(({ balance_satang }) => balance_satang !== 0)!
    const { user_id, username: name, balance_satang } = row
    const kind = balance_satang > 0 ? 'collect' : 'pay'
    await page.goto(`${house.url}/console/money`)
    const line = page.locator(`[data-user="${user_id}"]`)
    const tap = async () => {
      await line.getByRole('button', { name: t(`sheet.tap.${kind}_of`, { name }) }).tap()
      await line
        .getByRole('button', { name: t('sheet.tap.full', { amount: bahtText(Math.abs(balance_satang)) }) })
        .tap()
    }
    await expect(line).toBeVisible()
    expect((await line.boundingBox())!.height).toBeLessThanOrEqual(65)
    await checkScreen(page, info, `money-sheet-${language}`)
    await tap()
    await line.getByRole('button', { name: t('sheet.tap.undo') }).tap()
    await expect(line.getByTestId('held-payment')).toHaveCount(0)
    expect((await readSheet()).data.find((one) => one.user_id === user_id)!.balance_satang).toBe(balance_satang)
    await tap()
    await expect(line.getByTestId('held-payment')).toBeVisible()
    // Settled, the row leaves the list of balances.
    await expect(line).toHaveCount(0, { timeout: 15_000 })
    expect((await readSheet()).data.find((one) => one.user_id === user_id)!.balance_satang).toBe(0)
  })
