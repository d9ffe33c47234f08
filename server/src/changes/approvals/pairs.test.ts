// Goal: voids and results, which two people make by a call each, obey the same rules as proposals: one person alone cannot,
// nor through an assistant; what has changed meanwhile is refused; of two second people at once one executes it; and it
// waits in the list of approvals until then.

import { closeEarly } from '../../../test/changes.ts'
import { sql } from 'kysely'
import { beforeAll, expect, describe, test } from 'vitest'
import { startOffice } from '../../../test/approvals.ts'
import { findViolatedInvariants } from '../../../test/invariants.ts'
import type { Reply } from '../../../test/reply.ts'
import {
  agreeOnResult,
  codeOf,
  dayOf,
  holdDraw,
  makeResult,
  makeTicket,
  openPeriod,
  placeTicket,
} from '../../../test/scenes.ts'
import type { TestApp, TestCaller } from '../../../test/test-app.ts'
import { callVoid, endVoid, findVoidRequestId } from '../../../test/voids.ts'
import { refundVoidedPeriods, settleDuePeriods } from '../../results/index.ts'

let app: TestApp
let first: TestCaller
let second: TestCaller
let third: TestCaller
/** An assistant of the first. */
let helper: TestCaller
let member: TestCaller
const reason = 'for a test'

beforeAll(async () => {
  ;({ app, first, second, helper } = await startOffice({ office03: 'owner', office04: 'owner' }))
  third = await app.logIn('office03')
  member = await app.logIn('member01')
})

interface Scene {
  /** Of one person. */
  decide: (by: TestCaller) => Promise<Reply>
  /** Begins it, where that is another call than to decide it. */
  ask?: (by: TestCaller) => Promise<Reply>
  /** Changes what it concerns, so that the second person can no longer decide it. */
  disturb: () => Promise<unknown>
  /** What has been done: none before, and one after it was executed, however often. */
  count: () => Promise<number>
  /** How the waiting decision is found in the list. */
  order_id?: number
  period_code: string
}

interface Case {
  kind: 'void_order' | 'void_period' | 'award' | 'award_correction'
  setUp: () => Promise<Scene>
  same_person: string
  /** The refusal after the change. */
  changed: string
}

async function countRows(query: ReturnType<typeof sql<{ n: number }>>): Promise<number> {
  return (await query.execute(app.owner)).rows[0]!.n
}

const ofPeriod = (period_code: string) => sql`(select period_id from periods where period_code = ${period_code})`

/** A period that no longer accepts bets, with a ticket. */
async function closeWithTicket(): Promise<{ period_code: string; order_id: number }> {
  const period_code = await openPeriod(app.owner)
  const { order_id } = await placeTicket(member, makeTicket(period_code))
  await closeEarly(app.db, period_code)
  return { period_code, order_id }
}

async function voidByTwo(period_code: string): Promise<void> {
  for (const by of [first, second]) await callVoid(app.owner, by, `/api/admin/period/${period_code}/void`)
}

