// Goal: the log-in of the application decides nothing of two people without rows of the audit log, and never in the name of somebody who is
// not of the office.

import { closeEarly } from '../../../test/changes.ts'
import { hireAssistant } from '../../../test/staff.ts'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
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
import type { Tx } from '../../postgres/db.ts'
import { writeAudit } from '../audit/index.ts'
import { getPeriodRecord } from '../../markets/index.ts'

const { app } = await startTwoPeople()
const assistant = { username: 'agenthelper', display_name: 'of an agent', password: FIRST_PASSWORD }
await hireAssistant(app.db, await findCaller(app.db, 'agent01'), { ...assistant, areas: ['tickets'] })
const member = await app.logIn('member01')
const idOf = async (username: string) => (await findCaller(app.db, username)).user_id
const names: Record<'office' | 'other' | 'third' | 'member' | 'agent' | 'company' | 'assistant', number> = {
  office: await idOf('office01'),
  other: await idOf('office02'),
  third: await idOf('operations01'),
  member: await idOf('member02'),
  agent: await idOf('agent01'),
  company: await idOf('company'),
  assistant: await idOf('agenthelper'),
}

/** How what one person has begun is removed, before or after it is decided. */
interface Removal {
  remove: (tx: Tx) => Promise<unknown>
  removed: string
}

/** A decision of two people, as statements of the application's log-in. */
interface Decision {
  begin: (tx: Tx, by: number) => Promise<unknown>
  decide: (tx: Tx, by: number) => Promise<unknown>
  /** The row of the audit log that the service writes for each step. */
  subject: () => string
  begun: string
  decided: string
}

async function closedWithTicket(): Promise<{ period_code: string; period_id: number; order_id: number }> {
  const period_code = await openPeriod(app.owner)
  const { order_id } = await placeTicket(member, ticketOn(period_code, [['123', 10]]))
  await closeEarly(app.db, period_code)
  await holdDraw(app.owner, period_code)
  return { period_code, order_id, period_id: (await getPeriodRecord(app.db, period_code)).period_id }
}

const result = makeResult('123')
const another = makeResult('456')

async function award(): Promise<Decision & Removal> {
  const { period_code, period_id } = await closedWithTicket()
  return {
    subject: () => `period:${period_code}`,
    begin: (tx, by) =>
      sql`insert into awards (period_id, state, result, entered_by)
        values (${period_id}, 'entered', ${JSON.stringify(result)}::jsonb, ${by})`.execute(tx),
    decide: async (tx, by) => {
      await sql`update awards set state = 'agreed', repeated_by = ${by}, repeated_result = result, repeated_at = clock_timestamp()
        where period_id = ${period_id}`.execute(tx)
      await sql`update periods set outcome = 'settling' where period_id = ${period_id}`.execute(tx)
    },
    begun: 'award_entered',
    decided: 'award_agreed',
    remove: (tx) => sql`delete from awards where period_id = ${period_id}`.execute(tx),
    removed: 'award_reset',
  }
}

async function lockedAward(): Promise<Decision> {
  const made = await award()
  return {
    ...made,
    decide: (tx, by) =>
      sql`update awards set state = 'locked', repeated_by = ${by}, repeated_result = ${JSON.stringify(another)}::jsonb,
        repeated_at = clock_timestamp() where ${made.subject()} =
        (select 'period:' || period_code from periods where periods.period_id = awards.period_id)`.execute(tx),
    decided: 'award_locked',
  }
}

async function correction(): Promise<Decision & Removal> {
  const period_code = await openPeriod(app.owner)
  await settleWith(app, period_code, result)
  const { period_id } = await getPeriodRecord(app.db, period_code)
  return {
    subject: () => `period:${period_code}`,
    begin: (tx, by) =>
      sql`insert into award_corrections (period_id, round, old_result, new_result, reason, entered_by)
        select period_id, 1, result, ${JSON.stringify(another)}::jsonb, 'made up', ${by} from awards
        where period_id = ${period_id}`.execute(tx),
    decide: (tx, by) =>
      sql`update award_corrections set state = 'agreed', repeated_by = ${by}, repeated_result = new_result
        where period_id = ${period_id}`.execute(tx),
    begun: 'award_correction_entered',
    decided: 'award_correction_agreed',
    remove: (tx) => sql`delete from award_corrections where period_id = ${period_id}`.execute(tx),
    removed: 'award_correction_reset',
  }
}

