// Only the database's clock decides. The application machine's clock is ten minutes wrong, in either direction, and no
// decision changes. Each scene is within five minutes of its limit, so that the wrong clock would change it.

import { randomUUID } from 'node:crypto'
import type { Order } from '@megalot/contract'
import { afterEach, expect, test, vi } from 'vitest'
import { confirmOverdueOrders } from '../src/betting/index.ts'
import { bangkokDayOf } from '../src/lib/bangkok.ts'
import { readClock } from '../src/postgres/db.ts'
import { DEMO_PASSWORD } from '../src/demo/demo.ts'
import { decideByTwo, propose } from './approvals.ts'
import { codeOf, dayOf, limitNumbers, makeResult, makeTicket, placeTicket, readOrder, ticketOn } from './scenes.ts'
import { CAPTCHA_ANSWER, startTestApp } from './test-app.ts'

// No time limit, for busy machines.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 })

const MINUTE = 60_000

const app = await startTestApp()
const member = await app.logIn('member01')
const agent = await app.logIn('agent01')
const office = await app.logIn('office01')
const secondOffice = await app.logIn('office02')
await limitNumbers(app.db, '3top', 10_000, 0)

const RightDate = Date
afterEach(() => {
  globalThis.Date = RightDate
})

/** From here on this process has a wrong time; the database is another process. */
function setClockWrong(byMs: number): void {
  globalThis.Date = class Date extends RightDate {
    constructor(...given: [] | [string]) {
      super(...((given.length === 0 ? [RightDate.now() + byMs] : given) as [string]))
    }
    static override now(): number {
      return RightDate.now() + byMs
    }
  } as DateConstructor
}

let lastRound = 0

/** A period that opens, closes and is drawn this many minutes from now, by the database's clock. */
async function makePeriod(opens: number, closes: number, draws = closes + 1): Promise<string> {
  lastRound += 1
  const { rows } = await app.asOwner<{ period_code: string }>`
    insert into periods (period_code, product_code, period_date, round, open_at, close_at, draw_at)
    select 'thai-government-' || to_char(now.at, 'YYYYMMDD') || ${`-${lastRound}`}::text, 'thai-government', now.at::date,
      ${lastRound}, now.at + ${opens} * interval '1 min', now.at + ${closes} * interval '1 min',
      now.at + ${draws} * interval '1 min'
    from (select clock_timestamp() as at) now returning period_code`
  return rows[0]!.period_code
}

const placeBetween = async (opens: number, closes: number, baht = 10): Promise<Order> =>
  placeTicket(member, ticketOn(await makePeriod(opens, closes), [['123', baht]]))

/**
 * A ticket placed `ago` minutes ago, in a period that closes in `closes` minutes; one of 120 Baht waits for its member.
 */
async function placeAgo(ago: number, closes: number, baht = 10): Promise<Order> {
  const order = await placeBetween(-60, Math.max(closes, 1), baht)
  const { order_id } = order
  await app.asOwner`update orders set placed_at = placed_at - ${ago} * interval '1 min',
    confirm_deadline_at = confirm_deadline_at - ${ago} * interval '1 min' where order_id = ${order_id}`
  if (closes < 1)
    await app.asOwner`update periods set close_at = clock_timestamp() where period_id = (select period_id from orders where order_id = ${order_id})`
  return order
}

async function cancel(ago: number, closes: number): Promise<string> {
  const order = await placeAgo(ago, closes)
  return codeOf(await member.post(`/api/order/${order.order_id}/cancel`, order))
}

async function confirm(ago: number): Promise<string> {
  const { order_id } = await placeAgo(ago, 60, 120)
  return codeOf(await member.post(`/api/order/${order_id}/confirm`, { items: [] }))
}

async function expire(ago: number): Promise<string> {
  const { order_id } = await placeAgo(ago, 60, 120)
  const { tag } = await readOrder(member, { order_id })
  await confirmOverdueOrders(app.db)
  return `${tag} ${(await readOrder(member, { order_id })).status}`
}

async function remove(closes: number): Promise<string> {
  const { order_id } = await placeAgo(0, closes)
  return codeOf(await agent.post(`/api/order/${order_id}/delete`, { reason: 'clock' }))
}

async function proposeToVoid(closes: number): Promise<string> {
  const { order_id } = await placeAgo(0, closes)
  return codeOf(await propose(office, 'void_order', { order_id }))
}

async function enter(closes: number, draws = closes + 1): Promise<string> {
  const period_code = await makePeriod(-60, closes, draws)
  return codeOf(await office.post(`/api/award?date=${dayOf(period_code)}`, { period_code, result: makeResult('123') }))
}

async function closeEarly(opens: number, closes: number): Promise<string> {
  return codeOf(await office.post(`/api/admin/period/${await makePeriod(opens, closes)}/close`, { reason: 'clock' }))
}

/** Whether a period can be created with these times, in minutes from now. */
async function create(draws: number, opens?: number): Promise<string> {
  lastRound += 1
  const at = (minutes: number) => new RightDate(RightDate.now() + minutes * MINUTE).toISOString()
  const period_date = bangkokDayOf(new RightDate(RightDate.now() + draws * MINUTE))
  const times = { close_at: at(draws), draw_at: at(draws), ...(opens === undefined ? {} : { open_at: at(opens) }) }
  const payload = { product_code: 'yeekee', period_date, round: 100 + lastRound, ...times }
  return codeOf(await decideByTwo(office, secondOffice, 'create_period', payload))
}

