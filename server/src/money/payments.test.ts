// Payments through the application: who may record them, what they change, and what takes two people.

import { randomUUID } from 'node:crypto'
import { MAX_ADJUSTED_SATANG, MAX_PAST_ZERO_SATANG } from '@megalot/contract'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { findViolatedInvariants } from '../../test/invariants.ts'
import {
  addAssistant,
  addPerson,
  codeOf,
  makeResult,
  openPeriod,
  placeTicket,
  settleWith,
  ticketOn,
} from '../../test/scenes.ts'
import { startTestApp, type TestCaller } from '../../test/test-app.ts'
import { findCaller } from '../../test/nodes.ts'
import { addDays, bangkokDayOf } from '../lib/bangkok.ts'

const app = await startTestApp()
const today = bangkokDayOf(new Date())
const yesterday = addDays(today, -1)
const agent = await app.logIn('agent01')
const office = await app.logIn('office01')
const second = await app.logIn('office02')
await addPerson(app.owner, 'agentother', 'agent', 'company', 1_000_000)

/** A member of agent01 who has lost its bet of 100 Baht in a settled period, and its loss in satang. */
async function newLoser(limit_satang = 100_000): Promise<{ user_id: number; member: TestCaller; lost: number }> {
  const username = `m${randomUUID().replaceAll('-', '').slice(0, 16)}`
  const user_id = await addPerson(app.owner, username, 'member', 'agent01', limit_satang)
  const member = await app.logIn(username)
  const period_code = await openPeriod(app.owner)
  const { received_satang, discount_satang } = await placeTicket(member, ticketOn(period_code, [['123', 100]]))
  await settleWith(app, period_code, makeResult('999'))
  return { user_id, member, lost: received_satang - discount_satang }
}

const pay = (caller: TestCaller, user_id: number, amount_satang: number, more: object = {}) =>
  caller.post('/mgluser/money/payments', {
    request_id: randomUUID(),
    rows: [{ user_id, amount_satang, method: 'cash', ...more }],
  })

const readEdge = async (user_id: number) => (await agent.get(`/mgluser/money/edges/${user_id}`)).json.data
const limitOf = async (user_id: number) =>
  (
    await app.asOwner<{ floor: number }>`
    select floor_satang as floor from accounts where kind = 'cash' and user_id = ${user_id}`
  ).rows[0]!.floor

