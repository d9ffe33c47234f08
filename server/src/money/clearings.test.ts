// Goal: a week's statement adds up to what stands between a child and its parent; a period and a payment are in one
// statement only; what is changed after a statement becomes a line of the next; each side sees and moves only its own.

import type { ClearingState } from '@megalot/contract'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { changeAs } from '../../test/changes.ts'
import { findCaller } from '../../test/nodes.ts'
import {
  addPeriod,
  addPerson,
  codeOf,
  dayOf,
  makeResult,
  placeTicket,
  settleWith,
  ticketOn,
} from '../../test/scenes.ts'
import { startTestApp, type TestCaller } from '../../test/test-app.ts'
import { changeShareTerms } from '../identity/people/index.ts'
import { addDays } from '../lib/bangkok.ts'
import { correctAward, settleDuePeriods } from '../results/index.ts'
import { makeClearings } from './index.ts'
import { findToday, mondayOf } from './week.ts'

const app = await startTestApp()
const { db, owner } = app
const thisWeek = mondayOf(await findToday(db))
const lastWeek = addDays(thisWeek, -7)
const office = await app.logIn('office01')
const other = await app.logIn('agent01')

let scene = 0
let boss: TestCaller
let kid: TestCaller
let member: TestCaller

/** Each test has a branch of its own: an agent, an agent below it that keeps 20 %, and a member. */
beforeEach(async () => {
  scene += 1
  await addPerson(owner, `boss${scene}`, 'super_senior', 'company', 20_000_000)
  await addPerson(owner, `kid${scene}`, 'senior', `boss${scene}`, 10_000_000)
  await addPerson(owner, `player${scene}`, 'member', `kid${scene}`, 5_000_000)
  boss = await app.logIn(`boss${scene}`)
  kid = await app.logIn(`kid${scene}`)
  member = await app.logIn(`player${scene}`)
  const officer = await findCaller(db, 'office01')
  for (const [{ user_id }, position_rate, line_rate] of [
    [boss, 0, 10_000],
    [kid, 2_000, 8_000],
  ] as const) {
    const terms = { user_id, position_rate, line_rate, commission_rate: 0, reason: 'test' }
    await changeAs(db, officer, changeShareTerms, terms, 'approved')
  }
})

async function openOn(day: string): Promise<string> {
  const now = Date.now()
  const times = {
    // Shares apply to periods that open after them.
    open_at: new Date(now),
    close_at: new Date(now + 3_600_000),
    draw_at: new Date(now + 7_200_000),
  }
  return (await addPeriod(owner, 'thai-government', day, times)).period_code
}

async function play(day: string, top3 = '999'): Promise<string> {
  const period_code = await openOn(day)
  await placeTicket(member, ticketOn(period_code, [['123', 100]]))
  await settleWith(app, period_code, makeResult(top3))
  return period_code
}

async function correct(period_code: string, top3: string): Promise<void> {
  for (const username of ['office01', 'office02']) {
    const { user_id } = await findCaller(db, username)
    await correctAward(db, { actor_id: user_id }, { period_code, result: makeResult(top3), reason: 'for a test' })
  }
  await settleDuePeriods(db)
}

const listOf = async (caller: TestCaller, side: 'below' | 'above') =>
  (await caller.get(`/mgluser/money/clearings?side=${side}`)).json.data

async function readOf(caller: TestCaller, week: string) {
  const side = caller === boss ? 'below' : 'above'
  const found = (await listOf(caller, side)).find((each) => each.week === week)!
  return (await caller.get(`/mgluser/money/clearings/${found.clearing_id}`)).json.data
}

/** What the kid owes, as the boss reads it. */
async function readBalance(): Promise<number> {
  return (await boss.get(`/mgluser/money/edges/${kid.user_id}`)).json.data.balance_satang
}

const move = (by: TestCaller, clearing_id: number, to: Exclude<ClearingState, 'draft'>, more: object = {}) =>
  by.post(`/mgluser/money/clearings/${clearing_id}`, { to, ...more })

const pay = (amount_satang: number) =>
  boss.post('/mgluser/money/payments', {
    request_id: crypto.randomUUID(),
    rows: [{ user_id: kid.user_id, amount_satang, method: 'cash' }],
  })

