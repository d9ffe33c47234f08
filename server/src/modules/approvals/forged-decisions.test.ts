// Goal: the log-in of the application decides nothing in the names of two people without their rows in the audit log, and never in the
// name of somebody who is not of the office.

import { sql } from 'kysely'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTwoPeople } from '../../../test/approvals.ts'
import { findCaller } from '../../../test/nodes.ts'
import {
  FIRST_PASSWORD,
  holdDraw,
  makeResult,
  makeTicket,
  openPeriod,
  placeTicket,
  settleWith,
  ticketOn,
} from '../../../test/scenes.ts'
import type { TestApp, TestCaller } from '../../../test/test-app.ts'
import type { Tx } from '../../platform/db.ts'
import { type AuditRecord, writeAudit } from '../audit/index.ts'
import { closePeriod, getPeriodRecord } from '../markets/index.ts'
import { createAssistant } from '../staff/index.ts'

let app: TestApp
let member: TestCaller
let names: Record<'office' | 'other' | 'third' | 'member' | 'agent' | 'company' | 'assistant', number>

beforeAll(async () => {
  ;({ app } = await startTwoPeople())
  const assistant = { username: 'agenthelper', display_name: 'of an agent', password: FIRST_PASSWORD }
  await createAssistant(app.db, await findCaller(app.db, 'agent01'), { ...assistant, areas: ['tickets'] })
  member = await app.logIn('member01')
  const idOf = async (username: string) => (await findCaller(app.db, username)).user_id
  names = {
    office: await idOf('office01'),
    other: await idOf('office02'),
    third: await idOf('operations01'),
    member: await idOf('member02'),
    agent: await idOf('agent01'),
    company: await idOf('company'),
    assistant: await idOf('agenthelper'),
  }
})

/** How what one person has begun is removed, before or after it is decided. */
interface Removal {
  remove: (tx: Tx) => Promise<unknown>
  /** What the service writes for it. */
  removed: (begun_by: number) => Omit<AuditRecord, 'actor_id'>
}

/** A decision of two people, as statements of the application's log-in. */
interface Decision {
  begin: (tx: Tx, by: number) => Promise<unknown>
  decide: (tx: Tx, by: number) => Promise<unknown>
  /** What the service writes for each step. */
  begun: () => Omit<AuditRecord, 'actor_id'>
  decided: (begun_by: number) => Omit<AuditRecord, 'actor_id'>
}

async function closedWithTicket(): Promise<{ period_code: string; period_id: number; order_id: number }> {
  const period_code = await openPeriod(app.owner)
  const { order_id } = await placeTicket(member, ticketOn(period_code, [['123', 10]]))
  await closePeriod(app.db, null, period_code, 'early')
  await holdDraw(app.owner, period_code)
  return { period_code, order_id, period_id: (await getPeriodRecord(app.db, period_code)).period_id }
}

const result = makeResult('123')
const another = makeResult('456')

/** @param stored the result that the statements write; the rows name `result` */
async function award(stored: object = result): Promise<Decision & Removal> {
  const { period_code, period_id } = await closedWithTicket()
  const subject = `period:${period_code}`
  return {
    begin: (tx, by) =>
      sql`insert into awards (period_id, state, result, entered_by)
        values (${period_id}, 'entered', ${JSON.stringify(stored)}::jsonb, ${by})`.execute(tx),
    decide: async (tx, by) => {
      await sql`update awards set state = 'agreed', repeated_by = ${by}, repeated_result = result, repeated_at = clock_timestamp()
        where period_id = ${period_id}`.execute(tx)
      await sql`update periods set outcome = 'settling' where period_id = ${period_id}`.execute(tx)
    },
    begun: () => ({ action: 'award_entered', subject, after: result }),
    decided: () => ({ action: 'award_agreed', subject, after: result }),
    remove: (tx) => sql`delete from awards where period_id = ${period_id}`.execute(tx),
    removed: (entered_by) => ({ action: 'award_reset', subject, before: { state: 'entered', result, entered_by } }),
  }
}

