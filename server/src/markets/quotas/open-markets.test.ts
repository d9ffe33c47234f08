// Goal: markets are switched on with a quota for each bet type, all of a call or none, and one person raises nothing.

import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { codeOf, finishFirstLogIn } from '../../../test/scenes.ts'
import { hireOfficeUser } from '../../../test/staff.ts'
import { findCaller } from '../../../test/nodes.ts'
import { startTestApp, type TestApp, type TestCaller } from '../../../test/test-app.ts'

let app: TestApp
let office: TestCaller

beforeAll(async () => {
  app = await startTestApp()
  office = await app.logIn('office01')
  await sql`update products set is_enabled = false where product_code in ('egypt', 'russia', 'uk')`.execute(app.owner)
})

async function typesOf(product_code: string): Promise<string[]> {
  const { rows } = await sql<{ bet_types: string[] }>`
    select bet_types from products where product_code = ${product_code}`.execute(app.owner)
  return rows[0]!.bet_types
}

async function marketOf(product_code: string, full_satang = 100_000) {
  const bet_types = await typesOf(product_code)
  return { product_code, quotas: bet_types.map((bet_type) => ({ bet_type, full_satang, half_satang: 0 })) }
}

const open = (markets: object[], by = office) =>
  by.post('/api/admin/product/open', { request_id: randomUUID(), markets, reason: 'the first ones' })

async function stateOf(product_code: string) {
  const { rows } = await sql<{ is_enabled: boolean; quotas: number; periods: boolean }>`
    select is_enabled, (select count(*)::int from quotas q where q.product_code = p.product_code) as quotas,
      exists (select from periods where periods.product_code = p.product_code and open_at > clock_timestamp()) as periods
    from products p where product_code = ${product_code}`.execute(app.owner)
  return rows[0]!
}

test('several markets get their quotas and periods at once, each with its history', async () => {
  const markets = [await marketOf('egypt'), await marketOf('russia')]
  expect(codeOf(await open(markets))).toBe('ok')
  for (const { product_code, quotas } of markets) {
    expect(await stateOf(product_code)).toEqual({ is_enabled: true, quotas: quotas.length, periods: true })
    const { rows } = await sql<{ action: string }>`
      select action from audit_log where subject = ${`product:${product_code}`} order by audit_id`.execute(app.owner)
    expect(rows.map(({ action }) => action)).toEqual([...quotas.map(() => 'set_quota'), 'switch_product'])
  }
})

test('a missing bet type, one that is not offered, and an unknown market open none', async () => {
  const { quotas } = await marketOf('uk')
  const gsb = await marketOf('gsb')
  const others = [
    ['market_needs_quotas', { product_code: 'uk', quotas: quotas.slice(1) }],
    ['bet_type_not_offered', { product_code: 'uk', quotas: [...quotas, { ...quotas[0], bet_type: '3front' }] }],
    ['unknown_product', { product_code: 'nowhere', quotas }],
  ] as const
  for (const [code, other] of others) {
    expect(codeOf(await open([gsb, other]))).toBe(code)
    expect(await stateOf('gsb')).toMatchObject({ quotas: 0 })
  }
  expect(await stateOf('uk')).toMatchObject({ is_enabled: false, quotas: 0 })
})

test('a quota that is there stays or is lowered, and is not raised by one person', async () => {
  expect(codeOf(await open([await marketOf('egypt', 100_001)]))).toBe('approval_needed')
  expect(codeOf(await open([await marketOf('egypt', 90_000)]))).toBe('ok')
  const { rows } = await sql`select distinct full_satang from quotas where product_code = 'egypt'`.execute(app.owner)
  expect(rows).toEqual([{ full_satang: 90_000 }])
})

test('a first quota above that of a package takes two people', async () => {
  await sql`insert into quotas (product_code, package_code, bet_type, full_satang, half_satang)
    values ('uk', '70', '3top', 50000, 0)`.execute(app.owner)
  expect(codeOf(await open([await marketOf('uk')]))).toBe('approval_needed')
})

test('it needs the permission for risk as well', async () => {
  const owner = await findCaller(app.db, 'office01')
  const username = 'operator1'
  await hireOfficeUser(app.db, owner, { office_role: 'operations', username, display_name: 'Operator' })
  await finishFirstLogIn(app.owner, username)
  const operator = await app.logIn(username)
  expect(codeOf(await open([await marketOf('gsb')], operator))).toBe('permission_missing')
})