describe('what a statement holds', () => {
  test('the parts passed up of the week, and what stands between both sides', async () => {
    await play(addDays(lastWeek, 2))
    await makeClearings(db, lastWeek)
    const statement = await readOf(boss, lastWeek)
    // 100 Baht with a discount of 33 %; the kid keeps a fifth of all of it.
    expect(statement).toMatchObject({
      state: 'draft',
      side: 'below',
      forward_satang: 0,
      received_satang: 8_000,
      discount_satang: 2_640,
      commission_satang: 0,
      win_satang: 0,
      due_satang: 5_360,
      payments_satang: 0,
      carried_satang: 5_360,
    })
    expect(statement.carried_satang).toBe(await readBalance())
    expect(statement.lines).toHaveLength(1)
  })

  test('payments and adjustments of the week, each once', async () => {
    await play(addDays(lastWeek, 2))
    await makeClearings(db, lastWeek)
    await pay(5_000)
    const adjustment = { request_id: crypto.randomUUID(), user_id: kid.user_id, amount_satang: 60, reason: 'rounding' }
    expect(codeOf(await boss.post('/mgluser/money/adjustments', adjustment))).toBe('ok')
    await makeClearings(db, thisWeek)
    const statement = await readOf(boss, thisWeek)
    expect(statement).toMatchObject({
      forward_satang: 5_360,
      due_satang: 0,
      payments_satang: -5_000,
      adjusted_satang: -60,
      carried_satang: 300,
    })
    expect(statement.lines.map(({ kind }) => kind)).toEqual(['payment', 'adjustment'])
    expect(statement.carried_satang).toBe(await readBalance())
    await makeClearings(db, addDays(thisWeek, 7))
    expect(await readOf(boss, addDays(thisWeek, 7))).toMatchObject({
      lines: [],
      forward_satang: 300,
      carried_satang: 300,
    })
  })

  test('a period is never in two statements, however often they are made', async () => {
    await play(addDays(lastWeek, 1))
    expect(await makeClearings(db, lastWeek)).toBeGreaterThan(0)
    expect(await makeClearings(db, lastWeek)).toBe(0)
    await play(addDays(thisWeek, 0))
    await makeClearings(db, thisWeek)
    const [first, second] = [await readOf(boss, lastWeek), await readOf(boss, thisWeek)]
    expect([first, second].map(({ lines }) => lines.map(({ day }) => day))).toEqual([
      [addDays(lastWeek, 1)],
      [thisWeek],
    ])
    expect(second.forward_satang).toBe(first.carried_satang)
    expect(second.carried_satang).toBe(await readBalance())
  })

  test('a correction after it becomes a line of the next one, with its period', async () => {
    const period_code = await play(addDays(lastWeek, 3))
    await makeClearings(db, lastWeek)
    const before = await readOf(boss, lastWeek)
    await correct(period_code, '123')
    await makeClearings(db, thisWeek)
    const after = await readOf(boss, thisWeek)
    // A win of 55,000 Baht, of which the kid bears a fifth.
    expect(after).toMatchObject({
      forward_satang: before.carried_satang,
      due_satang: 0,
      corrected_satang: -4_400_000,
      carried_satang: before.carried_satang - 4_400_000,
    })
    expect(after.lines).toMatchObject([{ kind: 'correction', day: dayOf(period_code), win_satang: 4_400_000 }])
    expect(after.lines[0]!.period?.period_code).toBe(period_code)
    expect(after.carried_satang).toBe(await readBalance())
    expect(await readOf(boss, lastWeek)).toEqual(before)
  })

  test('a period that is settled after its statement is in the next one', async () => {
    await play(addDays(lastWeek, 1))
    const late = await openOn(addDays(lastWeek, 6))
    await placeTicket(member, ticketOn(late, [['123', 50]]))
    await makeClearings(db, lastWeek)
    await settleWith(app, late, makeResult('999'))
    await makeClearings(db, thisWeek)
    const statement = await readOf(boss, thisWeek)
    expect(statement.lines).toMatchObject([{ kind: 'period', day: dayOf(late), received_satang: 4_000 }])
    expect(statement.carried_satang).toBe(await readBalance())
  })

  test('a week without a statement is made up for by the next', async () => {
    await play(addDays(lastWeek, -6))
    await makeClearings(db, addDays(lastWeek, -7))
    const missed = await play(addDays(lastWeek, 1))
    // It was settled long before the last statements were made.
    await app.asOwner`update clearings set made_at = made_at + interval '5 days'`
    await makeClearings(db, thisWeek)
    const statement = await readOf(boss, thisWeek)
    expect(statement.lines).toMatchObject([{ kind: 'period', day: dayOf(missed) }])
    expect(statement.carried_satang).toBe(await readBalance())
  })

  test('open stakes are no part of it', async () => {
    await play(addDays(lastWeek, 1))
    await placeTicket(member, ticketOn(await openOn(addDays(lastWeek, 2)), [['123', 50]]))
    await makeClearings(db, lastWeek)
    expect((await readOf(boss, lastWeek)).carried_satang).toBe(5_360)
    expect(await readBalance()).toBe(5_360)
  })
})