/** @param repeated the result that the statements write the second time; the rows name `another` */
async function lockedAward(repeated: object = another): Promise<Decision & Removal> {
  const { period_code, period_id } = await closedWithTicket()
  const subject = `period:${period_code}`
  return {
    begin: (tx, by) =>
      sql`insert into awards (period_id, state, result, entered_by)
        values (${period_id}, 'entered', ${JSON.stringify(result)}::jsonb, ${by})`.execute(tx),
    decide: (tx, by) =>
      sql`update awards set state = 'locked', repeated_by = ${by}, repeated_result = ${JSON.stringify(repeated)}::jsonb,
        repeated_at = clock_timestamp() where period_id = ${period_id}`.execute(tx),
    begun: () => ({ action: 'award_entered', subject, after: result }),
    decided: () => ({ action: 'award_locked', subject, after: another }),
    remove: (tx) => sql`delete from awards where period_id = ${period_id}`.execute(tx),
    removed: (entered_by) => ({ action: 'award_reset', subject, before: { state: 'locked', result, entered_by } }),
  }
}

/** @param stored the result that the statements write; the rows name `another` */
async function correction(stored: object = another): Promise<Decision & Removal> {
  const period_code = await openPeriod(app.owner)
  await settleWith(app, period_code, result)
  const { period_id } = await getPeriodRecord(app.db, period_code)
  const subject = `period:${period_code}`
  return {
    begin: (tx, by) =>
      sql`insert into award_corrections (period_id, round, old_result, new_result, reason, entered_by)
        select period_id, 1, result, ${JSON.stringify(stored)}::jsonb, 'made up', ${by} from awards
        where period_id = ${period_id}`.execute(tx),
    decide: (tx, by) =>
      sql`update award_corrections set state = 'agreed', repeated_by = ${by}, repeated_result = new_result
        where period_id = ${period_id}`.execute(tx),
    begun: () => ({ action: 'award_correction_entered', subject, before: result, after: another }),
    decided: () => ({ action: 'award_correction_agreed', subject, before: result, after: another }),
    remove: (tx) => sql`delete from award_corrections where period_id = ${period_id}`.execute(tx),
    removed: (entered_by) => ({
      ...{ action: 'award_correction_reset', subject },
      before: { state: 'entered', new_result: another, entered_by },
    }),
  }
}

async function periodVoid(): Promise<Decision & Removal> {
  const { period_code, period_id } = await closedWithTicket()
  const subject = `period:${period_code}`
  return {
    begin: (tx, by) =>
      sql`insert into period_voids (period_id, requested_by, reason) values (${period_id}, ${by}, 'made up')`.execute(
        tx,
      ),
    decide: async (tx, by) => {
      await sql`update period_voids set approved_by = ${by}, approved_at = clock_timestamp() where period_id = ${period_id}`.execute(
        tx,
      )
      await sql`update periods set outcome = 'voiding' where period_id = ${period_id}`.execute(tx)
    },
    begun: () => ({ action: 'request_period_void', subject }),
    decided: (requested_by) => ({ action: 'void_period', subject, after: { outcome: 'voiding', requested_by } }),
    remove: (tx) => sql`delete from period_voids where period_id = ${period_id}`.execute(tx),
    removed: (requested_by) => ({ action: 'reject_period_void', subject, before: { requested_by } }),
  }
}

async function orderVoid(): Promise<Decision & Removal> {
  const { order_id } = await closedWithTicket()
  const subject = `order:${order_id}`
  return {
    begin: (tx, by) =>
      sql`insert into void_requests (order_id, requested_by, reason) values (${order_id}, ${by}, 'made up')`.execute(
        tx,
      ),
    decide: (tx, by) =>
      sql`update void_requests set approved_by = ${by}, approved_at = clock_timestamp() where order_id = ${order_id}`.execute(
        tx,
      ),
    begun: () => ({ action: 'request_order_void', subject, after: { void_requested: true } }),
    decided: (requested_by) => ({ action: 'void_order', subject, after: { status: 'DELETED', requested_by } }),
    remove: (tx) => sql`delete from void_requests where order_id = ${order_id}`.execute(tx),
    removed: (requested_by) => ({ action: 'reject_order_void', subject, after: { requested_by } }),
  }
}

