// Goal: a commission and the theoretical return of the terms are bounded together. One person alone makes nothing that pays a
// line more than its stakes: not by the commission, not by the terms, not through a new agent, not by both at once, and not by a
// commission of before that a period has still.

import { changeAs } from '../../../test/changes.ts'
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { decideByTwo } from '../../../test/approvals.ts'
import { findCaller, openNode } from '../../../test/nodes.ts'
import { addPerson, codeOf, FIRST_PASSWORD, isLockWaitedFor, openPeriod, waitForLock } from '../../../test/scenes.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { changeGameConfig } from '../../markets/index.ts'
import { changeShareTerms } from './share-changes.ts'

const reason = 'for a test'
const TERMS = '/api/admin/product/lao-vip/template/70/game_config'

const app = await startTestApp()
await addPerson(app.owner, 'senior1', 'super_senior', 'company', 0)
await addPerson(app.owner, 'senior2', 'senior', 'senior1', 0)
/** Directly below the company. */
const senior = (await findCaller(app.db, 'senior1')).user_id
const first = await app.logIn('office01')
const second = await app.logIn('office02')
beforeEach(async () => {
  // The highest return of the catalogue: 70 % and 28 %.
  await app.asOwner`update package_terms set rate = 7000, discount_rate = 2800 where bet_type = '2top' and package_id in (
    select package_id from packages where (product_code, package_code) = ('lao-vip', '70'))`
  for (const username of ['senior2', 'senior1', 'agent01'])
    await app.asOwner`insert into share_terms (user_id, position_rate, line_rate, commission_rate)
      select user_id, 0, 0, 0 from users where username = ${username}`
})

const setShare = (user_id: number, commission_rate: number, by = first) =>
  by.post(`/mgluser/downline/${user_id}/share`, { position_rate: 0, commission_rate, reason })
const setRate = (rate: number, by = first) => by.post(TERMS, { reason, bet_types: [{ bet_type: '2top', rate }] })

describe('a commission directly below the company', () => {
  test('is set by one person up to 100 % with the highest return, above by two, above 120 % by nobody', async () => {
    expect(codeOf(await setShare(senior, 200))).toBe('ok')
    const { json } = await setShare(senior, 201)
    expect(json.error).toMatchObject({
      code: 'approval_needed',
      details: { kind: 'change_share_terms', return_rate: 10_001 },
    })
    expect((await first.get(`/mgluser/downline/${senior}/share`)).json.data.commission_rate).toBe(200)
    const payload = { user_id: senior, position_rate: 0, commission_rate: 2_200 }
    expect(codeOf(await decideByTwo(first, second, 'change_share_terms', payload))).toBe('ok')
    expect(codeOf(await setShare(senior, 2_201))).toBe('return_too_high')
    expect(codeOf(await decideByTwo(first, second, 'change_share_terms', { ...payload, commission_rate: 2_201 }))).toBe(
      'return_too_high',
    )
    // Lowering it takes one, also where it stays above the bound; so does a part of it further down.
    expect(codeOf(await setShare(senior, 1_000))).toBe('ok')
    expect(codeOf(await setShare((await findCaller(app.db, 'senior2')).user_id, 900))).toBe('ok')
  })

  test('is not given by one person with a new agent', async () => {
    const given = {
      request_id: randomUUID(),
      level: 'super_senior',
      username: `n${randomUUID().replaceAll('-', '')}`,
      display_name: 'new',
      password: FIRST_PASSWORD,
    }
    expect(codeOf(await first.post('/mgluser/people', { ...given, commission_rate: 201 }))).toBe('approval_needed')
    const { rows } = await app.asOwner`select 1 from users where username = ${given.username}`
    expect(rows).toEqual([])
    expect(codeOf(await first.post('/mgluser/people', { ...given, commission_rate: 200 }))).toBe('ok')
  })
})

