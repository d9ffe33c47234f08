// Goal: an erased person is found nowhere in the database, and money, tickets and the audit chain are as before.

import { type RawBuilder, sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { approve, mustPropose, propose, startTwoPeople } from '../../../test/approvals.ts'
import { findViolatedInvariants } from '../../../test/invariants.ts'
import { findCaller } from '../../../test/nodes.ts'
import {
  addAssistant,
  addPerson,
  codeOf,
  makeTicket,
  makeResult,
  openPeriod,
  placeTicket,
  settleWith,
} from '../../../test/scenes.ts'
import { changeAs } from '../../../test/changes.ts'
import type { TestApp, TestCaller } from '../../../test/test-app.ts'
import { verifyAuditChain, writeAudit } from '../../changes/audit/index.ts'
import { changeUserStatus } from '../accounts/index.ts'
import { changeDisplayNames } from '../people/index.ts'
import { erasePerson } from './erase-person.ts'
import { personalTables } from './personal-columns.ts'

let app: TestApp
let first: TestCaller
let second: TestCaller
let helper: TestCaller
let office_id: number
let support: number

beforeAll(async () => {
  ;({ app, first, second, helper, support } = await startTwoPeople())
  office_id = (await findCaller(app.db, 'office01')).user_id
})

/** Strings that are only about this person. */
const planted = [
  'somchai0812',
  'Somchai Plainname',
  'Somchai Newname',
  '0899999999',
  'somchai@plain.example',
  'for Malee',
]
const plantedAddress = '203.0.113.77'

const close = (user_id: number) =>
  changeAs(app.db, office_id, changeUserStatus, { user_id, own_status: 'SUSPENDED', reason: 'Somchai Plainname wrote' })

/** A member with a history: a name that changed, contacts, log-ins, and a decided ticket. */
async function addMemberWithHistory(): Promise<number> {
  const user_id = await addPerson(app.db, 'somchai0812', 'member', 'agent01', 5_000_000)
  const rename = (display_name: string) =>
    changeAs(app.db, office_id, changeDisplayNames, { rows: [{ user_id, display_name }], reason: 'asked for' })
  await rename('Somchai Plainname')
  await rename('Somchai Newname')
  await sql`
    update users set phone = '0899999999', email = 'somchai@plain.example', email_verified_at = now()
    where user_id = ${user_id}`.execute(app.owner)
  await sql`insert into email_links (user_id, email) values (${user_id}, 'somchai@plain.example')`.execute(app.owner)
  await sql`insert into email_notices (user_id, email) values (${user_id}, 'somchai@plain.example')`.execute(app.owner)
  await sql`insert into recovery_requests (identifier) values ('somchai0812')`.execute(app.owner)
  const member = await app.logIn('somchai0812')
  await sql`update sessions set address = ${plantedAddress}, user_agent = 'Somchai Newname' where user_id = ${user_id}`.execute(
    app.owner,
  )
  await sql`
    select write_audit(jsonb_build_array(jsonb_build_object('actor_id', ${user_id}::bigint, 'address', ${plantedAddress}::text,
      'action', 'log_in', 'subject', ${`user:${user_id}`}::text)))`.execute(app.owner)
  const period_code = await openPeriod(app.owner)
  await placeTicket(member, makeTicket(period_code, { note: 'for Malee' }))
  await settleWith(app, period_code, makeResult('111'))
  return user_id
}

/** A row of each table of which erasing deletes a person's rows. */
async function addRowsToDelete(user_id: number): Promise<void> {
  for (const row of [
    "agent_contacts (user_id, name) values (:person, 'a')",
    "contact_notes (user_id, note) values (:person, 'a')",
    "saved_views (user_id, page, name, search) values (:person, 'people', 'a', '')",
    "own_entries (user_id, list, name) values (:person, 'favourite_markets', 'lao-vip')",
    `payment_slips (payment_id, content_type, image, added_by)
      select payment_id, 'image/png', 'a', recorded_by from payments where child_id = :person limit 1`,
    "second_factors (user_id, kind, name, secret, last_step) values (:person, 'totp', 'a', 'a', 1)",
    "recovery_codes (user_id, code_hash) values (:person, 'a')",
    "recovery_links (user_id, token_hash, expires_at) values (:person, 'a', now())",
    'password_requests (user_id) values (:person)',
    `factor_challenges (session_id, purpose, content, expires_at)
      select session_id, 'enrol_totp', 'a', now() from sessions where user_id = :person`,
    `push_subscriptions (user_id, session_id, endpoint, p256dh, auth, language)
      select user_id, max(session_id), 'https://fcm.googleapis.com/a', 'a', 'a', 'th' from sessions
      where user_id = :person group by user_id`,
    `pushes (subscription_id, kind, subject_id) select subscription_id, 'result', 1 from push_subscriptions
      where user_id = :person`,
    `report_files (user_id, principal_id, request_id, content_hash, request, filename)
      values (:person, :person, 'a', 'a', '{}', 'a')`,
    "idempotent_requests (actor_id, request_id, content_hash) values (:person, 'a', 'a')",
  ])
    await sql.raw(`insert into ${row.replaceAll(':person', `${user_id}`)}`).execute(app.owner)
}

/** The tables of which erasing deletes a person's rows, with how many there are. */
async function countRowsToDelete(user_id: number): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const [name, { erased, rows = 'user_id = :person' }] of Object.entries(personalTables)) {
    if (erased !== 'rows') continue
    const found = await sql
      .raw(`select from ${name} where ${rows.replaceAll(':person', `${user_id}`)}`)
      .execute(app.owner)
    counts[name] = found.rows.length
  }
  return counts
}