async function proposal(state: 'executed' | 'rejected'): Promise<Decision> {
  let approval_id = 0
  const about = { kind: 'grant_role', subject: `user:${names.third}` }
  const state_after = { office_role: 'finance' }
  const payload = { user_id: names.third, ...state_after }
  const after = { ...about, ...state_after, payload }
  const subject = () => `approval:${approval_id}`
  return {
    begin: async (tx, by) => {
      const { rows } = await sql<{ approval_id: number }>`
        insert into approvals (kind, payload, subject, state_after, figures, reason, proposed_by)
        values (${about.kind}, ${JSON.stringify(payload)}::jsonb, ${about.subject},
          ${JSON.stringify(state_after)}::jsonb, '{}', 'made up', ${by}) returning approval_id`.execute(tx)
      approval_id = rows[0]!.approval_id
    },
    decide: (tx, by) =>
      sql`update approvals set state = ${state}, decided_by = ${by} where approval_id = ${approval_id}`.execute(tx),
    begun: () => ({ action: 'propose_approval', subject: subject(), after }),
    decided: (proposed_by) =>
      state === 'executed'
        ? { action: 'approve_approval', subject: subject(), after: { ...after, proposed_by } }
        : { action: 'reject_approval', subject: subject(), after: { ...about, state } },
  }
}

// Defect: the log-in of the application settled, voided and approved in the names of any two users, members too, without a row of the
// audit log, and every invariant held.
describe.each<[string, string, () => Promise<Decision>]>([
  ['a result', 'results_are_audited', () => award()],
  ['a result that differs', 'results_are_audited', () => lockedAward()],
  ['a correction', 'results_are_audited', () => correction()],
  ['the void of a period', 'voids_are_audited', periodVoid],
  ['the void of a ticket', 'voids_are_audited', orderVoid],
  ['a proposal', 'approvals_are_audited', () => proposal('executed')],
])('%s', (_name, unaudited, make) => {
  const ofOffice = { constraint: 'office_decides' }
  let decision: Decision
  beforeEach(async () => {
    decision = await make()
  })
  afterEach(async () => {
    await sql`update users set own_status = 'NORMAL' where user_id = any(${Object.values(names)}::bigint[])`.execute(
      app.owner,
    )
  })

  /** @param row_of whose the audit row is; null: there is none */
  const begin = (by: number, row_of: number | null = by) =>
    app.db.transaction().execute(async (tx) => {
      await decision.begin(tx, by)
      if (row_of !== null) await writeAudit(tx, { ...decision.begun(), actor_id: row_of })
    })
  const decide = (by: number, row_of: number | null = by, changes: Partial<AuditRecord> = {}) =>
    app.db.transaction().execute(async (tx) => {
      await decision.decide(tx, by)
      if (row_of !== null) await writeAudit(tx, { ...decision.decided(names.office), actor_id: row_of, ...changes })
    })

  test('begins with the audit row of the one who begins it', async () => {
    await expect(begin(names.office, null)).rejects.toMatchObject({ constraint: unaudited })
    await expect(begin(names.office, names.third)).rejects.toMatchObject({ constraint: unaudited })
    await begin(names.office)
  })

  test('is decided with the audit row of the one who decides it, which says what is decided', async () => {
    await begin(names.office)
    const refused = { constraint: unaudited }
    await expect(decide(names.other, null)).rejects.toMatchObject(refused)
    await expect(decide(names.other, names.office)).rejects.toMatchObject(refused)
    await expect(decide(names.other, names.other, { after: { requested_by: 1 } })).rejects.toMatchObject(refused)
    await expect(decide(names.other, names.other, decision.begun())).rejects.toMatchObject(refused)
    await decide(names.other)
  })

  test.each(['member', 'agent', 'assistant', 'company'] as const)('is neither begun nor decided by %s', async (who) => {
    await expect(begin(names[who])).rejects.toMatchObject(ofOffice)
    await begin(names.office)
    await expect(decide(names[who])).rejects.toMatchObject(ofOffice)
  })

  test('is neither begun nor decided by a suspended office user', async () => {
    await sql`update users set own_status = 'SUSPENDED' where user_id = ${names.other}`.execute(app.owner)
    await expect(begin(names.other)).rejects.toMatchObject(ofOffice)
    await begin(names.office)
    await expect(decide(names.other)).rejects.toMatchObject(ofOffice)
  })
})