describe('a payment', () => {
  test('clears what a member owes, gives back its credit, and leaves its limit', async () => {
    const { user_id, lost } = await newLoser()
    expect(await readEdge(user_id)).toMatchObject({ balance_satang: lost, credit_remain_satang: 100_000 - lost })
    const before = await limitOf(user_id)
    const { json } = await pay(agent, user_id, lost)
    expect(json.data.outcomes[0]).toMatchObject({
      code: 'ok',
      before: { balance_satang: lost, credit_remain_satang: 100_000 - lost },
      after: { balance_satang: 0, credit_remain_satang: 100_000 },
    })
    expect(await readEdge(user_id)).toMatchObject({
      balance_satang: 0,
      received_satang: lost,
      credit_remain_satang: 100_000,
    })
    expect(await limitOf(user_id)).toBe(before)
    expect(await findViolatedInvariants(app.owner)).toEqual({})
  })

  test('that is previewed changes nothing', async () => {
    const { user_id, lost } = await newLoser()
    const body = { request_id: randomUUID(), preview: true, rows: [{ user_id, amount_satang: lost, method: 'cash' }] }
    const { json } = await agent.post('/mgluser/money/payments', body)
    expect(json.data).toMatchObject({ is_preview: true, ok_count: 1 })
    expect((await readEdge(user_id)).balance_satang).toBe(lost)
  })

  test('sent again with its request_id is made once', async () => {
    const { user_id, lost } = await newLoser()
    const body = { request_id: randomUUID(), rows: [{ user_id, amount_satang: 100, method: 'cash' }] }
    const first = await agent.post('/mgluser/money/payments', body)
    const again = await agent.post('/mgluser/money/payments', body)
    expect(again.json.data).toEqual(first.json.data)
    expect((await readEdge(user_id)).balance_satang).toBe(lost - 100)
  })

  test.each([
    ['a grandchild, to the company', 'company', 'not_allowed'],
    ['a grandchild, to the office', 'office01', 'not_allowed'],
    ['a member of another line', 'agentother', 'not_found'],
  ])('of %s is refused', async (_name, username, code) => {
    const { user_id, lost } = await newLoser()
    const caller = username === 'office01' ? office : await app.logIn(username)
    const { json } = await pay(caller, user_id, 100)
    expect(json.data.outcomes[0]!.code).toBe(code)
    expect((await readEdge(user_id)).balance_satang).toBe(lost)
  })

  test('beyond what the member has left to bet is refused', async () => {
    const { user_id, lost } = await newLoser()
    const { json } = await pay(agent, user_id, 0 - (100_000 - lost + 1))
    expect(json.data.outcomes[0]).toMatchObject({
      code: 'payment_over_credit',
      details: { most_satang: 100_000 - lost },
    })
  })

  test('lowers what a member owes beyond its limit', async () => {
    const { user_id, lost } = await newLoser()
    const isCash = sql`kind = 'cash' and user_id = ${user_id}`
    // A corrected result can leave less cash than the floor.
    const { rows } = await app.asOwner<{ floor: number }>`select floor_satang as floor from accounts where ${isCash}`
    await app.asOwner`update accounts set floor_satang = balance_satang + 500, overdraft_satang = 500 where ${isCash}`
    expect((await pay(agent, user_id, 100)).json.data.ok_count).toBe(1)
    expect((await readEdge(user_id)).balance_satang).toBe(lost - 100)
    expect((await pay(agent, user_id, -100)).json.data.outcomes[0]).toMatchObject({
      code: 'payment_over_credit',
      details: { most_satang: 0 },
    })
    await app.asOwner`update accounts set floor_satang = ${rows[0]!.floor}, overdraft_satang = 0 where ${isCash}`
  })

  test('that turns the balance by more than the limit takes two people', async () => {
    const { user_id, lost } = await newLoser()
    const amount_satang = lost + MAX_PAST_ZERO_SATANG + 1
    const alone = await pay(agent, user_id, amount_satang)
    expect(alone.json.data.outcomes[0]!.code).toBe('approval_needed')
    const proposal = {
      kind: 'record_payment',
      payload: { user_id, amount_satang, method: 'transfer', day: yesterday },
      request_id: randomUUID(),
      reason: 'paid in advance',
    }
    const proposed = await agent.post('/api/admin/approval/propose', proposal)
    expect(codeOf(proposed)).toBe('ok')
    const { approval_id } = proposed.json.data as { approval_id: number }
    const approved = await office.post(`/api/admin/approval/${approval_id}/approve`, {})
    expect(codeOf(approved)).toBe('ok')
    expect((await readEdge(user_id)).balance_satang).toBe(lost - amount_satang)
    const { rows } = await app.asOwner<{ recorded_by: number; day: string }>`
      select recorded_by, day::text from payments where child_id = ${user_id}`
    expect(rows).toEqual([{ recorded_by: agent.user_id, day: yesterday }])
  })

  test('cannot give credit beyond the limit by a chain that never turns the balance', async () => {
    const { user_id, lost } = await newLoser()
    expect((await pay(agent, user_id, lost + 1)).json.data.ok_count).toBe(1)
    const { json } = await pay(agent, user_id, MAX_PAST_ZERO_SATANG)
    expect(json.data.outcomes[0]!.code).toBe('approval_needed')
  })

  test('that is proposed twice is approved once', async () => {
    const { user_id, lost } = await newLoser()
    const payload = { user_id, amount_satang: lost + MAX_PAST_ZERO_SATANG + 1, method: 'cash', day: today }
    const propose = () =>
      agent.post('/api/admin/approval/propose', {
        ...{ kind: 'record_payment', payload, request_id: randomUUID(), reason: 'paid in advance' },
      })
    const first = await propose()
    expect(codeOf(await propose())).toBe('already_proposed')
    await pay(agent, user_id, 100)
    const { approval_id } = first.json.data as { approval_id: number }
    expect(codeOf(await office.post(`/api/admin/approval/${approval_id}/approve`, {}))).toBe('approval_outdated')
  })

  test('is decided by staff of the area money alone', async () => {
    const { user_id, lost } = await newLoser()
    const payload = { user_id, amount_satang: lost + MAX_PAST_ZERO_SATANG + 1, method: 'cash', day: today }
    const collector = await addAssistant(app, 'agent01', ['money'], 'collector01')
    const proposal = { kind: 'record_payment', payload, request_id: randomUUID(), reason: 'paid in advance' }
    const proposed = await collector.post('/api/admin/approval/propose', proposal)
    expect(codeOf(proposed)).toBe('ok')
    const { approval_id } = proposed.json.data as { approval_id: number }
    const cashier = await addAssistant(app, 'office01', ['money'], 'cashier01')
    expect(codeOf(await cashier.post(`/api/admin/approval/${approval_id}/approve`, {}))).toBe('ok')
  })

  test('is proposed only for today or yesterday', async () => {
    const { user_id, lost } = await newLoser()
    const payload = { user_id, amount_satang: lost + MAX_PAST_ZERO_SATANG + 1, method: 'cash' }
    for (const day of [addDays(today, 1), addDays(today, -2)]) {
      const proposal = {
        kind: 'record_payment',
        payload: { ...payload, day },
        request_id: randomUUID(),
        reason: 'late',
      }
      const refused = await agent.post('/api/admin/approval/propose', proposal)
      expect(refused.json.status).toMatchObject({ code: 400, message: expect.stringContaining('payload.day') })
    }
  })

  test('that waits is seen and withdrawn by its agent, and by no other', async () => {
    const { user_id, lost } = await newLoser()
    const payload = { user_id, amount_satang: lost + MAX_PAST_ZERO_SATANG + 1, method: 'cash', day: today }
    const proposal = { kind: 'record_payment', payload, request_id: randomUUID(), reason: 'a wrong amount' }
    const { approval_id } = (await agent.post('/api/admin/approval/propose', proposal)).json.data as {
      approval_id: number
    }
    const other = await app.logIn('agentother')
    const listed = async (caller: TestCaller) =>
      (await caller.get('/api/admin/approval?state=waiting')).json.data.map((each) => each.approval_id)
    expect(await listed(agent)).toContain(approval_id)
    expect(await listed(other)).toEqual([])
    expect(codeOf(await other.get(`/api/admin/approval/${approval_id}`))).toBe('not_allowed')
    const withdraw = (caller: TestCaller) =>
      caller.post(`/api/admin/approval/${approval_id}/withdraw`, { reason: 'a wrong amount' })
    expect(codeOf(await withdraw(other))).toBe('not_allowed')
    expect((await withdraw(agent)).json.data).toMatchObject({ state: 'withdrawn', may_withdraw: false })
    expect(codeOf(await agent.post('/api/admin/approval/propose', { ...proposal, request_id: randomUUID() }))).toBe(
      'ok',
    )
  })

  test('is not proposed by the office for the edge of an agent', async () => {
    const { user_id } = await newLoser()
    const payload = { user_id, amount_satang: 2 * MAX_PAST_ZERO_SATANG, method: 'cash', day: today }
    const proposal = { kind: 'record_payment', payload, request_id: randomUUID(), reason: 'paid in advance' }
    expect(codeOf(await office.post('/api/admin/approval/propose', proposal))).toBe('not_allowed')
  })
})

