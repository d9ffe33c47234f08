// Goal: the auditor finds each invariant that is broken by hand and says when it holds again, reads no more than it may, and misses
// nothing that commits late.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AUDITOR_RUNS } from '@megalot/contract'
import { sql, type RawBuilder } from 'kysely'
import { describe, expect, test } from 'vitest'
import {
  checkEverything,
  changeByHand,
  openAuditor,
  removeSeededPeriods,
  withAuditorLocked,
} from '../../../test/auditor.ts'
import { findCaller } from '../../../test/nodes.ts'
import {
  limitNumbers,
  makeLine,
  makeResult,
  makeTicket,
  openPeriod,
  placeTicket,
  placeWaitingTicket,
  settleWith,
} from '../../../test/scenes.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { cloneDatabase } from '../../../test/test-database.ts'
import { voidByTwo } from '../../../test/voids.ts'
import { refundVoidedPeriods } from '../../results/index.ts'
import { followExposure } from '../../exposure/index.ts'
import { saveBalanceCheckpoints } from '../../reports/index.ts'
import { projectRoot } from '../../lib/project-root.ts'
import {
  type IntegrityChecker,
  type CheckStep,
  checkChanges,
  checkPiece,
  requestFullCheck,
  runIntegrityCheck,
} from './auditor.service.ts'
import { findViolatedInvariants, type InvariantCode, invariantCodes } from './invariants.ts'

async function idsOf(order_id: number): Promise<{ period_id: number; order_id: number }> {
  return app.owner
    .selectFrom('orders')
    .select(['period_id', 'order_id'])
    .where('order_id', '=', order_id)
    .executeTakeFirstOrThrow()
}

const app = await startTestApp()
await removeSeededPeriods(app.owner)
const auditor: IntegrityChecker = openAuditor(app)
const [member, other] = [await app.logIn('member01'), await app.logIn('member02')]
const member_id = member.user_id
const waiting_id = other.user_id
await limitNumbers(app.db, '3top', 10_000, 0)
const first = await openPeriod(app.owner)
/** Of the settled, the open and the voided period: tickets of member01 with one line of 10 Baht. */
const settled: { period_id: number; order_id: number } = await idsOf(
  (await placeTicket(member, makeTicket(first))).order_id,
)
await settleWith(app, first, makeResult('123'))
const second = await openPeriod(app.owner)
const voided: { period_id: number; order_id: number } = await idsOf(
  (await placeTicket(member, makeTicket(second))).order_id,
)
const office = await Promise.all(['office01', 'office02'].map((username) => findCaller(app.db, username)))
await voidByTwo(app.db, office, `period:${second}`)
await refundVoidedPeriods(app.db)
await saveBalanceCheckpoints(app.db)
const third = await openPeriod(app.owner)
const open: { period_id: number; order_id: number } = await idsOf(
  (await placeTicket(member, makeTicket(third))).order_id,
)
await placeWaitingTicket(other, makeTicket(third, { items: [makeLine('3top', '123', 200)] }))
for (let step = 0; step < 3; step++) await followExposure(app.db)
await sql`
  insert into payments (child_id, parent_id, kind, amount_satang, balance_after_satang, method, day, holder_id, recorded_by)
  select user_id, parent_id, 'payment', 500, balance_satang + 500, 'cash', current_date, parent_id, parent_id
  from users join edges on child_id = user_id where user_id = ${member_id}`.execute(app.owner)
await checkChanges(auditor)

test('an honest history is whole, in all ways of checking it', async () => {
  expect(await findViolatedInvariants(app.owner)).toEqual({})
  expect(await checkEverything(auditor)).toEqual({ broken: [], whole: [] })
  expect(await checkChanges(auditor)).toEqual({ broken: [], whole: [] })
})

interface ByHand {
  /** Breaks one row, and puts it right again. */
  breaks: () => RawBuilder<unknown>
  repairs: () => RawBuilder<unknown>
  /** Whether the next run finds it; else a check of everything does at the latest. */
  isFoundAtOnce: boolean
}

