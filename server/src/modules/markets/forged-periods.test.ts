// Goal: the log-in of the application makes the periods of the timetable and those that two people agreed, and no others: one with a known
// draw, or with a close after it, would pay whoever knows the numbers.

import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { addDays, bangkokDayOf } from '../../platform/bangkok.ts'
import type { Tx } from '../../platform/db.ts'
import { changeByHand, removeSeededPeriods } from '../../../test/auditor.ts'
import { findCaller } from '../../../test/nodes.ts'
import { startTestApp, type TestApp } from '../../../test/test-app.ts'
import { writeAudit } from '../audit/index.ts'
import { makePeriods } from './markets.service.ts'
import { listPeriodsOfDays, listPlannedPeriods, makePeriodCode, type PlannedPeriod } from './timetable.ts'
import { listProductTimetables } from './timetables.store.ts'

let app: TestApp

const unplanned = { constraint: 'periods_are_planned' }

/** Days from today on, farther than periods are made ahead. */
const farDay = (days: number) => addDays(bangkokDayOf(new Date()), 30 + days)
const minutesAfter = (instant: Date, minutes: number) => new Date(instant.getTime() + minutes * 60_000)

beforeAll(async () => {
  app = await startTestApp()
  await removeSeededPeriods(app.owner)
})

type NewPeriod = PlannedPeriod & { product_code: string; is_manual?: boolean }

const insert = (period: NewPeriod, tx: TestApp['db'] | Tx = app.db) => tx.insertInto('periods').values(period).execute()

const find = ({ period_code }: PlannedPeriod) =>
  app.db.selectFrom('periods').selectAll().where('period_code', '=', period_code).executeTakeFirst()

/** The periods of a market on its first day with one, from a day on. */
async function plan(product_code: string, day = farDay(0)): Promise<[NewPeriod, ...NewPeriod[]]> {
  const product = (await listProductTimetables(app.db)).find((each) => each.product_code === product_code)!
  const [first, ...others] = listPlannedPeriods(product_code, product, day, addDays(day, 40))
  const all = [first!, ...others.filter(({ period_date }) => period_date === first!.period_date)]
  return all.map((period) => ({ product_code, ...period })) as [NewPeriod, ...NewPeriod[]]
}

const remove = ({ period_code }: PlannedPeriod) =>
  changeByHand(
    app.owner,
    sql`delete from accounts where period_id = (select period_id from periods where period_code = ${period_code})`,
    sql`delete from periods where period_code = ${period_code}`,
  )

