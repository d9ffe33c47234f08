// Goal: a member's own limits apply to every ticket, also to concurrent ones, from the moment they are set; they are
// loosened a day later and no sooner, and a break is never shortened.

import type { PlayLimits } from '@megalot/contract'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import pg from 'pg'
import { countRead } from '../../../test/count-read.ts'
import { countWrites, limitNumbers, makeTicket, openPeriod } from '../../../test/scenes.ts'
import { appOn, startTestApp, type TestCaller } from '../../../test/test-app.ts'
import { createUseCache, readUse } from './known-use.ts'
import { recordDayStart } from './play-limits.service.ts'

let member: TestCaller
let other: TestCaller
let period_code: string
/** The price of a ticket of one line of 10 Baht on 3top with package "70": 33 % discount. */
const NET = 670

const app = await startTestApp()
member = await app.logIn('member01')
other = await app.logIn('member02')
beforeEach(async () => {
  await app.asOwner`delete from play_limits`
  await app.asOwner`delete from play_breaks`
  // A member that has staked nothing yet: earlier tickets are of another month.
  await moveBack(62)
  period_code = await openPeriod(app.owner)
})

/** Moves all ledger entries some days back, as if they had been written then, and has members call a node that has read none of them. */
async function moveBack(days: number): Promise<void> {
  await app.asOwner`alter table entries disable trigger append_only`
  await app.asOwner`update entries set at = at - ${days} * interval '1 day'`
  await app.asOwner`alter table entries enable trigger append_only`
  const node = await appOn(app)
  member = node.callerOf(member.sessionToken, member.user_id)
  other = node.callerOf(other.sessionToken, other.user_id)
}

/** A call that may be refused. */
const attempt = (caller = member) => caller.post('/api/order/create', makeTicket(period_code))
const set = async (kind: string, span: string, amount_satang: number | null): Promise<PlayLimits> =>
  (await member.post('/mgluser/play_limits', { kind, span, amount_satang })).json.data
const read = async (): Promise<PlayLimits> => (await member.get('/mgluser/play_limits')).json.data
const limitOf = (limits: PlayLimits, kind: string, span: string) =>
  limits.limits.find((one) => one.kind === kind && one.span === span)!

