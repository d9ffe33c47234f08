// A list of tickets shows only what its caller may see, filtered exactly as requested.

import type { Area } from '@megalot/contract'
import type { BetTypeCode } from '@megalot/rules'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { countRead } from '../../test/count-read.ts'
import { hireAssistant } from '../../test/staff.ts'
import { findCaller } from '../../test/nodes.ts'
import {
  addPerson,
  codeOf,
  finishFirstLogIn,
  FIRST_PASSWORD,
  limitNumbers,
  makeLine,
  makeResult,
  makeTicket,
  openPeriod,
  placeTicket,
  placeWaitingTicket,
  rates70,
  settleWith,
} from '../../test/scenes.ts'
import { startTestApp, type TestCaller } from '../../test/test-app.ts'
import type { Db } from '../postgres/db.ts'
import { readPart } from '../http/page.ts'
import { listVisibleOrders } from './read/lists.ts'

/** Tickets by a name local to the test. */
const tickets: Record<'first' | 'second' | 'lao' | 'sibling' | 'cousin' | 'deleted', number> = {
  first: 0,
  second: 0,
  lao: 0,
  sibling: 0,
  cousin: 0,
  deleted: 0,
}

const app = await startTestApp()
await addPerson(app.db, 'agent02', 'agent', 'company', 1_000_000)
await addPerson(app.db, 'cousin1', 'member', 'agent02', 500_000)
const names = ['member01', 'member02', 'cousin1', 'agent01', 'agent02', 'company', 'office01'] as const
const people: Record<'member01' | 'member02' | 'cousin1' | 'agent01' | 'agent02' | 'company' | 'office01', TestCaller> =
  {} as typeof people
for (const name of names) people[name] = await app.logIn(name)
const thai = await openPeriod(app.owner)
const lao = await openPeriod(app.owner, 'lao-vip')
tickets.first = await place('member01', thai, 'Baan 100% แม่')
tickets.second = await place('member01', thai)
tickets.lao = await place('member01', lao, 'lucky_day')
tickets.sibling = await place('member02', thai, 'แม่')
tickets.cousin = await place('cousin1', thai)
tickets.deleted = await place('member01', thai)
await people.agent01.post(`/api/order/${tickets.deleted}/delete`, { reason: 'typing' })
await people.member01.post(
  `/api/order/${tickets.second}/cancel`,
  (await people.member01.get(`/api/order/${tickets.second}`)).json.data,
)

async function place(who: keyof typeof people, period_code: string, note = ''): Promise<number> {
  return (await placeTicket(people[who], makeTicket(period_code, { note }))).order_id
}

/** The tickets of a reply by their names in this test, in reply order. */
function namesOf({ json }: { json: { data: readonly { order_id: number }[] } }): (string | undefined)[] {
  const nameOf = new Map(Object.entries(tickets).map(([name, order_id]) => [order_id, name]))
  return json.data.map((each) => nameOf.get(each.order_id))
}

describe('access', () => {
  const own = ['deleted', 'lao', 'second', 'first']
  const ofAgent01 = ['deleted', 'sibling', 'lao', 'second', 'first']
  const all = ['deleted', 'cousin', 'sibling', 'lao', 'second', 'first']
  const matrix: [keyof typeof people, string[]][] = [
    ['member01', own],
    ['member02', ['sibling']],
    ['cousin1', ['cousin']],
    ['agent01', ofAgent01],
    ['agent02', ['cousin']],
    ['company', all],
    ['office01', all],
  ]
  const inThai = (names: readonly string[]) => names.filter((name) => name !== 'lao')

  test.each(matrix)('%s', async (who, seen) => {
    const caller = people[who]
    expect(namesOf(await caller.get('/api/order/list'))).toEqual(seen)
    expect(namesOf(await caller.get('/api/order/list?with_period=true&v=2'))).toEqual(seen)
    for (const url of [
      `/api/order/period?period_code=${thai}&page=0&ipp=15&v=2`,
      `/api/order?period_code=${thai}&page=0&ipp=15`,
      `/api/order/list?period_code=${thai}`,
    ] as const)
      expect(namesOf(await caller.get(url))).toEqual(inThai(seen))
    expect(namesOf(await caller.get('/api/bill/listDeletedBills'))).toEqual(seen.filter((name) => name === 'deleted'))
    // No query parameter gives access to other tickets.
    for (const [name, order_id] of Object.entries(tickets)) {
      const expected = seen.includes(name) ? [name] : []
      expect(namesOf(await caller.get(`/api/order/list?order_id=${order_id}`))).toEqual(expected)
      expect(namesOf(await caller.get(`/api/order/list?search=${order_id}`))).toEqual(expected)
      expect((await caller.get(`/api/order/${order_id}`)).http).toBe(expected.length > 0 ? 200 : 404)
    }
    expect(namesOf(await caller.get('/api/order/list?username=member01'))).toEqual(
      seen.filter((name) => own.includes(name)),
    )
  })
})

