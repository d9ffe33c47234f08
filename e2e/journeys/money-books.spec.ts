// Goal: what people owe each other is cleared by screens alone: a week between two agents is sent, confirmed, paid and
// closed; a later correction is a line of the next statement; a member says that a payment is not right and gets an
// answer; a collector's cash is counted and handed over.

import {
  createAssistant,
  createPerson,
  getBasicUser,
  type Language,
  listClearings,
  type Period,
  type Person,
  recordPayments,
  type UserLevel,
} from '@megalot/contract'
import type { Page, TestInfo } from '@playwright/test'
import { randomUUID } from 'node:crypto'
import { type Api, logInThroughApi } from '../api.ts'
import { checkScreen } from '../check-screen.ts'
import { expect, tagOf, test } from '../fixtures.ts'
import { anyRound, item, placeTicket } from '../history.ts'
import type { Office } from '../office.ts'
import { newUsername } from '../pages/register-page.ts'
import { openAs } from '../pages/session.ts'
import { bahtText, wordsOf } from '../pages/words.ts'

const languages = ['th', 'en'] as const satisfies readonly Language[]
const firstPassword = 'maple-lantern-77'
const ownPassword = 'copper-window-88'
const DAY_MS = 86_400_000

/** The Monday of a day's week. */
function mondayOf(day: string): string {
  const at = Date.parse(`${day}T12:00:00Z`)
  return new Date(at - ((new Date(at).getUTCDay() + 6) % 7) * DAY_MS).toISOString().slice(0, 10)
}
const weekAfter = (monday: string): string =>
  new Date(Date.parse(`${monday}T12:00:00Z`) + 7 * DAY_MS).toISOString().slice(0, 10)

interface Opened {
  person: Person
  api: Api
}

async function open(
  url: string,
  office: Office,
  username: string,
  level: UserLevel,
  parent: Opened | null,
  baht: number,
): Promise<Opened> {
  const person = await office.apis[0].call(createPerson, {
    body: {
      request_id: randomUUID(),
      username,
      display_name: username,
      level,
      password: firstPassword,
      credit_limit_satang: baht * 100,
      ...(parent !== null && { parent_id: parent.person.user_id }),
    },
  })
  const api = await logInThroughApi(url, username, 'en', firstPassword)
  await api.changeOwnPassword(firstPassword, ownPassword)
  return { person, api }
}

/** An agent below the company, one below it, and a member below that. */
async function openBranch(url: string, office: Office, info: TestInfo, name: string) {
  const named = (part: string): string => newUsername(info.project.name, `${name}${part}`)
  const boss = await open(url, office, named('b'), 'super_senior', null, 10_000)
  const kid = await open(url, office, named('k'), 'senior', boss, 5_000)
  const member = await open(url, office, named('m'), 'member', kid, 2_000)
  return { boss, kid, member }
}

/** The member loses 100 Baht less its discount. */
async function lose(office: Office, member: Opened, product_code: string): Promise<Period> {
  const period = await office.openPeriod(product_code, anyRound())
  await placeTicket(member.api, period, [item('2top', '12', 100)])
  await office.closePeriod(period.period_code)
  await office.settle(period, { top3: '895', bottom2: '52' })
  return period
}

const pay = (by: Opened, from: Opened, amount_satang: number) =>
  by.api.call(recordPayments, {
    body: {
      request_id: randomUUID(),
      rows: [{ user_id: from.person.user_id, amount_satang, method: 'cash' }],
    },
  })

/** Opens the statement of a week from the list. */
async function openStatement(page: Page, language: Language, username: string, week: string): Promise<void> {
  const t = wordsOf(language)
  await page.goto(`/console/money/clearings?week=${week}`)
  const row = page.getByRole('row').filter({ hasText: username })
  await expect(row).toHaveCount(1)
  await row.click()
  await expect(page.getByRole('heading', { level: 1, name: t('clearings.of', { name: username }) })).toBeVisible()
}