const cases: Case[] = [
  {
    kind: 'void_order',
    async setUp() {
      const { order_id, period_code } = await closeWithTicket()
      return {
        order_id,
        period_code,
        ask: (by) => by.post(`/api/order/${order_id}/void`, { reason }),
        decide: (by) => callVoid(app.owner, by, `/api/order/${order_id}/void`),
        disturb: () => voidByTwo(period_code),
        count: () =>
          countRows(
            sql<{
              n: number
            }>`select count(*)::int as n from order_events where order_id = ${order_id} and event = 'void'`,
          ),
      }
    },
    same_person: 'void_same_person',
    changed: 'period_voided',
  },
  {
    kind: 'void_period',
    async setUp() {
      const { period_code } = await closeWithTicket()
      return {
        period_code,
        ask: (by) => by.post(`/api/admin/period/${period_code}/void`, { reason }),
        decide: (by) => callVoid(app.owner, by, `/api/admin/period/${period_code}/void`),
        async disturb() {
          await holdDraw(app.owner, period_code)
          await agreeOnResult(app, period_code, makeResult('123'))
        },
        count: () =>
          countRows(
            sql<{ n: number }>`select count(*)::int as n from period_voids
              where period_id = ${ofPeriod(period_code)} and approved_by is not null`,
          ),
      }
    },
    same_person: 'void_same_person',
    changed: 'period_settled',
  },
  {
    kind: 'award',
    async setUp() {
      const { period_code } = await closeWithTicket()
      await holdDraw(app.owner, period_code)
      return {
        period_code,
        decide: (by) => by.post(`/api/award?date=${dayOf(period_code)}`, { period_code, result: makeResult('123') }),
        disturb: () => voidByTwo(period_code),
        count: () =>
          countRows(
            sql<{ n: number }>`select count(*)::int as n from awards
              where period_id = ${ofPeriod(period_code)} and state = 'agreed'`,
          ),
      }
    },
    same_person: 'award_same_person',
    changed: 'period_voided',
  },
  {
    kind: 'award_correction',
    async setUp() {
      const { period_code } = await closeWithTicket()
      await holdDraw(app.owner, period_code)
      await agreeOnResult(app, period_code, makeResult('123'))
      await settleDuePeriods(app.db)
      const correct = (by: TestCaller, top3: string) =>
        by.post('/api/award/correct', { period_code, result: makeResult(top3), reason })
      return {
        period_code,
        decide: (by) => correct(by, '124'),
        // An entry of other numbers: it waits for a review.
        disturb: () => correct(second, '125'),
        count: () =>
          countRows(
            sql<{ n: number }>`select count(*)::int as n from award_corrections
              where period_id = ${ofPeriod(period_code)} and state not in ('entered', 'locked')`,
          ),
      }
    },
    same_person: 'award_same_person',
    changed: 'award_locked',
  },
]

const find = async (
  by: TestCaller,
  kind: string,
  { order_id = null, period_code }: { order_id?: number | null; period_code: string },
) =>
  (await by.get(`/api/admin/approval/waiting?kind=${kind as Case['kind']}`)).json.data.find(
    (one) => one.order_id === order_id && one.period_code === period_code,
  )

describe.each(cases)('$kind', ({ kind, setUp, same_person, changed }) => {
  test('is not done by one person alone, nor by the same person through an assistant', async () => {
    const scene = await setUp()
    expect(codeOf(await scene.decide(first))).toBe('ok')
    expect(await scene.count()).toBe(0)
    for (const by of [first, helper]) expect(codeOf(await scene.decide(by))).toBe(same_person)
    expect(await scene.count()).toBe(0)
    expect(await find(second, kind, scene)).toMatchObject({ begun_by: { username: 'office01' }, may_decide: true })
    expect(await find(helper, kind, scene)).toMatchObject({ may_decide: false })
  })

  test('begun by an assistant is not done by its principal', async () => {
    const scene = await setUp()
    expect(codeOf(await scene.decide(helper))).toBe('ok')
    expect(codeOf(await scene.decide(first))).toBe(same_person)
    expect(await find(second, kind, scene)).toMatchObject({ begun_by: { username: 'helper01', acts_for: 'office01' } })
    expect(await scene.count()).toBe(0)
  })

  test.each(['role', 'status'])('is begun anew where the first person has lost its %s', async (lost) => {
    await sql`update users set office_role = 'owner', own_status = 'NORMAL' where username = 'office04'`.execute(
      app.owner,
    )
    const fourth = await app.logIn('office04')
    const scene = await setUp()
    expect(codeOf(await scene.decide(fourth))).toBe('ok')
    await (
      lost === 'role'
        ? sql`update users set office_role = 'support' where username = 'office04'`
        : sql`update users set own_status = 'SUSPENDED' where username = 'office04'`
    ).execute(app.owner)
    expect(codeOf(await (scene.ask ?? scene.decide)(second))).toBe('ok')
    expect(await scene.count()).toBe(0)
    expect(await find(first, kind, scene)).toMatchObject({ begun_by: { username: 'office02' }, may_decide: true })
    expect(codeOf(await scene.decide(first))).toBe('ok')
    expect(await scene.count()).toBe(1)
  })

  test('is refused when what it concerns has changed meanwhile', async () => {
    const scene = await setUp()
    expect(codeOf(await scene.decide(first))).toBe('ok')
    await scene.disturb()
    expect(codeOf(await scene.decide(third))).toBe(changed)
    expect(await scene.count()).toBe(0)
    expect((await find(third, kind, scene))?.may_decide ?? false).toBe(false)
  })

  test('is executed once, by two second people at once who repeat their calls', async () => {
    const scene = await setUp()
    expect(codeOf(await scene.decide(first))).toBe('ok')
    const replies = await Promise.all([second, third, second, third].map((by) => scene.decide(by)))
    expect(replies.filter((reply) => codeOf(reply) === 'ok')).toHaveLength(1)
    expect(await scene.count()).toBe(1)
    expect(await find(second, kind, scene)).toBeUndefined()
  })
})