const cashOf = () => sql`accounts where user_id = ${member_id} and kind = 'cash'`
const set = (table: string, change: (sign: 1 | -1) => RawBuilder<unknown>, where: () => RawBuilder<unknown>) => ({
  breaks: () => sql`update ${sql.table(table)} set ${change(1)} where ${where()}`,
  repairs: () => sql`update ${sql.table(table)} set ${change(-1)} where ${where()}`,
})
const add = (column: string) => (sign: 1 | -1) => sql`${sql.ref(column)} = ${sql.ref(column)} + ${sql.lit(sign)}`
const ofTicket = () => sql`order_id = ${open.order_id}`
const ofPeriod = (of: () => { period_id: number }) => () => sql`period_id = ${of().period_id}`
const ofMember = () => sql`user_id = ${member_id}`
const ofCash = () => sql`account_id = (select account_id from ${cashOf()})`
const ofUpline = (kind: string) => () =>
  sql`
  kind = ${kind} and user_id = (select parent_id from users where user_id = ${member_id})`
const accepted = {
  breaks: () =>
    sql`update quota_blocks set packed[24] = packed[24] + 200 where ${ofPeriod(() => open)()} and bet_type = '3top' and block = 1`,
  repairs: () =>
    sql`update quota_blocks set packed[24] = packed[24] - 200 where ${ofPeriod(() => open)()} and bet_type = '3top' and block = 1`,
}

