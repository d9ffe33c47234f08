// Goal: the office sets 50 numbers in three markets by one form, the next ticket obeys, and the rule is taken back
// without destroying what somebody has set since.

import { approveProposal, type Language, listApprovals, listAudit, type Period, undoLimitRule } from '@megalot/contract'
import type { Locator } from '@playwright/test'
import { randomUUID } from 'node:crypto'
import { checkScreen } from '../check-screen.ts'
import { expect, tagOf, test } from '../fixtures.ts'
import { anyRound, item, joinMember, placeTicket } from '../history.ts'
import { Input } from '../pages/input.ts'
import { newUsername } from '../pages/register-page.ts'
import { focusRow } from '../pages/rows.ts'
import { openAs } from '../pages/session.ts'
import { wordsOf } from '../pages/words.ts'

const languages = ['th', 'en'] as const satisfies readonly Language[]

/** Three markets each, in sorted order, so that journeys that wait for each other's markets do not wait for ever. */
const marketsOf = (isPhone: boolean) =>
  isPhone ? (['china-am', 'nikkei-am', 'uk'] as const) : (['hang-seng-am', 'india', 'nikkei-pm'] as const)

/** 50 numbers as somebody pastes them: a heading, commas, lines, one of them twice. */
const numbers = Array.from({ length: 50 }, (_, index) => String(7 + index * 19).padStart(3, '0'))
const pasted = `เลขดัง\n${numbers.slice(0, 25).join(', ')}\n${numbers.slice(25).join(' ')}\n${numbers[0]}`