describe('a list', () => {
  const list = async (query: string) => namesOf(await people.member01.get(`/api/order/list?${query}`))

  test('comes with the period of each ticket', async () => {
    const { json } = await people.member01.get('/api/order/list?with_period=true&v=2')
    expect(json.data.map((each) => each.period.period_code)).toEqual([thai, lao, thai, thai])
  })

  test('comes in pages without gaps', async () => {
    const pages = [0, 1, 2, 3].map((page) => list(`page=${page}&ipp=1`))
    expect((await Promise.all(pages)).flat()).toEqual(['deleted', 'lao', 'second', 'first'])
    expect(await list('page=4&ipp=1')).toEqual([])
  })

  test('comes in pages of 15 by default', async () => {
    const own = await openPeriod(app.owner, 'gsb')
    const placed: number[] = []
    for (let each = 0; each < 16; each += 1) placed.unshift(await place('member02', own))
    for (const path of ['/api/order/period', '/api/order', '/api/order/list'] as const) {
      const idsOf = async (query: string): Promise<number[]> =>
        (await people.member02.get(`${path}?period_code=${own}${query}`)).json.data.map((each) => each.order_id)
      expect(await idsOf('')).toEqual(placed.slice(0, 15))
      expect(await idsOf('&page=1')).toEqual(placed.slice(15))
    }
  })

  test.each([
    ['product_code=lao-vip', ['lao']],
    ['product_code=malay', []],
    ['status=CONFIRMED', ['lao', 'first']],
    ['status=CANCELLED,DELETED', ['deleted', 'second']],
    ['status=WAIT_CONFIRM', []],
    ['product_code=thai-government&status=CONFIRMED', ['first']],
    ['search=baan', ['first']],
    ['search=%20BAAN%20', ['first']],
    ['search=100%25', ['first']],
    [`search=${encodeURIComponent('แม่')}`, ['first']],
    // No wildcards: `%` and `_` are plain text.
    ['search=%25', ['first']],
    ['search=_', ['lao']],
    ['search=%27%20or%201%3D1', []],
    ['search=%20%20', ['deleted', 'lao', 'second', 'first']],
    ['search=99999999999999999999', []],
    ['username=MEMBER01&status=CONFIRMED', ['lao', 'first']],
    ['username=member02', []],
  ])('is filtered by %s', async (query, names) => {
    expect(await list(query)).toEqual(names)
  })

  test('is filtered by market and period together, both of which must match', async () => {
    expect(await list(`period_code=${lao}&product_code=lao-vip`)).toEqual(['lao'])
    expect(await list(`period_code=${lao}&product_code=thai-government`)).toEqual([])
  })

  test('is filtered by days in Bangkok, both included', async () => {
    const at = (order_id: number, instant: string) =>
      app.asOwner`update orders set created_at = ${instant} where order_id = ${order_id}`
    // 23:59:59 of 1 March, midnight of 2 March, midnight of 3 March, all in Bangkok.
    await at(tickets.first, '2024-03-01T16:59:59.999Z')
    await at(tickets.second, '2024-03-01T17:00:00Z')
    await at(tickets.lao, '2024-03-02T17:00:00Z')
    expect(await list('date_to=2024-03-01')).toEqual(['first'])
    expect(await list('date_from=2024-03-02&date_to=2024-03-02')).toEqual(['second'])
    expect(await list('date_from=2024-03-01&date_to=2024-03-02')).toEqual(['second', 'first'])
    expect(await list('date_from=2024-03-03')).toEqual(['deleted', 'lao'])
  })

  test.each([
    ['status=CONFIRMED,', 'bad_input'],
    ['status=CONFIRMED&status=DELETED', 'bad_input'],
    ['date_from=2024-03-02&date_to=2024-03-01', 'bad_input'],
    ['page=10000', 'bad_input'],
    ['bet_from_satang=2&bet_to_satang=1', 'bad_input'],
    ['placed_from=2024-03-02T00:00:00Z&placed_to=2024-03-01T00:00:00Z', 'bad_input'],
    ['address=10.0.0.%25', 'bad_input'],
    ['period_code=thai-government-19990101', 'unknown_period'],
    ['product_code=no-such-market', 'unknown_product'],
  ])('is refused where the query is %s', async (query, code) => {
    expect((await people.member01.get(`/api/order/list?${query}`)).json.error?.code).toBe(code)
  })

  test.each(['', 'v=1', 'v=3', 'with_period=yes', 'user_id=1'])('without a period shows all: "%s"', async (query) => {
    const all = (await people.member01.get('/api/order/list')).json.data
    for (const path of ['/api/order/period', '/api/order', '/api/order/list'])
      expect((await people.member01.get(`${path}?${query}`)).json.data).toEqual(all)
  })

  test('shows tickets in the form that a cancel accepts', async () => {
    const order_id = await place('member01', thai)
    const row = (await people.member01.get(`/api/order/list?order_id=${order_id}`)).json.data[0]!
    const cancel = (body: object, who: keyof typeof people = 'member01') =>
      people[who].post(`/api/order/${order_id}/cancel`, body)
    expect((await cancel({ ...row, order_id: order_id + 1 })).json.error.code).toBe('bad_input')
    expect((await cancel(row, 'member02')).json.error.code).toBe('not_found')
    expect((await cancel(row, 'agent01')).json.error.code).toBe('not_allowed')
    expect((await cancel({ ...row, status: 'WAIT_CONFIRM' })).json.error.code).toBe('invalid_status')
    // Its amounts are ignored.
    expect((await cancel({ ...row, net_satang: 9_999_999 })).json.data).toMatchObject({
      status: 'CANCELLED',
      net_satang: row.net_satang,
    })
  })
})