async function proposal(): Promise<Decision> {
  let approval_id = 0
  const state_after = { office_role: 'finance' }
  const payload = { user_id: names.third, ...state_after }
  return {
    subject: () => `approval:${approval_id}`,
    begin: async (tx, by) => {
      const { rows } = await sql<{ approval_id: number }>`
        insert into approvals (kind, payload, subject, state_after, figures, reason, proposed_by)
        values ('change_office_role', ${JSON.stringify(payload)}::jsonb, ${`user:${names.third}`},
          ${JSON.stringify(state_after)}::jsonb, '{}', 'made up', ${by}) returning approval_id`.execute(tx)
      approval_id = rows[0]!.approval_id
    },
    decide: (tx, by) =>
      sql`update approvals set state = 'executed', decided_by = ${by} where approval_id = ${approval_id}`.execute(tx),
    begun: 'propose_approval',
    decided: 'approve_approval',
  }
}

const unaudited = { constraint: 'changes_are_audited' }

/** Runs statements of the application's log-in, and writes an audit row with them. */
const runWith = (statements: (tx: Tx) => Promise<unknown>, row: { subject: () => string; action: string } | null) =>
  app.db.transaction().execute(async (tx) => {
    await statements(tx)
    if (row) await writeAudit(tx, { actor_id: names.office, action: row.action, subject: row.subject() })
  })

// Defect: the log-in of the application settled, voided and approved in the names of any two users, members too, without a row of the
// audit log, and every invariant held.
test.each<[string, () => Promise<Decision>]>([
  ['a result', award],
  ['a result that differs', lockedAward],
  ['a correction', correction],
  ['a proposal', proposal],
])('%s is begun and decided by two of the office, with a row of the audit log each', async (_name, make) => {
  const decision = await make()
  const begin = (by: number, isAudited = true) =>
    runWith((tx) => decision.begin(tx, by), isAudited ? { ...decision, action: decision.begun } : null)
  const decide = (by: number, isAudited = true) =>
    runWith((tx) => decision.decide(tx, by), isAudited ? { ...decision, action: decision.decided } : null)
  const suspended = names.third
  await app.asOwner`update users set own_status = 'SUSPENDED' where user_id = ${suspended}`
  const others = [names.member, names.agent, names.assistant, names.company, suspended]
  const ofOffice = { constraint: 'office_decides' }
  await expect(begin(names.office, false)).rejects.toMatchObject(unaudited)
  for (const by of others) await expect(begin(by)).rejects.toMatchObject(ofOffice)
  await begin(names.office)
  await expect(decide(names.other, false)).rejects.toMatchObject(unaudited)
  for (const by of others) await expect(decide(by)).rejects.toMatchObject(ofOffice)
  await expect(decide(names.office)).rejects.toMatchObject({ constraint: expect.stringContaining('two_people') })
  await decide(names.other)
  await app.asOwner`update users set own_status = 'NORMAL' where user_id = ${suspended}`
})

// Defect: the log-in of the application removed what one person had entered or requested, and no row of the audit log said so.
test.each<[string, () => Promise<Decision & Removal>]>([
  ['a result', award],
  ['a correction', correction],
])('%s is removed with a row of the audit log', async (_name, make) => {
  const { begin, begun, remove, removed, subject } = await make()
  await runWith((tx) => begin(tx, names.office), { subject, action: begun })
  await expect(runWith(remove, null)).rejects.toMatchObject(unaudited)
  await runWith(remove, { subject, action: removed })
})