describe('a period of the timetable', () => {
  test('is made by the application, of each market, round and day', async () => {
    for (const { product_code, timetable } of await listProductTimetables(app.db)) {
      if (!timetable) continue
      for (const day of [farDay(0), '2027-02-28', '2028-02-29', '2027-12-31'])
        for (const period of await plan(product_code, day)) {
          await insert(period)
          expect(await find(period)).toMatchObject({ close_at: period.close_at })
        }
    }
  })

  test('follows a timetable that holds from its day on', async () => {
    const [period] = await plan('malay', farDay(50))
    const later = { ...period, close_at: minutesAfter(period.close_at, -10) }
    await expect(insert(later)).rejects.toMatchObject(unplanned)
    const { rows } = await sql<{ timetable: { close: { time: string } } }>`
      select timetable from products where product_code = 'malay'`.execute(app.owner)
    const close = new Date(later.close_at.getTime() + 7 * 3_600_000).toISOString().slice(11, 16)
    const next = { ...rows[0]!.timetable, close: { ...rows[0]!.timetable.close, time: close } }
    await sql`
      update products set next_timetable = ${JSON.stringify(next)}, next_timetable_from = ${period.period_date}
      where product_code = 'malay'`.execute(app.owner)
    await expect(insert(period)).rejects.toMatchObject(unplanned)
    await insert(later)
    await sql`
      update products set next_timetable = null, next_timetable_from = null where product_code = 'malay'`.execute(
      app.owner,
    )
  })

  test.each<[string, string, (period: NewPeriod) => Partial<NewPeriod>]>([
    [
      'that closes after its draw',
      'malay',
      ({ draw_at }) => ({ close_at: draw_at, draw_at: minutesAfter(draw_at, 60) }),
    ],
    ['that opens later', 'malay', ({ open_at }) => ({ open_at: minutesAfter(open_at, 1) })],
    ['that closes earlier', 'malay', ({ close_at }) => ({ close_at: minutesAfter(close_at, -1) })],
    ['with another draw', 'malay', ({ draw_at }) => ({ draw_at: minutesAfter(draw_at, 1) })],
    ['in a round, where the market has none', 'malay', (period) => codeOfRound(period, 1)],
    ['without a round, where the market has them', 'yeekee', (period) => codeOfRound(period, null)],
    ['in a further round', 'yeekee', (period) => codeOfRound(period, 400)],
    ['in another round than its times', 'yeekee', (period) => codeOfRound(period, 2)],
    ['under the code of another day', 'malay', () => ({ period_code: makePeriodCode('malay', farDay(60), null) })],
    ['under a code of its own', 'malay', () => ({ period_code: 'malay-extra' })],
    ['of another market', 'malay', () => ({ product_code: 'egypt' })],
    ['as if people had made it', 'malay', () => ({ is_manual: true })],
  ])('%s is refused', async (_name, product_code, change) => {
    const [period] = await plan(product_code, farDay(70))
    await expect(insert({ ...period, ...change(period) })).rejects.toMatchObject(unplanned)
    // As the timetable has it: nothing else was wrong.
    await insert(period)
    await remove(period)
  })

  test('on a weekday or a day of the month without one is refused', async () => {
    for (const product_code of ['thai-government', 'malay']) {
      const [period] = await plan(product_code, farDay(80))
      const { timetable } = (await listProductTimetables(app.db)).find((each) => each.product_code === product_code)!
      const everyDay = listPeriodsOfDays(
        product_code,
        { ...timetable!, days: 'every_day' },
        farDay(80),
        farDay(110),
        null,
      )
      const planned = new Set(
        listPeriodsOfDays(product_code, timetable!, farDay(80), farDay(110), null).map(
          ({ period_code }) => period_code,
        ),
      )
      const free = everyDay.find(({ period_code }) => !planned.has(period_code))!
      await expect(insert({ ...period, ...free })).rejects.toMatchObject(unplanned)
    }
  })

  test('is refused where the numbers of its day may be known, unless each round has a draw of its own', async () => {
    const settle = async (period: NewPeriod, round: number) => {
      const code = makePeriodCode(period.product_code, period.period_date, round)
      await changeByHand(
        app.owner,
        sql`insert into periods (period_code, product_code, period_date, round, open_at, close_at, draw_at, outcome, closed_at, bottom3_set, shares_at)
          values (${code}, ${period.product_code}, ${period.period_date}, ${round}, now() - interval '2 hours',
            now() - interval '1 hour', now() - interval '1 hour', 'settled', now(), 'back', now())`,
        sql`insert into awards (period_id, state, result)
          select period_id, 'agreed', '{"top3":"123","bottom2":"45"}' from periods where period_code = ${code}`,
      )
    }
    const [malay] = await plan('malay', farDay(90))
    await settle(malay, 7)
    await expect(insert(malay)).rejects.toMatchObject(unplanned)
    const [drawn] = await plan('malay', farDay(95))
    await settle(drawn, 7)
    await changeByHand(
      app.owner,
      sql`delete from awards where period_id in (select period_id from periods where period_date = ${drawn.period_date})`,
      sql`update periods set outcome = 'void' where period_date = ${drawn.period_date} and product_code = 'malay'`,
    )
    await expect(insert(drawn)).rejects.toMatchObject(unplanned)
    const [round] = await plan('yeekee', farDay(90))
    await settle(round, 500)
    await insert(round)
  })
})