async function stayIdle(minutes: number): Promise<string> {
  const caller = await app.logIn('member02')
  await app.asOwner`update sessions set last_active_at = clock_timestamp() - ${minutes} * interval '1 min'
    where user_id = ${caller.user_id} and ended_at is null`
  return codeOf(await caller.get('/mgluser/user_data/credit_info'))
}

async function useCaptcha(expires: number): Promise<string> {
  const request_id = randomUUID()
  await app.call('GET', `/megalot/auth/captcha?request_id=${request_id}`)
  await app.asOwner`update captchas set expires_at = clock_timestamp() + ${expires} * interval '1 min'
    where request_id = ${request_id}`
  const body = { username: 'member03', password: DEMO_PASSWORD, request_id, captcha_txt: CAPTCHA_ANSWER }
  return codeOf(await app.call('POST', '/megalot/auth/login', body))
}

/** The difference in minutes between the application's instants and the database's clock. */
async function offByMinutes(): Promise<Record<string, number>> {
  const now = await readClock(app.owner)
  const off = (text: string, minutes = 0) => Math.round((RightDate.parse(text) - now.getTime()) / MINUTE) - minutes
  const order = await placeBetween(-60, 60, 120)
  const list = await member.get('/api/lotto/listProductPeriod')
  return {
    created_at: off(order.created_at),
    placed_at: off(order.steps[2]!.at),
    deadline: off(order.confirm_deadline_at!, 30),
    listed: off(list.json.data.now),
  }
}

const betBetween = async (opens: number, closes: number): Promise<string> => {
  const { json } = await member.post('/api/order/create', makeTicket(await makePeriod(opens, closes)))
  return json.error?.code ?? json.data.period.status
}

const decisions: Record<string, [decide: () => Promise<string>, expected: string]> = {
  'a bet 5 minutes before the close': [() => betBetween(-60, 5), 'open'],
  'a bet 5 minutes after the close': [() => betBetween(-60, -5), 'period_closed'],
  'a bet 5 minutes before the opening': [() => betBetween(5, 60), 'period_not_open'],
  'a bet 5 minutes after the opening': [() => betBetween(-5, 60), 'open'],
  'a cancel 25 minutes after placing': [() => cancel(25, 60), 'ok'],
  'a cancel 35 minutes after placing': [() => cancel(35, 60), 'cancel_window_over'],
  'a cancel 8 minutes before the close': [() => cancel(0, 8), 'ok'],
  'a cancel 3 minutes before the close': [() => cancel(0, 3), 'too_close_to_close'],
  'a confirmation after 25 minutes': [() => confirm(25), 'ok'],
  'a confirmation after 35 minutes': [() => confirm(35), 'confirm_over'],
  'a waiting ticket after 25 minutes': [() => expire(25), 'manually_confirm WAIT_CONFIRM'],
  'a waiting ticket after 35 minutes': [() => expire(35), 'exceed_30_minutes CONFIRMED'],
  'a delete 5 minutes before the close': [() => remove(5), 'ok'],
  'a delete after the close': [() => remove(0), 'use_void'],
  'a void 5 minutes before the close': [() => proposeToVoid(5), 'period_still_open'],
  'a void after the close': [() => proposeToVoid(0), 'ok'],
  'a result 5 minutes before the close': [() => enter(5), 'period_still_open'],
  'a result 5 minutes after the close': [() => enter(-5), 'ok'],
  'a result 5 minutes before the draw': [() => enter(-60, 5), 'award_too_early'],
  'a result 5 minutes after the draw': [() => enter(-60, -5), 'ok'],
  'an early close 5 minutes before the opening': [() => closeEarly(5, 60), 'period_not_open'],
  'an early close 5 minutes before the close': [() => closeEarly(-60, 5), 'ok'],
  'an early close 5 minutes after the close': [() => closeEarly(-60, -5), 'period_closed'],
  'a new period whose draw is 5 minutes ahead': [() => create(5), 'ok'],
  'a new period whose draw was 5 minutes ago': [() => create(-5, -60), 'bad_input'],
  'a new period that opens in 5 minutes': [() => create(60, 5), 'ok'],
  'a new period that opened 5 minutes ago': [() => create(60, -5), 'bad_input'],
  'a session idle for 25 minutes': [() => stayIdle(25), 'ok'],
  'a session idle for 35 minutes': [() => stayIdle(35), 'session_expired'],
  'a captcha 2 minutes before its end': [() => useCaptcha(2), 'ok'],
  'a captcha 2 minutes after its end': [() => useCaptcha(-2), 'wrong_captcha'],
}

// Regression: a decision uses the application machine's clock, so a wrong clock accepts bets after the close.
test.each([-10, 0, 10])('a clock that is %i minutes ahead changes no decision', async (minutes) => {
  setClockWrong(minutes * MINUTE)
  const found: Record<string, string> = {}
  for (const [name, [decide]] of Object.entries(decisions)) found[name] = await decide()
  const expected = Object.fromEntries(Object.entries(decisions).map(([name, [, answer]]) => [name, answer]))
  expect(found).toEqual(expected)
  expect(await offByMinutes()).toEqual({ created_at: 0, placed_at: 0, deadline: 0, listed: 0 })
})