describe("the console's search field", () => {
  const search = async (who: keyof typeof people, text: string): Promise<(string | undefined)[]> =>
    namesOf(await people[who].get(`/api/order/list?search=${encodeURIComponent(text)}`))

  test('finds a ticket by its number with a # sign', async () => {
    for (const who of ['member01', 'agent01', 'office01'] as const)
      expect(await search(who, `#${tickets.lao}`)).toEqual(['lao'])
    expect(await search('agent02', `#${tickets.lao}`)).toEqual([])
  })

  test("finds a member's tickets by the full username", async () => {
    expect(await search('office01', 'Cousin1')).toEqual(['cousin'])
    expect(await search('agent02', 'cousin1')).toEqual(['cousin'])
    expect(await search('office01', 'cousin')).toEqual([])
    // Another user's member is only a text.
    expect(await search('agent01', 'cousin1')).toEqual([])
    expect(await search('member01', 'cousin1')).toEqual([])
  })

  test('finds the tickets of a period by its code', async () => {
    expect(await search('agent01', lao)).toEqual(['lao'])
    expect(await search('office01', lao.toUpperCase())).toContain('lao')
    expect(await search('office01', `${lao}-999`)).toEqual([])
  })
})

describe('by a number that was bet on', () => {
  let member: TestCaller
  let other: TestCaller
  const ids: Record<string, number> = {}

  async function bet(who: TestCaller, name: string, bets: [BetTypeCode, string][], note = '', period_code = thai) {
    const items = bets.map(([bet_type, number]) => ({ bet_type, number, bet_satang: 1_000, rate: rates70[bet_type] }))
    const { json } = await who.post('/api/order/create', makeTicket(period_code, { note, items }))
    ids[name] = json.data.order_id
  }

  /** Names of the tickets that a caller finds, newest first. */
  async function find(who: TestCaller, query: string): Promise<string[]> {
    const { json } = await who.get(`/api/order/list?${query}`)
    const nameOf = new Map(Object.entries(ids).map(([name, order_id]) => [order_id, name]))
    return json.data.flatMap((each) => nameOf.get(each.order_id) ?? [])
  }

  beforeAll(async () => {
    member = await app.logIn('member03')
    other = await app.logIn('member04')
    await bet(member, 'top', [['3top', '479']])
    await bet(member, 'rolled', [
      ['2top', '11'],
      ['3roll', '947'],
    ])
    await bet(member, 'rearranged', [['3top', '947']])
    await bet(member, 'lao', [['3top', '479']], '', lao)
    await bet(member, 'pair', [['2roll', '74']])
    await bet(member, 'run', [['1bottom', '4']])
    await bet(member, 'noted', [['2top', '12']], 'code 479')
    await bet(other, 'of another', [['3top', '479']])
  })

  const cases: [string, string[]][] = [
    ['search=479', ['noted', 'lao', 'rolled', 'top']],
    ['search=%E0%B9%94%E0%B9%97%E0%B9%99', ['noted', 'lao', 'rolled', 'top']],
    ['search=%20479%20', ['noted', 'lao', 'rolled', 'top']],
    ['search=947', ['rearranged', 'rolled']],
    ['search=47', ['noted', 'pair']],
    ['search=74', ['pair']],
    ['search=4', ['noted', 'run']],
    ['search=04', []],
    ['search=0479', []],
    ['search=47x', []],
  ]
  test.each(cases)('%s', async (query, names) => {
    expect(await find(member, query)).toEqual(names)
    expect(await find(member, `${query}&page=0&ipp=100`)).toEqual(names)
  })

  test('combined with other filters', async () => {
    expect(await find(member, `search=479&period_code=${lao}`)).toEqual(['lao'])
    expect(await find(member, 'search=479&product_code=thai-government')).toEqual(['noted', 'rolled', 'top'])
    expect(await find(member, 'search=479&status=CANCELLED')).toEqual([])
    expect(await find(member, 'search=479&date_to=2020-01-01')).toEqual([])
    expect(await find(member, 'search=479&ipp=2')).toEqual(['noted', 'lao'])
    expect(await find(member, `search=479&ipp=2&before=${ids.lao}`)).toEqual(['rolled', 'top'])
  })

  test('only by callers who see more than their own tickets', async () => {
    expect(await find(other, 'search=479')).toEqual(['of another'])
    for (const who of ['agent01', 'company', 'office01'] as const)
      expect(await find(people[who], 'search=479')).toEqual(['of another', 'noted', 'lao', 'rolled', 'top'])
    expect(await find(people.agent02, 'search=479')).toEqual([])
    expect(await find(people.agent01, 'search=479&username=member04')).toEqual(['of another'])
  })

  test('among any number of tickets: each page scans a bounded number, and the next one continues', async () => {
    await app.owner.transaction().execute(async (tx) => {
      await sql`set local session_replication_role = replica`.execute(tx)
      await sql`
        insert into orders (order_id, request_id, content_hash, user_id, period_id, package_id, status, item_count, bet_satang,
          received_satang, discount_satang, slots, lines, created_at)
        select order_id + 100000 + n, gen_random_uuid(), content_hash, user_id, period_id, package_id, 'CONFIRMED', item_count,
          bet_satang, received_satang, discount_satang, slots, lines, created_at
        from orders cross join generate_series(1, 25000) n where order_id = ${ids.run}`.execute(tx)
    })
    for (const who of [member, people.agent01, people.office01]) {
      const found: number[] = []
      let parts = 0
      for (let before = ''; parts < 60; parts += 1) {
        const { json } = await who.get(`/api/order/list?search=479${before}`)
        found.push(...json.data.map((each) => each.order_id))
        if (json.next_before === null) break
        before = `&before=${json.next_before}`
      }
      expect(parts).toBeGreaterThan(1)
      expect(parts).toBeLessThan(60)
      expect(found).toEqual([...found].toSorted((one, next) => next - one))
      expect(new Set(found).size).toBe(found.length)
      for (const name of ['top', 'rolled', 'lao', 'noted']) expect(found).toContain(ids[name])
      expect(found).not.toContain(ids.rearranged)
    }
  })

  test('of a market after 25,000 tickets of another: each page reads thousands of them, not hundreds', async () => {
    for (const who of [member, people.office01]) {
      const found: number[] = []
      let parts = 0
      for (let before = ''; parts < 60;) {
        parts += 1
        const { json } = await who.get(`/api/order/list?product_code=lao-vip&ipp=50${before}`)
        found.push(...json.data.map((each) => each.order_id))
        if (json.next_before === null) break
        before = `&before=${json.next_before}`
      }
      expect(found).toContain(ids.lao)
      expect(parts).toBeLessThanOrEqual(10)
    }
  })
})