/** Runs statements of the application's log-in, and writes an audit row with them. */
const runWith = (
  statements: (tx: Tx) => Promise<unknown>,
  record: Omit<AuditRecord, 'actor_id'> | null,
  actor_id = names.third,
) =>
  app.db.transaction().execute(async (tx) => {
    await statements(tx)
    if (record) await writeAudit(tx, { ...record, actor_id })
  })

// Defect: the log-in of the application removed what one person had entered or requested, and no row of the audit log said so.
test.each<[string, string, () => Promise<Decision & Removal>]>([
  ['a result', 'results_are_audited', () => award()],
  ['a correction', 'results_are_audited', () => correction()],
  ['a request to void a period', 'voids_are_audited', periodVoid],
  ['a request to void a ticket', 'voids_are_audited', orderVoid],
])('%s is removed with an audit row that says whose it was', async (_name, constraint, make) => {
  const { begin, begun, remove, removed } = await make()
  await runWith((tx) => begin(tx, names.office), begun(), names.office)
  const refused = { constraint }
  await expect(runWith(remove, null)).rejects.toMatchObject(refused)
  await expect(runWith(remove, removed(names.other))).rejects.toMatchObject(refused)
  await expect(runWith(remove, begun())).rejects.toMatchObject(refused)
  await expect(runWith(remove, { ...removed(names.office), subject: 'period:another' })).rejects.toMatchObject(refused)
  await runWith(remove, removed(names.office))
  // A row of an earlier transaction is no reason for another removal.
  await runWith((tx) => begin(tx, names.office), begun(), names.office)
  await expect(runWith(remove, null)).rejects.toMatchObject(refused)
})

test('a result that was locked is removed with an audit row that says so', async () => {
  const { begin, begun, decide, decided, remove, removed } = await lockedAward()
  await runWith((tx) => begin(tx, names.office), begun(), names.office)
  await runWith((tx) => decide(tx, names.other), decided(names.office), names.other)
  await expect(runWith(remove, null)).rejects.toMatchObject({ constraint: 'results_are_audited' })
  await runWith(remove, removed(names.office))
})

// Defect: the audit row named more than was stored: fewer numbers were agreed and paid than two people had signed, the bets on the others
// won nothing, and every invariant held.
describe('the result of an audit row is the one that is stored', () => {
  const refused = { constraint: 'results_are_audited' }
  /** A number comes twice in it, and the other one not at all. */
  const withTwice = (said: { front3?: readonly string[] }) => ({ ...said, front3: ['111', '111'] })
  const inAnotherOrder = (said: { front3?: readonly string[]; back3?: readonly string[] }) => ({
    ...said,
    front3: said.front3!.toReversed(),
    back3: said.back3!.toReversed(),
  })
  const cases: [string, typeof result, (stored: object) => Promise<Decision & Removal>, 'result' | 'new_result'][] = [
    ['a result', result, award, 'result'],
    ['a correction', another, correction, 'new_result'],
  ]

  test.each(cases)('where %s is entered and agreed', async (_name, said, make) => {
    const stored = withTwice(said)
    const { begin, begun, decide, decided } = await make(stored)
    const enter = (after: object) => runWith((tx) => begin(tx, names.office), { ...begun(), after }, names.office)
    const agree = (after: object) =>
      runWith((tx) => decide(tx, names.other), { ...decided(names.office), after }, names.other)
    for (const after of [said, { ...stored, front3: ['111'] }, { ...stored, other: '1' }, {}])
      await expect(enter(after)).rejects.toMatchObject(refused)
    await enter({ ...stored, salt: 'of the service' })
    for (const after of [said, { ...stored, front3: ['111', '111', '111'] }, {}])
      await expect(agree(after)).rejects.toMatchObject(refused)
    await agree(stored)
  })

  test.each(cases)('where %s has front and back numbers in another order', async (_name, said, make) => {
    const { begin, begun, decide, decided } = await make(inAnotherOrder(said))
    await runWith((tx) => begin(tx, names.office), begun(), names.office)
    const agreed = runWith((tx) => decide(tx, names.other), decided(names.office), names.other)
    await expect(agreed).resolves.toBeUndefined()
  })

  test.each(cases)('where %s is removed', async (_name, said, make, key) => {
    const stored = withTwice(said)
    const { begin, begun, remove, removed } = await make(stored)
    await runWith((tx) => begin(tx, names.office), { ...begun(), after: stored }, names.office)
    const { before, ...row } = removed(names.office)
    for (const named of [said, { ...stored, other: '1' }, {}])
      await expect(runWith(remove, { ...row, before: { ...before, [key]: named } })).rejects.toMatchObject(refused)
    await runWith(remove, { ...row, before: { ...before, [key]: stored, salt: 'of the service' } })
  })

  test('where a second one differs', async () => {
    const { begin, begun, decide, decided } = await lockedAward(withTwice(another))
    await runWith((tx) => begin(tx, names.office), begun(), names.office)
    const lock = (after: object) =>
      runWith((tx) => decide(tx, names.other), { ...decided(names.office), after }, names.other)
    await expect(lock(another)).rejects.toMatchObject(refused)
    await lock(withTwice(another))
  })

  // Defect: the row of a correction named another result than the one that had been paid.
  test('where a correction replaces it', async () => {
    const { begin, begun, decide, decided } = await correction()
    const enter = (before: object | undefined) =>
      runWith((tx) => begin(tx, names.office), { ...begun(), before: before! }, names.office)
    const agree = (before: object | undefined) =>
      runWith((tx) => decide(tx, names.other), { ...decided(names.office), before: before! }, names.other)
    for (const before of [makeResult('789'), {}, undefined]) await expect(enter(before)).rejects.toMatchObject(refused)
    await enter(result)
    for (const before of [makeResult('789'), {}, undefined]) await expect(agree(before)).rejects.toMatchObject(refused)
    await agree(result)
  })
})

