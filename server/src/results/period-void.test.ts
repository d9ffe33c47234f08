// Goal: two office users void a period in any state: every stake goes back to its member exactly once, also when the
// refund is killed halfway or runs on two nodes, and the period accepts neither bets nor an award from then on.

import { closeEarly } from '../../test/changes.ts'
import type { Order, PeriodVoid, VoidNotice } from '@megalot/contract'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findViolatedInvariants } from '../../test/invariants.ts'
import { findCaller, openNode } from '../../test/nodes.ts'
import {
  codeOf,
  dayOf,
  holdDraw,
  makeResult,
  makeTicket,
  openPeriod,
  placeTicket,
  readCredit,
  readOrder,
  ticketOn,
  toNewTicket,
} from '../../test/scenes.ts'
import { startTestApp, type TestApp, type TestCaller } from '../../test/test-app.ts'
import { callVoid, endVoid, findVoidRequestId, voidPeriodByTwo } from '../../test/voids.ts'
import { getPeriodRecord, listProductPeriods } from '../markets/index.ts'
import { refundJob, refundPeriod, refundVoidedPeriods, voidPeriod } from './period-void.service.ts'
import { runTicketStep } from './ticket-steps.ts'
import { placeTicket as placeAt } from '../betting/index.ts'

let app: TestApp
let member: TestCaller
let other: TestCaller
let agent: TestCaller
let office01: TestCaller
let office02: TestCaller
let period_code: string

const result = makeResult('123')

beforeAll(async () => {
  app = await startTestApp()
  member = await app.logIn('member01')
  other = await app.logIn('member02')
  agent = await app.logIn('agent01')
  office01 = await app.logIn('office01')
  office02 = await app.logIn('office02')
})
beforeEach(async () => {
  period_code = await openPeriod(app.owner)
})

const place = (caller: TestCaller, bets: Parameters<typeof ticketOn>[1]): Promise<Order> =>
  placeTicket(caller, ticketOn(period_code, bets))

const remaining = async (caller: TestCaller): Promise<number> => (await readCredit(caller)).credit_remain_satang

const url = (code = period_code) => `/api/admin/period/${code}/void` as const
const requestVoid = (caller: TestCaller, code?: string) =>
  caller.post(url(code), { reason: 'the draw did not take place' })
/** The caller approves the request that waits, or asks where none does. */
const decideVoid = (caller: TestCaller) => callVoid(app.owner, caller, url(), 'the draw did not take place')
const isRequested = () => ({ period_code, state: 'requested', void_request_id: expect.any(Number) })

/** Both office users decide it; the test runs the refund. */
async function agree(code = period_code): Promise<number> {
  await voidPeriodByTwo(app.db, [office01, office02], code)
  return (await getPeriodRecord(app.db, code)).period_id
}

