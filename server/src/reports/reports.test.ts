// Goal: a report shows the caller's own people and nobody else's, its pages join without gaps, and its files open in
// spreadsheets.

import { closeEarly } from '../../test/changes.ts'
import { hireAssistant } from '../../test/staff.ts'
import { listPeriodWinLoss } from '@megalot/contract'
import { sql } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import { findCaller } from '../../test/nodes.ts'
import {
  addPerson,
  agreeOnResult,
  dayOf,
  finishFirstLogIn,
  FIRST_PASSWORD,
  makeLine,
  makeResult,
  makeTicket,
  openPeriod,
  placeTicket,
} from '../../test/scenes.ts'
import { startTestApp, type TestCaller, testConfig } from '../../test/test-app.ts'
import { settlePeriod } from '../results/index.ts'
import { runCommand } from '../cli/command.ts'
import { findCommand } from '../cli/office.commands.ts'
import { getPeriodRecord } from '../markets/index.ts'
import { bangkokDayOf } from '../lib/bangkok.ts'
import { readClock } from '../postgres/db.ts'
import { openReportRows } from './files/report-rows.ts'

const app = await startTestApp()
await addPerson(app.owner, 'agent02', 'agent', 'company', 100_000_000)
await addPerson(app.owner, 'other01', 'member', 'agent02', 5_000_000)
const [member, sibling, agent, stranger, office] = (await Promise.all(
  ['member01', 'member02', 'agent01', 'agent02', 'office01'].map((name) => app.logIn(name)),
)) as [TestCaller, TestCaller, TestCaller, TestCaller, TestCaller]
const other = await app.logIn('other01')
// Before midnight it is another day than that of the draw.
const placedOn = bangkokDayOf(new Date())
const settled = await openPeriod(app.owner)
const day = dayOf(settled)
for (const person of [member, member, sibling, other])
  await placeTicket(person, makeTicket(settled, { note: 'ถึง, "แม่"' }))
await closeEarly(app.db, settled)
await agreeOnResult(app, settled, makeResult('123'))
await settlePeriod(app.db, (await getPeriodRecord(app.db, settled)).period_id)

/** Two tickets of 10 Baht on 123 that have won. */
const ofMember = {
  ticket_count: 2,
  bet_satang: 2_000,
  received_satang: 2_000,
  discount_satang: 660,
  win_satang: 1_100_000,
  total_satang: 1_098_660,
}

const summaryOf = (caller: TestCaller, body: object) =>
  caller.post('/api/admin/report/user_win_loss_summary', { date_from: day, date_to: day, ...body })

describe('access to figures', () => {
  test('credit is shown to who may view it, and to a member its own', async () => {
    const name = 'clerk01'
    const caller = await findCaller(app.db, 'agent01')
    const given = { username: name, display_name: name, password: FIRST_PASSWORD }
    await hireAssistant(app.db, caller, { ...given, areas: ['reports'] })
    await finishFirstLogIn(app.owner, name)
    const limitOf = async (one: TestCaller) =>
      (await summaryOf(one, { group_by: 'user', ipp: 100 })).json.data.rows[0]!.user!.credit.credit_limit_satang
    expect(await limitOf(await app.logIn(name))).toBeNull()
    for (const one of [member, agent, office]) expect(await limitOf(one)).toBeGreaterThan(0)
  })

  test('a member sees its own, an agent its downline’s, the office all', async () => {
    const totals = async (caller: TestCaller) => (await summaryOf(caller, {})).json.data.totals.member.ticket_count
    expect([await totals(member), await totals(agent), await totals(stranger), await totals(office)]).toEqual([
      2, 3, 1, 4,
    ])
    expect((await summaryOf(member, {})).json.data.totals.member).toEqual(ofMember)
    const { rows } = (await summaryOf(agent, { group_by: 'user', ipp: 100 })).json.data
    expect(rows.map((row) => row.user?.username)).toContain('member02')
    expect(rows.find((row) => row.user?.user_id === member.user_id)?.member).toEqual(ofMember)
  })
})