describe('a limit', () => {
  test('of every kind and span can be set, and none is set at first', async () => {
    const { limits, break: pause } = await read()
    expect(limits.map(({ kind, span }) => `${kind} ${span}`)).toEqual([
      'stake day',
      'stake week',
      'stake month',
      'loss day',
      'loss week',
      'loss month',
    ])
    expect(limits.every(({ amount_satang, next }) => amount_satang === null && next === null)).toBe(true)
    expect(pause).toBeNull()
  })

  test.each(['stake', 'loss'].flatMap((kind) => ['day', 'week', 'month'].map((span) => [kind, span] as const)))(
    'on %s of a %s lets in what fits, to the satang, and refuses what does not',
    async (kind, span) => {
      await set(kind, span, 2_000)
      expect((await attempt()).http).toBe(200)
      expect((await attempt()).http).toBe(200)
      const before = await countWrites(app.owner)
      const { http, json } = await attempt()
      expect([http, json.error.code]).toEqual([422, 'play_limit_reached'])
      expect(json.error.details).toEqual({
        status: 'INVALID',
        kind,
        span,
        amount_satang: 2_000,
        left_satang: 2_000 - 2 * NET,
      })
      expect(await countWrites(app.owner)).toEqual(before)
      expect(limitOf(await read(), kind, span).used_satang).toBe(2 * NET)
      // Other limits are not affected.
      expect((await attempt(other)).http).toBe(200)
    },
  )

  // Defect: tickets at once all read what was staked before, and together they pass the limit.
  test('applies to twenty tickets at once, in one batch or in many', async () => {
    await set('stake', 'day', 3_400)
    const replies = await Promise.all(Array.from({ length: 20 }, () => attempt()))
    expect(replies.filter(({ http }) => http === 200)).toHaveLength(5)
    expect(replies.filter(({ json }) => json.error?.code === 'play_limit_reached')).toHaveLength(15)
  })

  test('a placed ticket is replayed, though it would exceed the limit now', async () => {
    await set('stake', 'day', 700)
    const ticket = makeTicket(period_code)
    expect((await member.post('/api/order/create', ticket)).http).toBe(200)
    expect((await member.post('/api/order/create', ticket)).http).toBe(200)
  })

  test('restores cancelled stakes, and counts a win against the loss limit alone', async () => {
    await set('stake', 'day', 1_000)
    const { json } = await attempt()
    await member.post(`/api/order/${json.data.order_id}/cancel`, json.data)
    expect(limitOf(await read(), 'stake', 'day').used_satang).toBe(0)
    expect((await attempt()).http).toBe(200)
    await app.asOwner`
      insert into entries (kind, from_account_id, to_account_id, amount_satang)
      select 'win', house.account_id, cash.account_id, 5000
      from accounts house join periods using (period_id), accounts cash
      where period_code = ${period_code} and cash.kind = 'cash' and cash.user_id = ${member.user_id}`
    const limits = await read()
    expect([limitOf(limits, 'stake', 'day').used_satang, limitOf(limits, 'loss', 'day').used_satang]).toEqual([
      NET,
      NET - 5_000,
    ])
  })

  test('is not raised by the refund of an earlier month’s ticket', async () => {
    const { order_id } = (await attempt()).json.data
    await moveBack(62)
    await app.asOwner`update orders set placed_at = placed_at - interval '62 days' where order_id = ${order_id}`
    await set('stake', 'day', 2_000)
    await set('loss', 'month', 2_000)
    const agent = await app.logIn('agent01')
    expect((await agent.post(`/api/order/${order_id}/delete`, { reason: 'for a test' })).http).toBe(200)
    const limits = await read()
    expect(limitOf(limits, 'stake', 'day').used_satang).toBe(0)
    expect(limitOf(limits, 'loss', 'month').used_satang).toBe(0)
    for (const http of [200, 200, 422]) expect((await attempt()).http).toBe(http)
  })

  test('counts a waiting ticket once, before and after its confirmation', async () => {
    await limitNumbers(app.db, '3top', 600, 0, 'lao-pattana')
    period_code = await openPeriod(app.owner, 'lao-pattana')
    await set('stake', 'day', 1_000)
    const { json } = await attempt()
    expect(json.data.status).toBe('WAIT_CONFIRM')
    const used = limitOf(await read(), 'stake', 'day').used_satang
    expect(used).toBe(402)
    expect((await member.post(`/api/order/${json.data.order_id}/confirm`, { items: [] })).json.data.status).toBe(
      'CONFIRMED',
    )
    expect(limitOf(await read(), 'stake', 'day').used_satang).toBe(used)
  })

  test('restarts with the day, the week and the month', async () => {
    await attempt()
    const usedOf = async (span: string) => limitOf(await read(), 'stake', span).used_satang
    expect([await usedOf('day'), await usedOf('week'), await usedOf('month')]).toEqual([NET, NET, NET])
    await moveBack(1)
    expect(await usedOf('day')).toBe(0)
    await moveBack(7)
    expect(await usedOf('week')).toBe(0)
    await moveBack(31)
    expect(await usedOf('month')).toBe(0)
  })

  test('is the same from the day’s mark as from the first entry', async () => {
    await attempt()
    await moveBack(62)
    await recordDayStart(app.db)
    await app.asOwner`update entry_marks set day = day - 40`
    await attempt()
    const readAnew = async () => (await readUse(app.db, createUseCache(), [member.user_id])).get(member.user_id)!.month
    expect(await readAnew()).toMatchObject({ stake_satang: NET })
    await app.asOwner`delete from entry_marks`
    expect(await readAnew()).toMatchObject({ stake_satang: NET })
  })

  test('is tightened at once and loosened a day later', async () => {
    await set('stake', 'day', 5_000)
    expect(limitOf(await set('stake', 'day', 100), 'stake', 'day')).toMatchObject({ amount_satang: 100, next: null })
    expect((await attempt()).json.error.code).toBe('play_limit_reached')
    const looser = limitOf(await set('stake', 'day', 100_000), 'stake', 'day')
    expect(looser).toMatchObject({ amount_satang: 100, next: { amount_satang: 100_000 } })
    const inMs = Date.parse(looser.next!.from_at) - Date.now()
    expect(Math.abs(inMs - 86_400_000)).toBeLessThan(60_000)
    expect((await attempt()).json.error.code).toBe('play_limit_reached')
    await app.asOwner`update play_limits set next_at = next_at - interval '24 hours'`
    expect(limitOf(await read(), 'stake', 'day')).toMatchObject({ amount_satang: 100_000, next: null })
    expect((await attempt()).http).toBe(200)
  })

  test('is removed a day later, and a stricter one cancels the removal', async () => {
    await set('loss', 'week', 100)
    expect(limitOf(await set('loss', 'week', null), 'loss', 'week')).toMatchObject({
      amount_satang: 100,
      next: { amount_satang: null },
    })
    expect((await attempt()).json.error.code).toBe('play_limit_reached')
    expect(limitOf(await set('loss', 'week', 100), 'loss', 'week').next).toBeNull()
    await set('loss', 'week', null)
    await app.asOwner`update play_limits set next_at = clock_timestamp()`
    expect((await attempt()).http).toBe(200)
  })

  test.each([-100, 50, 1.5, 1e21, '100', undefined])('of %s is refused', async (amount_satang) => {
    const { http } = await member.post('/mgluser/play_limits', { kind: 'stake', span: 'day', amount_satang })
    expect(http).toBe(400)
  })
})