describe('a request', () => {
  const end = (caller: TestCaller, code = period_code) => endVoid(app.owner, caller, url(code), 'it was a mistake')
  const readAudit = async () => {
    const { rows } = await sql<{ action: string; actor_id: number; reason: string; asked: string }>`
      select action, actor_id, reason, before ->> 'requested_reason' as asked from audit_log
      where subject = ${`period:${period_code}`} order by audit_id desc limit 1`.execute(app.owner)
    return rows[0]
  }

  test('is withdrawn by its person, or rejected by another one, and audited; the period stays as it is', async () => {
    for (const caller of [member, agent]) expect((await end(caller)).json.error.code).toBe('not_allowed')
    expect((await end(office01, 'thai-government-19990101')).json.error.code).toBe('unknown_period')
    const ways = [
      [office01, 'withdrawn', 'withdraw_period_void'],
      [office02, 'rejected', 'reject_period_void'],
    ] as const
    for (const [caller, state, action] of ways) {
      expect((await requestVoid(office01)).json.data).toEqual(isRequested())
      expect((await end(caller)).json.data as object).toEqual({ period_code, state })
      const { user_id: actor_id } = caller
      expect(await readAudit()).toEqual({
        action,
        actor_id,
        reason: 'it was a mistake',
        asked: 'the draw did not take place',
      })
      expect((await end(caller)).json.error.code).toBe('no_void_request')
    }
    await place(member, [['123', 10]])
    // The next one asks again, and approves nothing.
    expect((await requestVoid(office02)).json.data).toEqual(isRequested())
    expect((await getPeriodRecord(app.db, period_code)).outcome).toBe('pending')
  })

  test('that has expired or was approved is not ended', async () => {
    await requestVoid(office01)
    await sql`update period_voids set requested_at = requested_at - interval '24 hours'`.execute(app.owner)
    expect((await end(office02)).json.error.code).toBe('no_void_request')
    expect((await requestVoid(office01)).json.data).toEqual(isRequested())
    expect((await decideVoid(office02)).json.data).toMatchObject({ period_code, state: 'voiding' })
    for (const caller of [office01, office02]) expect((await end(caller)).json.error.code).toBe('no_void_request')
  })

  test('approved and rejected at once is either voided or kept, never both', async () => {
    for (let round = 0; round < 10; round += 1) {
      period_code = await openPeriod(app.owner)
      await requestVoid(office01)
      const approves = await findVoidRequestId(app.owner, url())
      const approve = office02.post(url(), { reason: 'it was seen', approves })
      const [approved, ended] = await Promise.all([approve, end(office02)])
      const { outcome } = await getPeriodRecord(app.db, period_code)
      const isEnded = ended.json.error === undefined
      expect([codeOf(approved), ended.json.error?.code, outcome === 'pending']).toEqual(
        isEnded ? ['no_void_request', undefined, true] : ['ok', 'no_void_request', false],
      )
    }
  })
})

describe('the decision', () => {
  test('takes two different office users', async () => {
    for (const caller of [member, agent]) expect((await requestVoid(caller)).json.error.code).toBe('not_allowed')
    expect((await office01.post(url(), { reason: ' ' })).json.error.code).toBe('bad_input')
    expect((await requestVoid(office01, 'thai-government-19990101')).json.error.code).toBe('unknown_period')
    expect((await requestVoid(office01)).json.data).toEqual(isRequested())
    expect((await requestVoid(office01)).json.error.code).toBe('void_same_person')
    // A request changes nothing for members.
    expect((await place(member, [['123', 5]])).status).toBe('CONFIRMED')
    expect((await decideVoid(office02)).json.data).toMatchObject({ period_code, state: 'voiding' })
    for (const caller of [office01, office02]) expect((await requestVoid(caller)).json.error.code).toBe('period_voided')
  })

  test('cannot be made by one person, even by SQL', async () => {
    await requestVoid(office01)
    const { period_id } = await getPeriodRecord(app.db, period_code)
    const forge = (text: string) => sql.raw(text.replaceAll('PERIOD', String(period_id))).execute(app.db)
    await expect(
      forge('update period_voids set approved_by = requested_by, approved_at = now() where period_id = PERIOD'),
    ).rejects.toMatchObject({ constraint: 'two_people' })
    for (const outcome of ['voiding', 'void'])
      await expect(forge(`update periods set outcome = '${outcome}' where period_id = PERIOD`)).rejects.toMatchObject({
        constraint: 'periods_go_forward',
      })
    await decideVoid(office02)
    await expect(forge('delete from period_voids where period_id = PERIOD')).rejects.toMatchObject({ code: '23000' })
  })

  test('waits in a list, expires after 24 hours and can then be requested again', async () => {
    const find = async (): Promise<PeriodVoid | undefined> => {
      const { data } = (await office02.get('/api/admin/period/voids?ipp=100')).json
      return data.find((one: PeriodVoid) => one.period.period_code === period_code)
    }
    expect(await find()).toBeUndefined()
    await requestVoid(office01)
    expect(await find()).toMatchObject({
      state: 'requested',
      requested_by: 'office01',
      approved_by: null,
      reason: 'the draw did not take place',
    })
    await sql`update period_voids set requested_at = requested_at - interval '24 hours'
      where period_id = (select period_id from periods where period_code = ${period_code})`.execute(app.owner)
    expect(await find()).toBeUndefined()
    expect((await requestVoid(office02)).json.data.state).toBe('requested')
    expect(await find()).toMatchObject({ state: 'requested', requested_by: 'office02' })
    await decideVoid(office01)
    await refundVoidedPeriods(app.db)
    expect(await find()).toMatchObject({ state: 'void', requested_by: 'office02', approved_by: 'office01' })
  })

  test('is refused once the result is agreed, and deletes the entry of one of two people', async () => {
    await closeEarly(app.db, period_code)
    await holdDraw(app.owner, period_code)
    const enter = (caller: TestCaller) => caller.post(`/api/award?date=${dayOf(period_code)}`, { period_code, result })
    expect((await enter(office01)).json.data.state).toBe('entered')
    const first = period_code
    period_code = await openPeriod(app.owner)
    await closeEarly(app.db, period_code)
    await holdDraw(app.owner, period_code)
    for (const caller of [office01, office02]) await enter(caller)
    expect((await requestVoid(office01)).json.error.code).toBe('period_settled')
    period_code = first
    for (const caller of [office01, office02]) await decideVoid(caller)
    expect((await enter(office02)).json.error.code).toBe('period_voided')
    await refundVoidedPeriods(app.db)
    expect((await enter(office02)).json.error.code).toBe('period_voided')
    expect((await office01.post('/api/award/correct', { period_code, result, reason: 'late' })).json.error.code).toBe(
      'period_voided',
    )
  })
})

