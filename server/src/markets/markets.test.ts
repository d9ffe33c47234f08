// Goal: a member sees each market with its period and only the packages it was given; only the office creates periods.

import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Approval, Timetable } from '@megalot/contract'
import { decideByTwo, makeProposal } from '../../test/approvals.ts'
import { findCaller } from '../../test/nodes.ts'
import { addPeriod, waitForLock } from '../../test/scenes.ts'
import { startTestApp } from '../../test/test-app.ts'
import { voidByTwo } from '../../test/voids.ts'
import { addDays, bangkokDayOf } from '../lib/bangkok.ts'
import { readClock } from '../postgres/db.ts'
import { refundVoidedPeriods } from '../results/index.ts'
import { catalogue } from './catalogue.ts'
import { makePeriods, makePeriodsOf } from './markets.service.ts'

/** Below those of `addPeriod`, which count on from 100 over all test files of a process. */
const ROUND = 99

const app = await startTestApp()
const member = await app.logIn('member01')
const office = await app.logIn('office01')
const secondOffice = await app.logIn('office02')

test('periods are created ahead once, also by several nodes at once', async () => {
  const made = await Promise.all([makePeriods(app.db), makePeriods(app.db), makePeriods(app.db)])
  expect(made.reduce((sum, each) => sum + each, 0)).toBeGreaterThan(600)
  expect(await makePeriods(app.db)).toBe(0)
})

test('the lotto list has every market of the catalogue, in order', async () => {
  const { json } = await member.get('/api/lotto/listProductPeriod')
  expect(json.data.products.map((each) => each.product_code)).toEqual(catalogue.map((market) => market.product_code))
  expect(Math.abs(Date.parse(json.data.now) - Date.now())).toBeLessThan(5_000)
  for (const { current_period, has_package } of json.data.products) {
    expect(has_package).toBe(true)
    expect(['open', 'upcoming', undefined]).toContain(current_period?.status)
  }
})

// Defect: a far page read and sorted every period of the market.
test('the periods of a market are listed back to a bound, and further back is refused', async () => {
  const read = (page: string) => member.get(`/api/product/periods?product_code=yeekee&page=${page}&ipp=100`)
  expect((await read('19')).http).toBe(200)
  expect((await read('20')).json.error.code).toBe('bad_input')
})

test('without a market the periods of all are listed, the last close first', async () => {
  const { periods } = (await member.get('/api/product/periods?ipp=100')).json.data
  expect(new Set(periods.map(({ product_code }) => product_code)).size).toBeGreaterThan(1)
  const closes = periods.map(({ close_at }) => close_at)
  expect(closes).toEqual(closes.toSorted().toReversed())
})

test('lists the enabled markets, and those of them that a user may bet on', async () => {
  type MarketList = '/api/products' | '/api/product/enabled' | '/api/product/available'
  const codesOf = async (url: MarketList, caller = member): Promise<string[]> =>
    (await caller.get(url)).json.data.map((each) => each.product_code)
  const all = catalogue.map((market) => market.product_code)
  expect(await codesOf('/api/products')).toEqual(all)
  expect(await codesOf('/api/product/enabled')).toEqual(all)
  expect(await codesOf('/api/product/available')).toEqual(all)

  const other = await app.logIn('member02')
  await app.asOwner`update products set is_enabled = false where product_code = 'malay'`
  await app.asOwner`delete from user_packages where user_id = ${other.user_id}
    and package_id in (select package_id from packages where product_code in ('gsb', 'lao-vip') and package_code = '70')`
  await app.asOwner`delete from user_packages where user_id = ${other.user_id}
    and package_id in (select package_id from packages where product_code = 'gsb')`
  expect(await codesOf('/api/products')).toEqual(all)
  const enabled = all.filter((code) => code !== 'malay')
  expect(await codesOf('/api/product/enabled', other)).toEqual(enabled)
  expect(await codesOf('/api/product/available')).toEqual(enabled)
  // One package of a market is enough; of GSB the member has none.
  expect(await codesOf('/api/product/available', other)).toEqual(enabled.filter((code) => code !== 'gsb'))
  // The office bets on nothing.
  expect(await codesOf('/api/product/available', office)).toEqual([])
  await app.asOwner`update products set is_enabled = true where product_code = 'malay'`

  for (const url of ['/api/product/enabled', '/api/product/available'] as const) {
    expect((await app.call('GET', url)).json.error.code).toBe('not_signed_in')
  }
})