describe('terms', () => {
  test('are raised by one person up to 100 % with the highest commission, and lowered at any time', async () => {
    expect(codeOf(await setShare(senior, 200))).toBe('ok')
    const { json } = await setRate(7_001)
    expect(json.error).toMatchObject({
      code: 'approval_needed',
      details: { kind: 'change_game_config', commission_rate: 200 },
    })
    const discount = await first.post(TERMS, { reason, bet_types: [{ bet_type: '2top', discount_rate: 2_801 }] })
    expect(codeOf(discount)).toBe('approval_needed')
    const bet_types = [{ bet_type: '2top', rate: 7_100 }]
    const payload = { product_code: 'lao-vip', package_code: '70', bet_types }
    expect(codeOf(await decideByTwo(first, second, 'change_game_config', payload))).toBe('ok')
    expect(codeOf(await setRate(7_099))).toBe('ok')
    expect(codeOf(await setRate(7_100))).toBe('approval_needed')
    const most = { ...payload, bet_types: [{ bet_type: '2top', rate: 9_000 }] }
    expect(codeOf(await decideByTwo(first, second, 'change_game_config', most))).toBe('ok')
    const beyond = { ...payload, bet_types: [{ bet_type: '2top', rate: 9_001 }] }
    expect(codeOf(await decideByTwo(first, second, 'change_game_config', beyond))).toBe('return_too_high')
  })

  test('wait for a commission that is being changed, and are checked with it', async () => {
    const changing: ReturnType<typeof setRate>[] = []
    await app.owner.transaction().execute(async (tx) => {
      await sql`insert into share_terms (user_id, position_rate, line_rate, commission_rate) values (${senior}, 0, 0, 200)`.execute(
        tx,
      )
      changing.push(setRate(7_001))
      await waitForLock(app.owner)
    })
    expect(codeOf(await changing[0]!)).toBe('approval_needed')
  })

  test('and a commission that fit alone, at once on two nodes, do not both pass', async () => {
    const owner = await findCaller(app.db, 'office01')
    for (let each = 0; each < 10; each += 1) {
      await setShare(senior, 0)
      await setRate(7_000)
      const nodes = [openNode(app.url), openNode(app.url)]
      const results = await Promise.allSettled([
        changeAs(nodes[0]!.db, owner, changeShareTerms, {
          ...{ user_id: senior, position_rate: 0, commission_rate: 200, reason },
        }),
        changeAs(nodes[1]!.db, owner, changeGameConfig, {
          ...{
            product_code: 'lao-vip',
            package_code: '70',
            bet_types: [{ bet_type: '2top' as const, rate: 7_200 }],
            reason,
          },
        }),
      ])
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    }
  })
})

