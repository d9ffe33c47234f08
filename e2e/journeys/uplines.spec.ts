// Goal: users who do not bet have a first page of their own and no bet desk, and are offered nothing that the server
// refuses. The views of an agent are in the journeys of money, which are signed in as one.

import { listDownline, type Language } from '@megalot/contract'
import { checkScreen } from '../check-screen.ts'
import { expect, tagOf, test } from '../fixtures.ts'
import { anyRound, item, joinMember, placeTicket } from '../history.ts'
import { newUsername } from '../pages/register-page.ts'
import { openAs } from '../pages/session.ts'
import type { Api } from '../api.ts'
import type { Page, TestInfo } from '@playwright/test'
import { wordsOf } from '../pages/words.ts'

async function visitPages(page: Page, info: TestInfo, api: Api, name: string, language: Language): Promise<void> {
  const t = wordsOf(language)
  await page.emulateMedia({ colorScheme: language === 'th' ? 'light' : 'dark' })
  await openAs(page, api, language)
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1, name: t('console.screen.today') })).toBeVisible()
  await expect(page.getByRole('link', { name: t('shell.menu.lotto'), exact: true })).toHaveCount(0)
  await checkScreen(page, info, `first-page-of-${name}-${language}`)
  // Every market can be viewed, and none can be bet on.
  await page.goto('/console/markets/thai-government')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByRole('button', { name: t('bet.totals.submit') })).toHaveCount(0)
  await expect(page.getByTestId('submit-ticket')).toHaveCount(0)
  await expect(page.getByTestId('cell-0-number')).toHaveCount(0)
  await checkScreen(page, info, `market-of-${name}-${language}`)
}

for (const language of ['th', 'en'] as const satisfies readonly Language[]) {
  test(
    `the first page of the office, and a market without a bet desk (${language})`,
    { tag: tagOf(language, 'th-phone') },
    async ({ page, office }, info) => {
      const t = wordsOf(language)
      await visitPages(page, info, office.apis[0], 'office', language)
      await expect(page.getByText(t('bet.look.office_rates'))).toBeVisible()
    },
  )
}

test('no action is offered that the server would refuse (en) @desktop-only', async ({
  page,
  url,
  office,
  isPhone,
}, info) => {
  const product_code = isPhone ? 'nikkei-am' : 'nikkei-pm'
  const member = await joinMember(url, office, newUsername(info.project.name, 'upl'))
  const period = await office.openPeriod(product_code, anyRound())
  const { order_id, username } = await placeTicket(member, period, [item('2top', '12', 10)])
  await openAs(page, office.apis[0], 'en')
  const row = page.getByRole('row').filter({ hasText: `#${order_id}` })
  const open = async (): Promise<void> => {
    await page.goto('/console/tickets')
    await page.getByRole('searchbox', { name: 'Ticket, member, bet number or note' }).fill(username)
    await expect(row).toBeVisible()
    // Until the reply arrives the earlier list stays, and its rows are about to move.
    await expect(page.getByRole('row').filter({ hasText: '#' })).toHaveCount(1)
  }
  await open()
  await expect(row.getByRole('button')).toHaveText(/Delete/)
  await office.closePeriod(period.period_code)
  await open()
  await expect(row.getByRole('button')).toHaveText(/Void/)
  await row.getByRole('button').click()
  const sheet = page.getByRole('dialog')
  await sheet.getByLabel('Reason').fill('a fault of the system')
  await sheet.getByRole('button', { name: 'Void' }).click()
  await expect(sheet).toBeHidden()
  // The requester cannot request again, and the other user approves on the page of decisions.
  await expect(row.getByText(/asked to void it/)).toBeVisible()
  await expect(row.getByRole('button')).toHaveCount(0)
  await openAs(page, office.apis[1], 'en')
  await open()
  await expect(row.getByText(/asked to void it/)).toBeVisible()
  await expect(row.getByRole('button')).toHaveCount(0)
  await office.settle(period, { top3: '895', bottom2: '52' })
  await open()
  await expect(row.getByText('Settled, cannot be voided')).toBeVisible()
  await expect(row.getByRole('button')).toHaveCount(0)

  const [company] = await office.apis[1].call(listDownline, { query: { search: 'company' } })
  await page.goto(`/console/people/${company!.user_id}?tab=terms`)
  await expect(page.getByText('The rest is the company’s')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Change the share' })).toHaveCount(0)
})

test('an empty statement does not invite users to bet who cannot bet (en) @phone-only', async ({
  page,
  office,
}, info) => {
  await openAs(page, office.apis[0], 'en')
  await page.goto('/reports/balance')
  const note = page.getByTestId('empty-note')
  await expect(note).toContainText('This account does not bet')
  await checkScreen(page, info, 'balance-of-office-en')
  await note.getByRole('link', { name: wordsOf('en')('reports.see_summary') }).click()
  await expect(page).toHaveURL(/\/reports\/summary/)
})

test('pages that are not for uplines do not exist for them @phone-only', async ({ page, office }) => {
  await openAs(page, office.apis[0])
  await page.goto('/console/account/limits')
  await expect(page.getByRole('heading', { level: 1, name: 'ไม่พบหน้าที่ต้องการ' })).toBeAttached()
})
