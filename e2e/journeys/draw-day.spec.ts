// Goal: the office watches a period on one page, closes it early, and two people enter its result by keyboard, each with a preview
// of what it pays; entries that differ are compared and removed; a correction shows what it takes back; a void shows what it refunds.

import { getPeriod, listWaitingDecisions, withdrawProposal } from '@megalot/contract'
import type { Locator, Page } from '@playwright/test'
import { checkScreen } from '../check-screen.ts'
import { desktopLanguage, expect, test } from '../fixtures.ts'
import { Gate, intercept } from '../intercept.ts'
import { anyRound, item, joinMember, placeTicket } from '../history.ts'
import { newUsername } from '../pages/register-page.ts'
import { focusRow } from '../pages/rows.ts'
import { openAs } from '../pages/session.ts'
import { like, wordsOf } from '../pages/words.ts'

/** A market of these journeys alone. */
const product_code = 'lao-vip'
const dayMs = 86_400_000

const language = desktopLanguage('th')
test(
  `a period from its close to its correction, by keyboard (${language})`,
  { tag: '@desktop-only' },
  async ({ page, url, office }, info) => {
    const t = wordsOf(language)
    const period = await office.openPeriod(product_code, anyRound())
    const { period_code } = period
    const member = await joinMember(url, office, newUsername(info.project.name, `day${language}`))
    // 3 top 895 pays 550 for 10; 2 top 95 pays 70 for 20.
    await placeTicket(member, period, [item('3top', '895', 10), item('2top', '95', 20)])
    const [first, second] = office.apis
    const preview = page.getByTestId('award-preview')
    const statusOf = async () => (await first.call(getPeriod, { params: { product_code, period_code } })).period.status

    await test.step('the day shows it, and it is closed early by keys', async () => {
      await openAs(page, first, language)
      await page.goto('/console/today?show=open&sort=tickets.desc')
      const row = page.locator(`[data-grid-row="${period_code}"]`)
      await expect(row).toBeVisible()
      await expect(row).toContainText('30.00')
      await checkScreen(page, info, `today-${language}`)
      await focusRow(row)
      await page.keyboard.press('c')
      await typeReason(page, page.getByLabel(t('common.reason.label')), 'the draw is early')
      await checkScreen(page, info, `today-close-${language}`)
      await page.keyboard.press('Enter')
      await expect(page.getByText(t('day.close.done'))).toBeVisible()
      await expect.poll(statusOf).toBe('closed')
    })

    await test.step('the figures of the closed period are sealed', async () => {
      await page.goto('/console/today?show=due&sort=close_at.desc&columns=period,close_at,tickets,stake_satang,seal')
      const row = page.locator(`[data-grid-row="${period_code}"]`)
      await expect(row.locator('[data-seal=sealed]')).toBeVisible()
      await focusRow(row)
      await page.keyboard.press('r')
      await expect(page.getByText(like(t('day.not_drawn', { time: '*' })))).toBeVisible()
      await office.holdDraw(period)
    })

    await test.step('the key R leads to its result: digits, preview, Enter', async () => {
      await page.goto('/console/today?show=due&sort=close_at.desc&columns=period,close_at,tickets,result,actions')
      const row = page.locator(`[data-grid-row="${period_code}"]`)
      // The day is read at most once a second: the draw has been held since.
      await expect(row.locator('[aria-keyshortcuts=r]')).toBeVisible()
      await focusRow(row)
      await page.keyboard.press('r')
      const queue = page.getByRole('region', { name: t('results.queue.label') })
      await expect(queue.locator('[aria-current]')).toBeVisible()
      await typeDigits(page, '125895')
      // 10 × 550 + 20 × 70.
      await expect(preview).toContainText('6,900.00')
      await checkScreen(page, info, `result-preview-${language}`)
      await page.keyboard.press('Enter')
      await expect(page.getByText(t('results.entries.own'))).toBeVisible()
    })

    const enterAs = async (api: typeof first, digits: string): Promise<void> => {
      await openAs(page, api, language)
      await page.goto(`/console/results?period=${period_code}`)
      await typeDigits(page, digits)
      await expect(preview).toBeVisible()
      await page.keyboard.press('Enter')
    }

    await test.step('the second person types another number: both are shown side by side, and removed', async () => {
      await openAs(page, second, language)
      await page.goto(`/console/results?period=${period_code}`)
      await expect(page.getByText(like(t('results.entries.of_another', { username: '*' })))).toBeVisible()
      await expect(page.getByText('895')).toHaveCount(0)
      await enterAs(second, '125859')
      const entries = page.getByTestId('award-entries')
      await expect(entries.getByRole('row').filter({ hasText: '895' }).last()).toContainText('859')
      // A third entry would be refused: the only form is the one that removes both.
      await expect(page.locator('main form')).toHaveCount(1)
      await checkScreen(page, info, `result-differs-${language}`)
      await entries.getByLabel(t('common.reason.label')).fill('read the wrong way round')
      await entries.getByRole('button', { name: t('results.entries.remove') }).press('Enter')
      await expect(entries).toBeHidden()
    })

    await test.step('both enter the same, and it is paid', async () => {
      await enterAs(second, '125859')
      await expect(page.getByText(t('results.entries.own'))).toBeVisible()
      // Who has entered it sees what it was.
      await expect(page.getByTestId('own-result')).toContainText('859')
      await enterAs(first, '125859')
      await expect(page.getByTestId('paid-result')).toContainText('859')
      await expect.poll(statusOf).toBe('settled')
      // The list of periods says the same, without a reload.
      await expect(page.locator(`option[value="${period_code}"]`)).toContainText(t('common.period_status.settled'))
      await checkScreen(page, info, `result-paid-${language}`)
    })

    await test.step('a correction shows what it pays before it is sent', async () => {
      await page.goto(`/console/results?period=${period_code}`)
      await expect(page.locator('main form')).toHaveCount(0)
      await page.getByRole('button', { name: t('results.begin_correction') }).press('Enter')
      await typeDigits(page, '125895')
      await expect(preview).toContainText('6,900.00')
      await checkScreen(page, info, `correction-preview-${language}`)
    })
  },
)

