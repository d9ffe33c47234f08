// A demo that was stopped for days catches up: drawn periods get a marked result, tickets are paid, and whatever people
// have begun is left to them. Outside the demo no one can mark a result.

import { closeEarly } from '../../test/changes.ts'
import { proposeVoid } from '../../test/voids.ts'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { findViolatedInvariants } from '../../test/invariants.ts'
import { findCaller } from '../../test/nodes.ts'
import { makeTicket, openPeriod } from '../../test/scenes.ts'
import { createEmptyDatabase } from '../../test/test-database.ts'
import { correctAward, enterAward, settleDuePeriods } from '../results/index.ts'
import { listMarketTimetables, listPeriodsOfDays, makePeriods } from '../markets/index.ts'
import { createIntake, placeOrder } from '../betting/index.ts'
import { bangkokDayOf } from '../lib/bangkok.ts'
import { readClock } from '../postgres/db.ts'
import { createDemoDay, type DemoDay, setPopularNumbers } from './demo-day.ts'
import { enterDemoResult } from './demo-draws.ts'
import { generateResult } from './demo-results.ts'
import { seedDemo } from './demo.ts'

const DAY_MS = 86_400_000

const database = await createEmptyDatabase()
const now = await readClock(database.db)
// It was started two days ago, and has created its periods in advance.
await seedDemo(database.owner, () => {}, 3, new Date(now.getTime() - 2 * DAY_MS))
const markets = await listMarketTimetables(database.db)
const [first_day, last_day] = [3, 0].map((days) => bangkokDayOf(new Date(now.getTime() - days * DAY_MS)))
const missed = markets
  .filter(({ product_code, timetable }) => timetable && product_code !== 'yeekee')
  .flatMap(({ product_code, timetable, exchange }) =>
    listPeriodsOfDays(product_code, timetable!, first_day!, last_day!, exchange)
      .filter(({ close_at }) => close_at < now)
      .map((period) => ({ product_code, ...period })),
  )
await database.owner
  .insertInto('periods')
  .values(missed)
  .onConflict((on) => on.doNothing())
  .execute()
await makePeriods(database.db)
const day: DemoDay = createDemoDay(database.db, database.owner, () => settleDuePeriods(database.db))

async function select<Row>(text: string): Promise<Row[]> {
  return (await sql.raw<Row>(text).execute(database.owner)).rows
}

/** Periods as created by the timetable: one was drawn two minutes ago, one a moment ago. */
async function addDrawn(period_code: string, secondsAgo: number, product_code = 'lao-vip'): Promise<void> {
  await database.asOwner`
    insert into periods (period_code, product_code, period_date, open_at, close_at, draw_at)
    select ${period_code}, ${product_code}, (drawn_at at time zone 'Asia/Bangkok')::date, drawn_at - interval '1 hour',
      drawn_at - interval '10 minutes', drawn_at
    from (select clock_timestamp() - ${secondsAgo} * interval '1 second' as drawn_at) clock`
}

/** An open period that the office has created outside the timetable. */
async function openMadePeriod(): Promise<string> {
  const period_code = await openPeriod(database.owner, 'hanoi')
  await database.asOwner`update periods set is_manual = true where period_code = ${period_code}`
  return period_code
}

async function outcomeOf(period_code: string): Promise<object | undefined> {
  return (
    await select<object>(`
      select outcome, awards.is_demo, result ->> 'top3' as top3, one.username as entered_by, two.username as repeated_by
      from periods left join awards using (period_id) left join users one on one.user_id = entered_by
        left join users two on two.user_id = repeated_by where period_code = '${period_code}'`)
  )[0]
}