const byHand: Readonly<Record<InvariantCode, ByHand>> = {
  ticket_costs_its_net: { ...set('entries', add('amount_satang'), ofTicket), isFoundAtOnce: false },
  ticket_totals: { ...set('orders', add('bet_satang'), ofTicket), isFoundAtOnce: false },
  win_paid_once: {
    ...set('orders', add('win_satang'), () => sql`order_id = ${settled.order_id}`),
    isFoundAtOnce: false,
  },
  bets_exist: {
    ...set('orders', (sign) => sql`slots[1] = slots[1] + ${sql.lit(sign * 4200)}`, ofTicket),
    isFoundAtOnce: false,
  },
  wins_follow_result: {
    ...set('order_wins', add('rate'), () => sql`order_id = ${settled.order_id}`),
    isFoundAtOnce: false,
  },
  wins_are_complete: {
    ...set('order_wins', add('win_satang'), () => sql`order_id = ${settled.order_id}`),
    isFoundAtOnce: false,
  },
  rates_were_offered: {
    ...set('orders', (sign) => sql`lines = set_byte(lines, 6, get_byte(lines, 6) + ${sql.lit(sign)})`, ofTicket),
    isFoundAtOnce: false,
  },
  accepted_in_time: {
    ...set('orders', (sign) => sql`placed_at = placed_at + ${sql.lit(sign)} * interval '2 hours'`, ofTicket),
    isFoundAtOnce: false,
  },
  committed_in_time: {
    ...set(
      'periods',
      (sign) =>
        sql`open_at = open_at - ${sql.lit(sign)} * interval '2 days', close_at = close_at - ${sql.lit(sign)} * interval '2 days'`,
      ofPeriod(() => open),
    ),
    isFoundAtOnce: false,
  },
  removed_in_time: {
    breaks: () => sql`update orders set status = 'CANCELLED' where ${ofTicket()}`,
    repairs: () => sql`update orders set status = 'CONFIRMED' where ${ofTicket()}`,
    isFoundAtOnce: false,
  },
  member_period_sums: {
    ...set('member_periods', add('ticket_count'), () => sql`${ofMember()} and ${ofPeriod(() => open)()}`),
    isFoundAtOnce: true,
  },
  entries_have_a_cause: {
    breaks: () => sql`
      insert into entries (kind, from_account_id, to_account_id, amount_satang)
      values ('adjustment', (select account_id from accounts where period_id = ${open.period_id}), (select account_id from ${cashOf()}), 7)`,
    repairs: () => sql`delete from entries where kind = 'adjustment'`,
    isFoundAtOnce: true,
  },
  balance_follows_mark: { ...set('accounts', add('balance_satang'), ofCash), isFoundAtOnce: true },
  balance_is_its_postings: { ...set('accounts', add('balance_satang'), ofCash), isFoundAtOnce: false },
  noted_balance: { ...set('balance_marks', add('balance_satang'), ofMember), isFoundAtOnce: false },
  balance_above_floor: {
    ...set('accounts', (sign) => sql`floor_satang = floor_satang + ${sql.lit(sign)} * 900000000000`, ofCash),
    isFoundAtOnce: true,
  },
  overdraft_is_taken_back: { ...set('accounts', add('overdraft_satang'), ofCash), isFoundAtOnce: true },
  given_within_limit: {
    ...set(
      'accounts',
      (sign) => sql`floor_satang = floor_satang + ${sql.lit(sign)} * 900000000000`,
      () => sql`kind = 'cash' and user_id = (select parent_id from users where user_id = ${member_id})`,
    ),
    isFoundAtOnce: true,
  },
  held_is_waiting: {
    ...set('accounts', add('balance_satang'), () => sql`user_id = ${waiting_id} and kind = 'held'`),
    isFoundAtOnce: true,
  },
  given_limits: { ...set('accounts', add('given_satang'), ofCash), isFoundAtOnce: true },
  tickets_move_cash: {
    ...set('member_periods', add('discount_satang'), () => sql`${ofMember()} and ${ofPeriod(() => settled)()}`),
    isFoundAtOnce: false,
  },
  period_keeps_its_net: {
    ...set(
      'accounts',
      add('balance_satang'),
      ofPeriod(() => open),
    ),
    isFoundAtOnce: true,
  },
  void_refunds_all: {
    ...set(
      'period_voids',
      add('refunded_satang'),
      ofPeriod(() => voided),
    ),
    isFoundAtOnce: true,
  },
  accepted_is_received: { ...accepted, isFoundAtOnce: false },
  accepted_is_in_book: { ...accepted, isFoundAtOnce: true },
  quota_not_oversold: { ...accepted, isFoundAtOnce: true },
  returns_within_bound: {
    // 2top returns 98 %. The commission holds no more, but at the opening of the period it did.
    breaks: () => sql`
      insert into share_terms (user_id, position_rate, line_rate, commission_rate, since_at)
      select user_id, 0, 0, commission_rate, clock_timestamp() - days * interval '1 day'
      from users cross join (values (2201, 1), (0, 0)) terms (commission_rate, days) where username = 'agent01'`,
    repairs: () => sql`delete from share_terms`,
    isFoundAtOnce: false,
  },
  tickets_within_bound: {
    // 3top returns 88 %.
    breaks: () => sql`
      insert into share_terms (user_id, position_rate, line_rate, commission_rate, since_at)
      select user_id, 0, 0, commission_rate, clock_timestamp() - days * interval '1 day'
      from users cross join (values (3201, 1), (0, 0)) terms (commission_rate, days) where username = 'agent01'`,
    repairs: () => sql`delete from share_terms`,
    isFoundAtOnce: false,
  },
  slot_index_complete: {
    breaks: () => sql`update period_slots set slot = slot + 1 where ${ofPeriod(() => settled)()}`,
    repairs: () => sql`update period_slots set slot = slot - 1 where ${ofPeriod(() => settled)()}`,
    isFoundAtOnce: false,
  },
  wins_of_members: {
    ...set(
      'member_wins',
      add('win_satang'),
      ofPeriod(() => settled),
    ),
    isFoundAtOnce: false,
  },
  levels_follow_members: {
    ...set(
      'level_periods',
      add('bet_satang'),
      () => sql`${ofPeriod(() => settled)()} and user_id = (
      select parent_id from users where user_id = ${member_id})`,
    ),
    isFoundAtOnce: false,
  },
  levels_lose_nothing: {
    ...set(
      'level_periods',
      add('received_satang'),
      () => sql`${ofPeriod(() => settled)()} and user_id = (
      select user_id from users where level = 'company' and not is_office and principal_id is null)`,
    ),
    isFoundAtOnce: false,
  },
  numbers_won: { ...set('member_numbers', add('win_count'), ofMember), isFoundAtOnce: false },
  strictest_status: {
    breaks: () => sql`update users set status_in_force = 'SUSPENDED' where ${ofMember()}`,
    repairs: () => sql`update users set status_in_force = 'NORMAL' where ${ofMember()}`,
    isFoundAtOnce: false,
  },
  accounts_sum_to_zero: {
    ...set('accounts', add('balance_satang'), () => sql`user_id = ${waiting_id} and kind = 'cash'`),
    isFoundAtOnce: false,
  },
  result_is_own_part: { ...set('accounts', add('balance_satang'), ofUpline('result')), isFoundAtOnce: false },
  purse_is_its_payments: { ...set('accounts', add('balance_satang'), ofUpline('purse')), isFoundAtOnce: false },
  edge_is_its_downline: {
    ...set('edges', add('balance_satang'), () => sql`child_id = ${member_id}`),
    isFoundAtOnce: false,
  },
  edge_days_are_counted: {
    ...set('edge_days', add('received_satang'), () => sql`child_id = ${member_id} and received_satang > 0`),
    isFoundAtOnce: false,
  },
  payment_has_its_entry: {
    ...set('entries', add('amount_satang'), () => sql`idempotency_key like 'payment:%'`),
    isFoundAtOnce: false,
  },
  downline_sizes: {
    ...set(
      'downline_sizes',
      add('member_count'),
      () => sql`user_id = (select parent_id from users where user_id = ${member_id})`,
    ),
    isFoundAtOnce: false,
  },
}

