// The application's database log-in can change settings only with an audit row about them.

import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Tx } from '../src/postgres/db.ts'
import { findCaller } from './nodes.ts'
import { openPeriod } from './scenes.ts'
import { cloneDatabase } from './test-database.ts'

const database = await cloneDatabase()
const period_code = await openPeriod(database.owner)
const idOf = async (username: string) => (await findCaller(database.db, username)).user_id
const [member_id, agent_id, office_id] = [await idOf('member03'), await idOf('agent01'), await idOf('office01')]
await database.asOwner`insert into agent_codes (code, user_id, registrations_per_day) values ('FORGED01', ${agent_id}, 1)`
const { rows } = await database.asOwner<{ announce_id: number }>`
    insert into announcements (type, title_th, title_en, body_th, body_en, is_enabled)
    values ('news', 'x', 'x', 'x', 'x', true) returning announce_id`
const announce_id = rows[0]!.announce_id

await database.asOwner`
  with made as (
    insert into payments (child_id, parent_id, kind, amount_satang, balance_after_satang, method, day, holder_id, recorded_by)
    values (${member_id}, ${agent_id}, 'payment', 100, 100, 'cash', current_date, ${agent_id}, ${agent_id})
    returning payment_id
  )
  insert into payment_disputes (payment_id, note) select payment_id, 'not mine' from made`
await database.asOwner`insert into clearings (child_id, week, forward_satang, carried_satang)
  values (${agent_id}, '2026-11-23', 0, 0)`

const refused = { constraint: 'changes_are_audited' }

const audit = (tx: Tx, subject: string, action: string) =>
  sql`select write_audit(${JSON.stringify([{ actor_id: null, action, subject }])}::jsonb)`.execute(tx)

/** Runs statements with the application's log-in, together with an audit row. */
const run = (statement: string, row?: readonly [subject: string, action: string]) =>
  database.db.transaction().execute(async (tx) => {
    await sql.raw(statement).execute(tx)
    if (row) await audit(tx, ...row)
  })

interface Change {
  table: string
  /** Can be repeated. */
  statement: () => string
  subject: () => string
  action: string
  trigger?: string
}

const market = () => 'product:thai-government'
const period = () => `period:${period_code}`
const ofPeriod = () => `period_id = (select period_id from periods where period_code = '${period_code}')`

/** @param of_period, of_package as SQL */
const raiseQuota = (of_period: 'period_id' | 'null::int', of_package: string) => `
  insert into quotas (product_code, period_id, package_code, bet_type, full_satang, half_satang)
  select product_code, ${of_period}, ${of_package}, '3top', 1000, 0 from periods where period_code = '${period_code}'
  on conflict (period_id, product_code, package_code, bet_type) do update set full_satang = quotas.full_satang + 100`

/**
 * A rule that closes a number.
 * @param period_id SQL for its period; null for a standing rule
 */
const closeNumber = (period_id: 'period_id' | 'null::int') => `
  with rule as (
    insert into limit_rules (actor_id, set_to, is_standing, product_codes, period_ids, numbers)
    values (${office_id}, 'closed', ${period_id !== 'period_id'}, '{}', '{}', '[]') returning rule_id
  )
  insert into limit_rule_rows (rule_id, product_code, period_id, bet_type, quota_key)
  select rule_id, product_code, ${period_id}, '3top', '123' from rule, periods where period_code = '${period_code}'`