test('packages and their terms come in the market’s order of bet types', async () => {
  const packages = (await member.get('/api/user/product/thai-government/template')).json.data
  expect(packages).toEqual([
    { package_code: '70', name: '70' },
    { package_code: '90', name: '90' },
  ])
  const config = (await member.get('/api/user/product/lao-vip/template/90/game_config')).json.data
  expect(config.bet_types.map((each) => [each.bet_type, each.rate])).toEqual([
    ['3top', 90_000],
    ['3roll', 15_000],
    ['2top', 9_000],
    ['2bottom', 9_000],
    ['2roll', 1_200],
    ['1top', 320],
    ['1bottom', 420],
  ])
  expect((await member.get('/api/user/product/lao-vip/template/99/game_config')).json.error.code).toBe('no_package')
  expect((await member.get('/api/user/product/nowhere/template')).json.error.code).toBe('unknown_product')
})

/** Days that lie within the horizon and farther than periods are made ahead. */
const [firstDay, secondDay, thirdDay] = [30, 31, 32].map((days) => addDays(bangkokDayOf(new Date()), days)) as [
  string,
  string,
  string,
]
const firstCode = `malay-${firstDay.replaceAll('-', '')}`
const timesOn = (day: string) => ({ close_at: `${day}T11:10:00+07:00`, draw_at: `${day}T11:30:00+07:00` })

