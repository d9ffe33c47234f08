// Goal: the main journey. A member bets on all nine bet types, the period closes, two office users enter the real draw
// of 16 December 2025, the tickets are settled, and every item, total, statement row and credit equals an independent
// calculation, in the API and on the screens.

import {
  getCreditInfo,
  getGameConfig,
  getOrder,
  listPeriodOrders,
  listTransactions,
  type GameConfig,
  type Order,
  placeOrder,
} from '@megalot/contract'
import { randomUUID } from 'node:crypto'
import { Api } from '../api.ts'
import { type Bet, settleLine, sumOf, winningNumbers } from '../brute-force.ts'
import { draw, mixedTicket } from '../draw-2025-12-16.ts'
import { expect, memberOf, roundOf, test } from '../fixtures.ts'
import { betPageOf } from '../pages/bet-page.ts'
import { LoginPage } from '../pages/login-page.ts'
import { readSessionToken } from '../pages/session.ts'
import { StatementPage } from '../pages/statement-page.ts'
import { TicketPage } from '../pages/ticket-page.ts'
import { bahtText } from '../pages/words.ts'

const product_code = 'thai-government'
const package_code = '70'

function termsOf(config: GameConfig, bet: Bet) {
  const terms = config.bet_types.find(({ bet_type }) => bet_type === bet.bet_type)
  if (!terms) throw new Error(`no terms for ${bet.bet_type}`)
  return terms
}

function expectedTicket(bets: readonly Bet[], config: GameConfig) {
  const lines = bets.map((bet) => ({ ...bet, ...settleLine(bet, termsOf(config, bet), draw) }))
  return {
    lines,
    bet_satang: sumOf(lines, (line) => line.bet_satang),
    discount_satang: sumOf(lines, (line) => line.discount_satang),
    net_satang: sumOf(lines, (line) => line.net_satang),
    win_satang: sumOf(lines, (line) => line.win_satang),
  }
}

/** Compares a ticket of the API with the calculation; before settlement nothing is decided. */
function expectTicket(order: Order, expected: ReturnType<typeof expectedTicket>, isSettled: boolean): void {
  const { lines, ...totals } = expected
  expect(order).toMatchObject({
    ...totals,
    status: 'CONFIRMED',
    item_count: lines.length,
    received_satang: expected.bet_satang,
    win_satang: isSettled ? expected.win_satang : 0,
  })
  expect(order.items).toHaveLength(lines.length)
  for (const line of lines) {
    const item = order.items.find(({ bet_type, number }) => bet_type === line.bet_type && number === line.number)
    const settled = line.win_satang > 0 ? 'won' : 'lost'
    expect(item, `${line.bet_type} ${line.number}`).toMatchObject({
      bet_satang: line.bet_satang,
      received_satang: line.bet_satang,
      discount_satang: line.discount_satang,
      net_satang: line.net_satang,
      win_satang: isSettled ? line.win_satang : 0,
      status: isSettled ? settled : 'awaiting_result',
      is_half_pay: false,
    })
  }
}

