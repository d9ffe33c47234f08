// The tickets of an address are those placed during its log-ins, and finding them stays cheap.

import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { countHandled } from '../../test/count-read.ts'
import { findCaller } from '../../test/nodes.ts'
import { openPeriod } from '../../test/scenes.ts'
import { startTestApp, type TestCaller } from '../../test/test-app.ts'
import { readPart } from '../http/page.ts'
import { listVisibleOrders } from './read/lists.ts'

const TICKETS = 600
const START = Date.parse('2095-01-01T00:00:00Z')
const members = ['member06', 'member07', 'member08']
const placed: { order_id: number; user_id: number; at: number }[] = []

/** The time `minutes` after the start of the first ticket's day. */
const timeOf = (minutes: number) => new Date(START + minutes * 60_000).toISOString()

const app = await startTestApp()
const viewers: TestCaller[] = [await app.logIn('agent01'), await app.logIn('office01')]
const period_code = await openPeriod(app.owner)
const ids: number[] = await Promise.all(members.map(async (name) => (await findCaller(app.db, name)).principal_id))
// One ticket per minute, by each member in turn.
await app.owner.transaction().execute(async (tx) => {
  await sql`set local session_replication_role = replica`.execute(tx)
  const { rows } = await sql<{ order_id: number; user_id: number; created_at: Date }>`
      insert into orders (order_id, request_id, content_hash, user_id, period_id, package_id, status, item_count, bet_satang,
        received_satang, discount_satang, slots, lines, created_at)
      select nextval('order_ids'), gen_random_uuid(), '', (${ids}::bigint[])[1 + n % 3], period_id, package_id, 'CONFIRMED', 1, 100, 100, 0,
        '{1}', '\\x000000010000010000', ${timeOf(0)}::timestamptz + n * interval '1 minute'
      from generate_series(0, ${TICKETS - 1}::int) n, (select period_id from periods where period_code = ${period_code}) of_period,
        (select min(package_id) as package_id from packages) of_package
      returning order_id, user_id, created_at`.execute(tx)
  for (const { created_at, ...ticket } of rows) placed.push({ ...ticket, at: (created_at.getTime() - START) / 60_000 })
})

interface Stay {
  user_id: number
  began: number
  /** Null if still open. */
  ended: number | null
}

async function addStays(address: string, stays: readonly Stay[]): Promise<void> {
  await app.asOwner`insert into sessions (token_hash, user_id, created_at, address, ended_at, end_reason)
    select sha256(gen_random_uuid()::text::bytea), whose, began, ${address}, ended, case when ended is not null then 'logged_off' end
    from unnest(${stays.map(({ user_id }) => user_id)}::bigint[], ${stays.map(({ began }) => timeOf(began))}::timestamptz[],
      ${stays.map(({ ended }) => (ended === null ? null : timeOf(ended)))}::timestamptz[]) stay (whose, began, ended)`
}

async function listAll(who: TestCaller, address: string): Promise<number[]> {
  const found: number[] = []
  for (let page = 0, isOver = false; !isOver; page += 1) {
    const { json } = await who.get(`/api/order/list?address=${address}&page=${page}&ipp=100`)
    found.push(...json.data.map(({ order_id }) => order_id))
    isOver = json.data.length < 100
  }
  return found
}

const anyMinute = fc.integer({ min: -5, max: TICKETS + 5 })
const anyStay = fc.record({ whose: fc.constantFrom(0, 1, 2), began: anyMinute, lasts: fc.nat(40) })
let runs = 0

test('the tickets are those placed during one of them, however they overlap', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStay, { maxLength: 30 }), fc.constantFrom(0, 1, 2), async (all, live) => {
      const address = `10.1.0.${(runs += 1)}`
      const stays: Stay[] = all.map(({ whose, began, lasts }) => ({
        user_id: ids[whose]!,
        began,
        ended: began + lasts,
      }))
      // Each member's last one is still open.
      stays.push({ user_id: ids[live]!, began: TICKETS - 9, ended: null })
      await addStays(address, stays)
      const expected = placed.filter(({ user_id, at }) =>
        stays.some((stay) => stay.user_id === user_id && stay.began <= at && at < (stay.ended ?? Infinity)),
      )
      const order_ids = expected.map(({ order_id }) => order_id).toReversed()
      for (const who of viewers) expect(await listAll(who, address)).toEqual(order_ids)
      await app.asOwner`update sessions set ended_at = created_at, end_reason = 'logged_off'
        where address = ${address} and ended_at is null`
    }),
    { numRuns: 15 },
  )
})

// Defect: each of 10,000 tickets was compared with each of 2,000 log-ins, which took seconds.
test('a ticket is not compared with each log-in', async () => {
  // Each log-in is between two tickets of the member.
  const count = TICKETS / 3
  const stays = Array.from({ length: count }, (_, at) => ({ user_id: ids[0]!, began: 3 * at + 1, ended: 3 * at + 2 }))
  await addStays('10.2.0.1', stays)
  const caller = await findCaller(app.db, 'member06')
  const handled = await countHandled(app.db, (db) =>
    listVisibleOrders(db, caller, { address: '10.2.0.1' }, readPart({ page: '0' })),
  )
  expect(handled).toBeLessThan(20 * count)
})
