// A client written from the specification alone can register, bet, confirm, cancel and read its reports. It knows paths
// and fields of the specification and the API page, sends back what it received, and imports no contract.

import { expect, test } from 'vitest'
import { findViolatedInvariants } from './invariants.ts'
import { DEMO_AGENT_CODE } from '../src/demo/demo.ts'
import { limitNumbers, openPeriod } from './scenes.ts'
import { CAPTCHA_ANSWER, startTestApp } from './test-app.ts'

// oxlint-disable-next-line typescript/no-explicit-any
type Json = any

/** The client: a base URL, a session and fetch. */
class Client {
  private readonly url: string
  private sessionId: string | null = null

  constructor(url: string) {
    this.url = url
  }

  /** A call as section 7 describes it. @returns the whole reply */
  async call(method: string, path: string, body?: object): Promise<Json> {
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers: {
        'accept-language': 'en',
        ...(this.sessionId === null ? {} : { authorization: `Bearer ${this.sessionId}` }),
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const reply = (await response.json()) as Json
    if (reply.status.code !== response.status) throw new Error(`${path} returned ${response.status}`)
    return reply
  }

  /** The data of a call that succeeds. */
  async get(path: string): Promise<Json> {
    return this.dataOf(await this.call('GET', path))
  }

  async post(path: string, body: object): Promise<Json> {
    return this.dataOf(await this.call('POST', path, body))
  }

  private dataOf(reply: Json): Json {
    if (reply.status.code !== 200) throw new Error(reply.status.message)
    return reply.data
  }

  async showCaptcha(request_id: string): Promise<void> {
    await fetch(`${this.url}/megalot/auth/captcha?request_id=${request_id}`)
  }

  /** Keeps the session of a user record. */
  keep(user: Json): void {
    this.sessionId = user.sessionId
  }

  get isLoggedIn(): boolean {
    return this.sessionId !== null
  }

  async logOff(): Promise<void> {
    await this.call('POST', '/megalot/auth/logoff')
  }
}

const app = await startTestApp()
await limitNumbers(app.db, '3top', 10_000, 0)
const period_code = await openPeriod(app.owner)
const client: Client = new Client(await app.server.listen({ host: '127.0.0.1', port: 0 }))

const username = 'somchai2569'
const password = 'maple-lantern-77'

async function register(): Promise<Json> {
  const request_id = 'register-0001'
  await client.showCaptcha(request_id)
  const user = await client.post('/megalot/auth', {
    email: 'somchai@example.com',
    username,
    password,
    display_name: 'สมชาย',
    agent_code: DEMO_AGENT_CODE,
    request_id,
    captcha_txt: CAPTCHA_ANSWER,
    confirm_password: password,
    language: 'th',
    level: 'company',
  })
  const agent = await app.logIn('agent01')
  const change = { credit_limit_satang: 1_000_000, reason: 'a first credit' }
  await agent.post(`/mgluser/downline/${user.user_id}/credit_limit`, change)
  return user
}

/** A ticket from the member's input and the game config. */
function makeOrder(config: Json, request_id: string, bets: [bet_type: string, number: string, baht: number][]): Json {
  const items = bets.map(([bet_type, number, baht]) => {
    const { rate, discount_rate } = config.bet_types.find((one: Json) => one.bet_type === bet_type)
    return { bet_type, number, bet_satang: baht * 100, rate, discount_rate, is_half_pay: false, status: 'CREATED' }
  })
  const bet_satang = items.reduce((sum, item) => sum + item.bet_satang, 0)
  const { product_code, package_code } = config
  return { request_id, period_code, product_code, package_code, status: 'CREATED', bet_satang, win_satang: 0, items }
}

test('registers, bets, confirms, cancels and reads its reports', async () => {
  const registered = await register()
  expect(registered).toMatchObject({ username, level: 'member', status: 'NORMAL' })
  client.keep(registered)
  expect(client.isLoggedIn).toBe(true)
  expect(await client.get('/mgluser/user_data/basic')).toMatchObject({ username, credit_remain_satang: 1_000_000 })
  const sync = await client.call('GET', '/megalot/auth/session_sync?version=1.0.0&gui=user&t=1')
  expect(sync.guiVersion).toBe('1.0.0')

  // Markets to bet on.
  expect((await client.get('/api/products')).length).toBeGreaterThan(1)
  expect((await client.get('/api/product/available?lang=th')).length).toBeGreaterThan(1)
  const { products } = await client.get('/api/lotto/listProductPeriod?group=all')
  expect(products.map((one: Json) => one.current_period?.period_code)).toContain(period_code)
  const { periods } = await client.get('/api/product/periods')
  const { product_code } = periods.find((one: Json) => one.period_code === period_code)
  expect(await client.get(`/api/product/${product_code}/period/${period_code}`)).toMatchObject({
    period: { period_code },
  })
  const [template] = await client.get(`/api/user/product/${product_code}/template`)
  const config = await client.get(`/api/user/product/${product_code}/template/${template.package_code}/game_config`)
  expect(await client.get(`/api/game_config/limit_number/${period_code}`)).toEqual([])

  // A ticket that is partly accepted, and confirmed with the items it shows.
  const first = makeOrder(config, 'BILL_0001', [
    ['3top', '123', 120],
    ['2bottom', '45', 50],
  ])
  const waiting = await client.post('/api/order/create', first)
  expect(waiting).toMatchObject({ status: 'WAIT_CONFIRM', request_id: 'BILL_0001', period_code })
  expect(await client.post('/api/order/create', first)).toMatchObject({ id: waiting.id })
  expect(waiting.confirmList).toMatchObject([{ number: '123', bet_satang: 12_000, received_satang: 10_000 }])
  expect(await client.get('/api/order/request_id/BILL_0001')).toMatchObject({ id: waiting.id })
  const confirmed = await client.post(`/api/order/${waiting.id}/confirm`, { items: waiting.confirmList })
  expect(confirmed).toMatchObject({ status: 'CONFIRMED', received_satang: 15_000 })
  expect(await client.get(`/api/order/status/${waiting.id}`)).toMatchObject({ status: 'CONFIRMED' })

  // A ticket with one item returned, by setting its bet to 0.
  const second = await client.post(
    '/api/order/create',
    makeOrder(config, 'BILL_0002', [
      ['3top', '456', 120],
      ['3top', '789', 120],
    ]),
  )
  const items = second.confirmList.map((item: Json) => (item.number === '456' ? { ...item, bet_satang: 0 } : item))
  expect(await client.post(`/api/order/${second.id}/confirm`, { items })).toMatchObject({
    status: 'CONFIRMED',
    received_satang: 10_000,
  })

  // A cancelled ticket: the credit is as before.
  const { credit_remain_satang } = await client.get('/mgluser/user_data/credit_info')
  const third = await client.post('/api/order/create', makeOrder(config, 'BILL_0003', [['2top', '12', 20]]))
  expect(await client.post(`/api/order/${third.id}/cancel`, { ...third, why: 'typing error' })).toMatchObject({
    status: 'CANCELLED',
    cancelled_by: username,
  })
  expect(await client.get('/mgluser/user_data/credit_info')).toMatchObject({ credit_remain_satang })

  // Its tickets and reports.
  const ids = [third.id, second.id, waiting.id]
  for (const path of [
    `/api/order/period?period_code=${period_code}&page=0&ipp=15&v=2`,
    `/api/order?period_code=${period_code}&page=0&ipp=15`,
    '/api/order/list?with_period=true&v=2&sort=newest',
    '/api/order?v=1',
  ])
    expect((await client.get(path)).map(({ id }: Json) => id)).toEqual(ids)
  expect(await client.get(`/api/order/${third.id}`)).toMatchObject({ status: 'CANCELLED' })
  expect(await client.get('/api/bill/listDeletedBills')).toEqual([])
  const [latest] = await client.get('/mgluser/profit/transaction_list')
  expect(latest).toMatchObject({ kind: 'refund', order_id: third.id })
  expect((await client.get(`/mgluser/profit/transaction_list/${registered.user_id}`))[0]).toEqual(latest)
  const today = new Date(Date.now() + 7 * 3_600_000).toISOString().slice(0, 10)
  const summary = { date_from: today, date_to: today, type: 'member' }
  expect(await client.post('/api/admin/report/user_win_loss_summary', summary)).toMatchObject({ rows: [{}] })
  for (const path of ['/api/award', `/api/award?product_code=${product_code}`, '/api/admin/announcement/list'])
    expect(Array.isArray(await client.get(path))).toBe(true)
  for (const path of [`get_by_product/${product_code}`, `list_award/${today}`])
    expect(Array.isArray(await client.get(`/api/rewardcalc/award/${path}`))).toBe(true)

  await client.logOff()
  expect((await client.call('GET', '/mgluser/user_data/basic')).status.code).toBe(401)
  expect(await findViolatedInvariants(app.owner)).toEqual({})
})

test('learns which field is wrong', async () => {
  const { status } = await client.call('POST', '/megalot/auth/login', { username, password, captcha_txt: 'abcd' })
  expect(status).toEqual({ code: 400, message: 'The data sent is not valid. Please check it: request_id is missing' })
})
