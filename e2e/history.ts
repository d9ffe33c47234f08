// A member with history: tickets that have won and lost in a settled period, one that is open, and one that waits.

import { type Order, type Period, type PlaceOrderBody, placeOrder, register } from '@megalot/contract'
import { randomUUID } from 'node:crypto'
import { Api, captchaAnswer, demoPassword, requestCaptcha } from './api.ts'
import type { Office } from './office.ts'
import { demoAgentCode } from './pages/register-page.ts'

type Item = PlaceOrderBody['items'][number]

/** A new member under the demo's agent, signed in, with credit. */
export async function joinMember(
  url: string,
  office: Office,
  username: string,
  credit_satang = 5_000_000,
): Promise<Api> {
  const api = new Api(url)
  const request_id = randomUUID()
  await requestCaptcha(url, request_id)
  const { sessionId: sessionToken } = await api.callWhole(register, {
    body: {
      agent_code: demoAgentCode,
      username,
      display_name: username,
      email: `${username}@example.com`,
      password: demoPassword,
      request_id,
      captcha_txt: captchaAnswer,
    },
  })
  api.sessionToken = sessionToken
  await office.setCredit(username, credit_satang)
  return api
}

/** Places a ticket at the rates of package 70. */
export function placeTicket(api: Api, { period_code }: Period, items: readonly Item[], note = ''): Promise<Order> {
  const body = { request_id: randomUUID(), period_code, package_code: '70', note, items: [...items] }
  return api.call(placeOrder, { body })
}

const rates = { '2top': 7_000, '2bottom': 7_000, '3top': 55_000, '3front': 12_500 } as const

export function item(bet_type: keyof typeof rates, number: string, baht: number): Item {
  return { bet_type, number, bet_satang: baht * 100, rate: rates[bet_type] }
}

let lastRound = 0

/** A round that no other journey of the run uses: each process of Playwright has an index that is given once. */
export function anyRound(): number {
  lastRound += 1
  return 1_000 * (1 + Number(process.env.TEST_WORKER_INDEX)) + lastRound
}

export interface History {
  api: Api
  username: string
  /** Settled with 895 and 52. */
  settled: Period
  /** Still open. */
  open: Period
  won: Order
  lost: Order
  running: Order
  /** Waits for the member, because a number pays half. */
  waiting: Order
}

const result = { top3: '895', bottom2: '52' }

/**
 * Makes such a member. Its two periods are extra rounds of one market.
 * @param openShown opens the period that the bet page shows
 */
export async function makeHistory(
  url: string,
  office: Office,
  username: string,
  product_code: string,
  openShown: () => Promise<Period>,
): Promise<History> {
  const api = await joinMember(url, office, username)
  const settled = await office.openPeriod(product_code, anyRound())
  const won = await placeTicket(api, settled, [item('2top', '95', 20), item('2bottom', '25', 10)], 'งานวัด ๑')
  const lost = await placeTicket(api, settled, [item('3top', '123', 5), item('2top', '59', 15)])
  await office.closePeriod(settled.period_code)
  // Hanoi publishes the whole number.
  await office.settle(settled, product_code.startsWith('hanoi') ? { first_prize: '63895', ...result } : result)
  const open = await openShown()
  await office.setNumber(open.period_code, { bet_type: '2top', number: '47', set_to: 'half' })
  const running = await placeTicket(api, open, [item('2top', '12', 30), item('2bottom', '34', 40)], 'ฝากป้าแดง')
  const waiting = await placeTicket(api, open, [item('2top', '47', 50), item('2bottom', '35', 10)])
  return { api, username, settled, open, won, lost, running, waiting }
}
