// Goal: a second person decides on one page what others have begun, and finds there afterwards what became of it: an approval of what
// was withdrawn meanwhile is refused and asks for nothing, the ticket and the form of a result are a press away, and two entries that
// differ are seen on the page of the day.

import {
  enterAward,
  type Language,
  listDayPeriods,
  listWaitingDecisions,
  type Period,
  rejectProposal,
  type WaitingDecision,
  withdrawProposal,
  refusals,
} from '@megalot/contract'
import type { Locator, Page } from '@playwright/test'
import { checkScreen, settlePage } from '../check-screen.ts'
import { expect, tagOf, test } from '../fixtures.ts'
import { anyRound, item, joinMember, placeTicket } from '../history.ts'
import { Input } from '../pages/input.ts'
import { newUsername } from '../pages/register-page.ts'
import { openAs } from '../pages/session.ts'
import { like, wordsOf } from '../pages/words.ts'

/** Markets of these journeys alone. */
const marketOf = (isPhone: boolean): string => (isPhone ? 'taiwan' : 'korea')

const proposer = { user_id: 1, username: 'office01', display_name: 'office01', acts_for: null }
const times = { begun_at: '2026-11-20T03:00:00.000Z', expires_at: '2026-11-21T03:00:00.000Z' }
const due = { stake_satang: 920, win_satang: 70_000, held_satang: 0 }

/** A reply that is changed on its way: how such a ticket comes about is tested in `repair-ticket.test.ts`. */
const repair: WaitingDecision = {
  kind: 'repair_ticket',
  approval: {
    approval_id: 1,
    kind: 'repair_ticket',
    payload: { order_id: 1042 },
    subject: 'order:1042',
    product_code: 'lao-vip',
    before: { stake_satang: 920, win_satang: 0, held_satang: 920, due },
    after: { ...due, due },
    figures: {
      username: 'member01',
      entries: [
        { kind: 'bet', from: 'held', to: 'period', amount_satang: 920 },
        { kind: 'win', from: 'period', to: 'cash', amount_satang: 70_000 },
      ],
    },
    reason: 'reported by the auditor',
    state: 'waiting',
    proposed_by: proposer,
    proposed_at: times.begun_at,
    expires_at: times.expires_at,
    decided_by: null,
    decided_at: null,
    decision_reason: null,
    may_decide: true,
    may_withdraw: false,
  },
  period_code: null,
  product_code: 'lao-vip',
  is_locked: false,
  begun_by: proposer,
  ...times,
  reason: 'reported by the auditor',
  may_decide: true,
  may_withdraw: false,
}

const rowsOf = (page: Page): Locator => page.locator('[data-grid-row]')