const changes: Change[] = [
  {
    table: 'users',
    statement: () => `update users set own_status = 'DISABLED_BET' where user_id = ${member_id}`,
    subject: () => `user:${member_id}`,
    action: 'change_status',
  },
  {
    table: 'users',
    statement: () => `update users set password_hash = 'forged' where user_id = ${office_id}`,
    subject: () => `user:${office_id}`,
    action: 'change_password',
  },
  {
    table: 'users',
    statement: () => `update users set office_role = 'owner' where user_id = ${office_id}`,
    subject: () => `user:${office_id}`,
    action: 'change_office_role',
  },
  {
    table: 'agent_codes',
    statement: () => `update agent_codes set is_active = true where user_id = ${agent_id}`,
    subject: () => `user:${agent_id}`,
    action: 'switch_agent_code',
  },
  {
    table: 'maintenances',
    statement: () => `insert into maintenances (scope, message_th, message_en) values ('egypt', 'x', 'x')
      on conflict (scope) do update set message_en = 'y'`,
    subject: () => 'product:egypt',
    action: 'begin_maintenance',
  },
  {
    table: 'maintenances',
    statement: () => `insert into maintenances (scope, message_th, message_en) values ('', 'x', 'x')
      on conflict (scope) do update set message_en = 'y'`,
    subject: () => 'product',
    action: 'begin_maintenance',
  },
  {
    table: 'announcements',
    statement: () => `update announcements set is_enabled = true where announce_id = ${announce_id}`,
    subject: () => `announcement:${announce_id}`,
    action: 'enable_announcement',
  },
  {
    table: 'market_holidays',
    statement: () => `insert into market_holidays (product_code, holiday, name) values ('egypt', '2099-01-01', 'x')
      on conflict (product_code, holiday) do update set name = 'y'`,
    subject: () => 'product:egypt',
    action: 'set_holiday',
  },
  {
    table: 'market_draw_days',
    statement:
      () => `insert into market_draw_days (product_code, day, is_confirmed) values ('egypt', '2099-01-01', true)
      on conflict (product_code, day) do update set is_confirmed = false`,
    subject: () => 'product:egypt',
    action: 'set_draw_day',
  },
  {
    table: 'accounts',
    statement: () => `update accounts set floor_satang = floor_satang - 100
      where kind = 'cash' and user_id = ${member_id}`,
    subject: () => `user:${member_id}`,
    action: 'change_credit_limit',
  },
  {
    table: 'payment_disputes',
    statement: () => `update payment_disputes set answer = 'x', answered_by = ${agent_id}, answered_at = now()`,
    subject: () => `user:${member_id}`,
    action: 'answer_dispute',
  },
  {
    table: 'clearings',
    statement: () => `update clearings set state = 'sent'`,
    subject: () => `user:${agent_id}`,
    action: 'change_clearing',
  },
  {
    table: 'share_terms',
    statement: () => `insert into share_terms (user_id, position_rate, line_rate, commission_rate)
      values (${agent_id}, 0, 0, 0)`,
    subject: () => `user:${agent_id}`,
    action: 'change_share_terms',
  },
  {
    table: 'products',
    statement: () => `update products set cancel_rules = jsonb_set(cancel_rules, '{max_tickets}', '1000')
      where product_code = 'thai-government'`,
    subject: market,
    action: 'change_cancel_rules',
  },
  {
    table: 'packages',
    statement: () => `update packages set max_items = 2000 where product_code = 'egypt' and package_code = '70'`,
    subject: () => 'package:egypt/70',
    action: 'change_game_config',
  },
  {
    table: 'package_terms',
    statement: () => `update package_terms set rate = rate + 100 from packages
      where packages.package_id = package_terms.package_id and product_code = 'egypt' and package_code = '70'
        and bet_type = '3top'`,
    subject: () => 'package:egypt/70',
    action: 'change_game_config',
  },
  {
    table: 'quotas',
    statement: () => raiseQuota('null::int', 'null'),
    subject: market,
    action: 'set_quota',
  },
  {
    table: 'quotas',
    statement: () => raiseQuota('period_id', 'null'),
    subject: period,
    action: 'set_period_quota',
  },
  {
    table: 'quotas',
    statement: () => raiseQuota('null::int', `'70'`),
    subject: () => 'package:thai-government/70',
    action: 'set_package_quota',
  },
  {
    table: 'quotas',
    statement: () => raiseQuota('period_id', `'70'`),
    subject: period,
    action: 'set_package_quota',
  },
  { table: 'limit_rules', statement: () => closeNumber('period_id'), subject: period, action: 'set_limit_rule' },
  { table: 'limit_rules', statement: () => closeNumber('null::int'), subject: market, action: 'set_number' },
  {
    table: 'limit_rules',
    statement: () => `update limit_rules set undone_at = now(), undone_by = actor_id
      where rule_id = (select max(rule_id) from limit_rule_rows where period_id is null)`,
    subject: market,
    action: 'undo_limit_rule',
  },
  {
    table: 'periods',
    statement: () => `update periods set close_at = close_at - interval '1 second' where ${ofPeriod()}`,
    subject: period,
    action: 'close_period',
    trigger: 'require_audit_of_times',
  },
]

describe('the application’s role can change it only with an audit row about the same subject', () => {
  // Regression: these changed without an audit row.
  test.each(changes)('$table, $action', async ({ table, statement, subject, action, trigger = 'require_audit' }) => {
    await expect(run(statement())).rejects.toMatchObject(refused)
    await expect(run(statement(), ['order:1', action])).rejects.toMatchObject(refused)
    await run(statement(), [subject(), action])
    // A row of an earlier transaction does not cover another change.
    await expect(run(statement())).rejects.toMatchObject(refused)
    // No other check refuses it.
    const set = (how: 'disable' | 'enable') =>
      database.asOwner`alter table ${sql.table(table)} ${sql.raw(how)} trigger ${sql.ref(trigger)}`
    await set('disable')
    await run(statement())
    await set('enable')
  })

  test('the end of a quota', async () => {
    await sql.raw(raiseQuota('period_id', 'null')).execute(database.owner)
    const end = `delete from quotas where ${ofPeriod()}`
    await expect(run(end)).rejects.toMatchObject(refused)
    await run(end, [period(), 'set_period_quota'])
  })

  test('a period beside the timetable', async () => {
    const make = `insert into periods (period_code, product_code, period_date, open_at, close_at, draw_at, is_manual)
      values ('forged', 'egypt', '2099-01-01', now(), now() + interval '1 hour', now() + interval '1 hour', true)`
    await expect(run(make)).rejects.toMatchObject(refused)
    await run(make, ['period:forged', 'create_period'])
  })

  test('also if the audit row comes first', async () => {
    const { statement, subject, action } = changes[0]!
    const changed = database.db.transaction().execute(async (tx) => {
      await audit(tx, subject(), action)
      await sql.raw(statement()).execute(tx)
      await audit(tx, subject(), 'log_in')
    })
    await expect(changed).resolves.toBeUndefined()
  })
})

test.each(changes)('the owner changes $table without one, $action', async ({ statement }) => {
  await expect(sql.raw(statement()).execute(database.owner)).resolves.toBeDefined()
})
