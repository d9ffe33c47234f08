// Goal: the log-in of the application makes no period of a draw that was held: it would pay whoever knows the numbers.

import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { addDays, bangkokDayOf } from '../lib/bangkok.ts'
import { changeByHand, removeSeededPeriods } from '../../test/auditor.ts'
import { startTestApp } from '../../test/test-app.ts'
import { makePeriods } from './markets.service.ts'
import { listPlannedPeriods, makePeriodCode, type PlannedPeriod } from './timetable.ts'
import { listProductTimetables } from './timetables.store.ts'

const known = { constraint: 'periods_before_draw' }

/** Days from today on, farther than periods are made ahead. */
const farDay = (days: number) => addDays(bangkokDayOf(new Date()), 30 + days)

const app = await startTestApp()
await removeSeededPeriods(app.owner)

type NewPeriod = PlannedPeriod & { product_code: string; is_manual?: boolean }

const insert = (period: NewPeriod, tx = app.db) => tx.insertInto('periods').values(period).execute()

/** The periods of a market on its first day with one, from a day on. */
async function plan(product_code: string, day = farDay(0)): Promise<[NewPeriod, ...NewPeriod[]]> {
  const product = (await listProductTimetables(app.db)).find((each) => each.product_code === product_code)!
  const [first, ...others] = listPlannedPeriods(product_code, product, day, addDays(day, 40))
  const all = [first!, ...others.filter(({ period_date }) => period_date === first!.period_date)]
  return all.map((period) => ({ product_code, ...period })) as [NewPeriod, ...NewPeriod[]]
}

test('a period is refused where the numbers of its day may be known, unless each round has a draw of its own', async () => {
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
  await expect(insert(malay)).rejects.toMatchObject(known)
  const [drawn] = await plan('malay', farDay(95))
  await settle(drawn, 7)
  await changeByHand(
    app.owner,
    sql`delete from awards where period_id in (select period_id from periods where period_date = ${drawn.period_date})`,
    sql`update periods set outcome = 'void' where period_date = ${drawn.period_date} and product_code = 'malay'`,
  )
  await expect(insert(drawn)).rejects.toMatchObject(known)
  const [round] = await plan('yeekee', farDay(90))
  await settle(round, 500)
  await insert(round)
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
  await app.asOwner`
    create function refuse_malay() returns trigger language plpgsql as $$ begin raise exception 'not this one'; end $$;
    create trigger refuse_malay before insert on periods for each row when (new.product_code = 'malay') execute function refuse_malay()`
  await expect(makePeriods(app.db)).rejects.toThrow('not this one')
  await app.asOwner`drop function refuse_malay cascade`
  expect(await countOf('malay')).toBe(0)
  const others = (await listProductTimetables(app.db)).filter(
    ({ product_code, timetable, is_enabled }) => timetable && is_enabled && product_code !== 'malay',
  )
  for (const { product_code } of others) expect(await countOf(product_code)).toBeGreaterThan(0)
})