for (const language of languages) {
  const tag = tagOf(language, 'th-phone')
  const t = wordsOf(language)

  test(`an agent pays up and is cleared (${language})`, { tag }, async ({ page, url, office }, info) => {
    test.slow()
    const { boss, kid, member } = await openBranch(url, office, info, 'cl')
    const period = await lose(office, member, info.project.name === 'phone' ? 'nikkei-am' : 'nikkei-pm')
    const week = mondayOf(period.period_date)
    await office.makeClearings(week)
    const { username } = kid.person
    const [statement] = await boss.api.call(listClearings, { query: { week } })
    await openAs(page, boss.api, language)
    await page.goto('/console/money/clearings')
    await expect(page.getByRole('row').filter({ hasText: username })).toBeVisible()
    await checkScreen(page, info, `clearings-${language}`)
    await openStatement(page, language, username, week)
    await expect(page.locator('[data-name=due]')).toContainText(bahtText(statement!.due_satang))
    await checkScreen(page, info, `clearing-${language}`)
    await page.getByRole('button', { name: t('clearings.move.sent') }).click()
    await expect(page.getByText(t('clearings.waits.below'))).toBeVisible()

    await openAs(page, kid.api, language)
    await page.goto('/console/money/clearings?side=above')
    await page.getByRole('row').filter({ hasText: username }).click()
    await expect(page.locator('[data-name=due]')).toContainText(t('money.above.pay'))
    await checkScreen(page, info, `clearing-above-${language}`)
    await page.getByRole('button', { name: t('clearings.move.confirmed') }).click()
    await expect(page.getByText(t('clearings.moved.confirmed'))).toBeVisible()

    await pay(boss, kid, statement!.due_satang)
    await openAs(page, boss.api, language)
    await openStatement(page, language, username, week)
    for (const move of ['paid', 'closed'] as const) {
      await page
        .getByRole('button', { name: t(`clearings.move.${move}`), exact: true })
        .first()
        .click()
      await expect(page.getByText(t(`clearings.moved.${move}`))).toBeVisible()
    }
    await expect(page.getByRole('button', { name: t('clearings.move.closed') })).toHaveCount(0)
    // The payment stands in the history.
    await page.goto('/console/money/history')
    await expect(page.getByRole('row').filter({ hasText: username })).toContainText(bahtText(statement!.due_satang))
    await checkScreen(page, info, `history-${language}`)
  })

  test(
    `a correction after clearing becomes a line of the next statement (${language})`,
    { tag },
    async ({ page, url, office }, info) => {
      test.slow()
      const { boss, kid, member } = await openBranch(url, office, info, 'co')
      const period = await lose(office, member, info.project.name === 'phone' ? 'nikkei-am' : 'nikkei-pm')
      const week = mondayOf(period.period_date)
      await office.makeClearings(week)
      const [first] = await boss.api.call(listClearings, { query: { week } })
      await office.correct(period, { top3: '812', bottom2: '52' }, 'read out wrongly')
      await expect
        .poll(async () => (await boss.api.call(listClearings, { query: { week } }))[0]!.carried_satang)
        .toBe(first!.carried_satang)
      await office.waitForStatus(period, 'settled')
      // Another device may have made the next week's statements before the correction was settled.
      let next = week
      await expect
        .poll(async () => {
          next = weekAfter(next)
          await office.makeClearings(next)
          return (await boss.api.call(listClearings, { query: { week: next } }))[0]?.corrected_satang
        })
        .toBeLessThan(0)
      await openAs(page, boss.api, language)
      await openStatement(page, language, kid.person.username, next)
      await expect(page.getByText(t('clearings.line.correction'), { exact: true })).toBeVisible()
      await expect(page.locator('[data-name=forward]')).toContainText(bahtText(first!.carried_satang))
      await checkScreen(page, info, `clearing-correction-${language}`)
    },
  )

  test(
    `a member disputes a payment, and the agent answers (${language})`,
    { tag },
    async ({ page, url, office }, info) => {
      test.slow()
      const { kid, member } = await openBranch(url, office, info, 'di')
      await pay(kid, member, 50_000)
      await openAs(page, member.api, language)
      await page.goto('/')
      await page.goto('/balance')
      await expect(page.getByText(t('balance.state.owed')).first()).toBeVisible()
      await checkScreen(page, info, `own-balance-${language}`)
      const entry = page.getByRole('listitem').filter({ hasText: t('balance.kind.given') })
      await entry.getByRole('button', { name: t('balance.open_receipt', { number: '' }).trim() }).click()
      const sheet = page.getByRole('dialog')
      await expect(sheet).toContainText('500.00')
      await checkScreen(page, info, `own-receipt-${language}`)
      await sheet.getByRole('button', { name: t('balance.dispute.button'), exact: true }).click()
      await sheet.getByLabel(t('balance.dispute.note')).fill('600')
      await sheet.getByRole('button', { name: t('balance.dispute.send') }).click()
      await expect(entry).toContainText(t('balance.dispute.waits'))

      await openAs(page, kid.api, language)
      await page.goto('/console/money/history')
      await page.getByRole('button', { name: t('history.show_disputes') }).click()
      await page.getByRole('row').filter({ hasText: member.person.username }).click()
      await expect(sheet).toContainText('600')
      await checkScreen(page, info, `history-dispute-${language}`)
      await sheet.getByLabel(t('history.dispute.field')).fill('counted again, 500')
      await sheet.getByRole('button', { name: t('history.dispute.send') }).click()
      await expect(sheet).toContainText(t('history.dispute.answer'))
      await openAs(page, member.api, language)
      await page.goto('/balance')
      await expect(entry).toContainText('counted again, 500')
      await expect(entry.getByRole('button', { name: t('balance.dispute.button') })).toHaveCount(0)
    },
  )

  test(`a collector's day in the cash book (${language})`, { tag }, async ({ page, url, office }, info) => {
    test.slow()
    const { kid, member } = await openBranch(url, office, info, 'ca')
    const username = newUsername(info.project.name, 'cash')
    const body = { username, display_name: username, password: firstPassword, areas: ['money' as const] }
    await kid.api.call(createAssistant, { body })
    const collector = await logInThroughApi(url, username, 'en', firstPassword)
    await collector.changeOwnPassword(firstPassword, ownPassword)
    await collector.call(getBasicUser)
    await pay({ ...kid, api: collector }, member, 30_000)
    await openAs(page, kid.api, language)
    await page.goto('/console/money/cash')
    const card = page.getByTestId(`cash-${username}`)
    await expect(card).toContainText('300.00')
    await checkScreen(page, info, `cash-${language}`)
    await card.getByRole('button', { name: t('cash.count.button_of', { name: username }) }).click()
    const sheet = page.getByRole('dialog')
    await sheet.getByLabel(t('cash.count.counted')).fill('290')
    await expect(sheet.getByTestId('cash-difference')).toHaveText(t('cash.count.short', { amount: '10.00' }))
    await checkScreen(page, info, `cash-count-${language}`)
    await sheet.getByRole('button', { name: t('cash.count.send') }).click()
    await expect(card).toContainText(t('cash.line.short'))
    await expect(card).toContainText('290.00')
    await card.getByRole('button', { name: t('cash.hand.button_of', { name: username }) }).click()
    await sheet.getByRole('button', { name: t('cash.hand.all', { amount: '290.00' }) }).click()
    await sheet.getByRole('button', { name: t('cash.hand.send') }).click()
    await expect(page.getByTestId(`cash-${kid.person.username}`)).toContainText('290.00')
    await expect(card).toContainText(t('cash.line.handed_out'))
  })
}