describe('creating and closing a period', () => {
  const body = {
    product_code: 'malay',
    period_date: firstDay,
    ...timesOn(firstDay),
  }
  /** What becomes of a period that one person proposes and another approves. */
  async function create(changes: object = {}) {
    const payload = { ...body, ...changes }
    const { http, json } = await decideByTwo(office, secondOffice, 'create_period', payload)
    if (http !== 200) return { json: { data: undefined, error: json.error } }
    const { period_code } = (json.data as Approval).after as { period_code: string }
    const { period } = (await member.get(`/api/product/${payload.product_code}/period/${period_code}`)).json.data
    return { json: { data: period, error: undefined } }
  }

  test('is done by the office, once', async () => {
    const { json } = await create()
    expect(json.data).toMatchObject({
      period_code: firstCode,
      status: 'open',
      close_at: `${firstDay}T04:10:00.000Z`,
    })
    expect((await create()).json.error?.code).toBe('period_exists')
    const found = (await member.get(`/api/product/malay/period/${firstCode}`)).json.data.period
    expect(found).toEqual(json.data)
    const isManual = sql`select bool_or(is_manual) filter (where period_code = ${json.data!.period_code}) as made,
      bool_or(is_manual) filter (where period_code <> ${json.data!.period_code}) as others from periods`
    expect((await isManual.execute(app.owner)).rows).toEqual([{ made: true, others: false }])
    expect((await member.get(`/api/product/lao-vip/period/${firstCode}`)).json.error.code).toBe('unknown_period')
    const closed = await office.post(`/api/admin/period/${firstCode}/close`, { reason: 'draw moved' })
    expect(closed.json.data.status).toBe('closed')
    expect((await office.post(`/api/admin/period/${firstCode}/close`, { reason: 'again' })).json.error.code).toBe(
      'period_closed',
    )
  })

  test.each([
    ['closes before it opens', { open_at: `${firstDay}T11:15:00+07:00` }],
    ['closes before it opens at once', { close_at: '2019-01-01T00:00:00Z' }],
    ['has opened before now', { open_at: '2020-01-01T00:00:00Z' }],
    ['is drawn before it closes', { draw_at: `${firstDay}T01:00:00Z` }],
    ['has a day that is not its draw’s', { period_date: '2025-12-16' }],
    [
      'is of a draw that has been',
      { period_date: '2020-01-02', close_at: '2020-01-02T00:00:00Z', draw_at: '2020-01-02T00:00:00Z' },
    ],
  ])('is refused where it %s', async (_name, changes) => {
    expect((await create({ round: 2, ...changes })).json.error?.code).toBe('bad_input')
  })

  const year = Number(firstDay.slice(0, 4))
  const inYear = (of: number) => `${of}-12-30`
  const farDay = addDays(bangkokDayOf(new Date()), 61)

  // Defect: a period of the year 2569 was made and took bets for 543 years.
  test.each<[string, object, object]>([
    [
      'has a day of the Buddhist year',
      { period_date: inYear(year + 543), ...timesOn(inYear(year + 543)) },
      { field: 'period_date', buddhist_year: year + 543, year },
    ],
    [
      'closes in the Buddhist year',
      timesOn(inYear(year + 543)),
      { field: 'close_at', buddhist_year: year + 543, year },
    ],
  ])('is refused with the meaning of the year where it %s', async (_name, changes, details) => {
    const { error } = (await create(changes)).json
    expect(error).toEqual({ code: 'date_in_buddhist_year', details })
  })

  test.each<[string, object, string]>([
    ['lies further ahead than sixty days', { period_date: farDay, ...timesOn(farDay) }, 'period_date'],
    ['is drawn further ahead', { draw_at: `${farDay}T00:00:00+07:00` }, 'draw_at'],
    [
      'closes at the end of all times',
      { close_at: '9999-12-31T23:00:00Z', draw_at: '9999-12-31T23:00:00Z' },
      'close_at',
    ],
  ])('is refused where it %s', async (_name, changes, field) => {
    const { error } = (await create(changes)).json
    expect(error).toMatchObject({ code: 'date_too_far', details: { field } })
  })

  test('says in both languages which year is meant', async () => {
    const day = inYear(year + 543)
    const proposal = makeProposal('create_period', { ...body, period_date: day, ...timesOn(day) })
    const say = async (language: 'th' | 'en') =>
      (await office.post('/api/admin/approval/propose', proposal, language)).json.status.message
    expect(await say('th')).toBe(`วันที่ของงวดต้องใช้ปี ค.ศ. ปี ${year + 543} คือ ค.ศ. ${year}`)
    expect(await say('en')).toBe(`The day of the period must use the Gregorian year. B.E. ${year + 543} is ${year}`)
  })

  test('opens it at once or at the given time', async () => {
    const now = await readClock(app.db)
    const atOnce = (await create({ period_date: secondDay, ...timesOn(secondDay) })).json.data!
    expect(atOnce.status).toBe('open')
    expect(Date.parse(atOnce.open_at)).toBeGreaterThanOrEqual(now.getTime())
    const open_at = `${thirdDay}T04:00:00.000Z`
    const later = await create({ period_date: thirdDay, open_at, ...timesOn(thirdDay) })
    expect(later.json.data).toMatchObject({ status: 'upcoming', open_at })
  })

  describe('of a day that has one already', () => {
    const at = (minutes: number) => new Date(Date.now() + minutes * 60_000)
    const textAt = (minutes: number) => at(minutes).toISOString()
    const today = bangkokDayOf(at(30))
    const soon = { close_at: textAt(20), draw_at: textAt(30) }
    /** A market of this test's own, so that its periods never collide with the timetable. */
    async function addMarket(timetable: Timetable | null): Promise<string> {
      const product_code = `market-${randomUUID().slice(0, 8)}`
      const changes = JSON.stringify({ product_code, timetable })
      await app.asOwner`
        insert into products select (jsonb_populate_record(products, ${changes}::jsonb)).* from products
        where product_code = 'lao-vip'`
      return product_code
    }
    /** The timetable of a market that draws every day at the minute that is so many minutes from now. */
    const drawnDailyAt = (minutes: number): Timetable => {
      const time = new Date(at(minutes).getTime() + 7 * 3_600_000).toISOString().slice(11, 16)
      return { days: 'every_day', open: { time, day_offset: -1 }, close: { time }, draw: { time } }
    }
    /** Makes the periods of a market ahead, by this timetable. */
    const makeBy = (product_code: string, timetable: Timetable) =>
      app.owner.transaction().execute(async (tx) => {
        const only = {
          timetable,
          next: null,
          holidays: new Set<string>(),
          exchange: null,
          doubtful_days: [],
          draw_days: [],
        }
        await makePeriodsOf(tx, product_code, only, await readClock(tx))
      })
    async function voidWhole(period_code: string): Promise<void> {
      const office = await Promise.all(['office01', 'office02'].map((name) => findCaller(app.db, name)))
      await voidByTwo(app.db, office, `period:${period_code}`)
      await refundVoidedPeriods(app.db)
    }
    const addOther = (product_code: string, closes: number, draws: number) =>
      addPeriod(app.owner, product_code, today, { open_at: at(-60), close_at: at(closes), draw_at: at(draws) })
    async function createIn(product_code: string, changes: object = {}): Promise<string> {
      const { json } = await create({ product_code, period_date: today, round: ROUND, ...soon, ...changes })
      return json.error ? `${json.error.code} of ${String(json.error.details.period_code)}` : 'made'
    }
    /** A round beside one of the same day that has been open for an hour, and closes and is drawn so many minutes from now. */
    async function createBeside(closes: number, draws: number): Promise<string> {
      const product_code = await addMarket(null)
      const { period_code } = await addOther(product_code, closes, draws)
      return (await createIn(product_code)).replace(period_code, 'it')
    }

    test('is refused where that draw has been held, because its result can be known', async () => {
      expect(await createBeside(-20, -1)).toBe('draw_result_known of it')
    })

    test('is refused where it would close after that draw, or be drawn while the other is open', async () => {
      expect(await createBeside(5, 19)).toBe('draw_before_close of it')
      expect(await createBeside(31, 40)).toBe('draw_before_close of it')
    })

    test('is allowed beside one that is open until the same draw', async () => {
      expect(await createBeside(20, 30)).toBe('made')
    })

    test('is allowed beside a void one, but not once the draw of that one has been held', async () => {
      const ahead = await addMarket(null)
      await voidWhole((await addOther(ahead, 5, 10)).period_code)
      expect(await createIn(ahead)).toBe('made')
      const held = await addMarket(null)
      const { period_code } = await addOther(held, -20, -1)
      await voidWhole(period_code)
      expect(await createIn(held)).toBe(`draw_result_known of ${period_code}`)
    })

    test('is refused after the hour of the timetable’s draw, even without that period', async () => {
      const product_code = await addMarket(drawnDailyAt(-10))
      const day = bangkokDayOf(at(-10))
      const planned = `${product_code}-${day.replaceAll('-', '')}`
      expect(await createIn(product_code, { period_date: day })).toBe(`draw_result_known of ${planned}`)
    })

    test('is refused where it would close after the hour of the timetable’s draw, even without that period', async () => {
      const product_code = await addMarket(drawnDailyAt(15))
      const day = bangkokDayOf(at(15))
      const { json } = await create({ product_code, period_date: day, round: ROUND, ...soon })
      expect(json.error).toMatchObject({ code: 'close_after_draw', details: { draw_at: expect.any(String) } })
      expect(await createIn(product_code, { period_date: day, close_at: textAt(13) })).toBe('made')
    })

    test('is not moved to close after the hour of the timetable’s draw, however late its draw is moved', async () => {
      const timetable = drawnDailyAt(60)
      const product_code = await addMarket(timetable)
      await makeBy(product_code, timetable)
      const period_code = `${product_code}-${bangkokDayOf(at(60)).replaceAll('-', '')}`
      const move = (closes: number, draws: number) =>
        decideByTwo(office, secondOffice, 'move_period', {
          period_code,
          close_at: textAt(closes),
          draw_at: textAt(draws),
        })
      expect((await move(61, 90)).json.error?.code).toBe('close_after_draw')
      // A draw that is held late is waited for, with the old close.
      expect((await move(58, 90)).http).toBe(200)
      const { rows } = await app.asOwner<{ is_late: boolean }>`
        select draw_at > clock_timestamp() + interval '80 minutes' as is_late from periods
        where period_code = ${period_code}`
      expect(rows).toEqual([{ is_late: true }])
    })

    test('is allowed in a market with rounds, each of which has a draw of its own', async () => {
      const timetable = { ...drawnDailyAt(-10), rounds: { count: 1, every_minutes: 15 } }
      const product_code = await addMarket(timetable)
      await addOther(product_code, -20, -1)
      expect(await createIn(product_code)).toBe('made')
    })

    test('is refused in a round whose own planned draw has been held, or would be held before its close', async () => {
      const timetable = { ...drawnDailyAt(-10), rounds: { count: 4, every_minutes: 15 } }
      const product_code = await addMarket(timetable)
      const period_date = bangkokDayOf(at(-10))
      const createRound = async (round: number, changes: object = {}) =>
        (await create({ product_code, period_date, round, ...soon, ...changes })).json.error?.code ?? 'made'
      // The rounds are drawn 10 minutes ago, and in 5, 20 and 35 minutes.
      expect(await createRound(1)).toBe('close_after_draw')
      expect(await createRound(2)).toBe('close_after_draw')
      expect(await createRound(3, { close_at: textAt(22) })).toBe('close_after_draw')
      expect(await createRound(3, { close_at: textAt(18) })).toBe('made')
      expect(await createRound(4)).toBe('made')
    })

    test('is not moved, where it is a round, to close after its own planned draw', async () => {
      const timetable = { ...drawnDailyAt(60), rounds: { count: 2, every_minutes: 15 } }
      const product_code = await addMarket(timetable)
      await makeBy(product_code, timetable)
      const moveRound = async (round: number, closes: number) => {
        const period_code = `${product_code}-${bangkokDayOf(at(60)).replaceAll('-', '')}-${round}`
        const times = { close_at: textAt(closes), draw_at: textAt(90) }
        const { json } = await decideByTwo(office, secondOffice, 'move_period', { period_code, ...times })
        return json.error?.code ?? 'moved'
      }
      expect(await moveRound(1, 61)).toBe('close_after_draw')
      expect(await moveRound(1, 58)).toBe('moved')
      expect(await moveRound(2, 73)).toBe('moved')
    })

    test('is the only one of its day: the timetable creates none beside it, unless it is void', async () => {
      const timetable = drawnDailyAt(120)
      const product_code = await addMarket(timetable)
      const dayOf = (days: number) => addDays(bangkokDayOf(at(120)), days)
      const made = async () => {
        await makeBy(product_code, timetable)
        const { rows } = await app.asOwner<{ period_code: string }>`
          select period_code from periods where product_code = ${product_code}`
        return rows.map((row) => row.period_code)
      }
      const codeOf = (days: number) => `${product_code}-${dayOf(days).replaceAll('-', '')}`
      const times = { open_at: at(-60), close_at: at(120 + 1440), draw_at: at(125 + 1440) }
      const byHand = await addPeriod(app.owner, product_code, dayOf(1), times)
      const first = await made()
      expect(first).toContain(byHand.period_code)
      expect(first).toContain(codeOf(0))
      expect(first).not.toContain(codeOf(1))
      await voidWhole(byHand.period_code)
      expect(await made()).toContain(codeOf(1))
    })

    test('waits for a concurrent one, and is refused because of it', async () => {
      const product_code = await addMarket(null)
      const waiting: ReturnType<typeof create>[] = []
      await app.owner.transaction().execute(async (tx) => {
        await sql`select 1 from products where product_code = ${product_code} for no key update`.execute(tx)
        waiting.push(create({ product_code, period_date: today, round: ROUND, ...soon }))
        await waitForLock(tx)
        await addPeriod(tx, product_code, today, { open_at: at(-60), close_at: at(5), draw_at: at(10) })
      })
      expect((await waiting[0]!).json.error?.code).toBe('draw_before_close')
    })
  })
})