test.each(invariantCodes)('broken by hand %s is found, with its record, and holds again', async (code) => {
  const { breaks, repairs, isFoundAtOnce } = byHand[code]
  const hand = (statement: RawBuilder<unknown>) =>
    changeByHand(
      app.owner,
      sql`alter table accounts drop constraint if exists credit_never_overspent`,
      sql`alter table accounts drop constraint if exists accounts_floor_satang_check`,
      statement,
    )
  await hand(breaks())
  const atOnce = await checkChanges(auditor)
  const later = isFoundAtOnce ? [] : (await checkEverything(auditor)).broken
  expect([...atOnce!.broken, ...later]).toContain(code)
  const { findings, keys } = await app.owner
    .selectFrom('invariant_breaks')
    .select(['findings', 'keys'])
    .where('invariant', '=', code)
    .where('whole_at', 'is', null)
    .executeTakeFirstOrThrow()
  expect(keys.length).toBeGreaterThan(0)
  expect(findings.length).toBeGreaterThan(0)
  expect((await findViolatedInvariants(app.owner))[code]).toBeDefined()
  // It stays broken, and is reported no second time, though its record changes no more.
  expect(await checkChanges(auditor)).toEqual({ broken: [], whole: [] })

  await hand(repairs())
  expect((await checkChanges(auditor))!.whole).toContain(code)
  expect(await findViolatedInvariants(app.owner)).toEqual({})
  expect(await checkEverything(auditor)).toEqual({ broken: [], whole: [] })
})

describe('bets that do not exist', () => {
  const slotsAs = (slots: string) =>
    changeByHand(
      app.owner,
      sql`alter table orders drop constraint if exists orders_have_their_lines`,
      sql`update orders set slots = ${slots}::smallint[] where ${ofTicket()}`,
    )

  // Defect: the search for a null threw where the array had two dimensions, and the auditor checked nothing more.
  test.each([
    ['of no number', '{null}'],
    ['below the first', '{-1}'],
    ['beyond the last', '{4320}'],
    ['in an array of two dimensions', '{{111}}'],
  ])('%s are found, and nothing fails', async (_name, slots) => {
    const { slots: before } = await app.owner
      .selectFrom('orders')
      .select(sql<string>`slots::text`.as('slots'))
      .where('order_id', '=', open.order_id)
      .executeTakeFirstOrThrow()
    await slotsAs(slots)
    expect((await findViolatedInvariants(app.owner))['bets_exist']).toHaveLength(1)
    expect((await checkEverything(auditor)).broken).toContain('bets_exist')
    await slotsAs(before)
    expect((await checkChanges(auditor))!.whole).toContain('bets_exist')
    expect(await findViolatedInvariants(app.owner)).toEqual({})
  })

  test('cannot be written as an array of two dimensions, nor with terms of another number of lines', async () => {
    const database = await cloneDatabase()
    const ticket = { table: 'orders', constraint: 'orders_have_their_lines' }
    const insert = (slots: string, lines: Buffer, differences: string | null) =>
      database.asOwner`
        insert into orders (order_id, request_id, content_hash, user_id, period_id, package_id, status, item_count, bet_satang,
          received_satang, discount_satang, created_at, slots, lines, differences)
        values (1, gen_random_uuid(), '', 1, 1, 1, 'CONFIRMED', 2, 0, 0, 0, clock_timestamp(), ${slots}, ${lines}, ${differences})`
    for (const [slots, lines, differences] of [
      ['{{1},{2}}', Buffer.alloc(18), null],
      ['{1,2}', Buffer.alloc(17), null],
      ['{1,2}', Buffer.alloc(18), '{{1,1,1},{1,1,1}}'],
    ] as const)
      await expect(insert(slots, lines, differences)).rejects.toMatchObject(ticket)
    await expect(insert('{1,2}', Buffer.alloc(18), null)).resolves.toMatchObject({ numAffectedRows: 1n })
  })
})