test.each(cases.filter(({ kind }) => kind === 'award' || kind === 'award_correction'))(
  'the audit shows no numbers of an $kind that waits',
  async ({ kind, setUp }) => {
    const scene = await setUp()
    expect(codeOf(await scene.decide(first))).toBe('ok')
    const top3 = kind === 'award' ? '123' : '124'
    const query = `action=${kind}_entered&subject=period:${scene.period_code}`
    const read = async () => {
      const { data } = (await second.get(`/api/admin/audit?${query}`)).json
      const { text } = (await second.get(`/api/admin/audit_csv?${query}`)).json.data
      const isInFile = text.replaceAll('""', '"').includes(`"top3":"${top3}"`)
      return { after: data.map(({ after }) => after), isInFile }
    }
    expect(await read()).toEqual({ after: [null], isInFile: false })
    expect(codeOf(await scene.decide(second))).toBe('ok')
    expect(await read()).toEqual({ after: [expect.objectContaining({ top3 })], isInFile: true })
  },
)

// Defect: a principal could not remove what its assistant had mistyped, although it can enter nothing beside it.
test.each(cases.filter(({ kind }) => kind === 'award' || kind === 'award_correction'))(
  'the only entry of an $kind is removed by whoever made it as a person: an assistant, or its principal',
  async ({ setUp }) => {
    const scene = await setUp()
    const { period_code } = scene
    const reset = async (by: TestCaller) => codeOf(await by.post('/api/award/reset', { period_code, reason }))
    for (const [maker, remover] of [
      [helper, first],
      [first, helper],
    ] as const) {
      expect(codeOf(await scene.decide(maker))).toBe('ok')
      expect([await reset(second), await reset(remover)]).toEqual(['not_allowed', 'ok'])
    }
    expect(codeOf(await scene.decide(second))).toBe('ok')
  },
)

test.each(cases.filter(({ kind }) => kind === 'award' || kind === 'award_correction'))(
  'the audit shows no numbers of an entry of an $kind that was removed, until two people agree',
  async ({ kind, setUp }) => {
    const scene = await setUp()
    const { period_code } = scene
    expect(codeOf(await scene.decide(first))).toBe('ok')
    expect(codeOf(await first.post('/api/award/reset', { period_code, reason }))).toBe('ok')
    const top3 = kind === 'award' ? '123' : '124'
    const read = async () => {
      const { data } = (await second.get(`/api/admin/audit?subject=period:${period_code}&ipp=50`)).json
      const { text } = (await second.get(`/api/admin/audit_csv?subject=period:${period_code}`)).json.data
      const holds = (given: unknown) => JSON.stringify(given).includes(top3)
      return {
        shown: data.filter(({ before, after }) => holds([before, after])).map(({ action }) => action),
        isInFile: text.replaceAll('""', '"').includes(`"top3":"${top3}"`),
      }
    }
    const nothing = { shown: [], isInFile: false }
    expect(await read()).toEqual(nothing)
    expect(codeOf(await scene.decide(second))).toBe('ok')
    expect(await read()).toEqual(nothing)
    expect(codeOf(await scene.decide(first))).toBe('ok')
    const actions = ['agreed', 'entered', 'reset', 'entered'].map((end) => `${kind}_${end}`)
    expect(await read()).toEqual({ shown: actions, isInFile: true })
  },
)

test.each(cases.filter(({ kind }) => kind === 'award' || kind === 'award_correction'))(
  'an entry of an $kind says who has to repeat it: not its person, nor an assistant of it',
  async ({ setUp }) => {
    const scene = await setUp()
    expect(codeOf(await scene.decide(first))).toBe('ok')
    const read = async (by: TestCaller) => (await by.get(`/api/award/entries/${scene.period_code}`)).json.data
    expect(await read(first)).toMatchObject({ is_own: true, needs_other: true })
    expect(await read(helper)).toMatchObject({ is_own: false, needs_other: true })
    expect(await read(second)).toMatchObject({ is_own: false, needs_other: false })
    expect(codeOf(await scene.decide(second))).toBe('ok')
    for (const by of [first, helper, second]) expect(await read(by)).toMatchObject({ needs_other: false })
  },
)

