// Goal: every refusal has the right code and a message in Thai and in English, and changes nothing.

import {
  type GameConfig,
  getCreditInfo,
  getGameConfig,
  listOrders,
  listPackages,
  listTransactions,
  logIn,
  type Period,
  type PlaceOrderBody,
  placeOrder,
  type Language,
  type RefusalCode,
  refusals,
  type Route,
} from '@megalot/contract'
import { randomUUID } from 'node:crypto'
import { type Api, captchaAnswer, demoPassword, logInThroughApi, requestCaptcha } from '../api.ts'
import { expect, memberOf, roundOf, test } from '../fixtures.ts'

const market = 'thai-government'
/** Later than any period of the timetable, so that no bet page shows these. */
const yearMs = 366 * 86_400_000
const languages: readonly Language[] = ['th', 'en']

/** Everything that a refused call could have changed for a member. */
async function readTraces(api: Api) {
  return {
    credit: await api.call(getCreditInfo),
    orders: await api.call(listOrders, { query: {} }),
    statement: await api.call(listTransactions, { query: {} }),
  }
}

async function expectRefusal(
  api: Api,
  route: Route,
  makeInput: () => { params?: object; query?: object; body?: unknown },
  code: RefusalCode,
): Promise<void> {
  for (const language of languages) {
    api.language = language
    const refused = await api.refusal(route, makeInput())
    expect(refused).toMatchObject({ code, http: refusals[code].http })
    expect(refused.sentence).toContain(refusals[code][language])
  }
}

async function readTerms(api: Api): Promise<GameConfig> {
  const [first] = await api.call(listPackages, { params: { product_code: market } })
  if (!first) throw new Error('the member has no package of the market')
  return api.call(getGameConfig, { params: { product_code: market, package_code: first.package_code } })
}

function orderOf(period: Period, terms: GameConfig, items: readonly { number: string; bet_satang: number }[]) {
  const rate = terms.bet_types.find(({ bet_type }) => bet_type === '2top')?.rate ?? 0
  return {
    request_id: randomUUID(),
    period_code: period.period_code,
    package_code: terms.package_code,
    items: items.map((item) => ({ bet_type: '2top' as const, rate, ...item })),
  } satisfies PlaceOrderBody
}

test.describe('logging in', () => {
  for (const [what, change, code] of [
    ['a wrong captcha', { captcha_txt: 'zzzz' }, 'wrong_captcha'],
    ['a wrong password', { password: 'demo12345' }, 'wrong_login'],
    ['a username nobody has', { username: 'nobody0815' }, 'wrong_login'],
    ['a username with a space', { username: 'member 01' }, 'bad_input'],
    ['a captcha of three characters', { captcha_txt: 'abc' }, 'bad_input'],
  ] as const) {
    test(`is refused with ${what}`, async ({ url }, info) => {
      const api = await logInThroughApi(url, memberOf(info.project.name, 1))
      for (const language of languages) {
        const request_id = randomUUID()
        await requestCaptcha(url, request_id)
        api.language = language
        const right = { username: memberOf(info.project.name, 1), password: demoPassword, captcha_txt: captchaAnswer }
        const refused = await api.refusal(logIn, { body: { ...right, request_id, ...change } })
        expect(refused).toMatchObject({ code, http: refusals[code].http })
        expect(refused.sentence).toContain(refusals[code][language])
      }
      // The session before a failed log-in stays valid.
      await api.call(getCreditInfo)
    })
  }

  test('accepts a captcha only once', async ({ url }, info) => {
    const request_id = randomUUID()
    await requestCaptcha(url, request_id)
    const body = {
      username: memberOf(info.project.name, 1),
      password: demoPassword,
      captcha_txt: captchaAnswer,
      request_id,
    }
    const api = await logInThroughApi(url, memberOf(info.project.name, 1))
    await api.callWhole(logIn, { body })
    expect(await api.refusal(logIn, { body })).toMatchObject({ code: 'wrong_captcha' })
  })
})