test.each([
  ['period', periodVoid],
  ['ticket', orderVoid],
])('a request to void a %s is replaced with an audit row that says whose it was', async (_name, make) => {
  const { begin, begun, remove } = await make()
  await runWith((tx) => begin(tx, names.office), begun(), names.office)
  const replace = async (tx: Tx) => {
    await remove(tx)
    await begin(tx, names.other)
  }
  const next = (requested_by: number) => ({ ...begun(), before: { requested_by } })
  const refused = { constraint: 'voids_are_audited' }
  await expect(runWith(replace, begun(), names.other)).rejects.toMatchObject(refused)
  await expect(runWith(replace, next(names.other), names.other)).rejects.toMatchObject(refused)
  await runWith(replace, next(names.office), names.other)
})

describe('what one person has entered', () => {
  type Entries = 'awards' | 'award_corrections'
  const makes = { awards: award, award_corrections: correction }
  const third = makeResult('789')

  /** Enters it, and gives how the same period's entry is changed. */
  async function enter(table: Entries) {
    const { begin, begun, decided } = await makes[table]()
    await runWith((tx) => begin(tx, names.office), begun(), names.office)
    const change = (columns: string, record: Omit<AuditRecord, 'actor_id'> | null = null, by = names.other) =>
      runWith(
        (tx) =>
          sql`update ${sql.table(table)} set ${sql.raw(columns)} where period_id =
            (select period_id from periods where 'period:' || period_code = ${begun().subject})`.execute(tx),
        record,
        by,
      )
    return { change, entered: begun(), agreed: decided(names.office) }
  }
  const asJson = (value: object) => `'${JSON.stringify(value)}'`

  // Defect: a second name and result were written beside the first, and exchanged, without a row of the audit log: the row was required
  // where the state changed.
  test.each(['awards', 'award_corrections'] as const)('is repeated in %s only where it is decided', async (table) => {
    const { change } = await enter(table)
    const refused = { constraint: expect.stringContaining('entered_are_not_repeated') }
    for (const columns of [
      `repeated_by = ${names.other}`,
      `repeated_result = ${asJson(another)}`,
      'repeated_at = clock_timestamp()',
    ])
      await expect(change(columns)).rejects.toMatchObject(refused)
  })

  test('is not inserted with a second name', async () => {
    const { period_id, period_code } = await closedWithTicket()
    const insert = (tx: Tx) =>
      sql`insert into awards (period_id, state, result, entered_by, repeated_by)
        values (${period_id}, 'entered', ${JSON.stringify(result)}::jsonb, ${names.office}, ${names.other})`.execute(tx)
    const entered = { action: 'award_entered', subject: `period:${period_code}`, after: result }
    await expect(runWith(insert, entered, names.office)).rejects.toMatchObject({
      constraint: 'awards_entered_are_not_repeated',
    })
  })

  // Defect: two entries that differ had no second name, and the audit row was of anybody.
  test.each([
    ['awards', 'award_locked'],
    ['award_corrections', 'award_correction_locked'],
  ] as const)('is locked in %s by somebody', async (table, action) => {
    const { change, agreed } = await enter(table)
    await expect(
      change(`state = 'locked', repeated_result = ${asJson(third)}`, { ...agreed, action, after: third }),
    ).rejects.toMatchObject({ constraint: expect.stringContaining('locked_are_repeated') })
  })

  // Defect: who had locked a correction, and with which result, was exchanged, and a locked one was agreed.
  test('stays as it is once its correction is locked', async () => {
    const { change, agreed, entered } = await enter('award_corrections')
    const locked = { ...agreed, action: 'award_correction_locked', after: third }
    await change(`state = 'locked', repeated_by = ${names.other}, repeated_result = ${asJson(third)}`, locked)
    const refused = { code: '42501' }
    for (const columns of [
      `repeated_by = ${names.third}`,
      `repeated_result = ${asJson(result)}`,
      'repeated_at = clock_timestamp()',
      `state = 'entered', repeated_by = null, repeated_result = null`,
    ])
      await expect(change(columns, entered, names.office)).rejects.toMatchObject(refused)
    await expect(change(`state = 'agreed', repeated_result = new_result`, agreed)).rejects.toMatchObject(refused)
  })

  // Defect: a correction, and a first result without a second one, was agreed although nobody had repeated its result.
  test.each(['awards', 'award_corrections'] as const)('is agreed in %s by the same result', async (table) => {
    const { change, agreed } = await enter(table)
    for (const repeated of ['null', asJson(third)])
      await expect(
        change(`state = 'agreed', repeated_by = ${names.other}, repeated_result = ${repeated}`, agreed),
      ).rejects.toMatchObject({ constraint: expect.stringContaining('agreed_are_repeated') })
  })
})