describe('by amount, time and address', () => {
  let member: TestCaller
  const ids: Record<string, number> = {}

  async function bet(name: string, baht: number): Promise<void> {
    const items = [{ bet_type: '3top' as const, number: '555', bet_satang: baht * 100, rate: rates70['3top'] }]
    ids[name] = (await placeTicket(member, makeTicket(thai, { items }))).order_id
  }

  async function find(who: TestCaller, query: string): Promise<string[]> {
    const nameOf = new Map(Object.entries(ids).map(([name, order_id]) => [order_id, name]))
    const { json } = await who.get(`/api/order/list?username=member05&${query}`)
    return json.data.flatMap((each) => nameOf.get(each.order_id) ?? [])
  }

  const addSession = (fields: { began: string; ended: string; address: string }) =>
    app.asOwner`insert into sessions (token_hash, user_id, created_at, address, ended_at, end_reason)
      select decode(md5(${fields.began + fields.address}), 'hex'), user_id, ${fields.began}::timestamptz, ${fields.address},
        ${fields.ended}::timestamptz, 'logged_off'
      from users where username = 'member05'`

  beforeAll(async () => {
    // The tickets above have fixed ids; later ones must be higher, because ids rise with time.
    await app.asOwner`select setval('order_ids', (select max(order_id) from orders))`
    member = await app.logIn('member05')
    await bet('small', 10)
    await bet('medium', 20)
    await bet('large', 30)
    const times = { small: '2090-05-01T10:00:00Z', medium: '2090-05-01T11:00:00Z', large: '2090-05-01T12:00:00Z' }
    for (const [name, at] of Object.entries(times))
      await app.asOwner`update orders set created_at = ${at} where order_id = ${ids[name]}`
    await addSession({ began: '2090-05-01T09:30:00Z', ended: '2090-05-01T11:00:00Z', address: '203.0.113.7' })
    await addSession({ began: '2090-05-01T11:00:00Z', ended: '2090-05-01T13:00:00Z', address: '2001:db8::7' })
  })

  const cases: [string, string[]][] = [
    ['bet_from_satang=2000', ['large', 'medium']],
    ['bet_to_satang=2000', ['medium', 'small']],
    ['bet_from_satang=2000&bet_to_satang=2000', ['medium']],
    ['bet_from_satang=2001&bet_to_satang=2999', []],
    ['placed_from=2090-05-01T11:00:00Z', ['large', 'medium']],
    ['placed_to=2090-05-01T11:00:00Z', ['small']],
    ['placed_from=2090-05-01T10:59:59.999Z&placed_to=2090-05-01T11:00:00.001Z', ['medium']],
    ['address=203.0.113.7', ['small']],
    ['address=2001:DB8::7', ['large', 'medium']],
    ['address=2001:db8::7&bet_from_satang=3000', ['large']],
    ['address=203.0.113.8', []],
  ]
  test.each(cases)('%s', async (query, names) => {
    for (const who of [member, people.agent01, people.company, people.office01]) {
      expect(await find(who, query)).toEqual(names)
      expect(await find(who, `${query}&page=0&ipp=100`)).toEqual(names)
    }
    expect(await find(people.agent02, query)).toEqual([])
  })

  test("an address without a member finds its tickets within the caller's downline", async () => {
    const at = async (who: TestCaller) =>
      (await who.get('/api/order/list?address=2001:db8::7')).json.data.map((each) => each.order_id)
    for (const who of [people.agent01, people.company, people.office01])
      expect(await at(who)).toEqual([ids['large'], ids['medium']])
    expect(await at(people.agent02)).toEqual([])
    expect(await at(people.member02)).toEqual([])
  })

  test("an address can be searched by users who may view people, and so see sessions' addresses, and by members", async () => {
    const agent = await findCaller(app.db, 'agent01')
    const codeFor = async (username: string, areas: Area[]) => {
      await hireAssistant(app.db, agent, { username, display_name: username, password: FIRST_PASSWORD, areas })
      await finishFirstLogIn(app.owner, username)
      const clerk = await app.logIn(username)
      expect(codeOf(await clerk.get('/api/order/list'))).toBe('ok')
      return codeOf(await clerk.get('/api/order/list?address=2001:db8::7'))
    }
    expect(await codeFor('clerk1', ['tickets'])).toBe('not_allowed')
    expect(await codeFor('clerk2', ['tickets', 'people'])).toBe('ok')
    expect(codeOf(await member.get('/api/order/list?address=2001:db8::7'))).toBe('ok')
  })

  test('an exact id obeys the other conditions', async () => {
    const { small } = ids
    expect(await find(people.office01, `order_id=${small}&bet_to_satang=1000`)).toEqual(['small'])
    expect(await find(people.office01, `order_id=${small}&bet_from_satang=1001`)).toEqual([])
    expect(await find(people.office01, `order_id=${small}&address=203.0.113.7`)).toEqual(['small'])
    expect(await find(people.office01, `order_id=${small}&address=2001:db8::7`)).toEqual([])
  })

  test("a username outside the caller's downline is searched in notes, as any text", async () => {
    const { order_id } = await placeTicket(member, makeTicket(thai, { note: 'as cousin1 asked' }))
    const found = (await people.agent01.get('/api/order/list?search=cousin1')).json.data.map((each) => each.order_id)
    expect(found).toEqual([order_id])
  })

  test('an amount after any number of tickets is found in a bounded number of pages', async () => {
    let before = ''
    let parts = 0
    const found: number[] = []
    for (; parts < 60; parts += 1) {
      const { json } = await people.office01.get(`/api/order/list?bet_from_satang=3000&bet_to_satang=3000${before}`)
      found.push(...json.data.map((each) => each.order_id))
      if (json.next_before === null) break
      before = `&before=${json.next_before}`
    }
    expect(parts).toBeLessThan(60)
    expect(found).toContain(ids['large'])
    expect(found).not.toContain(ids['medium'])
  })
})

