// Goal: the office changes terms from now on; an existing ticket keeps its terms to the end.

import type { GameConfig } from '@megalot/contract'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  makeLine,
  makeResult,
  makeTicket,
  openPeriod,
  placeTicket,
  readOrder,
  settleWith,
  statusOf,
  waitForLock,
} from '../../test/scenes.ts'
import { startTestApp } from '../../test/test-app.ts'
import type { Db } from '../postgres/db.ts'
import { catalogue } from './catalogue.ts'

const app = await startTestApp()
const member = await app.logIn('member01')
const office = await app.logIn('office01')

const change = (body: object, market = 'thai-government', caller = office) =>
  caller.post(`/api/admin/product/${market}/template/70/game_config`, { reason: 'for a test', ...body })

async function readConfig(market = 'thai-government'): Promise<GameConfig> {
  return (await member.get(`/api/user/product/${market}/template/70/game_config`)).json.data
}

const termsOf = (config: GameConfig, bet_type: string) => config.bet_types.find((each) => each.bet_type === bet_type)!

// Defect: each change writes the list of packages that it read, and restores the package that the other took.
test('two packages taken from a user at the same time are both removed', async () => {
  const { owner } = app
  const given = owner.selectFrom('user_packages').where('user_id', '=', member.user_id)
  const [one, other, ...rest] = await given.select('package_id').orderBy('package_id').execute()
  const take = (db: Db, { package_id } = one!) =>
    sql`delete from user_packages where user_id = ${member.user_id} and package_id = ${package_id}`.execute(db)
  const second: Promise<unknown>[] = []
  await owner.transaction().execute(async (tx) => {
    await take(tx)
    second.push(take(owner, other))
    await waitForLock(owner)
  })
  await Promise.all(second)
  const { rows } = await sql<{ package_ids: number[] }>`
    select package_ids from users where user_id = ${member.user_id}`.execute(owner)
  expect(rows[0]!.package_ids.toSorted((a, b) => a - b)).toEqual(rest.map(({ package_id }) => package_id))
  for (const { package_id } of [one!, other!])
    await owner.insertInto('user_packages').values({ user_id: member.user_id, package_id }).execute()
})

describe('all packages', () => {
  test('are listed with their markets for the office', async () => {
    const { data } = (await office.get('/api/admin/templates')).json
    expect(data).toEqual(
      catalogue.flatMap(({ product_code }) =>
        ['70', '90'].map((code) => ({ product_code, package_code: code, name: code, max_items: 500 })),
      ),
    )
  })

  test('come with their terms, the same that a member is shown', async () => {
    const configs: GameConfig[] = (await office.get('/api/admin/game_config/all')).json.data
    expect(configs).toHaveLength(catalogue.length * 2)
    for (const market of ['thai-government', 'lao-vip']) expect(configs).toContainEqual(await readConfig(market))
  })

  test.each(['/api/admin/templates', '/api/admin/game_config/all'])(
    '%s shows the company what it shows the office',
    async (url) => {
      const company = await app.logIn('company')
      expect((await company.get(url)).json.data).toEqual((await office.get(url)).json.data)
    },
  )
})