describe('a break', () => {
  const take = (kind: string, days: number) => member.post('/mgluser/play_limits/break', { kind, days })

  test.each([
    ['time_out', 1],
    ['self_exclusion', 180],
  ])('%s refuses tickets until it is over, and nothing else', async (kind, days) => {
    const { json } = await take(kind, days)
    expect(json.data.break!.kind).toBe(kind)
    const refused = await attempt()
    expect([refused.http, refused.json.error]).toEqual([403, { code: 'play_break', details: json.data.break }])
    expect((await member.get('/api/order/list')).http).toBe(200)
    await app.asOwner`alter table play_breaks disable trigger refuse_shorter_break`
    await app.asOwner`update play_breaks set until_at = clock_timestamp()`
    await app.asOwner`alter table play_breaks enable trigger refuse_shorter_break`
    expect((await attempt()).http).toBe(200)
    expect((await read()).break).toBeNull()
  })

  test('can be extended, and never shortened, by anybody', async () => {
    const long = (await take('self_exclusion', 365)).json.data.break!
    expect((await take('time_out', 1)).json.data.break).toEqual(long)
    const shorten = sql`update play_breaks set until_at = clock_timestamp()`
    for (const db of [app.db, app.owner])
      await expect(shorten.execute(db)).rejects.toMatchObject({ constraint: 'breaks_only_longer' })
    expect(Date.parse((await take('self_exclusion', 700)).json.data.break!.until_at)).toBeGreaterThan(
      Date.parse(long.until_at),
    )
  })

  test.each([
    ['time_out', 0],
    ['time_out', 43],
    ['self_exclusion', 30],
    ['self_exclusion', 99_999],
    ['holiday', 5],
  ])('%s of %d days is refused', async (kind, days) => {
    expect((await take(kind, days)).http).toBe(400)
  })
})

test('a ticket of a member without limits needs no further query', async () => {
  const query = vi.spyOn(pg.Client.prototype, 'query')
  const fresh = await app.logIn('member03')
  query.mockClear()
  expect((await attempt(fresh)).http).toBe(200)
  const statements = query.mock.calls.map(([first]: unknown[]) => JSON.stringify(first))
  query.mockRestore()
  expect(statements.length).toBeGreaterThan(5)
  expect(
    statements.filter((statement) => /play_|entry_marks/.test(statement.replaceAll('has_play_limits', ''))),
  ).toEqual([])
})