describe('what one person has entered', () => {
  type Entries = 'awards' | 'award_corrections'
  const makes = { awards: award, award_corrections: correction }
  const third = makeResult('789')

  /** Enters it, and gives how the same period's entry is changed. */
  async function enter(table: Entries) {
    const { begin, begun, decided, subject } = await makes[table]()
    await runWith((tx) => begin(tx, names.office), { subject, action: begun })
    return (columns: string) =>
      runWith(
        (tx) =>
          sql`update ${sql.table(table)} set ${sql.raw(columns)} where period_id =
            (select period_id from periods where 'period:' || period_code = ${subject()})`.execute(tx),
        { subject, action: decided },
      )
  }
  const asJson = (value: object) => `'${JSON.stringify(value)}'`

  // Defect: a second name and result were written beside the first, and exchanged, without a row of the audit log: the row was required
  // where the state changed.
  test.each(['awards', 'award_corrections'] as const)('is repeated in %s only where it is decided', async (table) => {
    const change = await enter(table)
    const refused = { constraint: expect.stringContaining('entered_are_not_repeated') }
    for (const columns of [
      `repeated_by = ${names.other}`,
      `repeated_result = ${asJson(another)}`,
      'repeated_at = clock_timestamp()',
    ])
      await expect(change(columns)).rejects.toMatchObject(refused)
  })

  test('is not inserted with a second name', async () => {
    const { period_id } = await closedWithTicket()
    const insert = (tx: Tx) =>
      sql`insert into awards (period_id, state, result, entered_by, repeated_by)
        values (${period_id}, 'entered', ${JSON.stringify(result)}::jsonb, ${names.office}, ${names.other})`.execute(tx)
    await expect(runWith(insert, null)).rejects.toMatchObject({
      constraint: 'awards_entered_are_not_repeated',
    })
  })

  // Defect: two entries that differ had no second name, and the audit row was of anybody.
  test.each(['awards', 'award_corrections'] as const)('is locked in %s by somebody', async (table) => {
    const change = await enter(table)
    await expect(change(`state = 'locked', repeated_result = ${asJson(third)}`)).rejects.toMatchObject({
      constraint: expect.stringContaining('locked_are_repeated'),
    })
  })

  // Defect: who had locked a correction, and with which result, was exchanged, and a locked one was agreed.
  test('stays as it is once its correction is locked', async () => {
    const change = await enter('award_corrections')
    await change(`state = 'locked', repeated_by = ${names.other}, repeated_result = ${asJson(third)}`)
    const refused = { code: '42501' }
    for (const columns of [
      `repeated_by = ${names.third}`,
      `repeated_result = ${asJson(result)}`,
      'repeated_at = clock_timestamp()',
      `state = 'entered', repeated_by = null, repeated_result = null`,
    ])
      await expect(change(columns)).rejects.toMatchObject(refused)
    await expect(change(`state = 'agreed', repeated_result = new_result`)).rejects.toMatchObject(refused)
  })

  // Defect: a correction, and a first result without a second one, was agreed although nobody had repeated its result.
  test.each(['awards', 'award_corrections'] as const)('is agreed in %s by the same result', async (table) => {
    const change = await enter(table)
    for (const repeated of ['null', asJson(third)])
      await expect(
        change(`state = 'agreed', repeated_by = ${names.other}, repeated_result = ${repeated}`),
      ).rejects.toMatchObject({ constraint: expect.stringContaining('agreed_are_repeated') })
  })
})

// Defect: a ticket was written without a net, and got one after the close; its repair then took the stake of a bet on a known result.
test('the application lowers no discount of a ticket that is confirmed', async () => {
  const { order_id } = await placeTicket(await app.logIn('member01'), makeTicket(await openPeriod(app.owner)))
  await expect(
    sql`update orders set discount_satang = discount_satang - 1 where order_id = ${order_id}`.execute(app.db),
  ).rejects.toMatchObject({ code: '42501', message: expect.stringContaining('what was staked') })
})
