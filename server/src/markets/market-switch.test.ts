// Goal: the office switches a market off and on with a reason; everybody sees it, and its next periods are there at once.

import type { ProductPeriod } from '@megalot/contract'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { limitMarkets, waitForLock } from '../../test/scenes.ts'
import { startTestApp, type TestCaller } from '../../test/test-app.ts'
import { takeLock } from '../postgres/advisory-locks.ts'
import { makePeriods } from './markets.service.ts'
import { lockPeriod } from './periods.ts'
import { lockProduct } from './timetables.store.ts'

let member: TestCaller

const app = await startTestApp()
member = await app.logIn('member01')
const office = await app.logIn('office01')
await limitMarkets(app.owner)

type MarketList = '/api/products' | '/api/product/enabled' | '/api/product/available'

const switchTo = (is_enabled: boolean, product_code = 'malay', caller = office) =>
  caller.post(`/api/admin/product/${product_code}/enabled`, { is_enabled, reason: 'no draws for a while' })

async function marketOf(product_code: string): Promise<ProductPeriod> {
  const { json } = await member.get('/api/lotto/listProductPeriod')
  return json.data.products.find((one) => one.product_code === product_code)!
}

const codesOf = async (url: MarketList): Promise<string[]> =>
  (await member.get(url)).json.data.map((one) => one.product_code)

describe('a market that is switched off', () => {
  test('is marked on the lotto list, and is on no list of enabled markets', async () => {
    expect((await switchTo(false)).json.data).toMatchObject({ product_code: 'malay', is_enabled: false })
    expect(await marketOf('malay')).toMatchObject({ is_enabled: false, has_package: true })
    expect(await codesOf('/api/product/enabled')).not.toContain('malay')
    expect(await codesOf('/api/product/available')).not.toContain('malay')
  })

  test('gets no periods meanwhile, and those of its timetable as soon as it is enabled again', async () => {
    await switchTo(false, 'uk')
    await makePeriods(app.db)
    expect((await marketOf('uk')).current_period).toBeNull()
    expect((await switchTo(true, 'uk')).json.data.is_enabled).toBe(true)
    const { current_period } = await marketOf('uk')
    expect(['open', 'upcoming']).toContain(current_period?.status)
  })

  test('is not enabled again without a quota for each of its bet types', async () => {
    await switchTo(false, 'russia')
    const quotas = app.owner.deleteFrom('quotas').where('product_code', '=', 'russia').where('bet_type', '=', '2top')
    const removed = await quotas.where('package_code', 'is', null).returningAll().execute()
    expect(removed).toHaveLength(1)
    const refused = await switchTo(true, 'russia')
    expect(refused.http).toBe(409)
    expect(refused.text).toContain('["2top"]')
    expect(await marketOf('russia')).toMatchObject({ is_enabled: false })
    await app.owner.insertInto('quotas').values(removed).execute()
    expect((await switchTo(true, 'russia')).json.data).toMatchObject({ is_enabled: true })
  })
})

test('a switch takes no period while it waits for the market, so that it deadlocks with no holiday and no move', async () => {
  const { period_code } = (await marketOf('singapore')).current_period!
  const waiting: ReturnType<typeof switchTo>[] = []
  // As a holiday or a move: the market first, then a period of it.
  await app.owner.transaction().execute(async (tx) => {
    await lockProduct(tx, 'singapore')
    waiting.push(switchTo(false, 'singapore'))
    await waitForLock(tx)
    expect((await lockPeriod(tx, period_code))?.period_code).toBe(period_code)
  })
  expect((await waiting[0]!).json.data.is_enabled).toBe(false)
})

// Defect: a switch held the periods while it waited for the rule, which waited for the periods.
test('a switch takes no period while it waits for a standing rule', async () => {
  const { period_code } = (await marketOf('singapore')).current_period!
  const waiting: ReturnType<typeof switchTo>[] = []
  await app.owner.transaction().execute(async (tx) => {
    await sql`select ${takeLock('standingRules')}`.execute(tx)
    waiting.push(switchTo(true, 'singapore'))
    await waitForLock(tx)
    expect((await lockPeriod(tx, period_code))?.period_code).toBe(period_code)
  })
  expect((await waiting[0]!).json.data.is_enabled).toBe(true)
})

test('a market in maintenance is marked on the lotto list, in both languages and with the expected end', async () => {
  member = await app.logIn('member01')
  expect((await marketOf('korea')).maintenance).toBeNull()
  const messages = { message_th: 'ปรับปรุงระบบผล', message_en: 'The feed is being mended' }
  const until_at = '2032-01-01T10:00:00.000Z'
  const body = { product_code: 'korea', is_on: true, ...messages, until_at, reason: 'feed' }
  expect((await office.post('/api/admin/config/maintenance', body)).http).toBe(200)
  expect((await marketOf('korea')).maintenance).toEqual({ ...messages, until_at })
  expect((await marketOf('taiwan')).maintenance).toBeNull()
  await office.post('/api/admin/config/maintenance', { product_code: 'korea', is_on: false, reason: 'done' })
  expect((await marketOf('korea')).maintenance).toBeNull()
})