// Defect: terms were checked with the commission of now alone. A period has the one that held when it opened.
describe('terms, while a period has a commission that holds no more,', () => {
  beforeEach(async () => {
    // Without any terms one person alone sets a commission of 100 %.
    await app.asOwner`update package_terms set is_on = false`
    await app.asOwner`
      select remove_unopened_period(period_id) from periods where product_code = 'lao-vip' and open_at > clock_timestamp()`
    await app.asOwner`
      update periods set close_at = clock_timestamp()
      where product_code = 'lao-vip' and close_at > clock_timestamp()`
    return () => app.asOwner`update package_terms set is_on = true`
  })

  const NOT_CHECKED_WITH = 9_000
  /** A commission for a moment, in which something happens. */
  async function whileCommissionIs<Result>(commission_rate: number, act: () => Promise<Result>): Promise<Result> {
    expect(codeOf(await setShare(senior, commission_rate))).toBe('ok')
    const result = await act()
    expect(codeOf(await setShare(senior, 0))).toBe('ok')
    return result
  }
  const openNow = (product_code = 'lao-vip') => openPeriod(app.owner, product_code, 3_600_000, new Date())
  const turnOn = (by = first) => by.post(TERMS, { reason, bet_types: [{ bet_type: '2top', is_on: true }] })
  const turnOnByTwo = () =>
    decideByTwo(first, second, 'change_game_config', {
      ...{ product_code: 'lao-vip', package_code: '70' },
      bet_types: [{ bet_type: '2top', is_on: true }],
    })

  test('are not raised beyond 100 % with it by one person, and beyond 120 % by nobody', async () => {
    await whileCommissionIs(200, openNow)
    expect(codeOf(await turnOn())).toBe('ok')
    expect((await setRate(7_001)).json.error).toMatchObject({
      code: 'approval_needed',
      details: { kind: 'change_game_config', commission_rate: 200 },
    })
    await app.asOwner`update package_terms set is_on = false`
    await whileCommissionIs(NOT_CHECKED_WITH, openNow)
    expect(codeOf(await turnOn())).toBe('return_too_high')
    expect(codeOf(await turnOnByTwo())).toBe('return_too_high')
  })

  test('are raised again when that period is closed; those of another market do not count', async () => {
    await whileCommissionIs(NOT_CHECKED_WITH, () => openNow('hanoi-vip'))
    const period_code = await whileCommissionIs(NOT_CHECKED_WITH, () => openNow())
    expect(codeOf(await turnOn())).toBe('return_too_high')
    expect(codeOf(await first.post(`/api/admin/period/${period_code}/close`, { reason }))).toBe('ok')
    expect(codeOf(await turnOn())).toBe('ok')
  })

  test('a period that opens later has the commission of then', async () => {
    await whileCommissionIs(NOT_CHECKED_WITH, () =>
      openPeriod(app.owner, 'lao-vip', 7_200_000, new Date(Date.now() + 3_600_000)),
    )
    expect(codeOf(await turnOn())).toBe('ok')
  })

  describe('made by the timetable after its opening,', () => {
    const switchTo = (is_enabled: boolean) => first.post('/api/admin/product/lao-vip/enabled', { is_enabled, reason })
    beforeEach(async () => {
      const { rows } = await app.asOwner<{ timetable: object }>`
        select timetable from products where product_code = 'lao-vip'`
      const at = (time: string, day_offset: number) => ({ time, day_offset })
      // One of its periods is open at any time.
      const open = { days: 'every_day', open: at('00:00', -2), close: at('23:00', 1), draw: at('23:30', 1) }
      const save = (timetable: object) =>
        app.asOwner`update products set timetable = ${JSON.stringify(timetable)} where product_code = 'lao-vip'`
      await save(open)
      return () => save(rows[0]!.timetable)
    })
    const listCommissions = async (): Promise<number[]> => {
      const { rows } = await app.asOwner<{ commission_rate: number }>`
        select commission_rate from periods
          cross join lateral left_above_levels((select upline_ids || user_id from users where user_id = ${senior}), shares_at)
        where product_code = 'lao-vip' and close_at > clock_timestamp() and open_at <= clock_timestamp() and level_id = ${senior}`
      return rows.map(({ commission_rate }) => commission_rate)
    }

    test('terms wait for who makes it, and are checked with its commission', async () => {
      const turning: ReturnType<typeof turnOn>[] = []
      expect(codeOf(await setShare(senior, NOT_CHECKED_WITH))).toBe('ok')
      await app.db.transaction().execute(async (tx) => {
        await sql`select 1 from products where product_code = 'lao-vip' for no key update`.execute(tx)
        await sql`
          insert into periods (period_code, product_code, period_date, open_at, close_at, draw_at)
          select 'lao-vip-' || to_char(day, 'YYYYMMDD'), 'lao-vip', day, clock_timestamp() - interval '1 hour',
            (day + time '18:00') at time zone 'Asia/Bangkok', (day + time '19:00') at time zone 'Asia/Bangkok'
          from (select (clock_timestamp() at time zone 'Asia/Bangkok')::date + 1 as day) tomorrow`.execute(tx)
        expect(codeOf(await setShare(senior, 0))).toBe('ok')
        let isAnswered = false
        turning.push(turnOn().finally(() => (isAnswered = true)))
        while (!isAnswered && !(await isLockWaitedFor(app.owner))) await new Promise(setImmediate)
      })
      expect(codeOf(await turning[0]!)).toBe('return_too_high')
    })

    test('it has the commission of when it was made', async () => {
      await app.asOwner`
        insert into quotas (product_code, bet_type, full_satang, half_satang)
        select product_code, unnest(bet_types), 100000, 0 from products where product_code = 'lao-vip'
        on conflict do nothing`
      expect(codeOf(await switchTo(false))).toBe('ok')
      await whileCommissionIs(NOT_CHECKED_WITH, async () => {})
      // As if the commission had held at the opening of what is made now.
      await app.asOwner`update share_terms set since_at = since_at - interval '7 days'
        where user_id = ${senior} and commission_rate = ${NOT_CHECKED_WITH}`
      expect(codeOf(await turnOn())).toBe('ok')
      expect(codeOf(await switchTo(true))).toBe('ok')
      const commissions = await listCommissions()
      expect(commissions.length).toBeGreaterThan(0)
      expect(new Set(commissions)).toEqual(new Set([0]))
    })
  })
})