describe('numbered pages', () => {
  /** The newest tickets of some users, read in the simplest way. */
  async function newest(usernames: readonly string[], period_code: string | null = null): Promise<number[]> {
    const { rows } = await app.asOwner<{ order_id: number }>`
      select order_id from orders join users using (user_id) join periods using (period_id)
      where username = any(${usernames}::text[]) and (${period_code}::text is null or period_code = ${period_code})
      order by order_id desc`
    return rows.map(({ order_id }) => order_id)
  }
  const read = async (
    who: TestCaller,
    query: string,
    path: '/api/order/list' | '/api/order/period' = '/api/order/list',
  ) => {
    const { json } = await who.get(`${path}?${query}`)
    const next_before = 'next_before' in json ? json.next_before : undefined
    return { order_ids: json.data.map(({ order_id }) => order_id), next_before }
  }

  test('of one member reach the newest 10,000 tickets, and then name the cursor', async () => {
    const member = await app.logIn('member03')
    for (const [who, query] of [
      [member, ''],
      [people.agent01, '&username=member03'],
      [people.office01, '&username=member03'],
    ] as const) {
      const all = await newest(['member03'])
      expect(all.length).toBeGreaterThan(25_000)
      expect(await read(who, `page=99&ipp=100${query}`)).toEqual({
        order_ids: all.slice(9_900, 10_000),
        next_before: all[9_999],
      })
      expect(await read(who, `page=100&ipp=100${query}`)).toEqual({ order_ids: [], next_before: all[9_999] })
      expect(await read(who, `page=9999&ipp=100${query}`)).toEqual({ order_ids: [], next_before: all[9_999] })
      const { order_ids } = await read(who, `before=${all[9_999]}&ipp=100${query}`)
      expect(order_ids).toEqual(all.slice(10_000, 10_100))
    }
    const inPeriod = await newest(['member03'], thai)
    const ofPeriod = (page: number) => read(member, `period_code=${thai}&page=${page}&ipp=100`, '/api/order/period')
    expect((await ofPeriod(99)).order_ids).toEqual(inPeriod.slice(9_900, 10_000))
    expect((await ofPeriod(100)).order_ids).toEqual([])
  })

  test('of several members reach at least 1,000 tickets, however they are distributed', async () => {
    const members = Array.from({ length: 24 }, (_, at) => `member${String(at + 1).padStart(2, '0')}`)
    const all = await newest(members)
    const inPeriod = await newest(members, thai)
    for (const page of [0, 1, 7, 8]) {
      const { order_ids } = await read(people.agent01, `page=${page}&ipp=100`)
      expect(order_ids).toEqual(all.slice(page * 100, page * 100 + 100))
      const ofPeriod = await read(people.agent01, `period_code=${thai}&page=${page}&ipp=100`, '/api/order/period')
      expect(ofPeriod.order_ids).toEqual(inPeriod.slice(page * 100, page * 100 + 100))
    }
    const far = await read(people.agent01, 'page=100&ipp=100')
    expect(far.order_ids).toEqual([])
    expect(all).toContain(far.next_before)
    // Deleted ones have their own index.
    const deleted = await people.agent01.get('/api/bill/listDeletedBills?page=0')
    expect(deleted.json).toMatchObject({ data: [{ order_id: tickets.deleted }], next_before: null })
  })

  test('of an upline with many members without tickets end after 10,000 of others', async () => {
    const idle_id = await addPerson(app.db, 'idle', 'agent', 'company', 0)
    await app.asOwner`insert into users (username, display_name, level, parent_id, password_hash)
      select 'idle' || n, 'x', 'member', ${idle_id}::bigint, 'x' from generate_series(1, 301) n`
    const { rows } = await app.asOwner<{ order_id: number }>`
      select order_id from orders order by order_id desc offset 9999 limit 1`
    expect(await read(await app.logIn('idle'), 'page=0')).toEqual({ order_ids: [], next_before: rows[0]!.order_id })
  })

  describe('and parts', () => {
    beforeAll(async () => {
      await addPerson(app.db, 'few', 'agent', 'company', 0)
      for (const name of ['few1', 'few2', 'few3']) await addPerson(app.db, name, 'member', 'few', 0)
      await app.asOwner`analyze orders`
    })

    test.each(['', 'page=0', 'page=40&ipp=100', 'bet_from_satang=99999999', 'page=0&status=CONFIRMED', 'search=x'])(
      'of an upline with few members read none of the tickets of others: "%s"',
      async (query) => {
        const caller = await findCaller(app.db, 'few')
        const fields = Object.fromEntries(new URLSearchParams(query))
        const read = (tx: Db) => listVisibleOrders(tx, caller, fields, readPart(fields))
        expect(await countRead(app.lists, 'orders', read)).toBeLessThan(100)
      },
    )
  })
})