test('a ticket that is refused leaves credit, tickets and statement as they were', async ({ url, office }, info) => {
  const period = await office.openPeriod(market, roundOf(info.project.name, 2), yearMs)
  const closed = await office.openPeriod(market, roundOf(info.project.name, 3), yearMs)
  await office.closePeriod(closed.period_code)
  const api = await logInThroughApi(url, memberOf(info.project.name, 2))
  const terms = await readTerms(api)
  const before = await readTraces(api)
  const good = () =>
    orderOf(period, terms, [
      { number: '07', bet_satang: 2_000 },
      { number: '70', bet_satang: 2_000 },
    ])
  const withItem = (change: object) => () => {
    const body = good()
    return { body: { ...body, items: body.items.map((item, index) => (index === 0 ? item : { ...item, ...change })) } }
  }
  const { credit_remain_satang } = before.credit
  const most = terms.bet_types.find(({ bet_type }) => bet_type === '2top')?.max_satang ?? 0
  /** Each number within its limit, all together more than the member has. */
  const tooMuch = () => {
    const count = Math.min(100, Math.ceil(credit_remain_satang / most) * 2)
    const numbers = Array.from({ length: count }, (_, index) => String(index).padStart(2, '0'))
    return {
      body: orderOf(
        period,
        terms,
        numbers.map((number) => ({ number, bet_satang: most })),
      ),
    }
  }
  const cases: [() => { body: unknown }, RefusalCode][] = [
    [() => ({ body: orderOf(closed, terms, [{ number: '07', bet_satang: 2_000 }]) }), 'period_closed'],
    [() => ({ body: { ...good(), period_code: 'no-such-market-20251216' } }), 'unknown_period'],
    [() => ({ body: { ...good(), package_code: 'no-such-package' } }), 'no_package'],
    [tooMuch, 'not_enough_credit'],
    [withItem({ number: '7' }), 'too_few_digits'],
    [withItem({ number: '' }), 'too_few_digits'],
    [withItem({ number: '007' }), 'bad_number'],
    [withItem({ number: '0x' }), 'bad_number'],
    [withItem({ number: '๐๗' }), 'bad_number'],
    [withItem({ number: 7 }), 'bad_input'],
    [withItem({ bet_type: '4top' }), 'bad_input'],
    [withItem({ bet_satang: -2_000 }), 'bad_amount'],
    [withItem({ bet_satang: 2_000.5 }), 'bad_amount'],
    [withItem({ bet_satang: 2_050 }), 'bad_amount'],
    [withItem({ bet_satang: 1e21 }), 'bad_amount'],
    [withItem({ bet_satang: 0 }), 'under_min'],
    [() => ({ body: orderOf(period, terms, [{ number: '07', bet_satang: 0 }]) }), 'zero_total'],
    [withItem({ bet_satang: '2000' }), 'bad_input'],
    [withItem({ bet_satang: null }), 'bad_input'],
    [withItem({ bet_satang: 100 }), 'under_min'],
    [withItem({ bet_satang: most + 100 }), 'over_max'],
    [() => ({ body: { ...good(), items: [] } }), 'no_number'],
    [() => ({ body: { ...good(), request_id: 'one' } }), 'bad_input'],
  ]
  for (const [makeInput, code] of cases) {
    await test.step(`${code}: ${JSON.stringify(makeInput().body).slice(0, 200)}`, () =>
      expectRefusal(api, placeOrder, makeInput, code))
  }
  await test.step('an unknown market', () =>
    expectRefusal(api, listPackages, () => ({ params: { product_code: 'no-such-market' } }), 'unknown_product'))
  expect(await readTraces(api)).toEqual(before)

  await test.step('the ticket that all of them were derived from is accepted', async () => {
    const order = await api.call(placeOrder, { body: good() })
    expect(order.status).toBe('CONFIRMED')
  })
})
