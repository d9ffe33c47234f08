// Goal: what a node knows of a member's stakes is what the tickets say, whatever was placed or taken back since, here or at another node;
// and a further ticket is read alone.

import type { Order } from '@megalot/contract'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { fillNewPeriod, countRead, member_ids, NEW_PERIOD, takeBack, TICKETS_OF_ONE } from '../../../test/new-period.ts'
import { limitNumbers, makeLine, makeTicket, openPeriod, placeTicket, statusOf } from '../../../test/scenes.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { sumStakes } from './intake.store.ts'
import type { Stakes } from './snapshot.ts'
import { createStakesCache, readStakes, type StakesCache } from './member-stakes.ts'

/** Where all was taken back, nothing is left. */
const withoutZeros = (stakesOf: ReadonlyMap<number, Stakes>) =>
  [...stakesOf].map(([user_id, stakes]) => [
    user_id,
    Object.entries(stakes).map(([bet_type, ofType]) => [
      bet_type,
      Object.entries(ofType)
        .filter(([, satang]) => satang !== 0)
        .toSorted(([a], [b]) => a.localeCompare(b)),
    ]),
  ])

test('what is known of a member is what its tickets say, after each change', async () => {
  const app = await startTestApp()
  const [member, agent] = [await app.logIn('member01'), await app.logIn('agent01')]
  // 100 Baht at the full rate and 50 at half: more waits.
  await limitNumbers(app.db, '3top', 10_000, 5_000)
  const period_code = await openPeriod(app.owner)
  const cache = createStakesCache()
  const { rows } = await sql<{ user_id: number; period_id: number }>`
    select user_id, period_id from users, periods where username = 'member01' and period_code = ${period_code}`.execute(
    app.db,
  )
  const { user_id, period_id } = rows[0]!
  const compare = async (): Promise<void> => {
    const stored = await sql<{ received_satang: number }>`
      select coalesce(sum(received_satang), 0)::bigint as received_satang from member_periods
      where user_id = ${user_id} and period_id = ${period_id}`.execute(app.db)
    const members = [{ user_id, ...stored.rows[0]! }]
    const readWith = (each: StakesCache) =>
      app.db.transaction().execute((tx) => readStakes(tx, each, period_id, members))
    expect(withoutZeros(await readWith(cache))).toEqual(withoutZeros(await readWith(createStakesCache())))
  }
  const place = (items: [string, number][]): Promise<Order> =>
    placeTicket(
      member,
      makeTicket(period_code, { items: items.map(([number, baht]) => makeLine('3top', number, baht)) }),
    )
  const act = async (order: Order, act: string, body: object, caller = member) =>
    statusOf(await caller.post(`/api/order/${order.order_id}/${act}`, body))

  await compare()
  const first = await place([
    ['123', 10],
    ['321', 20],
  ])
  await compare()
  await place([
    ['123', 30],
    ['456', 5],
  ])
  const deleted = await place([['789', 10]])
  await compare()
  expect(await act(first, 'cancel', first)).toBe('CANCELLED')
  await compare()
  // As much is placed as was taken back.
  expect(await act(deleted, 'delete', { reason: 'a test' }, agent)).toBe('DELETED')
  await place([['012', 10]])
  await compare()
  const waiting = await place([
    ['555', 120],
    ['556', 10],
    ['557', 10],
  ])
  expect(waiting.status).toBe('WAIT_CONFIRM')
  await compare()
  expect(await act(waiting, 'confirm', { items: [{ line_no: 2, bet_satang: 0 }] })).toBe('CONFIRMED')
  await compare()
  await place([['558', 10]])
  await compare()
  const [cancelled, stays] = [await place([['559', 120]]), await place([['560', 120]])]
  await compare()
  // One that waits still is known by its id.
  const known = { user_id, after_id: stays.order_id, waiting_ids: [cancelled.order_id, stays.order_id] }
  expect(await act(cancelled, 'cancel', cancelled)).toBe('CANCELLED')
  const read = await app.db.transaction().execute((tx) => sumStakes(tx, period_id, [known]))
  expect(read.get(user_id)!.waiting).toEqual({ order_ids: [stays.order_id], received_satang: 0, lines: [] })
  await compare()
  expect(await act(stays, 'delete', { reason: 'a test' }, agent)).toBe('DELETED')
  await compare()
})

// Defect: all tickets of a member near a limit were read for each further one.
test('a member that is known is read from its last ticket on', async () => {
  await fillNewPeriod()
  const cache = createStakesCache()
  const members = [{ user_id: member_ids[0]!, received_satang: 100 * TICKETS_OF_ONE }]
  const read = () => countRead((tx) => readStakes(tx, cache, NEW_PERIOD, members))
  expect(await read()).toBeGreaterThanOrEqual(TICKETS_OF_ONE)
  expect(await read()).toBeLessThan(10)
  // What is taken back is looked for among those that are known, and its lines alone are read.
  await takeBack(member_ids[0]!)
  members[0]!.received_satang -= 100
  const after = await read()
  expect(after).toBeLessThan(3 * TICKETS_OF_ONE)
})