describe('the items that a list shows of a ticket', () => {
  const show = async (who: TestCaller, query: string) =>
    (await who.get(`/api/order/list?${query}`)).json.data[0]!.shown_items.map(
      ({ bet_type, number, status, win_satang, is_found }) =>
        `${bet_type} ${number} ${status}${win_satang > 0 ? ` ${win_satang}` : ''}${is_found ? ' found' : ''}`,
    )

  test('are its first six, with what was searched for before them, and wins once the period is settled', async () => {
    const member = await app.logIn('member05')
    const period_code = await openPeriod(app.owner)
    const numbers = ['11', '22', '33', '44', '55', '66', '77', '78']
    const items = [...numbers.map((number) => makeLine('2top', number, 20)), makeLine('2bottom', '77', 10)]
    await placeTicket(member, makeTicket(period_code, { items }))
    const awaited = (number: string, type = '2top') => `${type} ${number} awaiting_result`
    expect(await show(member, '')).toEqual(numbers.slice(0, 6).map((number) => awaited(number)))
    expect(await show(member, 'search=77')).toEqual([
      `${awaited('77')} found`,
      `${awaited('77', '2bottom')} found`,
      ...numbers.slice(0, 4).map((number) => awaited(number)),
    ])
    await settleWith(app, period_code, makeResult('978', '00'))
    expect((await show(member, '')).slice(0, 2)).toEqual(['2top 78 won 140000', '2top 11 lost'])
    expect((await show(member, 'search=66')).slice(0, 2)).toEqual(['2top 66 lost found', '2top 78 won 140000'])
  })

  test('have what was accepted of them, and what was returned', async () => {
    const member = await app.logIn('member06')
    const period_code = await openPeriod(app.owner, 'nikkei-am')
    await limitNumbers(app.db, '2top', 5_000, 0, 'nikkei-am')
    const order = await placeWaitingTicket(
      member,
      makeTicket(period_code, { items: [makeLine('2top', '12', 100), makeLine('2top', '34', 20)] }),
    )
    const items = async () => (await member.get('/api/order/list')).json.data[0]!.shown_items
    expect(await items()).toMatchObject([
      { asked_satang: 10_000, received_satang: 5_000, status: 'wait_confirm' },
      { asked_satang: 2_000, received_satang: 2_000, status: 'wait_confirm' },
    ])
    await member.post(`/api/order/${order.order_id}/confirm`, { items: [{ line_no: 1, bet_satang: 0 }] })
    expect(await items()).toMatchObject([
      { asked_satang: 10_000, received_satang: 0, status: 'returned' },
      { asked_satang: 2_000, received_satang: 2_000, status: 'awaiting_result' },
    ])
  })
})
