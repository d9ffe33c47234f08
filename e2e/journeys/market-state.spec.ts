// Goal: maintenance or a switched-off market, and a package that is taken, appear by themselves on the lotto list and
// on the bet page before anything is typed, in the user's language; and they disappear by themselves when they are
// over.

import {
  getBasicUser,
  givePackages,
  type Language,
  listenLive,
  listProducts,
  setMaintenance,
  setQuota,
  switchProduct,
  takePackages,
} from '@megalot/contract'
import { checkScreen } from '../check-screen.ts'
import { expect, tagOf, test } from '../fixtures.ts'
import { anyRound, item, joinMember, placeTicket } from '../history.ts'
import { newUsername } from '../pages/register-page.ts'
import { openAs } from '../pages/session.ts'
import { wordsOf } from '../pages/words.ts'

/** A market of these journeys alone; `openShownPeriod` serialises them. */
const product_code = 'hanoi-vip'
/** Events arrive within a few seconds; the list is also polled every minute. */
const soon = { timeout: 20_000 }

const messages = { message_th: 'เซิร์ฟเวอร์ผลขัดข้อง', message_en: 'The server of results is down' }

for (const language of ['th', 'en'] as const satisfies readonly Language[]) {
  const t = wordsOf(language)
  const message = messages[`message_${language}`]
  const until = new RegExp(t('lotto.maintained_until', { time: '\\d' }))

  test(
    `a market in maintenance, switched off, and without a package (${language})`,
    { tag: tagOf(language, 'th-desktop') },
    async ({ page, url, office, openShownPeriod }, info) => {
      const period = await openShownPeriod(product_code, anyRound())
      const member = await joinMember(url, office, newUsername(info.project.name, `${language}mkt`))
      const ticket = await placeTicket(member, period, [item('2top', '12', 10)])
      const [first] = office.apis
      const reason = 'the journey wants it'
      // Without a quota for each bet type it would not be switched on again.
      const offered = (await first.call(listProducts)).find((one) => one.product_code === product_code)!
      for (const bet_type of offered.bet_types)
        await first.call(setQuota, {
          body: { product_code, bet_type, full_satang: 100_000_000, half_satang: 0, reason },
        })
      const maintain = (is_on: boolean) => {
        const until_at = new Date(Date.now() + 2 * 3_600_000).toISOString()
        return first.call(setMaintenance, {
          body: { product_code, is_on, reason, ...(is_on ? { ...messages, until_at } : {}) },
        })
      }
      const switchTo = (is_enabled: boolean) =>
        first.call(switchProduct, { params: { product_code }, body: { is_enabled, reason } })
      const card = page
        .locator('li[data-kind]')
        .filter({ has: page.getByText(language === 'th' ? 'ฮานอย VIP' : 'Hanoi VIP', { exact: true }) })
      const submit = page.getByTestId('submit-ticket')
      /** Opens a page, and waits until it receives events. */
      const open = async (path: string): Promise<void> => {
        const stream = page.waitForResponse((response) => new URL(response.url()).pathname === listenLive.path)
        await Promise.all([stream, page.goto(path)])
      }

      await page.emulateMedia({ colorScheme: language === 'th' ? 'light' : 'dark' })
      await openAs(page, member, language)
      await open('/')
      await expect(card).toHaveAttribute('data-kind', 'open')
      try {
        await test.step('maintenance: the list shows it by itself, and the bet page before anything is typed', async () => {
          await maintain(true)
          await expect(card.getByText(message)).toBeVisible(soon)
          await expect(card.getByText(until)).toBeVisible()
          await checkScreen(page, info, `lotto-maintained-${language}`)
          await open(`/bet/${product_code}`)
          await expect(page.getByText(t('bet.market.maintained'))).toBeVisible()
          await expect(page.getByText(message)).toBeVisible()
          await expect(page.getByText(until)).toBeVisible()
          await expect(submit).toBeDisabled()
          await expect(submit).toHaveText(t('bet.totals.maintained'))
          await checkScreen(page, info, `bet-maintained-${language}`)
        })

        await test.step('end of maintenance: the page continues by itself', async () => {
          await maintain(false)
          await expect(page.getByText(t('bet.market.maintained'))).toBeHidden(soon)
          await expect(submit).toBeEnabled()
        })

        await test.step('off: no slip can be made, the existing ticket is there', async () => {
          await switchTo(false)
          await expect(page.getByText(t('lotto.off'))).toBeVisible(soon)
          await expect(submit).toHaveCount(0)
          await expect(page.getByText(`#${ticket.order_id}`)).toBeVisible()
          await checkScreen(page, info, `bet-off-${language}`)
          await open('/')
          await expect(card.getByText(t('lotto.off'))).toBeVisible()
          await expect(card.getByRole('link')).toHaveCount(0)
          await checkScreen(page, info, `lotto-off-${language}`)
          await switchTo(true)
          await expect(card.getByRole('link')).toBeVisible(soon)
        })

        await test.step('a member who may not bet sees the reason, the rates and the existing ticket, but no bet desk', async () => {
          const { username } = await member.call(getBasicUser)
          await office.setStatus(username, 'DISABLED_BET')
          await open(`/bet/${product_code}`)
          await expect(page.getByText(t('bet.look.disabled'))).toBeVisible()
          await expect(page.getByRole('region', { name: t('bet.look.rates', { name: '90' }) }).first()).toBeVisible()
          await expect(submit).toHaveCount(0)
          await expect(page.getByText(`#${ticket.order_id}`)).toBeVisible()
          await checkScreen(page, info, `bet-disabled-${language}`)
          await office.setStatus(username, 'NORMAL')
          await open('/')
        })

        await test.step('packages taken and given', async () => {
          const { user_id } = await member.call(getBasicUser)
          const params = { user_id: String(user_id) }
          const packages = ['70', '90'].map((package_code) => ({ product_code, package_code }))
          await first.call(takePackages, { params, body: { packages, reason } })
          await expect(card.getByText(t('lotto.contact_agent'))).toBeVisible(soon)
          await first.call(givePackages, { params, body: { packages, reason } })
          await expect(card).toHaveAttribute('data-kind', 'open', soon)
        })
      } finally {
        await maintain(false)
        await switchTo(true)
      }
    },
  )
}