describe('a reversal', () => {
  const reverse = (caller: TestCaller, payment_id: number) =>
    caller.post('/mgluser/money/reversals', { request_id: randomUUID(), payment_id, reason: 'wrong member' })

  async function paid(): Promise<{ user_id: number; lost: number; payment_id: number }> {
    const { user_id, lost } = await newLoser()
    const { json } = await pay(agent, user_id, lost)
    return { user_id, lost, payment_id: json.data.outcomes[0]!.after.payment_id as number }
  }

  test('takes back an own payment of the day, once', async () => {
    const { user_id, lost, payment_id } = await paid()
    expect(codeOf(await reverse(agent, payment_id))).toBe('ok')
    expect(await readEdge(user_id)).toMatchObject({ balance_satang: lost, received_satang: 0 })
    expect(codeOf(await reverse(agent, payment_id))).toBe('payment_reversed')
    expect(await findViolatedInvariants(app.owner)).toEqual({})
  })

  test('of an earlier payment takes two people if it turns the balance by more than the limit', async () => {
    const limit = MAX_PAST_ZERO_SATANG
    const { user_id, lost } = await newLoser(2 * limit)
    const payOne = async (amount_satang: number): Promise<number> => {
      const { json } = await pay(agent, user_id, amount_satang)
      return json.data.outcomes[0]!.after.payment_id as number
    }
    await payOne(lost + limit)
    const paidOut = await payOne(-2 * limit)
    const last = await payOne(2 * limit)
    expect(codeOf(await reverse(agent, paidOut))).toBe('approval_needed')
    expect((await readEdge(user_id)).balance_satang).toBe(0 - limit)
    // Taking back the latest payment restores what was.
    expect(codeOf(await reverse(agent, last))).toBe('ok')
    expect((await readEdge(user_id)).balance_satang).toBe(limit)
  })

  test('of another day takes two people', async () => {
    const { user_id, lost, payment_id } = await paid()
    await sql`alter table payments disable trigger append_only`.execute(app.owner)
    await app.asOwner`update payments set recorded_at = recorded_at - interval '1 day' where payment_id = ${payment_id}`
    await sql`alter table payments enable trigger append_only`.execute(app.owner)
    expect(codeOf(await reverse(agent, payment_id))).toBe('approval_needed')
    const proposal = {
      kind: 'reverse_payment',
      payload: { payment_id },
      request_id: randomUUID(),
      reason: 'wrong member',
    }
    const proposed = await agent.post('/api/admin/approval/propose', proposal)
    const { approval_id } = proposed.json.data as { approval_id: number }
    expect(codeOf(await second.post(`/api/admin/approval/${approval_id}/approve`, {}))).toBe('ok')
    expect((await readEdge(user_id)).balance_satang).toBe(lost)
  })
})