test(
  `results are entered one after another by Enter alone (${language})`,
  { tag: '@desktop-only' },
  async ({ page, office }, info) => {
    const t = wordsOf(language)
    const api = office.apis[0]
    const periods = [await office.openPeriod('china-am', anyRound()), await office.openPeriod('china-am', anyRound())]
    for (const { period_code } of periods) {
      await office.closePeriod(period_code)
      await office.holdDraw({ period_code })
    }
    await openAs(page, api, language)
    await page.goto('/console/today')
    const queue = page.getByRole('region', { name: t('results.queue.label') })
    const links = queue.getByRole('link')
    await expect.poll(() => links.count()).toBeGreaterThanOrEqual(2)
    await checkScreen(page, info, `today-queue-${language}`)
    await page.goto(`/console/results?period=${periods[0]!.period_code}`)
    await typeDigits(page, '12345')
    await expect(page.getByTestId('award-preview')).toBeVisible()
    await page.keyboard.press('Enter')
    const next = page.getByRole('button', { name: like(`${t('results.queue.go', { name: '*' })} *`) })
    await expect(next).toBeFocused()
    await checkScreen(page, info, `results-next-${language}`)
    await page.keyboard.press('Enter')
    await expect(page).not.toHaveURL(new RegExp(`=${periods[0]!.period_code}$`))
    await expect(queue.locator('[aria-current]')).toBeVisible()
  },
)