describe('what has changed', () => {
  const causeless = () => sql`
    insert into entries (kind, from_account_id, to_account_id, amount_satang)
    values ('adjustment', (select account_id from accounts where period_id = ${open.period_id}), (select account_id from ${cashOf()}), 7)`
  const repair = () => changeByHand(app.owner, sql`delete from entries where kind = 'adjustment'`)

  test('is found however late its transaction commits, while others with higher ids are audited', async () => {
    const member = await app.logIn('member01')
    const period_code = await openPeriod(app.owner)
    let commit!: () => void
    const committed = new Promise<void>((resolve) => (commit = resolve))
    let isWritten!: () => void
    const written = new Promise<void>((resolve) => (isWritten = resolve))
    const late = app.owner.transaction().execute(async (tx) => {
      await sql`set local session_replication_role = replica`.execute(tx)
      await causeless().execute(tx)
      isWritten()
      await committed
    })
    await written
    for (let run = 0; run < 4; run += 1) {
      await placeTicket(member, makeTicket(period_code))
      expect(await checkChanges(auditor)).toEqual({ broken: [], whole: [] })
    }
    commit()
    await late
    expect((await checkChanges(auditor))!.broken).toContain('entries_have_a_cause')
    await repair()
    expect((await checkChanges(auditor))!.whole).toContain('entries_have_a_cause')
  })

  // Defect: with so many ids drawn nothing was listed, and the run was noted as if it had checked what had changed.
  test('is found also where more ids were drawn than a run lists changes', async () => {
    await changeByHand(app.owner, causeless())
    // As the application, which may draw ids and need place no ticket.
    await sql`select count(nextval('order_ids')) from generate_series(1, 200001)`.execute(app.db)
    expect((await checkChanges(auditor))!.broken).toContain('entries_have_a_cause')
    await repair()
    expect((await checkChanges(auditor))!.whole).toContain('entries_have_a_cause')
  })

  test('is searched from ids on that follow, so that a run does not read all tickets', async () => {
    const member = await app.logIn('member01')
    const period_code = await openPeriod(app.owner)
    const read = () => app.owner.selectFrom('auditor_state').selectAll().executeTakeFirstOrThrow()
    const { order_id } = await placeTicket(member, makeTicket(period_code))
    // The ids follow three runs later, and after every transaction of the server that was running then: those of the databases of
    // other tests delay them, too.
    await expect
      .poll(async () => {
        await checkChanges(auditor)
        return (await read()).up_to_order_id
      })
      .toBeGreaterThanOrEqual(order_id)
    expect((await read()).up_to_entry_id).toBeGreaterThan(0)
  })

  test('is checked again where writing what was found failed', async () => {
    await changeByHand(app.owner, causeless())
    const failing: IntegrityChecker = { ...auditor, targets: { mails: ['a'], hasWebhook: false } }
    await app.asOwner`alter table alarms rename to alarms_away`
    await expect(checkChanges(failing)).rejects.toThrow('alarms')
    await app.asOwner`alter table alarms_away rename to alarms`
    expect((await checkChanges(auditor))!.broken).toContain('entries_have_a_cause')
    await repair()
    expect((await checkChanges(auditor))!.whole).toContain('entries_have_a_cause')
  })
})

