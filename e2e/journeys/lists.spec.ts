// Goal: the lists of markets, tickets and results are complete: times and days left, the fifteen latest tickets, five
// draws, the tags of tickets that waited.

import { getGameConfig, getOrder, type Language, listOrders, listProductPeriod, type Order } from '@megalot/contract'
import { expect, tagOf, test } from '../fixtures.ts'
import { anyRound, item, joinMember, placeTicket } from '../history.ts'
import { intercept } from '../intercept.ts'
import { betPageOf } from '../pages/bet-page.ts'
import { Builder } from '../pages/entry-styles.ts'
import { newUsername } from '../pages/register-page.ts'
import { openAs } from '../pages/session.ts'
import { wordsOf } from '../pages/words.ts'

/** A market of its own for each project, so that they need not wait for each other. */
const marketOf = (isPhone: boolean): string => (isPhone ? 'malay' : 'egypt')

/** An instant so many hours from now. */
const at = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString()

for (const language of ['th', 'en'] as const satisfies readonly Language[]) {
  test(
    `a market shows until when it is open, when it reopens, or whom to contact (${language})`,
    { tag: tagOf(language, 'th-phone') },
    async ({ page, url, office }, info) => {
      const t = wordsOf(language)
      const member = await joinMember(url, office, newUsername(info.project.name, `${language}lot`))
      const { products } = await member.call(listProductPeriod)
      const period = products.find(({ current_period }) => current_period !== null)!.current_period!
      const states = [
        { current_period: { ...period, open_at: at(-1), close_at: at(50), draw_at: at(51), status: 'open' } },
        { current_period: { ...period, open_at: at(3), close_at: at(50), draw_at: at(51), status: 'upcoming' } },
        { has_package: false },
      ]
      await intercept(page, `**${listProductPeriod.path}`, async (route) => {
        const response = await route.fetch()
        const reply = (await response.json()) as { data: { products: object[] } }
        for (const [index, state] of states.entries())
          Object.assign(reply.data.products[index]!, { is_enabled: true, has_package: true, maintenance: null }, state)
        await route.fulfill({ response, json: reply })
      })
      await openAs(page, member, language)
      await page.goto('/')
      const cardOf = (index: number) => {
        const { name_th, name_en } = products[index]!
        const name = language === 'th' ? name_th : name_en
        return page.locator('li[data-kind]').filter({ has: page.getByText(name, { exact: true }) })
      }
      await expect(
        cardOf(0).getByText(new RegExp(t('lotto.open_until', { time: '\\d+ .+ \\d\\d:\\d\\d' }))),
      ).toBeVisible()
      await expect(cardOf(0).getByTestId('countdown')).toHaveText(
        new RegExp(`^${t('common.time.with_days', { days: '2', clock: '0\\d:\\d\\d' })}$`),
      )
      await expect(cardOf(1).getByText(t('lotto.closed'), { exact: true })).toBeVisible()
      await expect(cardOf(1).getByText(new RegExp(t('lotto.reopens_at', { time: '.*\\d\\d:\\d\\d' })))).toBeVisible()
      await expect(cardOf(2).getByText(t('lotto.contact_agent'))).toBeVisible()
      await expect(cardOf(2).getByRole('link')).toHaveCount(0)
    },
  )

  test(
    `a ticket that waited shows why beside its status (${language})`,
    { tag: tagOf(language, 'th-phone') },
    async ({ page, url, office }, info) => {
      const t = wordsOf(language)
      const member = await joinMember(url, office, newUsername(info.project.name, `${language}tag`))
      const period = await office.openPeriod('yeekee', anyRound())
      await office.setNumber(period.period_code, { bet_type: '2top', number: '47', set_to: 'half' })
      const { order_id } = await placeTicket(member, period, [item('2top', '47', 20)])
      await openAs(page, member, language)
      await page.goto(`/bills/${order_id}`)
      const main = page.getByRole('main')
      await expect(main.getByText(t('bills.tag.manually_confirm'), { exact: true })).toBeVisible()
      await office.closePeriod(period.period_code)
      await expect
        .poll(async () => (await member.call(getOrder, { params: { order_id: String(order_id) } })).status)
        .toBe('CONFIRMED')
      for (const path of [`/bills/${order_id}`, '/bills']) {
        await page.goto(path)
        await expect(main.getByText(t('bills.tag.period_closed'), { exact: true })).toBeVisible()
      }
      // The half hour is tested on the server: this tests its display.
      await intercept(page, `**/api/order/${order_id}`, async (route) => {
        const response = await route.fetch()
        const reply = (await response.json()) as { data: Order }
        await route.fulfill({ response, json: { ...reply, data: { ...reply.data, tag: 'exceed_30_minutes' } } })
      })
      await page.goto(`/bills/${order_id}`)
      await expect(main.getByText(t('bills.tag.exceed_30_minutes'), { exact: true })).toBeVisible()
    },
  )

  test(
    `the market is switched on the bet page, beside the fifteen latest tickets (${language})`,
    { tag: tagOf(language, 'th-phone') },
    async ({ page, url, office, isPhone, openShownPeriod }, info) => {
      const t = wordsOf(language)
      const product_code = marketOf(isPhone)
      const period = await openShownPeriod(product_code, anyRound())
      const member = await joinMember(url, office, newUsername(info.project.name, `${language}fif`))
      const ids: number[] = []
      for (let each = 0; each < 16; each += 1)
        ids.unshift((await placeTicket(member, period, [item('2top', '12', 5)])).order_id)
      await openAs(page, member, language)
      const bet = betPageOf(page, isPhone, language)
      await bet.open(product_code)
      const latest = await bet.showLatest()
      await expect(latest.getByRole('listitem')).toHaveCount(15)
      for (const [at, order_id] of ids.slice(0, 15).entries())
        await expect(latest.getByRole('listitem').nth(at)).toContainText(`#${order_id}`)
      await bet.input.press(page.getByRole('button', { name: t('bet.market.switch') }))
      const sheet = page.getByRole('dialog')
      await sheet.getByRole('searchbox').fill(language === 'th' ? 'รัฐบาล' : 'government')
      await bet.input.press(sheet.locator('a[href="/bet/thai-government"]'))
      await expect(page).toHaveURL(/\/bet\/thai-government/)
      await expect(page.getByRole('button', { name: t('bet.market.switch') })).not.toContainText('yeekee')
    },
  )
}