test(`a void shows what it refunds (${language})`, { tag: '@desktop-only' }, async ({ page, url, office }, info) => {
  const t = wordsOf(language)
  const period = await office.openPeriod(product_code, anyRound(), 40 * dayMs)
  const member = await joinMember(url, office, newUsername(info.project.name, `void${language}`))
  await placeTicket(member, period, [item('3top', '123', 10)])
  const row = page.locator(`[data-grid-row="${period.period_code}"]`)
  await openAs(page, office.apis[0], language)
  await page.goto('/console/today?show=open&sort=close_at.desc')
  await focusRow(row)
  // Another period comes before the one that has the focus: a key still means this one.
  const later = await office.openPeriod(product_code, anyRound(), 41 * dayMs)
  await expect(page.locator(`[data-grid-row="${later.period_code}"]`)).toBeVisible()
  await expect(row).toBeFocused()
  await page.keyboard.press('m')
  const dialog = page.getByRole('dialog')
  const close = dialog.locator('[name=close_at]')
  await expect(close).toBeFocused()
  await expect(dialog).toContainText(`${period.round}`)
  // The keys of the page rest.
  await page.keyboard.press('Control+k')
  await expect(close).toBeFocused()
  await dialog.locator('[name=draw_at]').fill((await close.inputValue()).replace(/^\d{4}/, '2020'))
  await dialog.locator('[name=draw_at]').press('Enter')
  await expect(dialog.getByText(t('day.move.draw_before_close'))).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(row).toBeFocused()
  await page.keyboard.press('m')
  await expect(close).toBeVisible()
  const preview = page.getByTestId('void-preview')
  const reason = page.getByLabel(t('common.reason.label'))
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST' && /\/(propose|approve)$/.test(request.url())) asked.push(request.url())
  })
  const gate = new Gate()
  const stopHolding = await intercept(page, /void_preview$/, async (route) => {
    await gate.isOpen
    await route.continue()
  })
  // The next dialog is asked for before the browser reports that the one before has closed.
  await row.evaluate(async (element) => {
    document.querySelector('dialog[open]')!.dispatchEvent(new Event('cancel', { cancelable: true }))
    while (document.querySelector('dialog[open]') !== null) await Promise.resolve()
    element.dispatchEvent(new KeyboardEvent('keydown', { key: 'v', bubbles: true }))
  })
  // Letters that follow the key are not lost while the figures are awaited, and nothing is sent before they are here.
  await page.keyboard.type('the draw does not take place')
  await expect(reason).toHaveValue('the draw does not take place')
  await page.keyboard.press('Enter')
  gate.release()
  stopHolding()
  // 10 Baht less 33 %.
  await expect(preview).toContainText('6.70')
  expect(asked).toHaveLength(0)
  await checkScreen(page, info, `today-void-${language}`)

  // Somebody else has asked meanwhile, and another ticket was placed: the new figures are confirmed by another press.
  const [first, second] = office.apis
  const askBy = (api: typeof first, said_reason: string) =>
    office.propose({ kind: 'void_period', payload: { period_code: period.period_code }, reason: said_reason }, api)
  const endBy = (api: typeof first, approval_id: string) =>
    api.call(withdrawProposal, { params: { approval_id }, body: { reason: 'for another period' } })
  const other = await askBy(second, 'asked at the same time')
  await placeTicket(member, period, [item('3top', '123', 10)])
  await expect(reason).toBeFocused()
  await pressUntilSent(page, asked, 1)
  await expect(dialog.getByText(t('day.void.read_again'))).toBeVisible()
  await expect(preview).toContainText('13.40')
  await checkScreen(page, info, `today-void-outdated-${language}`)
  expect(asked).toHaveLength(1)
  await endBy(second, other)
  await expect(dialog.locator('[type=submit]')).toBeEnabled()
  await expect(reason).toHaveValue('the draw does not take place')
  await reason.focus()
  await pressUntilSent(page, asked, 2)
  await expect(page.getByText(t('day.void.requested'))).toBeVisible()
  expect(asked).toHaveLength(2)

  await openAs(page, office.apis[1], language)
  await page.goto('/console/approvals')
  const rows = page.locator('[data-grid-row]')
  await focusRow(rows.filter({ hasText: `${period.round}` }).filter({ hasText: t('audit.kind.void_period') }))
  await page.keyboard.press('a')
  const sheet = page.getByRole('dialog')
  await expect(sheet.getByTestId('void-preview')).toContainText('13.40')
  await typeReason(page, sheet.locator('[name=reason]'), 'confirmed with the lottery')
  await checkScreen(page, info, `approve-void-${language}`)
  // It is withdrawn and another one made, which waits by itself.
  const [waiting] = await second.call(listWaitingDecisions, { query: { kind: 'void_period', product_code } })
  await endBy(first, String(waiting!.approval!.approval_id))
  await askBy(first, 'the draw is broken off')
  await pressUntilSent(page, asked, 3)
  await expect(sheet.getByText(t('approvals.outdated.gone'))).toBeVisible()
  await checkScreen(page, info, `approve-void-gone-${language}`)
  await page.keyboard.press('Escape')
  await expect(sheet).toBeHidden()
  const params = { product_code, period_code: period.period_code }
  const statusOf = async () => (await first.call(getPeriod, { params })).period.status
  expect(await statusOf()).toBe('open')
  await focusRow(rows.filter({ hasText: `${period.round}` }).filter({ hasText: 'the draw is broken off' }))
  await page.keyboard.press('a')
  await typeReason(page, sheet.locator('[name=reason]'), 'confirmed with the lottery')
  await pressUntilSent(page, asked, 4)
  await expect(sheet).toBeHidden()
  await expect.poll(statusOf).toBe('void')
  // The row is gone; the keys of the list go on.
  await expect(page.locator('[data-grid-row]:focus, [data-grid-frame]:focus')).toHaveCount(1)

  // A link to a void period opens no other one.
  await page.goto(`/console/results?period=${period.period_code}`)
  await expect(page.locator('main').getByText(t('results.no_entry.void'))).toBeVisible()
  await expect(page.locator('main form')).toHaveCount(0)
  await checkScreen(page, info, `result-of-void-${language}`)
})

/** Presses Enter until a request is sent: a form takes no press while its figures are read again, which live news asks for. */
async function pressUntilSent(page: Page, sent: readonly string[], count: number): Promise<void> {
  await expect
    .poll(async () => {
      if (sent.length < count) await page.keyboard.press('Enter')
      return sent.length
    })
    .toBe(count)
}

/** By keys alone: the dialog puts the focus on its first field, and a space belongs to the text. */
async function typeReason(page: Page, field: Locator, reason: string): Promise<void> {
  await expect(field).toBeFocused()
  await page.keyboard.type(` ${reason}`)
  await expect(field).toHaveValue(` ${reason}`)
}

/** The digits alone: a full field passes the focus on. */
async function typeDigits(page: Page, digits: string): Promise<void> {
  await expect(page.locator('form input').first()).toBeFocused()
  await page.keyboard.type(digits)
}