test('the runbook says of each invariant what to do', async () => {
  const runbook = await readFile(join(projectRoot, 'docs', 'runbooks', 'auditor.md'), 'utf8')
  const described = [...runbook.matchAll(/^### (\w+)$/gm)].map(([, code]) => code!)
  expect(described.toSorted()).toEqual([...invariantCodes, AUDITOR_RUNS].toSorted())
})

test('one node audits at a time', async () => {
  const second = openAuditor(app)
  const steps = await withAuditorLocked(app.owner, async () => [await checkChanges(second), await checkPiece(second)])
  expect(steps).toEqual([null, null])
  expect(await checkChanges(second)).not.toBeNull()
})

test('while one waits for another node the book goes on: the lock has no transaction id', async () => {
  await withAuditorLocked(app.owner, async (tx) => {
    const { rows } = await sql<{ id: string | null }>`select pg_current_xact_id_if_assigned()::text as id`.execute(tx)
    expect(rows).toEqual([{ id: null }])
    // Whoever writes the state, such as a request for a check of everything, does not wait.
    await requestFullCheck(app.owner)
  })
})

test('it reads on one connection, which can neither write nor read secrets', async () => {
  const { rows } =
    await sql`select current_user as role, current_setting('default_transaction_read_only') as read_only`.execute(
      auditor.reader,
    )
  expect(rows).toEqual([{ role: 'megalot_auditor', read_only: 'on' }])
  for (const [statement, refusal] of [
    ['update accounts set balance_satang = 0', 'read-only transaction'],
    ['select password_hash from users', 'permission denied'],
    ['select recipient from alarms', 'permission denied'],
  ] as const)
    await expect(sql.raw(statement).execute(auditor.reader)).rejects.toThrow(refusal)
})

test('a run checks what has changed, and everything in pieces until its time is over', async () => {
  await requestFullCheck(app.owner)
  const read = () =>
    app.owner.selectFrom('auditor_state').select(['whole_kind', 'whole_ended_at']).executeTakeFirstOrThrow()
  const { whole_ended_at: before } = await read()
  // No time for a piece.
  expect(await runIntegrityCheck(auditor, { budgetMs: 0 })).toBe(true)
  expect((await read()).whole_ended_at).toEqual(before)
  // Nor while the node stops.
  expect(await runIntegrityCheck(auditor, { isStopping: () => true })).toBe(true)
  expect((await read()).whole_ended_at).toEqual(before)
  expect(await runIntegrityCheck(auditor)).toBe(true)
  const after = await read()
  expect(after.whole_kind).toBeNull()
  expect(after.whole_ended_at!.getTime()).toBeGreaterThan(before!.getTime())
})

// Defect: one snapshot for a whole check keeps every version of the balances that tickets change meanwhile.
test('between two statements of a check the auditor keeps no version of a row from being removed', async () => {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(auditor.reader)
  const states: unknown[] = []
  const watching = auditor.reader.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      const found = await app.asOwner<{ state: string; keeps: boolean }>`
        select state, backend_xmin is not null as keeps from pg_stat_activity where pid = ${rows[0]!.pid}`
      states.push(...found.rows)
      return result
    },
  })
  await requestFullCheck(app.owner)
  for (let isDone = false; !isDone;) isDone = (await checkPiece({ ...auditor, reader: watching }))!.isDone
  expect(states.length).toBeGreaterThan(20)
  expect(new Set(states.map((state) => JSON.stringify(state)))).toEqual(new Set(['{"state":"idle","keeps":false}']))
})

test('a run that is to stop abandons its check, and the next one checks the same changes', async () => {
  const readRan = async () =>
    (await app.owner.selectFrom('auditor_state').select('ran_at').executeTakeFirstOrThrow()).ran_at!.getTime()
  await runIntegrityCheck(auditor)
  await changeByHand(
    app.owner,
    sql`update ${sql.raw('accounts')} set balance_satang = balance_satang + 5 where ${ofCash()}`,
  )
  const before = await readRan()
  const steps: CheckStep[] = []
  const onStep = (step: CheckStep): void => void steps.push(step)
  expect(await runIntegrityCheck(auditor, { onStep, isStopping: () => true })).toBe(true)
  expect(steps).toEqual([])
  expect(await readRan()).toBe(before)
  await runIntegrityCheck(auditor, { onStep, budgetMs: 0 })
  expect(steps[0]!.broken).toContain('balance_follows_mark')
  await changeByHand(
    app.owner,
    sql`update ${sql.raw('accounts')} set balance_satang = balance_satang - 5 where ${ofCash()}`,
  )
  await checkChanges(auditor)
})