test('a bet on all nine bet types, from log-in to payment', async ({
  page,
  url,
  office,
  isPhone,
  openShownPeriod,
}, info) => {
  const winners = mixedTicket.filter(({ bet_type, number }) => winningNumbers(bet_type, draw).has(number))
  // The ticket is useful only if each of the nine types has a winner and a loser in it.
  expect(new Set(winners.map(({ bet_type }) => bet_type)).size).toBe(9)
  expect(new Set(mixedTicket.filter((bet) => !winners.includes(bet)).map(({ bet_type }) => bet_type)).size).toBe(9)

  const period = await openShownPeriod(product_code, roundOf(info.project.name, 1))
  const { period_code } = period
  const username = memberOf(info.project.name, 5)
  await new LoginPage(page).logIn(username)
  const api = new Api(url)
  api.sessionToken = await readSessionToken(page)
  const before = await api.call(getCreditInfo)
  const config = await api.call(getGameConfig, { params: { product_code, package_code } })
  const expected = expectedTicket(mixedTicket, config)

  const bet = betPageOf(page, isPhone)
  const order_id = await test.step('placing the ticket in the browser', async () => {
    await page.locator(`a[href="/bet/${product_code}"]`).first().click()
    await expect(bet.countdown).toBeVisible()
    await bet.choosePackage(package_code)
    await bet.fillGrid(mixedTicket)
    await expect(bet.totalNet).toHaveText(bahtText(expected.net_satang))
    // Two of its rolls are the same three digits.
    await bet.keepDuplicates()
    return bet.place()
  })

  const second: readonly Bet[] = [
    { bet_type: '3top', number: '895', bet_satang: 500 },
    { bet_type: '2roll', number: '55', bet_satang: 700 },
  ]
  const secondExpected = expectedTicket(second, config)
  const secondOrder = await test.step('placing another one through the API', () =>
    api.call(placeOrder, {
      body: {
        request_id: randomUUID(),
        period_code,
        package_code,
        items: second.map((one) => ({
          bet_type: termsOf(config, one).bet_type,
          number: one.number,
          bet_satang: one.bet_satang,
          rate: termsOf(config, one).rate,
        })),
      },
    }))

  await test.step('the tickets before the draw', async () => {
    expectTicket(await api.call(getOrder, { params: { order_id: String(order_id) } }), expected, false)
    expectTicket(secondOrder, secondExpected, false)
    await page.reload()
    const latest = await bet.showLatest()
    await expect(latest.getByText(`#${order_id}`)).toBeVisible()
    await expect(latest.getByText(`#${secondOrder.order_id}`)).toBeVisible()
    const spent = expected.net_satang + secondExpected.net_satang
    await expect(page.getByTestId('credit-remain')).toHaveText(bahtText(before.credit_remain_satang - spent))
  })

  await test.step('closing the period and entering the result twice', async () => {
    const body = { period_code, result: { ...draw, front3: [...draw.front3], back3: [...draw.back3] } }
    await office.closePeriod(period_code)
    await office.holdDraw(period)
    expect(await office.enterFirst(period.period_date, body)).toEqual({ period_code, state: 'entered' })
    expect(await office.enterSecond(period.period_date, body)).toEqual({ period_code, state: 'agreed' })
    await office.waitForStatus(period, 'settled')
  })

  await test.step('the API agrees with the calculation', async () => {
    expectTicket(await api.call(getOrder, { params: { order_id: String(order_id) } }), expected, true)
    const secondSettled = await api.call(getOrder, { params: { order_id: String(secondOrder.order_id) } })
    expectTicket(secondSettled, secondExpected, true)
    const list = await api.call(listPeriodOrders, { query: { period_code } })
    expect(list.map((one) => [one.order_id, one.win_satang])).toEqual([
      [secondOrder.order_id, secondExpected.win_satang],
      [order_id, expected.win_satang],
    ])

    const movement = expected.win_satang - expected.net_satang + secondExpected.win_satang - secondExpected.net_satang
    const after = await api.call(getCreditInfo)
    expect(after).toEqual({
      ...before,
      balance_satang: before.balance_satang + movement,
      credit_used_satang: Math.max(0, -(before.balance_satang + movement)),
      credit_remain_satang: before.credit_remain_satang + movement,
    })

    const statement = await api.call(listTransactions, { query: { ipp: '100' } })
    for (const [id, ticket] of [
      [order_id, expected],
      [secondOrder.order_id, secondExpected],
    ] as const) {
      const rows = statement.filter((row) => row.order_id === id)
      const sums = new Map<string, number>()
      for (const row of rows) sums.set(row.kind, (sums.get(row.kind) ?? 0) + row.amount_satang)
      expect(Object.fromEntries(sums)).toEqual({ bet: -ticket.net_satang, win: ticket.win_satang })
    }
    // Newest first: each balance is the one before it plus the amount of the entry.
    for (const [index, row] of statement.entries()) {
      const previous = statement[index + 1]
      if (previous) expect(row.balance_satang).toBe(previous.balance_satang + row.amount_satang)
    }
    expect(statement[0]?.balance_satang).toBe(after.balance_satang)
  })

  await test.step('the screens agree with the calculation', async () => {
    const ticket = new TicketPage(page)
    await ticket.open(order_id)
    await expect(ticket.status).toHaveAttribute('data-outcome', expected.win_satang > 0 ? 'won' : 'lost')
    for (const amount of [expected.bet_satang, expected.discount_satang, expected.net_satang, expected.win_satang]) {
      await expect(ticket.content.getByText(bahtText(amount), { exact: true }).first()).toBeVisible()
    }
    await ticket.openItems(expected.lines.length)
    for (const line of expected.lines) {
      const row = ticket.item(line.bet_type, line.number)
      await expect(row).toHaveCount(1)
      await expect(row).toContainText(line.win_satang > 0 ? 'ถูกรางวัล' : 'ไม่ถูก')
      const cells = await row.locator('td').allTextContents()
      const amounts = [line.bet_satang, line.net_satang, line.win_satang].map(bahtText)
      expect(cells).toEqual(expect.arrayContaining(amounts))
      // The discount is followed by its percentage.
      expect(cells.some((cell) => cell.startsWith(`${bahtText(line.discount_satang)} (`))).toBe(true)
    }

    const entries = await api.call(listTransactions, { query: { ipp: '100' } })
    const statement = new StatementPage(page)
    await statement.open()
    await expect(statement.rows).toHaveCount(entries.length)
    for (const [index, entry] of entries.entries()) {
      const row = statement.rows.nth(index)
      await expect(row).toContainText(`${entry.amount_satang > 0 ? '+' : ''}${bahtText(entry.amount_satang)}`)
      await expect(row).toContainText(bahtText(before.credit_limit_satang + entry.balance_satang))
      if (entry.order_id !== null) await expect(row).toContainText(String(entry.order_id))
    }
    const movement = expected.win_satang - expected.net_satang + secondExpected.win_satang - secondExpected.net_satang
    await expect(page.getByTestId('credit-remain')).toHaveText(bahtText(before.credit_remain_satang + movement))
  })
})