describe('an adjustment', () => {
  test('is borne by the result of the parent', async () => {
    const { user_id, lost } = await newLoser()
    const resultOf = async () =>
      (
        await app.asOwner<{ satang: number }>`
        select balance_satang as satang from accounts where kind = 'result' and user_id = ${agent.user_id}`
      ).rows[0]!.satang
    const before = await resultOf()
    const body = { request_id: randomUUID(), user_id, amount_satang: 50, reason: 'rounding' }
    expect(codeOf(await agent.post('/mgluser/money/adjustments', body))).toBe('ok')
    expect((await readEdge(user_id)).balance_satang).toBe(lost - 50)
    expect(await resultOf()).toBe(before - 50)
    expect(await findViolatedInvariants(app.owner)).toEqual({})
  })
})

test('adjustments of a day take two people once they exceed the limit together', async () => {
  const { user_id } = await newLoser()
  const adjust = (amount_satang: number) =>
    agent.post('/mgluser/money/adjustments', { request_id: randomUUID(), user_id, amount_satang, reason: 'rounding' })
  expect(codeOf(await adjust(0 - MAX_ADJUSTED_SATANG / 50))).toBe('ok')
  expect(codeOf(await adjust(MAX_ADJUSTED_SATANG))).toBe('approval_needed')
})

describe('a member', () => {
  test('sees its payments and disputes one, which its agent answers', async () => {
    const { user_id, member, lost } = await newLoser()
    await pay(agent, user_id, 100)
    const own = (await member.get('/mgluser/money/own')).json.data
    expect(own).toMatchObject({ balance_satang: 100 - lost, given_satang: 100, week_satang: 0 - lost })
    const { payment_id } = own.payments[0]!
    expect(codeOf(await member.post(`/mgluser/money/payments/${payment_id}/dispute`, { note: 'I paid 200' }))).toBe(
      'ok',
    )
    const other = await app.logIn('member02')
    expect(codeOf(await other.get(`/mgluser/money/payments/${payment_id}`))).toBe('not_found')
    const listed = await agent.get('/mgluser/money/payments?is_disputed=true')
    expect(listed.json.data.map((each) => each.payment_id)).toContain(payment_id)
    const answer = { answer: 'recorded the rest' }
    expect(codeOf(await agent.post(`/mgluser/money/payments/${payment_id}/answer`, answer))).toBe('ok')
    expect((await member.get(`/mgluser/money/payments/${payment_id}`)).json.data.dispute).toMatchObject(answer)
  })
})

test('the database refuses payments that the application could forge', async () => {
  const { user_id, lost } = await newLoser()
  const agent02 = await findCaller(app.db, 'agentother')
  const forge = (parent_id: number, amount: number, balance: number, reverses: number | null = null) =>
    sql`insert into payments (child_id, parent_id, kind, amount_satang, balance_after_satang, method, day, reverses_id, holder_id, recorded_by)
      values (${user_id}, ${parent_id}, 'payment', ${amount}, ${balance}, 'cash', current_date, ${reverses}, ${parent_id}, ${parent_id})`.execute(
      app.db,
    )
  await expect(forge(agent02.user_id, 100, 100 - lost)).rejects.toMatchObject({ constraint: 'payments_on_edges' })
  await expect(forge(agent.user_id, 100, 0)).rejects.toMatchObject({ constraint: 'payments_state_the_balance' })
  await expect(forge(agent.user_id, 100, 100 - lost)).rejects.toMatchObject({ constraint: 'changes_are_audited' })
  expect(codeOf(await pay(agent, user_id, 100))).toBe('ok')
  const { rows } = await app.asOwner<{ id: number }>`select max(payment_id) as id from payments`
  await expect(forge(agent.user_id, -50, 50 - lost, rows[0]!.id)).rejects.toMatchObject({
    constraint: 'reversals_take_back',
  })
  await expect(sql`update edges set balance_satang = 0`.execute(app.db)).rejects.toMatchObject({ code: '42501' })
  await expect(sql`delete from payments`.execute(app.db)).rejects.toMatchObject({ code: '42501' })
})