for (const language of languages) {
  const t = wordsOf(language)
  const submit = new RegExp(
    `^(${t('numbers.submit_none')}|${t('numbers.submit', { count: 1 }).replace('1', String.raw`[\d,]+`)})`,
  )

  test.describe(`in ${language}`, { tag: tagOf(language, 'th-phone') }, () => {
    test.use({ colorScheme: language === 'th' ? 'light' : 'dark' })

    test(`set 50 numbers in three markets, and undo them (${language})`, async ({
      page,
      url,
      office,
      openShownPeriod,
      isPhone,
    }, info) => {
      const input = new Input(page, isPhone)
      const periods: Period[] = []
      for (const product_code of marketsOf(isPhone)) periods.push(await openShownPeriod(product_code, anyRound()))
      const [first] = periods
      const member = await joinMember(url, office, newUsername(info.project.name, 'num'))
      const open = { ...item('3top', '999', 10) }
      const closed = { ...item('3top', numbers[3]!, 10) }
      const received = async () => (await placeTicket(member, first!, [closed, open])).items[0]!.received_satang
      expect(await received()).toBe(1_000)

      await openAs(page, office.apis[0], language)
      await page.goto('/console/numbers')
      await expect(page.getByRole('heading', { level: 1, name: t('numbers.title') })).toBeAttached()
      await input.press(
        page.getByRole('button', {
          name: submit,
        }),
      )
      await expect(page.getByText(t('numbers.missing.numbers'))).toBeVisible()
      await checkScreen(page, info, `console-numbers-empty-${language}`)

      await page.getByLabel(t('numbers.numbers'), { exact: true }).fill(pasted)
      await input.tick(page.getByRole('checkbox', { name: t('awards.top3') }))
      await input.choose('closed')
      for (const { product_code } of periods)
        await input.tick(page.getByTestId(`market-${product_code}`).getByRole('checkbox'))
      await page.getByLabel(t('common.reason.label'), { exact: true }).fill('many bets')
      await expect(page.getByTestId('read-numbers')).toContainText(t('numbers.read', { count: 50 }))
      await expect(page.getByTestId('rule-preview')).toContainText(t('numbers.count.set', { count: 150, periods: 3 }))
      await expect(page.getByTestId('rule-preview')).toContainText(t('numbers.count.tickets', { count: 1 }))
      await checkScreen(page, info, `console-numbers-preview-${language}`)
      await input.press(
        page.getByRole('button', {
          name: submit,
        }),
      )
      await expect(page.getByText(t('numbers.saved', { count: 150, periods: 3 }))).toBeVisible()
      expect(await received()).toBe(0)
      await checkScreen(page, info, `console-numbers-set-${language}`)

      // Somebody opens one of the numbers again: the undo of the rule leaves it so.
      await office.setNumber(first!.period_code, { bet_type: '3top', number: numbers[0]!, set_to: 'half' })
      await input.press(page.getByRole('link', { name: t('numbers.to_saved') }))
      const sheet = page.getByRole('dialog')
      await expect(sheet).toContainText(numbers.join(' '))
      await checkScreen(page, info, `console-limit-rule-${language}`)
      await input.press(sheet.getByRole('button', { name: t('numbers.undo.open') }))
      await expect(sheet.getByTestId('undo-preview')).toHaveText(
        `${t('numbers.undo.will', { count: 149, periods: 3 })} · ${t('numbers.undo.kept', { count: 1 })}`,
      )
      await input.press(sheet.getByRole('button', { name: t('numbers.undo.submit') }))
      await expect(sheet.getByText(t('common.reason.too_short', { least: '3' }))).toBeVisible()
      await checkScreen(page, info, `console-number-undo-${language}`)
      await sheet.getByLabel(t('common.reason.label'), { exact: true }).fill('a mistake')
      await input.press(sheet.getByRole('button', { name: t('numbers.undo.submit') }))
      await expect(sheet).toBeHidden()
      const row = page.locator('[data-grid-row]').filter({ hasText: t('numbers.state.undone') })
      await expect(row.first()).toBeVisible()
      await checkScreen(page, info, `console-limit-rules-${language}`)
      expect(await received()).toBe(1_000)

      // The log names each period of the rule.
      const subject = `period:${first!.period_code}`
      const audits = await office.apis[0].call(listAudit, { query: { subject } })
      expect(audits.map(({ action }) => action)).toEqual(
        expect.arrayContaining(['set_limit_rule', 'undo_limit_rule', 'set_number']),
      )
    })

    test(`an amount for every period, in every order of the digits (${language})`, async ({
      page,
      url,
      office,
      openShownPeriod,
      isPhone,
    }, info) => {
      const input = new Input(page, isPhone)
      const product_code = isPhone ? 'hang-seng-pm' : 'lao-vip'
      const period = await openShownPeriod(product_code, anyRound())
      const member = await joinMember(url, office, newUsername(info.project.name, 'amt'))
      await openAs(page, office.apis[0], language)
      await page.goto('/console/numbers')
      await page.getByLabel(t('numbers.numbers'), { exact: true }).fill('86')
      await input.tick(page.getByRole('checkbox', { name: t('numbers.permute') }))
      await input.tick(page.getByRole('checkbox', { name: language === 'th' ? '2 ตัวบน' : '2 top' }))
      await input.choose('amount')
      await input.choose('standing')
      await input.press(
        page.getByRole('button', {
          name: submit,
        }),
      )
      await expect(page.getByText(t('numbers.missing.markets'))).toBeVisible()
      await input.tick(page.getByTestId(`market-${product_code}`).getByRole('checkbox'))
      await input.press(
        page.getByRole('button', {
          name: submit,
        }),
      )
      await expect(page.getByText(t('numbers.missing.amount'))).toBeVisible()
      await page.getByLabel(t('numbers.full_baht'), { exact: true }).fill('20')
      await page.getByLabel(t('numbers.until'), { exact: true }).fill(period.period_date)
      await page.getByLabel(t('common.reason.label'), { exact: true }).fill('many bets')
      await expect(page.getByTestId('rule-preview')).toBeVisible()
      await checkScreen(page, info, `console-numbers-amount-${language}`)
      if (isPhone)
        await input.press(
          page.getByRole('button', {
            name: submit,
          }),
        )
      else await page.keyboard.press('Control+Enter')
      const link = page.getByRole('link', { name: t('numbers.to_saved') })
      await expect(link).toBeVisible()
      await expect(page.locator('textarea')).toBeFocused()
      const rule_id = new URL((await link.getAttribute('href'))!, url).searchParams.get('rule_id')!
      const order = await placeTicket(member, period, [item('2top', '68', 50), item('2top', '99', 10)])
      expect(order.items.map((one) => one.received_satang)).toEqual([2_000, 1_000])

      await input.press(page.getByRole('link', { name: t('console.tab.standing') }))
      await expect(page.locator('[data-grid-row]').filter({ hasText: '68' }).first()).toBeVisible()
      await checkScreen(page, info, `console-standing-numbers-${language}`)
      const body = { request_id: randomUUID(), reason: 'end of the journey' }
      const undone = await office.apis[0].call(undoLimitRule, { params: { rule_id }, body })
      expect(undone.rows.map(({ number, after }) => [number, after.set_to])).toEqual([
        ['68', 'open'],
        ['86', 'open'],
      ])
    })

    test(`quotas of a package and of a period, and a raise for two people (${language})`, async ({
      page,
      url,
      office,
      openShownPeriod,
      isPhone,
    }, info) => {
      const input = new Input(page, isPhone)
      const product_code = isPhone ? 'nikkei-am' : 'nikkei-pm'
      const period = await openShownPeriod(product_code, anyRound())
      await office.setQuota({
        product_code,
        bet_type: '2top',
        full_satang: 100_000_00,
        half_satang: 0,
        reason: 'a journey',
      })
      const member = await joinMember(url, office, newUsername(info.project.name, 'quo'))
      const received = async (): Promise<number> =>
        (await placeTicket(member, period, [item('2top', '31', 50), item('3top', '999', 5)])).items[0]!.received_satang
      await openAs(page, office.apis[0], language)
      await page.goto(`/console/numbers/quotas?product_code=${product_code}`)
      const ofPackage = page.locator('[data-grid-row="2top package 70"]')
      const ofPeriod = page.locator(`[data-grid-row="2top period ${period.period_code}"]`)
      const ofBoth = page.locator(`[data-grid-row="2top period_package 70 ${period.period_code}"]`)
      const sheet = page.getByRole('dialog')
      const change = async (row: Locator, baht: string): Promise<void> => {
        await focusRow(row)
        await page.keyboard.press('Enter')
        await sheet.getByLabel(t('numbers.full_baht'), { exact: true }).fill(baht)
        await sheet.getByLabel(t('numbers.half_baht'), { exact: true }).fill('0')
        await input.press(sheet.getByRole('button', { name: t('numbers.quota.save') }))
        await expect(sheet.getByText(t('common.reason.too_short', { least: '3' }))).toBeVisible()
        await sheet.getByLabel(t('common.reason.label'), { exact: true }).fill('many bets')
      }
      await page.getByLabel(t('numbers.column.bet_type'), { exact: true }).selectOption('2top')
      await expect(ofPackage).toBeVisible()
      await checkScreen(page, info, `console-quotas-${language}`)
      await change(ofPackage, '20')
      await checkScreen(page, info, `console-quota-${language}`)
      await input.press(sheet.getByRole('button', { name: t('numbers.quota.save') }))
      await expect(sheet).toBeHidden()
      await expect(ofPackage).toContainText('20')
      expect(await received()).toBe(2_000)

      // More for the package in this period alone, and back.
      await change(ofBoth, '40')
      await checkScreen(page, info, `console-quota-of-both-${language}`)
      await input.press(sheet.getByRole('button', { name: t('numbers.quota.save') }))
      await expect(sheet).toBeHidden()
      await expect(ofBoth).toContainText('40')
      expect(await received()).toBe(2_000)
      await focusRow(ofBoth)
      await page.keyboard.press('Enter')
      await sheet.getByLabel(t('common.reason.label'), { exact: true }).fill('enough')
      await input.press(sheet.getByRole('button', { name: t('numbers.quota.end_here') }))
      await expect(sheet).toBeHidden()
      expect(await received()).toBe(0)

      // Back to the market's quota, and a lower one for the period.
      await focusRow(ofPackage)
      await page.keyboard.press('Enter')
      await sheet.getByLabel(t('common.reason.label'), { exact: true }).fill('enough')
      await input.press(sheet.getByRole('button', { name: t('numbers.quota.end') }))
      await expect(sheet).toBeHidden()
      expect(await received()).toBe(5_000)
      await change(ofPeriod, '100')
      await input.press(sheet.getByRole('button', { name: t('numbers.quota.save') }))
      await expect(sheet).toBeHidden()
      expect(await received()).toBe(1_000)

      // More than the standing quota waits for somebody else.
      await change(ofPeriod, '900000')
      await input.press(sheet.getByRole('button', { name: t('numbers.quota.save') }))
      await expect(page.getByText(t('numbers.quota.proposed'))).toBeVisible()
      const waiting = await office.apis[1].call(listApprovals, { query: { state: 'waiting' } })
      const proposal = waiting.find(({ subject }) => subject === `period:${period.period_code}`)!
      await office.apis[1].call(approveProposal, { params: { approval_id: String(proposal.approval_id) }, body: {} })
      expect(await received()).toBe(5_000)
    })
  })
}
