// Goal: an approval of a void decides on the request that its person has seen. Where that one was rejected, withdrawn or has
// expired, the call is refused and writes nothing; it never becomes a request in the name of the approver, which the first
// person could then approve.

import { closeEarly } from '../../../test/changes.ts'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startOffice } from '../../../test/approvals.ts'
import { findViolatedInvariants } from '../../../test/invariants.ts'
import type { Reply } from '../../../test/reply.ts'
import { codeOf, makeTicket, openPeriod, placeTicket, waitForLock } from '../../../test/scenes.ts'
import type { TestApp, TestCaller } from '../../../test/test-app.ts'
import { refundVoidedPeriods } from '../../results/index.ts'
import { lockPeriod } from '../../markets/index.ts'

let app: TestApp
let first: TestCaller
let second: TestCaller
let member: TestCaller
const reason = 'for a test'

beforeAll(async () => {
  ;({ app, first, second } = await startOffice({ office03: 'owner' }))
  member = await app.logIn('member01')
})
beforeEach(async () => {
  await setThird({ office_role: 'owner', own_status: 'NORMAL' })
})

const setThird = (to: { office_role?: 'owner' | 'finance'; own_status?: 'NORMAL' | 'SUSPENDED' }) =>
  app.owner.updateTable('users').set(to).where('username', '=', 'office03').execute()

interface Scene {
  ask: (by: TestCaller) => Promise<Reply>
  /** The void_request_id in the list of what waits. */
  see: (by: TestCaller) => Promise<number>
  /** By the list, unless a request is named. */
  approve: (by: TestCaller, approves?: number) => Promise<Reply>
  end: (by: TestCaller, void_request_id?: number) => Promise<Reply>
  expire: () => Promise<unknown>
  /** Requests, audit rows, and what the void would have changed. */
  read: () => Promise<{ requests: number; audits: number; state: string }>
  period_code: string
}

async function setUp(kind: 'ticket' | 'period'): Promise<Scene> {
  const period_code = await openPeriod(app.owner)
  const { order_id } = await placeTicket(member, makeTicket(period_code))
  await closeEarly(app.db, period_code)
  const path =
    kind === 'ticket' ? (`/api/order/${order_id}/void` as const) : (`/api/admin/period/${period_code}/void` as const)
  // Both routes take and give the same.
  const url = path as '/api/order/1/void'
  /** As `by` reads it in the list of what waits; where nothing waits, the last one that was there. */
  let seen = 1_000_000_000
  const see = async (by: TestCaller): Promise<number> => {
    const { data } = (await by.get(`/api/admin/approval/waiting?kind=void_${kind === 'ticket' ? 'order' : 'period'}`))
      .json
    const found = data.find((one) => (kind === 'ticket' ? one.order_id === order_id : one.period_code === period_code))
    seen = found?.void_request_id ?? seen
    return seen
  }
  const requests =
    kind === 'ticket'
      ? sql`void_requests where order_id = ${order_id}`
      : sql`period_voids where period_id = (select period_id from periods where period_code = ${period_code})`
  const row =
    kind === 'ticket' ? sql`orders where order_id = ${order_id}` : sql`periods where period_code = ${period_code}`
  const state = sql.ref(kind === 'ticket' ? 'status' : 'outcome')
  const subject = kind === 'ticket' ? `order:${order_id}` : `period:${period_code}`
  return {
    ask: (by) => by.post(url, { reason }),
    see,
    approve: async (by, approves) => by.post(url, { reason, approves: approves ?? (await see(second)) }),
    end: async (by, void_request_id) =>
      by.post(`${url}/end`, { reason, void_request_id: void_request_id ?? (await see(second)) }),
    expire: () =>
      sql`update ${sql.ref(kind === 'ticket' ? 'void_requests' : 'period_voids')}
        set requested_at = requested_at - interval '24 hours' where approved_by is null`.execute(app.owner),
    async read() {
      const { rows } = await sql<{ requests: number; audits: number; state: string }>`
        select (select count(*)::int from ${requests}) as requests,
          (select count(*)::int from audit_log where subject = ${subject}) as audits,
          -- The refunds, which follow at once, are no part of these tests.
          (select case ${state} when 'void' then 'voiding' else ${state} end from ${row}) as state`.execute(app.owner)
      return rows[0]!
    },
    period_code,
  }
}