describe('a period that two people agreed', () => {
  /** A proposal and its execution in the names of two people, with the audit rows that the database asks for. */
  async function executeProposal(
    tx: Tx,
    [first, second]: readonly [{ user_id: number }, { user_id: number }],
    made: { kind: string; payload: object; period: NewPeriod; after: object },
  ): Promise<void> {
    const { kind, payload, period, after } = made
    const subject = `period:${period.period_code}`
    const { rows } = await sql<{ approval_id: number }>`
      insert into approvals (kind, payload, subject, product_code, state_after, figures, reason, proposed_by)
      values (${kind}, ${JSON.stringify(payload)}, ${subject}, ${period.product_code}, ${JSON.stringify(after)}, '{}', 'for a test',
        ${first.user_id}) returning approval_id`.execute(tx)
    const { approval_id } = rows[0]!
    await sql`update approvals set state = 'executed', decided_by = ${second.user_id} where approval_id = ${approval_id}`.execute(
      tx,
    )
    const about = { subject: `approval:${approval_id}` }
    const proposed = { ...after, kind, subject, payload }
    await writeAudit(tx, { ...about, actor_id: first.user_id, action: 'propose_approval', after: proposed })
    const approved = { ...proposed, proposed_by: first.user_id }
    await writeAudit(tx, { ...about, actor_id: second.user_id, action: 'approve_approval', after: approved })
  }

  /** Executes a proposal within a transaction, as people who were made up. @param open_at null: at the approval */
  async function execute(tx: Tx, period: NewPeriod, open_at: Date | null): Promise<void> {
    const [first, second] = [await findCaller(app.owner, 'office01'), await findCaller(app.owner, 'office02')]
    const after = { period_code: period.period_code, open_at, close_at: period.close_at, draw_at: period.draw_at }
    await executeProposal(tx, [first, second], { kind: 'create_period', payload: {}, period, after })
  }

  /** Moves a period within a transaction that executes a proposal of it, as people who were made up. */
  async function move(period: NewPeriod, tx: Tx): Promise<void> {
    const [first, second] = [await findCaller(app.owner, 'office01'), await findCaller(app.owner, 'office02')]
    const { period_code, open_at, close_at, draw_at } = period
    const [payload, after] = [{ period_code }, { open_at, close_at, draw_at }]
    await executeProposal(tx, [first, second], { kind: 'move_period', payload, period, after })
    await sql`update periods set close_at = ${close_at}, draw_at = ${draw_at} where period_code = ${period_code}`.execute(
      tx,
    )
  }

  const tomorrow = addDays(bangkokDayOf(new Date()), 1)
  const agreed = (round: number): NewPeriod => ({
    product_code: 'malay',
    period_code: makePeriodCode('malay', tomorrow, round),
    period_date: tomorrow,
    round,
    open_at: new Date(Date.now() + 60_000),
    close_at: new Date(Date.now() + 3_600_000),
    draw_at: new Date(Date.now() + 7_200_000),
    is_manual: true,
  })

  test('is made in the transaction that executes their proposal, with its times', async () => {
    const period = agreed(1)
    await app.db.transaction().execute(async (tx) => {
      // The period before the execution, and after it: what counts is the commit.
      await insert(period, tx)
      await execute(tx, period, period.open_at)
    })
    await app.db.transaction().execute(async (tx) => {
      const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(tx)
      const atOnce = { ...agreed(2), open_at: rows[0]!.now }
      await insert(atOnce, tx)
      await execute(tx, atOnce, null)
    })
    for (const one of [period, agreed(2)]) expect(await find(one)).toMatchObject({ round: one.round })
  })

  test.each<[string, (period: NewPeriod) => Partial<NewPeriod>]>([
    ['another opening', ({ open_at }) => ({ open_at: minutesAfter(open_at, 1) })],
    ['another close', ({ close_at }) => ({ close_at: minutesAfter(close_at, 1) })],
    ['another draw', ({ draw_at }) => ({ draw_at: minutesAfter(draw_at, 1) })],
    ['another round', (period) => codeOfRound(period, 9)],
    [
      'another market',
      (period) => ({ ...codeOfRound({ ...period, product_code: 'egypt' }, period.round), product_code: 'egypt' }),
    ],
    ['another day under the same code', () => ({ period_date: farDay(1) })],
  ])('with %s is refused', async (_name, change) => {
    const period = agreed(3)
    const made = app.db.transaction().execute(async (tx) => {
      await execute(tx, period, period.open_at)
      await insert({ ...period, ...change(period) }, tx)
    })
    await expect(made).rejects.toMatchObject(unplanned)
  })

  test.each(['malay', 'yeekee'])(
    'is not made and not moved to close after the planned draw of its day or round: %s',
    async (product_code) => {
      const [planned] = await plan(product_code, farDay(110))
      const late = (minutes: number): NewPeriod => ({
        ...planned,
        is_manual: true,
        close_at: minutesAfter(planned.draw_at, minutes),
        draw_at: minutesAfter(planned.draw_at, 60),
      })
      const make = (period: NewPeriod) =>
        app.db.transaction().execute(async (tx) => {
          await execute(tx, period, period.open_at)
          await insert(period, tx)
        })
      await expect(make(late(1))).rejects.toMatchObject(unplanned)
      await make(late(-10))
      const moveTo = (period: NewPeriod) => app.db.transaction().execute((tx) => move(period, tx))
      await expect(moveTo(late(1))).rejects.toMatchObject({ constraint: 'periods_close_once' })
      await moveTo(late(0))
      expect(await find(planned)).toMatchObject({ close_at: planned.draw_at })
    },
  )

  test('that opens at the approval does not open before its transaction', async () => {
    const period = { ...agreed(4), open_at: minutesAfter(new Date(), -60) }
    const made = app.db.transaction().execute(async (tx) => {
      await execute(tx, period, null)
      await insert(period, tx)
    })
    await expect(made).rejects.toMatchObject(unplanned)
  })

  test('is refused in another transaction than that of the execution, and where the result of its day is agreed', async () => {
    const period = agreed(5)
    await app.db.transaction().execute((tx) => execute(tx, period, period.open_at))
    await expect(insert(period)).rejects.toMatchObject(unplanned)
    await changeByHand(
      app.owner,
      sql`insert into awards (period_id, state, result)
        select period_id, 'agreed', '{"top3":"123","bottom2":"45"}' from periods where period_code = ${agreed(1).period_code}`,
    )
    const known = agreed(6)
    const made = app.db.transaction().execute(async (tx) => {
      await execute(tx, known, known.open_at)
      await insert(known, tx)
    })
    await expect(made).rejects.toMatchObject(unplanned)
  })
})