for (const language of ['th', 'en'] as const satisfies readonly Language[]) {
  test.describe(`(${language})`, { tag: tagOf(language, 'th-desktop') }, () => {
    test.use({ colorScheme: language === 'th' ? 'light' : 'dark' })

    test('the void of a ticket is withdrawn while a second person approves it, and then approved', async ({
      page,
      url,
      office,
      isPhone,
    }, info) => {
      const t = wordsOf(language)
      const input = new Input(page, isPhone)
      const [first, second] = office.apis
      const period = await office.openPeriod(marketOf(isPhone), anyRound())
      const username = newUsername(info.project.name, `ap${language}`)
      const member = await joinMember(url, office, username)
      const { order_id } = await placeTicket(member, period, [item('2top', '12', 10)])
      await office.closePeriod(period.period_code)
      const ask = () => office.propose({ kind: 'void_order', payload: { order_id }, reason: 'the line was broken' })
      const waits = async (): Promise<boolean> =>
        (await second.call(listWaitingDecisions, { query: { kind: 'void_order' } })).some(
          ({ approval }) => approval?.subject === `order:${order_id}`,
        )
      const rows = rowsOf(page).filter({ hasText: `#${order_id}` })
      const sheet = page.getByRole('dialog')
      const approve = async (): Promise<void> => {
        await input.choose('approve', sheet)
        await sheet.locator('[name=reason]').fill('seen as well')
      }
      const open = async (row: Locator): Promise<void> => {
        // Beside the link to the ticket.
        await row.locator('[data-row-name]').click()
        await expect(sheet).toBeVisible()
      }

      const approval_id = await ask()
      await openAs(page, second, language)
      await page.goto('/console/approvals')
      await open(rows)
      // Whose ticket it is, and what goes back: 10 Baht less 28 %.
      await expect(sheet).toContainText(username)
      await expect(sheet).toContainText('7.20')
      await approve()
      await checkScreen(page, info, `approvals-void-${language}`)
      await first.call(withdrawProposal, { params: { approval_id }, body: { reason: 'it was another one' } })
      await input.press(sheet.getByRole('button', { name: t('approvals.verdict.approve'), exact: true }))
      await expect(sheet.getByText(refusals.approval_decided[language])).toBeVisible()
      expect(await waits()).toBe(false)

      await ask()
      await page.goto('/console/approvals')
      await expect(rows.getByRole('link', { name: `#${order_id}` })).toHaveAttribute(
        'href',
        `/console/bills/${order_id}`,
      )
      await input.press(rows.getByRole('button', { name: t('approvals.verdict.approve'), exact: true }))
      await expect(sheet.locator('input[type=radio][value=approve]')).toBeChecked()
      await sheet.locator('[name=reason]').fill('seen as well')
      await input.press(sheet.getByRole('button', { name: t('approvals.verdict.approve'), exact: true }))
      await expect(sheet).toBeHidden()
      expect(await waits()).toBe(false)

      await input.choose('decided')
      await expect(rows).toHaveCount(2)
      await expect(rows.nth(0)).toContainText(t('approvals.state.executed'))
      await expect(rows.nth(0)).toContainText('the line was broken')
      await expect(rows.nth(0)).toContainText('seen as well')
      await expect(rows.nth(1)).toContainText(t('approvals.done.withdraw'))
      await checkScreen(page, info, `approvals-decided-${language}`)
      await open(rows.nth(0))
      await expect(sheet).toContainText('office02')
      await expect(sheet.getByRole('link', { name: t('approvals.history') })).toHaveAttribute(
        'href',
        /subject=approval%3A\d+/,
      )
      await checkScreen(page, info, `approvals-decided-sheet-${language}`)
      await input.press(sheet.getByRole('link', { name: `#${order_id}` }))
      await expect(page).toHaveURL(new RegExp(`/console/bills/${order_id}$`))
      await expect(sheet).toBeHidden()
      // Back among the decided ones the keys go on.
      await page.goBack()
      await expect(rows).toHaveCount(2)
      await expect(page.locator('[data-grid-row]:focus, [data-grid-frame]:focus, main h1:focus')).toHaveCount(1)
    })

    // Defect: the sheet showed before and after, and not which entries of the ledger the approval writes.
    test('the repair of a ticket is shown with the entries that it writes', async ({ page, office }, info) => {
      const [, second] = office.apis
      await page.route(`**${listWaitingDecisions.path}`, async (route) => {
        const response = await route.fetch()
        await route.fulfill({ response, json: { ...((await response.json()) as object), data: [repair] } })
      })
      await openAs(page, second, language)
      await page.goto('/console/approvals')
      await rowsOf(page).locator('[data-row-name]').click()
      const sheet = page.getByRole('dialog')
      const t = wordsOf(language)
      for (const [kind, amount] of [
        ['bet', '9.20'],
        ['win', '700.00'],
      ] as const)
        await expect(sheet).toContainText(t('approvals.entry', { kind: t(`reports.kind.${kind}`), amount }))
      await checkScreen(page, info, `approvals-repair-${language}`)
    })

    test('whoever asked is shown that it was rejected, and why', async ({ page, url, office, isPhone }, info) => {
      const t = wordsOf(language)
      const input = new Input(page, isPhone)
      const [first, second] = office.apis
      const period = await office.openPeriod(marketOf(isPhone), anyRound())
      const member = await joinMember(url, office, newUsername(info.project.name, `rj${language}`))
      const { order_id } = await placeTicket(member, period, [item('2top', '12', 10)])
      await office.closePeriod(period.period_code)
      await openAs(page, first, language)
      await page.goto('/console/tickets')
      const proposal = { kind: 'void_order', payload: { order_id }, reason: 'the line was broken' } as const
      const params = { approval_id: await office.propose(proposal) }
      await second.call(rejectProposal, { params, body: { reason: 'no fault is known' } })
      // By the news, on whatever page.
      const notice = page.getByTestId('rejected-requests')
      await expect(notice).toContainText(`#${order_id}`)
      await expect(notice).toContainText('no fault is known')
      await expect(notice).toContainText('office02')
      await checkScreen(page, info, `rejected-${language}`)
      await input.press(notice.getByRole('button', { name: t('approvals.rejected.seen') }))
      await expect(notice).toBeHidden()
      await page.reload()
      await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toBeAttached()
      await expect(notice).toBeHidden()
    })

    test('a result is entered from the list of what waits, differs, and is seen on the page of the day', async ({
      page,
      office,
      isPhone,
    }, info) => {
      const t = wordsOf(language)
      const input = new Input(page, isPhone)
      const [first, second] = office.apis
      const product_code = marketOf(isPhone)
      const period: Period = await office.openPeriod(product_code, anyRound())
      const { period_code } = period
      await office.closePeriod(period_code)
      await office.holdDraw(period)
      const enterByApi = (by: typeof first, top3: string) =>
        by.call(enterAward, {
          query: { date: period.period_date },
          body: { period_code, result: { top3, bottom2: '45' } },
        })
      const waiting = rowsOf(page).filter({ has: page.locator(`a[href*="${period_code}"]`) })
      const digits = page.locator('main input[inputmode=numeric]')
      const enter = async (top3: string): Promise<void> => {
        await page.getByLabel(t('results.field.top3')).fill(top3)
        await page.getByLabel(t('results.field.bottom2')).fill('45')
        await expect(page.getByTestId('award-preview')).toBeVisible()
        await input.press(page.getByRole('button', { name: t('results.enter'), exact: true }))
      }

      await test.step('without a period in the address the page opens one that awaits its result', async () => {
        const awaited = async (): Promise<string[]> =>
          (await first.call(listDayPeriods, { query: {} })).periods
            .filter(({ result }) => result === 'none' || result === 'one_of_two' || result === 'differs')
            .map((one) => one.period.period_code)
        // The reply about a day is kept for a second.
        await expect.poll(awaited).toContain(period_code)
        const before = await awaited()
        await openAs(page, first, language)
        await page.goto('/console/results')
        const shown = await page.getByLabel(t('results.period'), { exact: true }).inputValue()
        expect([...before, ...(await awaited())]).toContain(shown)
      })

      await test.step('who has entered it sees that another person has to, and no form', async () => {
        await page.goto(`/console/results?period=${period_code}`)
        await enter('731')
        await expect(page.getByText(t('results.entries.own'))).toBeVisible()
        await expect(digits).toHaveCount(0)
        await checkScreen(page, info, `result-own-${language}`)
        // Nothing of it stays when another period is chosen.
        const another = await page
          .getByLabel(t('results.period'), { exact: true })
          .locator('option')
          .evaluateAll(
            (options, shown) => options.map((one) => (one as HTMLOptionElement).value).find((value) => value !== shown),
            period_code,
          )
        if (another !== undefined) {
          await page.getByLabel(t('results.period'), { exact: true }).selectOption(another)
          await expect(page.getByText(t('results.entries.own'))).toHaveCount(0)
        }
      })

      await test.step('the second person is led to the form, which shows no digit of the first', async () => {
        await openAs(page, second, language)
        await page.goto('/console/approvals')
        await expect(waiting).toHaveCount(1)
        await checkScreen(page, info, `approvals-waiting-${language}`)
        expect(await waiting.textContent()).not.toContain('731')
        await input.press(waiting.getByRole('link', { name: t('approvals.to_results'), exact: true }))
        await expect(page).toHaveURL(new RegExp(`/console/results\\?period=${period_code}`))
        await expect(page.getByText(like(t('results.entries.of_another', { username: '*' })))).toBeVisible()
        for (const field of await digits.all()) expect(await field.inputValue()).toBe('')
        await settlePage(page)
        await enter('713')
        await expect(page.getByTestId('award-entries')).toBeVisible()
        await expect(digits).toHaveCount(0)
      })

      await test.step('the day says that they differ, and leads to both', async () => {
        await page.goto('/console/today?show=alerts')
        const alert = page.locator(`[data-grid-row="${period_code}"] [data-alert=entries_differ]`)
        await expect(alert).toBeVisible()
        await checkScreen(page, info, `today-differs-${language}`)
        await input.press(alert.getByRole('link'))
        const entries = page.getByTestId('award-entries')
        await expect(entries.getByRole('row').filter({ hasText: '731' })).toContainText('713')
        await entries.getByLabel(t('common.reason.label')).fill('read the wrong way round')
        await input.press(entries.getByRole('button', { name: t('results.entries.remove') }))
        await expect(digits.first()).toBeVisible()
      })

      await test.step('the log says who had entered what was removed, in words', async () => {
        await page.goto(`/console/audit?subject=period:${period_code}&action=award_reset`)
        const log = rowsOf(page)
        await expect(log).toHaveCount(1)
        await expect(log).toContainText(t('audit.field.period_code'))
        // The period takes another entry: the numbers of this one are masked until its result is agreed.
        await expect(log).not.toContainText('731')
      })

      await test.step('what became of it is listed, without digits', async () => {
        for (const api of [first, second]) await enterByApi(api, '731')
        // Cards on a phone are tall, and only those near the screen are drawn.
        await page.setViewportSize({ ...page.viewportSize()!, height: 4_000 })
        await page.goto('/console/approvals?list=decided')
        for (const outcome of [
          t('approvals.state.agreed'),
          t('approvals.state.removed'),
          t('approvals.state.differed'),
        ])
          await expect(waiting.filter({ hasText: outcome })).toHaveCount(1)
        for (const text of await waiting.allTextContents()) expect(text).not.toMatch(/731|713/)
        await page.goto(`/console/audit?subject=period:${period_code}&action=award_reset`)
        await expect(rowsOf(page)).toContainText(t('audit.status.locked'))
        await rowsOf(page).locator('[data-row-name]').click()
        const sheet = page.getByRole('dialog')
        for (const text of [t('audit.field.period_code'), t('audit.status.locked'), t('audit.field.entered_by'), '731'])
          await expect(sheet).toContainText(text)
        await expect(sheet.getByRole('row').filter({ hasText: t('audit.field.entered_by') })).toContainText('office01')
        await checkScreen(page, info, `audit-removed-${language}`, 'dialog[open]')
      })
    })
  })
}