describe('changing terms', () => {
  test('applies to the next ticket; an existing one keeps its rate and is paid by it', async () => {
    const period_code = await openPeriod(app.owner)
    const place = (rate: number) =>
      placeTicket(member, makeTicket(period_code, { items: [makeLine('3top', '123', 10, rate)] }))
    const old = await place(55_000)
    expect(old).toMatchObject({ status: 'CONFIRMED', net_satang: 670 })

    onTestFinished(async () => {
      await change({ bet_types: [{ bet_type: '3top', rate: 55_000, discount_rate: 3_300 }] })
    })
    const { json } = await change({ bet_types: [{ bet_type: '3top', rate: 50_000, discount_rate: 1_000 }] })
    expect(termsOf(json.data, '3top')).toMatchObject({ rate: 50_000, discount_rate: 1_000, min_satang: 500 })
    expect(await readConfig()).toEqual(json.data)
    // A member who still sees the old rate is asked; one who has seen the new rate is not.
    const asked = await place(55_000)
    expect(asked).toMatchObject({ status: 'WAIT_CONFIRM', net_satang: 900 })
    expect(asked.items[0]).toMatchObject({ rate: 50_000, rate_seen: 55_000, discount_rate: 1_000 })
    const fresh = await place(50_000)
    expect(fresh).toMatchObject({ status: 'CONFIRMED', net_satang: 900 })
    expect((await member.get(`/api/order/${old.order_id}`)).json.data.items).toEqual(old.items)

    await settleWith(app, period_code, makeResult('123'))
    expect((await readOrder(member, old)).win_satang).toBe(550_000)
    expect((await readOrder(member, fresh)).win_satang).toBe(500_000)
  })

  test('of limits and switches refuses the next ticket that violates them', async () => {
    const period_code = await openPeriod(app.owner, 'lao-vip')
    const codeOf = async (bet_satang: number, items = 1) => {
      const lines = Array.from({ length: items }, (_, at) => makeLine('2top', String(10 + at), bet_satang / 100))
      return statusOf(await member.post('/api/order/create', makeTicket(period_code, { items: lines })))
    }
    expect(await codeOf(500)).toBe('CONFIRMED')
    const limits = { min_satang: 1_000, max_satang: 2_000, max_per_number_satang: 3_000 }
    expect(
      (await change({ max_items: 2, bet_types: [{ bet_type: '2top', ...limits }] }, 'lao-vip')).json.data,
    ).toMatchObject({ max_items: 2 })
    expect(await codeOf(500)).toBe('under_min')
    expect(await codeOf(2_100)).toBe('over_max')
    expect(await codeOf(1_000, 3)).toBe('too_many_items')
    // 5 Baht were staked on the number before.
    expect(await codeOf(2_000)).toBe('CONFIRMED')
    expect(await codeOf(1_000)).toBe('over_max_per_number')
    await change({ bet_types: [{ bet_type: '2top', is_on: false }] }, 'lao-vip')
    expect(await codeOf(1_000, 2)).toBe('bet_type_not_offered')
    const { json } = await change({ bet_types: [{ bet_type: '2top', is_on: true }] }, 'lao-vip')
    // Terms that were not named are unchanged.
    expect(termsOf(json.data, '2top')).toMatchObject({ ...limits, is_on: true, rate: 7_000, discount_rate: 2_800 })
    // Another market's package of the same name is another package.
    expect(termsOf(await readConfig(), '2top').min_satang).toBe(500)
  })

  const type = (changes: object) => ({ bet_types: [{ bet_type: '3top', ...changes }] })
  test.each([
    ['nothing to change', {}, 'bad_input'],
    ['a bet type without a change', type({}), 'bad_input'],
    ['a rate beyond the maximum', type({ rate: 10_000_001 }), 'bad_input'],
    ['a discount of more than all', type({ discount_rate: 10_001 }), 'bad_input'],
    ['a minimum of nothing', type({ min_satang: 0 }), 'bad_input'],
    ['a minimum of half a Baht', type({ min_satang: 550 }), 'bad_input'],
    ['a minimum over the maximum', type({ min_satang: 300_100 }), 'bad_input'],
    ['a maximum over that per number', type({ max_satang: 3_000_100 }), 'bad_input'],
    [
      'a bet type twice',
      {
        bet_types: [
          { bet_type: '3top', rate: 1 },
          { bet_type: '3top', rate: 2 },
        ],
      },
      'bad_input',
    ],
    ['no items at all', { max_items: 0 }, 'bad_input'],
    ['more items than can be', { max_items: 2_001 }, 'bad_input'],
  ])('is refused with %s', async (_name, body, code) => {
    const before = await readConfig()
    expect((await change(body)).json.error?.code).toBe(code)
    expect(await readConfig()).toEqual(before)
  })

  test('is refused for unknown markets, packages and bet types', async () => {
    const rate = { rate: 1 }
    expect((await change(type(rate), 'nowhere')).json.error.code).toBe('unknown_product')
    const url = '/api/admin/product/lao-vip/template/99/game_config'
    expect((await office.post(url, { reason: 'for a test', ...type(rate) })).json.error.code).toBe('unknown_package')
    // Only the Thai government lottery draws front threes. Neither of the two changes is written.
    const both = {
      bet_types: [
        { bet_type: '3top', rate: 1 },
        { bet_type: '3front', rate: 1 },
      ],
    }
    expect((await change(both, 'lao-vip')).json.error.code).toBe('bet_type_not_offered')
    expect(termsOf(await readConfig('lao-vip'), '3top').rate).toBe(55_000)
  })
})