describe('the refund', () => {
  test('refunds every live ticket, ends betting at once, and is shown separately', async () => {
    const before = [await remaining(member), await remaining(other)]
    const ticket = await place(member, [
      ['123', 100],
      ['124', 50],
    ])
    await place(other, [['123', 20]])
    const cancelled = await place(member, [['200', 5]])
    await member.post(`/api/order/${cancelled.order_id}/cancel`, cancelled)
    await office01.post(`/api/admin/game_config/limit_number/${period_code}`, {
      bet_type: '3top',
      number: '999',
      set_to: 'closed',
    })
    const waiting = await place(other, [
      ['999', 10],
      ['125', 30],
    ])
    expect(waiting.status).toBe('WAIT_CONFIRM')
    const period_id = await agree()
    expect((await member.post('/api/order/create', makeTicket(period_code))).json.error.code).toBe('period_closed')
    expect((await getPeriodRecord(app.db, period_code)).status).toBe('closed')
    const { products } = await listProductPeriods(app.db, member.user_id)
    expect(products.map((each) => each.current_period?.period_code)).not.toContain(period_code)
    await refundPeriod(app.db, period_id)

    expect([await remaining(member), await remaining(other)]).toEqual(before)
    const shown = await readOrder(member, ticket)
    expect(shown).toMatchObject({
      status: 'CONFIRMED',
      win_satang: 0,
      period: { status: 'void' },
      events: [{ event: 'period_void', actor: null, is_by_office: true, reason: 'no draw' }],
    })
    expect(shown.items.map((item) => item.status)).toEqual(['refunded', 'refunded'])
    const answered = await readOrder(other, waiting)
    expect(answered.items.map((item) => item.status)).toEqual(['closed', 'refunded'])
    const [latest] = (await member.get('/mgluser/profit/transaction_list?ipp=1')).json.data
    expect(latest).toMatchObject({ kind: 'refund', order_id: ticket.order_id, amount_satang: ticket.net_satang })
    for (const action of ['delete', 'void'])
      expect(
        (await office01.post(`/api/order/${ticket.order_id}/${action}`, { reason: 'too late' })).json.error.code,
      ).toBe(action === 'void' ? 'period_voided' : 'use_void')
    expect((await member.post(`/api/order/${ticket.order_id}/cancel`, shown)).json.error.code).toBe(
      'too_close_to_close',
    )
    const day = dayOf(period_code)
    for (const caller of [member, agent]) {
      const report = (
        await caller.get(`/api/report/win_loss?date_from=${day}&date_to=${day}&product_code=thai-government`)
      ).json
      expect(report.data.map((row: { period: Order['period'] }) => row.period.period_code)).not.toContain(period_code)
      expect(report.refunded.ticket_count).toBeGreaterThanOrEqual(1)
    }
    const [notice] = (await member.get('/api/notice/list')).json.data as VoidNotice[]
    expect(notice).toMatchObject({
      kind: 'period_voided',
      is_read: false,
      reason: 'no draw',
      ticket_count: 1,
      refund_satang: ticket.net_satang,
      period: { period_code },
    })
    expect((await member.post('/api/notice/read', { up_to_notice_id: notice!.notice_id })).json.data.unread_count).toBe(
      0,
    )
    expect(await findViolatedInvariants(app.owner)).toEqual({})
  })

  // Defect: a resumed refund refunds tickets again, or two nodes refund the same ticket.
  test('that was killed halfway resumes, and two nodes at once refund once', async () => {
    const before = [await remaining(member), await remaining(other)]
    for (let each = 0; each < 6; each += 1) {
      await place(member, [[`30${each}`, 10]])
      await place(other, [[`40${each}`, 10]])
    }
    const period_id = await agree()
    expect(await runTicketStep(app.db, period_id, refundJob(period_id), 3)).toBe(false)
    expect(await findViolatedInvariants(app.owner)).toEqual({})
    const node = openNode(app.url)
    const dying = refundPeriod(node.db, period_id, 1).catch(() => {})
    await node.kill()
    await dying
    expect(await findViolatedInvariants(app.owner)).toEqual({})
    // Members get their notice only when every refund is done.
    const { unread_count } = (await member.get('/api/notice/list')).json
    await Promise.all([1, 2, 500].map((tickets) => refundPeriod(app.db, period_id, tickets)))
    await refundPeriod(app.db, period_id)
    expect((await member.get('/api/notice/list')).json.unread_count).toBe(unread_count + 1)
    expect([await remaining(member), await remaining(other)]).toEqual(before)
    const { rows } = await sql<{ refunds: number; voids: object }>`
      select count(*)::int as refunds from entries join orders using (order_id)
      where period_id = ${period_id} and kind = 'refund'`.execute(app.owner)
    expect(rows[0]!.refunds).toBe(12)
    expect(await findViolatedInvariants(app.owner)).toEqual({})
  })

  test('of a period that has not opened, or has no bets, only ends it', async () => {
    await sql`update periods set open_at = close_at - interval '1 minute' where period_code = ${period_code}`.execute(
      app.owner,
    )
    const period_id = await agree()
    await refundPeriod(app.db, period_id)
    expect((await getPeriodRecord(app.db, period_code)).status).toBe('void')
  })

  // Defect: a ticket whose transaction is open when the period is voided is not in the list of refunds.
  test('does not miss a ticket that is placed while two people decide', async () => {
    const callers = [await findCaller(app.db, 'member01'), await findCaller(app.db, 'member02')]
    const before = [await remaining(member), await remaining(other)]
    const node = openNode(app.url)
    const { void_request_id } = await voidPeriod(app.db, office01.user_id, period_code, 'no draw')
    const placing = callers.flatMap(({ user_id }) =>
      Array.from({ length: 20 }, async () => {
        const ticket = toNewTicket({ user_id }, makeTicket(period_code))
        return placeAt(node.intake, ticket).then(
          () => 'placed',
          (error) => error.code,
        )
      }),
    )
    const voiding = voidPeriod(app.db, office02.user_id, period_code, 'no draw', { approves: void_request_id })
    const outcomes = new Set(await Promise.all(placing))
    await voiding
    await refundVoidedPeriods(app.db)
    expect([...outcomes].every((outcome) => outcome === 'placed' || outcome === 'period_closed')).toBe(true)
    expect([await remaining(member), await remaining(other)]).toEqual(before)
    await node.kill()
    expect(await findViolatedInvariants(app.owner)).toEqual({})
  })
})