describe('who sees and moves it', () => {
  const make = async () => {
    await play(addDays(lastWeek, 2))
    await makeClearings(db, lastWeek)
    return (await listOf(boss, 'below'))[0]!.clearing_id
  }

  test('the child sees it once it is sent, from its own side', async () => {
    const clearing_id = await make()
    expect(await listOf(kid, 'above')).toEqual([])
    expect(codeOf(await kid.get(`/mgluser/money/clearings/${clearing_id}`))).toBe('not_found')
    expect(codeOf(await move(kid, clearing_id, 'confirmed'))).toBe('not_found')
    expect(codeOf(await move(boss, clearing_id, 'sent'))).toBe('ok')
    const statement = await readOf(kid, lastWeek)
    expect(statement).toMatchObject({ side: 'above', due_satang: -5_360, carried_satang: -5_360, state: 'sent' })
    expect(statement.lines[0]).toMatchObject({ change_satang: -5_360, received_satang: 8_000 })
    expect(codeOf(await other.get(`/mgluser/money/clearings/${clearing_id}`))).toBe('not_found')
  })

  test('draft, sent, confirmed, paid, closed', async () => {
    const clearing_id = await make()
    const go = async (by: typeof boss, to: 'sent' | 'confirmed' | 'paid' | 'closed') =>
      expect((await move(by, clearing_id, to)).json.data.state).toBe(to)
    await go(boss, 'sent')
    await go(kid, 'confirmed')
    // Nothing is paid of the 53.60 Baht, and then a part.
    expect(codeOf(await move(boss, clearing_id, 'paid'))).toBe('clearing_unpaid')
    await pay(5_000)
    expect(codeOf(await move(boss, clearing_id, 'paid'))).toBe('clearing_unpaid')
    await pay(360)
    await go(boss, 'paid')
    await go(boss, 'closed')
    expect(codeOf(await move(boss, clearing_id, 'sent'))).toBe('clearing_changed')
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from audit_log where action = 'change_clearing'`.execute(owner)
    expect(rows[0]!.count).toBeGreaterThanOrEqual(4)
  })

  test('is paid without a confirmation, also by a payment before it was made', async () => {
    await play(addDays(lastWeek, 2))
    await pay(5_360)
    await makeClearings(db, lastWeek)
    // A job that was down makes it days later.
    await app.asOwner`update clearings set made_at = made_at + interval '3 days'`
    const [{ clearing_id } = { clearing_id: 0 }] = await listOf(boss, 'below')
    await move(boss, clearing_id, 'sent')
    expect((await move(boss, clearing_id, 'paid')).json.data.state).toBe('paid')
  })

  test('is due by the terms of its edge', async () => {
    const clearing_id = await make()
    const isDueWith = async (clearing: string, settle_figure_satang: number | null) => {
      await app.asOwner`update edges set clearing = ${clearing}, settle_figure_satang = ${settle_figure_satang}`
      return (await boss.get(`/mgluser/money/clearings/${clearing_id}`)).json.data.is_due
    }
    expect(await isDueWith('at_figure', 5_360)).toBe(true)
    expect(await isDueWith('at_figure', 5_361)).toBe(false)
    expect(await isDueWith('rolling', null)).toBe(false)
    expect(await isDueWith('weekly', null)).toBe(true)
  })

  test('a dispute names a line and a note; the parent sends it again', async () => {
    const clearing_id = await make()
    await move(boss, clearing_id, 'sent')
    expect(codeOf(await move(kid, clearing_id, 'disputed', { line_no: 1 }))).toBe('bad_input')
    expect(codeOf(await move(kid, clearing_id, 'disputed', { line_no: 9, note: 'too much' }))).toBe('bad_input')
    await move(kid, clearing_id, 'disputed', { line_no: 1, note: 'too much' })
    expect(await readOf(boss, lastWeek)).toMatchObject({
      state: 'disputed',
      disputed_line: 1,
      dispute_note: 'too much',
    })
    expect(codeOf(await move(boss, clearing_id, 'closed'))).toBe('clearing_changed')
    expect((await move(boss, clearing_id, 'sent')).json.data.state).toBe('sent')
  })

  test.each([
    ['the child sends it', () => kid, 'sent', 'not_found'],
    ['the parent confirms it', () => boss, 'confirmed', 'not_allowed'],
    ['the office, above the parent, sends it', () => office, 'sent', 'not_allowed'],
    ['somebody else sends it', () => other, 'sent', 'not_found'],
    ['a draft is paid', () => boss, 'paid', 'clearing_changed'],
    ['a draft is closed', () => boss, 'closed', 'clearing_changed'],
  ] as const)('refused: %s', async (_name, by, to, code) => {
    const clearing_id = await make()
    expect(codeOf(await move(by(), clearing_id, to))).toBe(code)
    expect((await readOf(boss, lastWeek)).state).toBe('draft')
  })

  test.each(['sent', 'paid', 'closed'] as const)('refused: the child marks it %s', async (to) => {
    const clearing_id = await make()
    await move(boss, clearing_id, 'sent')
    expect(codeOf(await move(kid, clearing_id, to))).toBe('not_allowed')
  })
})