test('a check rests after each of its statements, as its pace says', async () => {
  await placeTicket(await app.logIn('member01'), makeTicket(await openPeriod(app.owner)))
  const worked: number[] = []
  const restAfter = async (workedMs: number): Promise<void> => void worked.push(workedMs)
  await checkChanges(auditor, { isStopping: () => false, restAfter })
  expect(worked.length).toBeGreaterThan(10)
  expect(worked.every((ms) => ms > 0)).toBe(true)
})

test('while tickets come fast a run rests between its statements', async () => {
  const readRan = async () =>
    (await app.owner.selectFrom('auditor_state').select('ran_at').executeTakeFirstOrThrow()).ran_at!
  await placeTicket(await app.logIn('member01'), makeTicket(await openPeriod(app.owner)))
  const before = await readRan()
  let isOver = false
  // Ids that are drawn are tickets that come.
  const draw = async (): Promise<void> => {
    while (!isOver) await app.asOwner`select nextval('order_ids') from generate_series(1, 500)`
  }
  const drawing = draw()
  const startedAtMs = performance.now()
  // More than ten statements, with a quarter of a second after each.
  await runIntegrityCheck(auditor, { isStopping: () => performance.now() - startedAtMs > 2_000 })
  isOver = true
  await drawing
  expect(await readRan()).toEqual(before)
  expect(await runIntegrityCheck(auditor, { budgetMs: 0 })).toBe(true)
  expect(await readRan()).not.toEqual(before)
})

test('a quota that is lowered below what was accepted breaks nothing; more accepted after that does', async () => {
  const member = await app.logIn('member01')
  const period_code = await openPeriod(app.owner)
  const { order_id } = await placeTicket(member, makeTicket(period_code, { items: [makeLine('3top', '777', 90)] }))
  await limitNumbers(app.db, '3top', 5_000, 0)
  await app.asOwner`update accounts set overdraft_satang = overdraft_satang where user_id = ${member_id}`
  expect(await findViolatedInvariants(app.owner)).toEqual({})
  expect(await checkChanges(auditor)).toEqual({ broken: [], whole: [] })
  // As if it had been accepted under the lower quota.
  const moveTicket = (sign: 1 | -1) =>
    changeByHand(
      app.owner,
      sql`update orders set placed_at = placed_at + ${sql.lit(sign)} * interval '10 minutes' where order_id = ${order_id}`,
    )
  await moveTicket(1)
  const { quota_not_oversold } = await findViolatedInvariants(app.owner)
  expect(quota_not_oversold).toMatchObject([{ bet: '3top 777', stored: 9_000, computed: 5_000 }])
  await moveTicket(-1)
  expect(await findViolatedInvariants(app.owner)).toEqual({})
  await limitNumbers(app.db, '3top', 10_000, 0)
})

test('the console shows what is broken, with the figures, to those of the office who watch the day', async () => {
  await changeByHand(
    app.owner,
    sql`update ${sql.raw('accounts')} set balance_satang = balance_satang + 5 where ${ofCash()}`,
  )
  await checkChanges(auditor)
  const { json } = await (await app.logIn('office01')).get('/api/invariants/breaks')
  const shown = json.data.find(({ whole_at }) => whole_at === null)!
  expect(shown).toMatchObject({ invariant: 'balance_follows_mark', unit: 'satang', record_count: 1 })
  expect(shown.findings[0]!.stored! - shown.findings[0]!.computed!).toBe(5)
  expect(shown.name_th).not.toBe(shown.name_en)
  await app.asOwner`update users set office_role = 'operations' where username = 'office02'`
  const { json: masked } = await (await app.logIn('office02')).get('/api/invariants/breaks')
  const hidden = masked.data.find(({ whole_at }) => whole_at === null)!.findings[0]!
  expect(hidden).toMatchObject({ user_id: null, stored: null, computed: null })
  await app.asOwner`update users set office_role = 'owner' where username = 'office02'`
  await changeByHand(app.owner, sql`update accounts set balance_satang = balance_satang - 5 where ${ofCash()}`)
  await checkChanges(auditor)
  const after = await (await app.logIn('office01')).get('/api/invariants/breaks')
  expect(after.json.data.filter(({ whole_at }) => whole_at === null)).toEqual([])
  expect(after.json.ran_at).not.toBeNull()
})