/** Brings the balance of a person to nothing by a payment. */
async function settleBalance(user_id: number): Promise<void> {
  await sql`
    insert into payments (child_id, parent_id, kind, amount_satang, balance_after_satang, method, day, holder_id, recorded_by)
    select child_id, parent_id, 'payment', -balance_satang, 0, 'cash', current_date, parent_id, parent_id
    from edges join users on user_id = child_id where child_id = ${user_id} and balance_satang <> 0`.execute(app.owner)
}

/** Where texts are found, as `table.column`, in all columns of all tables. */
async function findEverywhere(texts: readonly string[]): Promise<string[]> {
  const { rows: columns } = await sql<{ name: string; column: string }>`
    select table_name as name, column_name as column from information_schema.columns
      join information_schema.tables using (table_schema, table_name)
    where table_schema = 'public' and table_type = 'BASE TABLE'
      and data_type in ('text', 'jsonb', 'json', 'ARRAY', 'bytea', 'character varying')`.execute(app.owner)
  const found: string[] = []
  for (const { name, column } of columns) {
    const matches = texts.map((text) => sql`position(lower(${text}) in lower(${sql.ref(column)}::text)) > 0`)
    const { rows } = await sql`
      select from ${sql.table(name)} where ${sql.join(matches, sql` or `)} limit 1`.execute(app.owner)
    if (rows.length > 0) found.push(`${name}.${column}`)
  }
  return found.toSorted()
}

async function readMoney(): Promise<unknown> {
  const { rows } = await sql`
    select (select json_agg(a order by account_id) from accounts a) as accounts,
      (select json_agg(e order by entry_id) from entries e) as entries,
      (select json_agg(to_jsonb(o) - 'note' order by order_id) from orders o) as orders,
      (select json_agg(i order by order_id, line_no) from order_items i) as items,
      (select json_agg(json_build_array(chain_no, encode(hash, 'hex')) order by chain_no) from audit_log) as chain`.execute(
    app.owner,
  )
  return rows[0]
}