describe.each([
  { kind: 'ticket', kept: 'CONFIRMED', done: 'DELETED', approved: 'voided' },
  { kind: 'period', kept: 'pending', done: 'voiding', approved: 'voiding' },
] as const)('the void of a $kind', ({ kind, kept, done, approved }) => {
  test('is approved where a request waits', async () => {
    const scene = await setUp(kind)
    expect((await scene.ask(first)).json.data).toMatchObject({ state: 'requested' })
    expect(codeOf(await scene.approve(first))).toBe('void_same_person')
    expect((await scene.approve(second)).json.data).toMatchObject({ state: approved })
    expect(await scene.read()).toMatchObject({ requests: 1, state: done })
  })

  test('is refused without one, and nothing is written', async () => {
    const scene = await setUp(kind)
    const never = await scene.read()
    expect(codeOf(await scene.approve(second))).toBe('no_void_request')
    expect(await scene.read()).toEqual({ ...never, requests: 0, state: kept })
    for (const by of [second, first]) {
      await scene.ask(first)
      expect(codeOf(await scene.end(by))).toBe('ok')
      const ended = await scene.read()
      const { json, http } = await scene.approve(second)
      expect([http, json.error?.code]).toEqual([409, 'no_void_request'])
      expect(await scene.read()).toEqual({ ...ended, requests: 0, state: kept })
      // The first person finds nothing to approve.
      expect(codeOf(await scene.approve(first))).toBe('no_void_request')
    }
  })

  test('is refused where the request has expired or its person was suspended, and the request stays as it is', async () => {
    const scene = await setUp(kind)
    await scene.ask(await app.logIn('office03'))
    const before = await scene.read()
    await setThird({ own_status: 'SUSPENDED' })
    expect(codeOf(await scene.approve(second))).toBe('no_void_request')
    await setThird({ own_status: 'NORMAL' })
    await scene.expire()
    expect(codeOf(await scene.approve(second))).toBe('no_void_request')
    expect(await scene.read()).toEqual(before)
    // Whoever asks makes the next request.
    expect((await scene.ask(second)).json.data).toMatchObject({ state: 'requested' })
  })

  test('is refused to who only asks while the request of another person waits, and nothing is written', async () => {
    const scene = await setUp(kind)
    expect((await scene.ask(first)).json.data).toMatchObject({ state: 'requested' })
    const before = await scene.read()
    const { json, http } = await scene.ask(second)
    expect([http, json.error?.code]).toEqual([409, 'void_requested'])
    // Who has asked already learns that it takes another person.
    expect(codeOf(await scene.ask(first))).toBe('void_same_person')
    expect(await scene.read()).toEqual({ ...before, requests: 1, state: kept })
    expect((await scene.approve(second)).json.data).toMatchObject({ state: approved })
  })

  test('is neither approved nor ended by who has seen an earlier request, and the later one stays as it is', async () => {
    const scene = await setUp(kind)
    const third = await app.logIn('office03')
    expect((await scene.ask(first)).json.data).toMatchObject({ state: 'requested' })
    const seen = await scene.see(second)
    expect(codeOf(await scene.end(first))).toBe('ok')
    const asked = (await scene.ask(third)).json.data as { void_request_id: number }
    const before = await scene.read()
    for (const act of ['approve', 'end'] as const) {
      const { json, http } = await scene[act](second, seen)
      expect([http, json.error?.code]).toEqual([409, 'no_void_request'])
    }
    expect(await scene.read()).toEqual({ ...before, requests: 1, state: kept })
    // Nor is the later one withdrawn by a person who has an earlier one on the screen.
    expect(codeOf(await scene.end(third, seen))).toBe('no_void_request')
    expect(await scene.see(second)).toBe(asked.void_request_id)
    expect((await scene.approve(second, asked.void_request_id)).json.data).toMatchObject({ state: approved })
    expect(await scene.read()).toMatchObject({ requests: 1, state: done })
  })

  test.each(['rejected', 'withdrawn'])(
    'approved and %s at once is done or kept, and never asked for anew',
    async (way) => {
      for (let round = 0; round < 10; round += 1) {
        const scene = await setUp(kind)
        await scene.ask(first)
        const seen = await scene.see(second)
        const approve = () => scene.approve(second, seen)
        const end = () => scene.end(way === 'rejected' ? second : first, seen)
        const calls = round % 2 === 0 ? ([approve(), end()] as const) : ([end(), approve()] as const)
        const [approval, ended] = round % 2 === 0 ? await Promise.all(calls) : (await Promise.all(calls)).toReversed()
        const { requests, state } = await scene.read()
        const isEnded = codeOf(ended!) === 'ok'
        expect([codeOf(approval!), codeOf(ended!), requests, state]).toEqual(
          isEnded ? ['no_void_request', 'ok', 0, kept] : ['ok', 'no_void_request', 1, done],
        )
      }
    },
  )

  test.each(['ask', 'approve', 'end'] as const)(
    'is refused to who loses the permission while the call to %s it waits for the lock',
    async (act) => {
      const scene = await setUp(kind)
      if (act !== 'ask') await scene.ask(first)
      const before = await scene.read()
      const third = await app.logIn('office03')
      for (const lost of [{ office_role: 'finance' }, { own_status: 'SUSPENDED' }] as const) {
        await setThird({ office_role: 'owner', own_status: 'NORMAL' })
        const call = await app.owner.transaction().execute(async (tx) => {
          await lockPeriod(tx, scene.period_code)
          const waiting = scene[act](third)
          await waitForLock(app.owner)
          await setThird(lost)
          return [waiting] as const
        })
        expect(codeOf(await call[0])).toBe('not_allowed')
        expect(await scene.read()).toEqual(before)
      }
    },
  )
})

test('afterwards every invariant of money holds', async () => {
  await refundVoidedPeriods(app.db)
  expect(await findViolatedInvariants(app.owner)).toEqual({})
})