test('shares are dated after the lock, later than the shares that they were checked against', async () => {
  const lock = 7_361_210
  const { entered, changing } = await app.owner.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${lock})`.execute(tx)
    const terms = { position_rate: 100, commission_rate: 0, reason: 'agreed' }
    const changing = office.post(`/mgluser/downline/${stranger.user_id}/share`, terms)
    await vi.waitUntil(async () => {
      const waiting = sql`select 1 from pg_locks where locktype = 'advisory' and objid = ${lock} and not granted`
      return (await waiting.execute(app.owner)).rows.length > 0
    })
    return { entered: await readClock(tx), changing }
  })
  expect((await changing).http).toBe(200)
  const { rows } = await app.asOwner<{ since_at: Date }>`
    select since_at from share_terms where user_id = ${stranger.user_id}`
  expect(rows[0]!.since_at.getTime()).toBeGreaterThanOrEqual(entered.getTime())
})

describe('spans', () => {
  test.each([
    ['date_from=2999-12-22', { date_from: '2999-12-22', date_to: '2999-12-31' }],
    ['date_to=1900-01-10', { date_from: '1900-01-01', date_to: '1900-01-10' }],
  ])('%s ends at the limit of the calendar', async (query, span) => {
    expect((await member.get(`${listPeriodWinLoss.path}?${query}`)).json).toMatchObject(span)
  })

  test.each([
    [{ date_from: '2025-01-01', date_to: '2026-01-03' }, 'span_too_long'],
    [{ date_from: '2026-01-02', date_to: '2026-01-01' }, 'bad_input'],
    [{ product_codes: ['nowhere'] }, 'unknown_product'],
    [{ user_id: 999_999 }, 'not_found'],
  ])('%j is refused', async (body, code) => {
    expect((await summaryOf(agent, body)).json.error.code).toBe(code)
  })
})

describe('long lists', () => {
  // Defect: a far page of a statement read every entry before it, and bets of others waited.
  test('of entries have numbered pages back to a bound, and parts beyond it', async () => {
    const path = `/mgluser/profit/transaction_list/${sibling.user_id}?ipp=100`
    expect((await agent.get(`${path}&page=19`)).http).toBe(200)
    expect((await agent.get(`${path}&page=20`)).json.error.code).toBe('bad_input')
    expect((await agent.get(`${path}&before=1`)).http).toBe(200)
  })

  // Defect: a hundred whole tickets of 500 lines were one part, which held up every call for a second.
  test('of the tickets of a period hold a thousand items at most, or one ticket', async () => {
    const period_code = await openPeriod(app.owner)
    const sizes = [1, 400, 400, 1, 500, 500, 500, 2]
    const placed: number[] = []
    for (const [at, size] of sizes.entries()) {
      const items = Array.from({ length: size }, (_, line) =>
        makeLine('3top', String((at * 101 + line) % 1_000).padStart(3, '0'), 5),
      )
      placed.push((await placeTicket(sibling, makeTicket(period_code, { items }))).order_id)
    }
    const parts: number[][] = []
    const found: number[] = []
    for (let before: number | null | undefined; before !== null;) {
      const query = before === undefined ? '' : `&before=${before}`
      const { json } = await sibling.get(`/api/report/win_loss/${period_code}?ipp=100${query}`)
      parts.push(json.data.map(({ items }) => items.length))
      found.push(...json.data.map(({ order_id }) => order_id))
      before = json.next_before
    }
    expect(parts).toEqual([
      [2, 500],
      [500, 500],
      [1, 400, 400, 1],
    ])
    expect(found).toEqual(placed.toReversed())
    // A file reads the same parts.
    const scope = await findCaller(app.db, 'member02')
    const request = { report: 'win_loss_tickets', format: 'csv', language: 'en', period_code } as const
    const pieces: number[] = []
    for await (const piece of (await openReportRows(app.db, scope, request)).pieces) pieces.push(piece.length)
    // The last one holds the sums.
    expect(pieces).toEqual([...parts.map((part) => part.length), 1])
  })

  test('of a number miss no newer ticket with it in the note, however small the parts are', async () => {
    const period_code = await openPeriod(app.owner)
    const placeNoted = async (note: string): Promise<number> =>
      (await placeTicket(sibling, makeTicket(period_code, { note }))).order_id
    const named = await placeNoted('')
    const newer = [await placeNoted(`as ${named}`), await placeNoted(`again ${named}`)]
    for (const ipp of [1, 2, 5]) {
      const found: number[] = []
      let before = ''
      do {
        const { json } = await sibling.get(`/api/order/list?search=${named}&ipp=${ipp}${before}`)
        found.push(...json.data.map((order) => order.order_id))
        before = json.next_before === null ? '' : `&before=${json.next_before}`
      } while (before !== '')
      const inOrder = found.toSorted((one, other) => one - other)
      expect([ipp, ...inOrder]).toEqual([ipp, named, ...newer])
    }
  })
})

test('files are CSV that a spreadsheet reads as Thai, with Baht', async () => {
  const { json } = await member.get(
    `/mgluser/profit/transaction_csv?date_from=${placedOn}&product_code=thai-government`,
  )
  const { filename, text } = json.data
  expect(filename).toBe('statement-member01.csv')
  expect(text.charCodeAt(0)).toBe(0xfeff)
  const lines = text.slice(1).split('\r\n')
  expect(lines[0]).toBe('เวลา,รายการ,เลขที่บิล,หวย,งวด,จำนวน (บาท),ได้เสียสะสมหลังรายการ (บาท)')
  expect(lines[1]).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,ถูกรางวัล,\d+,[^,]+,thai-government-.+,5500\.00,10986\.60$/)
  expect(lines).toHaveLength(6)
  const english = await agent.post(
    '/api/admin/report/user_win_loss_summary_csv',
    { date_from: day, date_to: day, group_by: 'product' },
    'en',
  )
  const [head, row, total] = english.json.data.text.slice(1).split('\r\n')
  expect(head).toMatch(
    /^Market,Tickets,Received \(Baht\),Discount \(Baht\),Win \(Baht\),Member total \(Baht\),Levels between: share/,
  )
  expect(row).toMatch(/,3,30\.00,9\.90,16500\.00,16479\.90,/)
  expect(total).toBe(row!.replace(/^[^,]+/, 'Total'))
})

test('past results are counted by position and number', async () => {
  const path = '/api/rewardcalc/award/statistics/thai-government?date_from=2015-09-01&date_to=2025-12-31'
  const { data } = (await member.get(path)).json
  const sum = (counts: number[]) => counts.reduce((total, one) => total + one, 0)
  expect(data.date_to).toBe('2025-12-16')
  expect(data.draws).toBeGreaterThan(200)
  for (const counts of [...data.digits.top3, ...data.digits.bottom2, data.top2, data.bottom2])
    expect(sum(counts)).toBe(data.draws)
  expect(data.bottom2).toHaveLength(100)
  // 16 December 2025 ended in 895 and 52.
  expect(data.bottom2[52]).toBeGreaterThan(0)
  expect(data.digits.top3[2]![5]).toBeGreaterThan(0)
  const one = (await member.get('/api/rewardcalc/award/list_award/2025-12-16?date_to=2025-12-16')).json.data
  expect(one.map((each) => each.result.top3)).toEqual(['895'])
})

describe('npm run office -- sums', () => {
  const run = (args: string[]) =>
    runCommand(findCommand('sums')!, { db: app.owner, args, askSecret: async () => '', settings: testConfig() })

  test('reports whether rollups, tickets, items and ledger agree, names differences, and repairs them', async () => {
    expect(await run([])).toBe('Sums, tickets, items and ledger are the same.')
    await app.owner
      .updateTable('member_periods')
      .set({ received_satang: 1 } as never)
      .where('user_id', '=', member.user_id)
      .execute()
    await expect(run([])).rejects.toThrow('not so: what a member has in a period is the sum of its live tickets')
    expect(await run(['--rebuild'])).toBe('Sums are written anew. Sums, tickets, items and ledger are the same.')
    expect((await summaryOf(member, {})).json.data.totals.member).toEqual(ofMember)
  })
})