for (const language of ['th', 'en'] as const satisfies readonly Language[]) {
  test(
    `a number with many bets turns yellow, a closed one grey (${language})`,
    { tag: tagOf(language, 'th-phone') },
    async ({ page, url, office, isPhone, openShownPeriod }, info) => {
      const t = wordsOf(language)
      const product_code = marketOf(isPhone)
      const period = await openShownPeriod(product_code, anyRound())
      const member = await joinMember(url, office, newUsername(info.project.name, `${language}yel`))
      const quota = { product_code, bet_type: '2roll', half_satang: 0 } as const
      await office.setQuota({ ...quota, full_satang: 10_000 })
      try {
        const config = await member.call(getGameConfig, { params: { product_code, package_code: '70' } })
        const { rate } = config.bet_types.find(({ bet_type }) => bet_type === '2roll')!
        await placeTicket(member, period, [{ bet_type: '2roll', number: '12', bet_satang: 8_500, rate }])
        await office.setNumber(period.period_code, { bet_type: '2roll', number: '34', set_to: 'closed' })
        await openAs(page, member, language)
        const bet = betPageOf(page, isPhone, language)
        await bet.open(product_code, 'builder')
        await bet.choosePackage('70')
        await new Builder(page, isPhone).choose(2, 'board')
        for (const [number, state, word] of [
          ['12', 'yellow', t('entry.board.yellow')],
          ['21', 'yellow', t('entry.board.yellow')],
          ['34', 'grey', t('entry.board.grey')],
        ] as const)
          await expect(page.getByRole('button', { name: `${number} ${word}` })).toHaveAttribute('data-state', state)
        await expect(page.getByRole('button', { name: '56', exact: true })).not.toHaveAttribute('data-state')
      } finally {
        await office.setQuota({ ...quota, full_satang: 1_000_000_000 })
      }
    },
  )
}

for (const language of ['th', 'en'] as const satisfies readonly Language[]) {
  test(
    `the list of bills is reloaded by its button (${language})`,
    { tag: tagOf(language, 'th-phone') },
    async ({ page, url, office }, info) => {
      await page.clock.install()
      const member = await joinMember(url, office, newUsername(info.project.name, `${language}ref`))
      const { order_id } = await placeTicket(member, await office.openPeriod('yeekee', anyRound()), [
        item('2top', '12', 5),
      ])
      await openAs(page, member, language)
      await page.goto('/bills')
      const refresh = page.getByRole('button', { name: wordsOf(language)('common.action.refresh') })
      await expect(page.getByTestId('bill-list').getByText(`#${order_id}`)).toBeVisible()
      await expect(refresh).toBeEnabled()
      await refresh.focus()
      // From here on the page does not poll.
      await page.clock.pauseAt(Date.now() + 1_000)
      const reloaded = page.waitForResponse((response) => {
        const { pathname, searchParams } = new URL(response.url())
        // The news of the frame load tickets of one status.
        return pathname === listOrders.path && !searchParams.has('status')
      })
      await page.keyboard.press('Enter')
      expect((await reloaded).status()).toBe(200)
    },
  )
}

test(
  'the awards begin with the last five draws of the government lottery',
  { tag: '@desktop-only' },
  async ({ page, url, office }, info) => {
    await openAs(page, await joinMember(url, office, newUsername(info.project.name, 'fiv')))
    await page.goto('/awards')
    const draws = page.getByRole('region', { name: 'หวยรัฐบาลไทย' }).getByRole('radio')
    await expect(draws).toHaveCount(5)
    await expect(draws.first()).toBeChecked()
  },
)