test('a proposal is rejected with the audit row of the one who rejects it', async () => {
  const { begin, decide, begun, decided } = await proposal('rejected')
  await app.db.transaction().execute(async (tx) => {
    await begin(tx, names.office)
    await writeAudit(tx, { ...begun(), actor_id: names.office })
  })
  const reject = (row_of: number) =>
    app.db.transaction().execute(async (tx) => {
      await decide(tx, names.other)
      await writeAudit(tx, { ...decided(names.office), actor_id: row_of })
    })
  await expect(reject(names.third)).rejects.toMatchObject({ constraint: 'approvals_are_audited' })
  await reject(names.other)
})

// Defect: the audit log named the user and the role of the row, and the database granted what its payload named.
test.each([
  ['another user', { user_id: 'other' as const, office_role: 'finance' }, 'approvals_name_their_subject'],
  ['another role', { user_id: 'third' as const, office_role: 'owner' }, 'approvals_name_their_role'],
])('a proposal for %s than it shows is refused', async (_name, { user_id, office_role }, constraint) => {
  const payload = JSON.stringify({ user_id: names[user_id], office_role })
  await expect(
    sql`insert into approvals (kind, payload, subject, state_after, figures, reason, proposed_by)
      values ('grant_role', ${payload}::jsonb, ${`user:${names.third}`}, '{"office_role":"finance"}', '{}', 'made up', ${names.office})`.execute(
      app.db,
    ),
  ).rejects.toMatchObject({ constraint })
})

// Defect: a ticket was written without a net, and got one after the close; its repair then took the stake of a bet on a known result.
test('the application lowers no discount of a ticket that is confirmed', async () => {
  const { order_id } = await placeTicket(await app.logIn('member01'), makeTicket(await openPeriod(app.owner)))
  await expect(
    sql`update orders set discount_satang = discount_satang - 1 where order_id = ${order_id}`.execute(app.db),
  ).rejects.toMatchObject({ code: '42501', message: expect.stringContaining('what was staked') })
})