// Defect: the mark was a condition of the join, and the sums read the entries of all years.
test('what is used is summed up without the entries before the mark of the month', async () => {
  await app.asOwner`
    insert into entries (kind, from_account_id, to_account_id, amount_satang)
    select 'bet', cash.account_id, house.account_id, 1
    from generate_series(1, 500), accounts cash, accounts house join periods using (period_id)
    where cash.kind = 'cash' and cash.user_id in (select user_id from users where level = 'member') and period_code = ${period_code}`
  await moveBack(62)
  await recordDayStart(app.db)
  await app.asOwner`update entry_marks set day = day - 40`
  await attempt()
  await app.asOwner`analyze entries`
  // Dead versions of what was moved back are no part of it.
  await app.asOwner`vacuum entries`
  const users = [member.user_id, other.user_id]
  const useOf = await readUse(app.db, createUseCache(), users)
  expect(useOf.get(member.user_id)).toMatchObject({ month: { stake_satang: NET } })
  expect(await countRead(app.owner, 'entries', (tx) => readUse(tx, createUseCache(), users))).toBeLessThan(100)
  await app.asOwner`delete from entry_marks`
})

describe('what a node knows of the use of a member', () => {
  /** An entry between the house and the member's cash, with an id that was drawn before. */
  const insertEntry = async (kind: 'win' | 'credit_change', amount_satang: number, entry_id: number): Promise<void> => {
    await app.asOwner`
      insert into entries (entry_id, kind, from_account_id, to_account_id, amount_satang)
      select ${entry_id}, ${kind}, house.account_id, cash.account_id, ${amount_satang}::bigint
      from accounts house join periods using (period_id), accounts cash
      where period_code = ${period_code} and cash.kind = 'cash' and cash.user_id = ${member.user_id}`
  }
  const drawId = async (): Promise<number> => {
    const { rows } = await app.asOwner<{ entry_id: number }>`select nextval('entry_ids') as entry_id`
    return rows[0]!.entry_id
  }

  test('is what the ledger says, after each change', async () => {
    const cache = createUseCache()
    const users = [member.user_id, other.user_id]
    const compare = async (): Promise<void> => {
      const anew = await readUse(app.db, createUseCache(), users)
      expect(await readUse(app.db, cache, users)).toEqual(anew)
    }
    await compare()
    const first = (await attempt()).json.data
    await compare()
    await member.post(`/api/order/${first.order_id}/cancel`, first)
    await attempt(other)
    await compare()
    await insertEntry('credit_change', 700, await drawId())
    await insertEntry('win', 300, await drawId())
    await attempt()
    await compare()
    // A ticket of yesterday is refunded today.
    const older = (await attempt()).json.data
    await compare()
    await app.asOwner`update orders set placed_at = placed_at - interval '1 day' where order_id = ${older.order_id}`
    const agent = await app.logIn('agent01')
    expect((await agent.post(`/api/order/${older.order_id}/delete`, { reason: 'for a test' })).http).toBe(200)
    await compare()
    // An entry is committed behind one with a higher id.
    const entry_id = await drawId()
    await attempt()
    await compare()
    await insertEntry('win', 200, entry_id)
    await compare()
    // Two tickets and two wins stay, and the bet of the older one: its refund is of yesterday.
    const { day } = (await readUse(app.db, cache, users)).get(member.user_id)!
    expect(day).toEqual({ stake_satang: 3 * NET, loss_satang: 3 * NET - 500 })
  })

  // Defect: all entries of the month were summed up for each ticket of a member with limits.
  test('is read from its last entry on', async () => {
    const cache = createUseCache()
    await app.asOwner`
      insert into entries (kind, from_account_id, to_account_id, amount_satang)
      select 'bet', cash.account_id, house.account_id, 1
      from generate_series(1, 300), accounts cash, accounts house join periods using (period_id)
      where cash.kind = 'cash' and cash.user_id = ${member.user_id} and period_code = ${period_code}`
    await app.asOwner`analyze entries`
    const count = () => countRead(app.owner, 'entries', (tx) => readUse(tx, cache, [member.user_id]))
    expect(await count()).toBeGreaterThanOrEqual(300)
    await attempt()
    expect(await count()).toBeLessThan(10)
  })
})