describe('erasing', () => {
  test('leaves no text of the person anywhere, and money, tickets and chain whole', async () => {
    const user_id = await addMemberWithHistory()
    await settleBalance(user_id)
    await close(user_id)
    await addRowsToDelete(user_id)
    const approval = await mustPropose(first, 'erase_person', { user_id })
    expect(Object.entries(await countRowsToDelete(user_id)).filter(([, count]) => count === 0)).toEqual([])
    expect((await findEverywhere(planted)).length).toBeGreaterThan(7)
    const before = (await readMoney()) as { chain: unknown[] }
    const violated = await findViolatedInvariants(app.owner)
    expect(codeOf(await approve(second, approval))).toBe('ok')
    expect(Object.entries(await countRowsToDelete(user_id)).filter(([, count]) => count > 0)).toEqual([])
    // The outcomes of others' calls go after 30 days.
    const kept = ['idempotent_requests.outcome']
    expect((await findEverywhere(planted)).filter((name) => !kept.includes(name))).toEqual([])
    expect(await findEverywhere([plantedAddress])).toEqual([])
    const after = (await readMoney()) as { chain: unknown[] }
    expect({ ...after, chain: after.chain.slice(0, before.chain.length) }).toEqual(before)
    expect((await verifyAuditChain(app.db)).problems).toEqual([])
    expect(await findViolatedInvariants(app.owner)).toEqual(violated)
    const { rows } = await sql<{ username: string }>`
      select username, display_name, phone, email from users where user_id = ${user_id}`.execute(app.owner)
    expect(rows).toEqual([{ username: `erased${user_id}`, display_name: `erased${user_id}`, phone: null, email: null }])
    expect(codeOf(await propose(first, 'erase_person', { user_id }))).toBe('person_erased')
  })

  test('keeps amounts in the audit log', async () => {
    const { rows } = await sql<{ count: number }>`
      select count(*) from audit_log where action = 'change_status' and after ->> 'own_status' = 'SUSPENDED'
        and reason is null`.execute(app.owner)
    expect(rows[0]!.count).toBeGreaterThan(0)
  })
})