describe('a request to void a ticket', () => {
  const reasoned = { reason: 'it was a mistake' }
  const end = (by: TestCaller, order_id: number) =>
    endVoid(app.owner, by, `/api/order/${order_id}/void`, reasoned.reason)
  const call = (by: TestCaller, order_id: number) => callVoid(app.owner, by, `/api/order/${order_id}/void`)

  test('is rejected by another person, or withdrawn by the same one, and audited', async () => {
    const { order_id, period_code } = await closeWithTicket()
    const ways = [
      [second, 'rejected', 'reject_order_void'],
      [first, 'withdrawn', 'withdraw_order_void'],
      [helper, 'withdrawn', 'withdraw_order_void'],
    ] as const
    for (const [by, state, action] of ways) {
      expect(codeOf(await call(first, order_id))).toBe('ok')
      const own = state === 'withdrawn'
      expect(await find(by, 'void_order', { order_id, period_code })).toMatchObject({
        may_decide: !own,
        may_withdraw: own,
      })
      expect((await end(by, order_id)).json.data).toEqual({ order_id, state })
      expect(await find(by, 'void_order', { order_id, period_code })).toBeUndefined()
      const { rows } = await sql`
        select action, actor_id, reason, before ->> 'status' as before, after ->> 'status' as after from audit_log
        where subject = ${`order:${order_id}`} order by audit_id desc limit 1`.execute(app.owner)
      const { user_id: actor_id } = by
      expect(rows).toEqual([{ action, actor_id, ...reasoned, before: 'CONFIRMED', after: 'CONFIRMED' }])
    }
    // The next request is the first one again.
    expect((await call(second, order_id)).json.data).toMatchObject({ state: 'requested' })
    expect((await call(first, order_id)).json.data).toMatchObject({ state: 'voided' })
  })

  test('is ended only while it waits', async () => {
    const { order_id } = await closeWithTicket()
    expect(codeOf(await end(second, order_id))).toBe('no_void_request')
    expect(codeOf(await call(first, order_id))).toBe('ok')
    await sql`update void_requests set requested_at = requested_at - interval '24 hours' where order_id = ${order_id}`.execute(
      app.owner,
    )
    expect(codeOf(await end(second, order_id))).toBe('no_void_request')
    for (const by of [first, second]) await call(by, order_id)
    expect(codeOf(await end(second, order_id))).toBe('no_void_request')
    expect(codeOf(await end(member, order_id))).toBe('not_allowed')
  })

  test('is approved or rejected, not both, by two second people at once', async () => {
    for (let each = 0; each < 10; each += 1) {
      const { order_id } = await closeWithTicket()
      expect(codeOf(await call(first, order_id))).toBe('ok')
      const url = `/api/order/${order_id}/void` as const
      const approves = await findVoidRequestId(app.owner, url)
      const approve = second.post(url, { reason, approves })
      const [approved, rejected] = await Promise.all([approve, end(third, order_id)])
      const { rows } = await sql<{ status: string }>`select status from orders where order_id = ${order_id}`.execute(
        app.owner,
      )
      const expected = codeOf(rejected) === 'ok' ? ['no_void_request', 'CONFIRMED'] : ['ok', 'DELETED']
      expect([codeOf(approved), rows[0]!.status]).toEqual(expected)
    }
  })
})

test('a request to void a ticket expires after 24 hours', async () => {
  const { order_id, period_code } = await closeWithTicket()
  const url = `/api/order/${order_id}/void` as const
  expect(codeOf(await callVoid(app.owner, first, url))).toBe('ok')
  await sql`update void_requests set requested_at = requested_at - interval '24 hours' where order_id = ${order_id}`.execute(
    app.owner,
  )
  expect(await find(second, 'void_order', { order_id, period_code })).toBeUndefined()
  expect((await second.post(url, { reason })).json.data).toMatchObject({ state: 'requested' })
  expect((await callVoid(app.owner, first, url)).json.data).toMatchObject({ state: 'voided' })
  await expect(sql`delete from void_requests where order_id = ${order_id}`.execute(app.db)).rejects.toThrow(
    'stays as it is',
  )
})

test('afterwards every invariant of money holds', async () => {
  await settleDuePeriods(app.db)
  await refundVoidedPeriods(app.db)
  expect(await findViolatedInvariants(app.owner)).toEqual({})
})