test('every period drawn meanwhile gets a marked result and is settled', async () => {
  const due = `outcome = 'pending' and draw_at < clock_timestamp() - interval '1 minute' and close_at < clock_timestamp()`
  expect((await select(`select 1 from periods where ${due}`)).length).toBeGreaterThan(5)
  await day.run()
  expect(await select(`select period_code from periods where ${due} or outcome = 'settling'`)).toEqual([])
  const wrong = await select(`
    select period_code from periods join awards using (period_id)
    where draw_at > now() - interval '2 days' and (not is_demo or entered_by is null or repeated_by is null)`)
  expect(wrong).toEqual([])
  expect(await findViolatedInvariants(database.owner)).toEqual({})
  // Another run has nothing to do.
  const count = async () => (await select(`select count(*) from audit_log`))[0]
  const before = await count()
  await day.run()
  expect(await count()).toEqual(before)
})

test('a result appears a minute after the draw, the same on every node', async () => {
  await addDrawn('lao-vip-20200101-1', 120)
  await addDrawn('lao-vip-20200101-2', 20)
  await day.run()
  const { top3 } = generateResult('lao-vip-20200101-1', 'four_to_six_digits')
  expect(await outcomeOf('lao-vip-20200101-1')).toEqual({
    outcome: 'settled',
    is_demo: true,
    top3,
    entered_by: 'office01',
    repeated_by: 'office02',
  })
  expect(await outcomeOf('lao-vip-20200101-2')).toMatchObject({ outcome: 'pending', is_demo: null })
})

test('a real draw is used if it is known, and not marked', async () => {
  await addDrawn('thai-government-20200101-1', 120, 'thai-government')
  const [period] = await select<{ date: string }>(
    `select period_date::text as date from periods where period_code = 'thai-government-20200101-1'`,
  )
  const result = { first_prize: '123456', top3: '456', bottom2: '78', front3: ['111', '222'], back3: ['333', '444'] }
  expect(await enterDemoResult(database.owner, 'thai-government-20200101-1', [{ date: period!.date, result }])).toBe(
    true,
  )
  await settleDuePeriods(database.db)
  expect(await outcomeOf('thai-government-20200101-1')).toMatchObject({
    outcome: 'settled',
    is_demo: false,
    top3: '456',
  })
})

describe('periods that people have begun to process are left to them', () => {
  test('a period that the office has created', async () => {
    const period_code = await openMadePeriod()
    await closeEarly(database.db, period_code)
    await database.asOwner`update periods set draw_at = close_at where period_code = ${period_code}`
    await database.asOwner`alter table periods disable trigger guard_period`
    await database.asOwner`
      update periods set open_at = open_at - interval '2 hours', close_at = close_at - interval '2 hours',
        draw_at = draw_at - interval '2 hours' where period_code = ${period_code}`
    await database.asOwner`alter table periods enable trigger guard_period`
    await day.run()
    expect(await outcomeOf(period_code)).toMatchObject({ outcome: 'pending', is_demo: null })
  })

  test('a result entered by one person, and a period that one person wants to void', async () => {
    const office = await findCaller(database.db, 'office02')
    await addDrawn('lao-vip-20200102-1', 120)
    await addDrawn('lao-vip-20200102-2', 120)
    const [period] = await select<{ date: string }>(
      `select period_date::text as date from periods where period_code = 'lao-vip-20200102-1'`,
    )
    const result = { first_prize: '1000', top3: '000', bottom2: '10' }
    await enterAward(
      database.db,
      { actor_id: office.user_id },
      { period_code: 'lao-vip-20200102-1', date: period!.date, result },
    )
    await proposeVoid(database.db, office, 'period:lao-vip-20200102-2')
    await day.run()
    expect(await outcomeOf('lao-vip-20200102-1')).toMatchObject({ outcome: 'pending', is_demo: false, top3: '000' })
    expect(await outcomeOf('lao-vip-20200102-2')).toMatchObject({ outcome: 'pending', is_demo: null })
    expect(await enterDemoResult(database.owner, 'lao-vip-20200102-1', [])).toBe(false)
    expect(await enterDemoResult(database.owner, 'lao-vip-20200102-2', [])).toBe(false)
  })
})