describe('is refused', () => {
  const refusal = async (user_id: number) => codeOf(await propose(first, 'erase_person', { user_id }))
  const newMember = (name: string) => addPerson(app.db, name, 'member', 'agent01', 1_000_000)

  test('for a person who is not suspended', async () => {
    expect(await refusal(await newMember('opened1'))).toBe('person_not_closed')
  })

  test('for a person with a balance', async () => {
    const user_id = await newMember('debtor1')
    const period_code = await openPeriod(app.owner)
    await placeTicket(await app.logIn('debtor1'), makeTicket(period_code))
    await settleWith(app, period_code, makeResult('111'))
    await close(user_id)
    expect(await refusal(user_id)).toBe('person_with_money')
  })

  test('for a person with tickets of an open period', async () => {
    const user_id = await newMember('bettor1')
    await placeTicket(await app.logIn('bettor1'), makeTicket(await openPeriod(app.owner)))
    await settleBalance(user_id)
    await close(user_id)
    expect(await refusal(user_id)).toBe('person_with_open_tickets')
  })

  test('for a person with tickets of a period that is still being paid or refunded', async () => {
    const user_id = await newMember('bettor2')
    const period_code = await openPeriod(app.owner)
    await placeTicket(await app.logIn('bettor2'), makeTicket(period_code))
    await settleWith(app, period_code, makeResult('111'))
    await settleBalance(user_id)
    await close(user_id)
    const period = sql`(select period_id from periods where period_code = ${period_code})`
    const writeAsOwner = (statement: RawBuilder<unknown>) =>
      app.owner.transaction().execute(async (tx) => {
        await sql`set local session_replication_role = replica`.execute(tx)
        await statement.execute(tx)
      })
    await writeAsOwner(sql`update settlements set finished_at = null where period_id = ${period}`)
    expect(await refusal(user_id)).toBe('person_with_open_tickets')
    await writeAsOwner(sql`update settlements set finished_at = now() where period_id = ${period}`)
    await writeAsOwner(sql`insert into period_voids (period_id, approval_id) values (${period}, 0)`)
    expect(await refusal(user_id)).toBe('person_with_open_tickets')
    await writeAsOwner(sql`delete from period_voids where period_id = ${period}`)
    const proposed = await propose(first, 'erase_person', { user_id })
    expect(codeOf(proposed)).toBe('ok')
    expect(await refusal(user_id)).toBe('already_proposed')
  })

  test('for a person with others below', async () => {
    const agent_id = await addPerson(app.db, 'shop9', 'agent', 'company', 5_000_000)
    await addPerson(app.db, 'below9', 'member', 'shop9')
    await close(agent_id)
    expect(await refusal(agent_id)).toBe('person_with_downline')
  })

  test('for a person with an assistant', async () => {
    const agent_id = await addPerson(app.db, 'shop8', 'agent', 'company', 5_000_000)
    await addAssistant(app, 'shop8', ['people'], 'clerk8')
    await close(agent_id)
    expect(await refusal(agent_id)).toBe('person_with_downline')
  })

  test('for a person who is self-excluded', async () => {
    const user_id = await newMember('excluded1')
    await sql`
      insert into play_breaks (user_id, kind, until_at) values (${user_id}, 'self_exclusion', now() + interval '1 year')`.execute(
      app.owner,
    )
    await close(user_id)
    expect(await refusal(user_id)).toBe('person_excluded')
  })

  test('for office users and the company, and to the proposer and its assistant as second person', async () => {
    expect(await refusal(office_id)).toBe('not_allowed')
    expect(await refusal((await findCaller(app.db, 'company')).user_id)).toBe('not_allowed')
    const user_id = await newMember('closed9')
    await close(user_id)
    const approval = await mustPropose(first, 'erase_person', { user_id })
    for (const same of [first, helper]) expect(codeOf(await approve(same, approval))).toBe('approval_same_person')
  })

  test('to assistants who may not change people, as either person', async () => {
    const user_id = await newMember('closed8')
    await close(user_id)
    const proposer = await addAssistant(app, 'office01', ['staff', 'people'], 'clerk8a')
    const approver = await addAssistant(app, 'office02', ['staff'], 'clerk8b')
    expect(codeOf(await propose(approver, 'erase_person', { user_id }))).toBe('more_than_own')
    const approval = await mustPropose(proposer, 'erase_person', { user_id })
    expect(codeOf(await approve(approver, approval))).toBe('more_than_own')
    await app.asOwner`update users set assistant_areas = '{staff}' where username = 'clerk8a'`
    expect(codeOf(await approve(second, approval))).toBe('approval_outdated')
  })

  test('to one person, by the database too', async () => {
    const user_id = await newMember('direct9')
    await close(user_id)
    await expect(changeAs(app.db, office_id, erasePerson, { user_id })).rejects.toMatchObject({
      code: 'approval_needed',
    })
    await expect(sql`select erase_person(${user_id})`.execute(app.db)).rejects.toThrow('two people')
    for (const db of [app.db, app.owner])
      await expect(
        sql`update audit_log set reason = null where subject = ${`user:${user_id}`} and reason is not null`.execute(db),
      ).rejects.toThrow(/append-only|permission denied/)
  })

  test('by the database, for office users and people who are not closed, with a forged approval', async () => {
    const open_id = await newMember('open9')
    await app.asOwner`update users set own_status = 'SUSPENDED' where user_id = ${support}`
    for (const user_id of [support, open_id]) {
      const forged = app.db.transaction().execute(async (tx) => {
        const { rows } = await sql<{ approval_id: number }>`
          insert into approvals (kind, payload, subject, state_after, figures, reason, proposed_by)
          values ('erase_person', ${JSON.stringify({ user_id })}::jsonb, ${`user:${user_id}`}, '{}', '{}', 'forged',
            ${first.user_id}) returning approval_id`.execute(tx)
        const { approval_id } = rows[0]!
        await writeAudit(tx, { actor_id: first.user_id, action: 'forge', subject: `approval:${approval_id}` })
        await sql`
          update approvals set state = 'executed', decided_by = ${second.user_id}
          where approval_id = ${approval_id}`.execute(tx)
        await sql`select erase_person(${user_id})`.execute(tx)
      })
      await expect(forged).rejects.toThrow('only closed customers')
    }
  })
})