test('a market of its own, with a timetable of its own, is not made by the application', async () => {
  await expect(
    sql`insert into products select 'forged', name_th, name_en, group_code, country_code, bet_types, timetable from products limit 1`.execute(
      app.db,
    ),
  ).rejects.toMatchObject({ code: '42501' })
})

test('the owner writes any period, and the job of the application makes those that are missing', async () => {
  const [period] = await plan('malay', farDay(100))
  await insert({ ...period, period_code: 'malay-by-hand', close_at: period.draw_at }, app.owner)
  expect(await makePeriods(app.db)).toBeGreaterThan(50)
})

test('a market whose periods are refused keeps no other from its own', async () => {
  await removeSeededPeriods(app.owner)
  const countOf = async (product_code: string): Promise<number> =>
    (await app.db.selectFrom('periods').select('period_id').where('product_code', '=', product_code).execute()).length
  await sql`
    create function refuse_malay() returns trigger language plpgsql as $$ begin raise exception 'not this one'; end $$;
    create trigger refuse_malay before insert on periods for each row when (new.product_code = 'malay') execute function refuse_malay()`.execute(
    app.owner,
  )
  await expect(makePeriods(app.db)).rejects.toThrow('not this one')
  await sql`drop function refuse_malay cascade`.execute(app.owner)
  expect(await countOf('malay')).toBe(0)
  const others = (await listProductTimetables(app.db)).filter(
    ({ product_code, timetable, is_enabled }) => timetable && is_enabled && product_code !== 'malay',
  )
  for (const { product_code } of others) expect(await countOf(product_code)).toBeGreaterThan(0)
})

/** @param round null: none */
function codeOfRound({ product_code, period_date }: NewPeriod, round: number | null): Partial<NewPeriod> {
  return { round, period_code: makePeriodCode(product_code, period_date, round) }
}