describe('the mark', () => {
  test('cannot be set by the application itself', async () => {
    await addDrawn('lao-vip-20200103-1', 10)
    const office = await findCaller(database.db, 'office01')
    const insert = sql`
      insert into awards (period_id, state, result, entered_by, is_demo)
      select period_id, 'entered', '{"top3":"000","bottom2":"00"}', ${office.user_id}, true
      from periods where period_code = 'lao-vip-20200103-1'`
    await expect(insert.execute(database.db)).rejects.toThrow('no demo result')
    const mark = sql`update awards set is_demo = true where state = 'entered'`
    await expect(mark.execute(database.db)).rejects.toThrow('no demo result')
  })

  test('is removed when two people replace a generated result', async () => {
    await addDrawn('lao-vip-20200104-1', 120)
    await day.run()
    for (const name of ['office01', 'office02']) {
      const { user_id } = await findCaller(database.db, name)
      const entry = {
        period_code: 'lao-vip-20200104-1',
        result: { first_prize: '9999', top3: '999', bottom2: '99' },
        reason: 'real draw',
      }
      await correctAward(database.db, { actor_id: user_id }, entry)
    }
    await settleDuePeriods(database.db)
    expect(await outcomeOf('lao-vip-20200104-1')).toMatchObject({ outcome: 'settled', is_demo: false, top3: '999' })
  })
})

test('numbers are set by hand in open periods, once, except in periods that people have created', async () => {
  const made = await openMadePeriod()
  await setPopularNumbers(database.db)
  const settings = await select<{ product_code: string; count: number }>(`
    select period_code, count(*)::int as count from number_settings join periods using (period_id)
    where close_at > clock_timestamp() and open_at < clock_timestamp() group by period_code`)
  expect(settings.length).toBeGreaterThan(0)
  expect(settings.every(({ count }) => count === 6)).toBe(true)
  expect(settings.map((each) => (each as unknown as { period_code: string }).period_code)).not.toContain(made)
  const audits = async () => (await select("select 1 from audit_log where action = 'set_number'")).length
  const before = await audits()
  await setPopularNumbers(database.db)
  expect(await audits()).toBe(before)
})

test('a run that is stopped ends, and later ones do nothing', async () => {
  await addDrawn('lao-vip-20200105-1', 120)
  const stopped = createDemoDay(database.db, database.owner, () => settleDuePeriods(database.db))
  stopped.stop()
  await stopped.run()
  expect(await outcomeOf('lao-vip-20200105-1')).toMatchObject({ outcome: 'pending' })
})

test('present tickets are paid by a result of the demo', async () => {
  const member = await findCaller(database.db, 'member03')
  await database.asOwner`
    insert into periods (period_code, product_code, period_date, open_at, close_at, draw_at)
    select 'lao-vip-20200106-1', 'lao-vip', current_date, clock_timestamp() - interval '1 hour',
      clock_timestamp() + interval '1 hour', clock_timestamp() + interval '1 hour'`
  const { top3 } = generateResult('lao-vip-20200106-1', 'four_to_six_digits')
  const items = [{ bet_type: '3top' as const, number: top3, bet_satang: 1_000, rate: 55_000 }]
  const ticket = makeTicket('lao-vip-20200106-1', { items })
  const { json } = await placeOrder(database.db, createIntake(database.batches), member, ticket)
  await database.asOwner`alter table periods disable trigger guard_period`
  await database.asOwner`
    update periods set close_at = clock_timestamp() - interval '2 minutes', draw_at = clock_timestamp() - interval '2 minutes'
    where period_code = 'lao-vip-20200106-1'`
  await database.asOwner`alter table periods enable trigger guard_period`
  await day.run()
  const paid = await select(`select win_satang from orders where order_id = ${JSON.parse(json).order_id}`)
  expect(paid).toEqual([{ win_satang: 550_000 }])
})