test('in the transaction of an erasing, too, the log only loses contents', async () => {
  const user_id = await addPerson(app.db, 'rewritten9', 'member', 'agent01', 1_000_000)
  await close(user_id)
  for (const change of [sql`reason = 'another'`, sql`action = 'another', reason = null`])
    await expect(
      app.owner.transaction().execute(async (tx) => {
        await sql`
          insert into approvals (kind, payload, subject, state_after, figures, reason, proposed_by)
          values ('erase_person', '{}', ${`user:${user_id}`}, '{}', '{}', 'forged', ${first.user_id})`.execute(tx)
        await sql`
          update approvals set state = 'executed', decided_by = ${second.user_id}
          where subject = ${`user:${user_id}`}`.execute(tx)
        await sql`update audit_log set ${change} where subject = ${`user:${user_id}`} and reason is not null`.execute(
          tx,
        )
      }),
    ).rejects.toThrow('append-only')
})

describe('the verification of the audit log finds contents that are removed', () => {
  const allButAddress = sql`before = null, after = null, reason = null, salts = array[salts[1], null, null, null]::bytea[]`
  const remove = (where: RawBuilder<unknown>, contents = allButAddress) =>
    app.owner.transaction().execute(async (tx) => {
      await sql`alter table audit_log disable trigger append_only`.execute(tx)
      await sql`update audit_log set ${contents} where ${where}`.execute(tx)
      await sql`alter table audit_log enable trigger append_only`.execute(tx)
    })
  const write = (row: { actor_id: number; subject: string; action?: string; address?: string }) =>
    app.db.transaction().execute((tx) => writeAudit(tx, { action: 'test_act', reason: 'why', after: { a: 1 }, ...row }))

  test('of an office user, even if a row says that it was erased', async () => {
    await write({ actor_id: office_id, subject: `user:${office_id}` })
    await write({ actor_id: office_id, subject: `user:${office_id}`, action: 'erase_person' })
    await remove(sql`action = 'test_act' and actor_id = ${office_id}`)
    expect((await verifyAuditChain(app.db)).problems.map(({ kind }) => kind)).toEqual(['lost'])
  })

  test('of an erased person, after the erasing', async () => {
    const user_id = await addPerson(app.db, 'later9', 'member', 'agent01', 1_000_000)
    await write({ actor_id: office_id, subject: `user:${user_id}`, action: 'erase_person' })
    await write({ actor_id: office_id, subject: `user:${user_id}` })
    await remove(sql`action = 'test_act' and subject_user_id = ${user_id}`)
    expect((await verifyAuditChain(app.db)).problems.map(({ kind }) => kind)).toEqual(['lost', 'lost'])
  })

  test('of others: where they acted from, and the reason of what the erased person did to them', async () => {
    const before = (await verifyAuditChain(app.db)).problems.length
    const user_id = await addPerson(app.db, 'both9', 'member', 'agent01', 1_000_000)
    const act = { action: 'other_act', address: '10.9.9.9' }
    await write({ actor_id: office_id, subject: `user:${user_id}`, ...act })
    await write({ actor_id: user_id, subject: 'product:malay', ...act })
    await write({ actor_id: office_id, subject: `user:${user_id}`, action: 'erase_person' })
    await remove(sql`action = 'other_act' and actor_id = ${office_id}`, sql`address = null, salts[1] = null`)
    await remove(sql`action = 'other_act' and actor_id = ${user_id}`, sql`reason = null, salts[4] = null`)
    const { problems } = await verifyAuditChain(app.db)
    expect(problems.slice(before).map(({ kind }) => kind)).toEqual(['lost', 'lost'])
  })
})
