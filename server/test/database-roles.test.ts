// Goal: each log-in of the database can do what its row of the matrix says and nothing else, and the application's own log-in can
// neither move money without a cause nor make itself a person of the office.

import { type EntryKind, listGained, officeRoles } from '@megalot/contract'
import { type RawBuilder, sql } from 'kysely'
import pg from 'pg'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Auditor, auditChanges } from '../src/modules/invariants/index.ts'
import { closePeriod } from '../src/modules/markets/index.ts'
import { createIntake } from '../src/modules/orders/index.ts'
import { makeDatabaseLogIns } from '../src/platform/database-log-ins.ts'
import { type Db, openAuditorReader, openDatabase } from '../src/platform/db.ts'
import { migrate } from '../src/platform/migrate.ts'
import { auditEverything } from './auditor.ts'
import { closeAtFileEnd } from './file-end.ts'
import { ENTRY_CAUSES, findBrokenInvariants } from './invariants.ts'
import { findCaller } from './nodes.ts'
import { reviewedFunctions } from './public-functions.ts'
import { databaseRoles, roleMatrix } from './role-matrix.ts'
import { holdDraw, makeResult, makeTicket, openPeriod, toNewTicket } from './scenes.ts'
import { cloneDatabase, createUnmigratedDatabase, type TestDatabase } from './test-database.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await cloneDatabase()
})

/** What a role may do with a table, as `roleMatrix` writes it. */
async function readMatrix(role: string): Promise<Record<string, string>> {
  const { rows } = await sql<{ name: string; actions: string }>`
    select relname as name, (
      select coalesce(string_agg(case
        when has_table_privilege(${role}, c.oid, action) then action
        when has_any_column_privilege(${role}, c.oid, action) then action || '(' || (
          select string_agg(attname, ',' order by attname collate "C") from pg_attribute
          where attrelid = c.oid and attnum > 0 and not attisdropped
            and has_column_privilege(${role}, c.oid, attnum, action)) || ')' end, ' ' order by at), '')
      from unnest(array['SELECT', 'INSERT', 'UPDATE']) with ordinality as actions (action, at)
    ) || case when has_table_privilege(${role}, c.oid, 'DELETE') then ' DELETE' else '' end
      || case when has_table_privilege(${role}, c.oid, 'TRUNCATE') then ' TRUNCATE' else '' end as actions
    from pg_class c where relnamespace = 'public'::regnamespace and relkind in ('r', 'v') order by relname`.execute(
    database.owner,
  )
  return Object.fromEntries(rows.map(({ name, actions }) => [name, actions.trim().toLowerCase()]))
}

test('no role gets the rights of the owner by a function, unless it was granted that function', async () => {
  const { rows } = await sql<{ name: string }>`
    select proname as name from pg_proc where pronamespace = 'public'::regnamespace and prosecdef
      and prorettype not in ('trigger'::regtype, 'event_trigger'::regtype)
      and exists (select from aclexplode(coalesce(proacl, acldefault('f', proowner))) where grantee = 0)`.execute(
    database.owner,
  )
  expect(rows).toEqual([])
})

describe('role × table × action', () => {
  test.each(databaseRoles)('%s', async (role) => {
    const expected = Object.fromEntries(Object.entries(roleMatrix).map(([table, row]) => [table, row[role]]))
    expect(await readMatrix(role)).toEqual(expected)
  })

  test.each(databaseRoles)('%s owns nothing, creates nothing, and is no superuser', async (role) => {
    const { rows } = await sql<{ holds: boolean }>`
      select rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls or rolcanlogin
        or has_schema_privilege(oid, 'public', 'create')
        or exists (select 1 from pg_class where relowner = pg_roles.oid) as holds
      from pg_roles where rolname = ${role}`.execute(database.owner)
    expect(rows).toEqual([{ holds: false }])
  })
})

describe('the log-ins that server/roles.sql makes', () => {
  const passwords = { owner: 'o-secret', app: 'a-secret', reader: "r'secret", auditor: 'u-secret', checker: 'c-secret' }
  let urls: Record<keyof typeof passwords, string>

  beforeAll(async () => {
    const url = await createUnmigratedDatabase()
    urls = await makeDatabaseLogIns(url, passwords)
    // Twice: a changed password is set, and nothing else happens.
    await makeDatabaseLogIns(url, passwords)
    await migrate(urls.owner)
  })

  async function connect(name: keyof typeof passwords): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: urls[name] })
    await client.connect()
    // The reader and the auditor have few connections.
    onTestFinished(() => client.end())
    return client
  }

  test('the owner migrates, and is neither superuser nor may it make roles', async () => {
    const owner = await connect('owner')
    const { rows } = await owner.query(
      'select rolsuper, rolcreaterole, rolcreatedb from pg_roles where rolname = current_user',
    )
    expect(rows).toEqual([{ rolsuper: false, rolcreaterole: false, rolcreatedb: false }])
    expect((await owner.query('select count(*)::int as count from migrations')).rows[0].count).toBeGreaterThan(10)
  })

  function openOwnAuditor(): Auditor {
    const connection = openAuditorReader({ url: urls.checker })
    closeAtFileEnd(() => connection.close())
    const owner = openDatabase({ url: urls.owner, role: 'owner', maxConnections: 2 })
    closeAtFileEnd(() => owner.close())
    return { reader: connection.reader, owner: owner.db, targets: { mails: [], hasWebhook: false } }
  }

  test('the auditor reads with its log-in, and the owner writes what it found', async () => {
    const auditor = openOwnAuditor()
    const { owner } = auditor
    expect(await auditChanges(auditor)).toEqual({ broken: [], whole: [] })
    expect(await auditEverything(auditor)).toEqual({ broken: [], whole: [] })
    await sql`insert into users (username, display_name, level, password_hash) values ('company', 'x', 'company', 'x')`.execute(
      owner,
    )
    // As somebody with the owner's log-in would.
    await sql`insert into accounts (kind, user_id, floor_satang, balance_satang)
      select 'cash', user_id, 0, 7 from users`.execute(owner)
    expect(await auditChanges(auditor)).toEqual({ broken: ['balance_follows_mark'], whole: [] })
  })

  test.each([
    ['app', 'megalot_app', ['megalot_owner', 'postgres']],
    ['reader', 'megalot_reader', ['megalot_app', 'megalot_auditor', 'megalot_owner', 'postgres']],
    ['auditor', 'megalot_auditor', ['megalot_app', 'megalot_owner', 'postgres']],
    ['checker', 'megalot_auditor', ['megalot_app', 'megalot_owner', 'postgres']],
  ] as const)('%s works as %s and becomes nobody else', async (name, role, others) => {
    const client = await connect(name)
    // Insufficient privilege, or a transaction that only reads.
    const refused = (statement: string) =>
      expect(client.query(statement)).rejects.toMatchObject({ code: expect.stringMatching(/42501|25006/) })
    await client.query(`set role ${role}`)
    await client.query('select 1 from orders')
    for (const other of others) await refused(`set role ${other}`)
    await client.query('reset role')
    for (const statement of [
      'create table mine ()',
      'create role more',
      'create temporary table periods ()',
      'create schema s',
    ])
      await refused(statement)
  })

  const lockFunctions = [
    'pg_advisory_lock(7361206, 1)',
    'pg_advisory_lock_shared(7361206, 1)',
    'pg_try_advisory_lock(7361206, 1)',
    'pg_try_advisory_lock_shared(7361206, 1)',
    'pg_advisory_xact_lock(7361206, 1)',
    'pg_advisory_xact_lock_shared(7361206, 1)',
    'pg_try_advisory_xact_lock(7361206, 1)',
    'pg_try_advisory_xact_lock_shared(7361206, 1)',
    'pg_advisory_lock(7361213)',
    'pg_try_advisory_lock(7361213)',
  ]

  test('who may take advisory locks: the application and the owner, by every function that there is', async () => {
    const { rows } = await (
      await connect('owner')
    ).query<{ name: string; roles: string[] }>(
      `
      select oid::regprocedure::text as name, array(select role from unnest($1::text[]) role
        where has_function_privilege(role, oid, 'execute')) as roles
      from pg_proc where pronamespace = 'pg_catalog'::regnamespace and proname like '%advisory%'`,
      [['public', 'megalot_app', 'megalot_reader', 'megalot_auditor', 'megalot_owner']],
    )
    expect(rows.length).toBeGreaterThan(lockFunctions.length)
    for (const { name, roles } of rows) expect(roles, `of ${name}`).toEqual(['megalot_app', 'megalot_owner'])
  })

  test.each([
    ['reader', 'megalot_reader'],
    ['auditor', 'megalot_auditor'],
    ['app', 'megalot_auditor'],
  ] as const)('%s as %s stops no bets by taking the lock of a period', async (name, role) => {
    const client = await connect(name)
    for (const become of ['reset role', `set role ${role}`]) {
      await client.query(become)
      for (const call of lockFunctions)
        await expect(client.query(`select ${call}`), `by ${call}`).rejects.toMatchObject({ code: '42501' })
    }
  })

  test.each([
    ['reader', 'megalot_reader'],
    ['auditor', 'megalot_auditor'],
    ['app', 'megalot_auditor'],
    ['app', 'megalot_app'],
  ] as const)('%s as %s stops no audit by taking a lock', async (name, role) => {
    const client = await connect(name)
    await client.query(`set role ${role}; begin`)
    for (const mode of ['row share', 'row exclusive', 'share update exclusive', 'share', 'access exclusive']) {
      await client.query('savepoint before')
      await expect(client.query(`lock table auditor_state in ${mode} mode`), `in ${mode} mode`).rejects.toMatchObject({
        code: expect.stringMatching(/42501|25006/),
      })
      await client.query('rollback to before')
    }
    // What it may lock it has locked meanwhile.
    if (role === 'megalot_auditor') await client.query('lock table auditor_state in access share mode')
    if (role === 'megalot_app') await client.query('select pg_advisory_xact_lock(7361213)')
    expect(await auditChanges(openOwnAuditor())).not.toBeNull()
    await client.query('rollback')
  })

  test('sessions of those who read end by themselves when nothing is asked', async () => {
    for (const name of ['reader', 'auditor'] as const) {
      const { rows } = await (
        await connect(name)
      ).query(
        `select current_setting('idle_session_timeout') as idle, current_setting('idle_in_transaction_session_timeout') as open`,
      )
      expect(rows, `of ${name}`).toEqual([{ idle: '15min', open: '1min' }])
    }
  })

  // Defect: whoever reads could fill the write-ahead log by pg_logical_emit_message.
  test('everybody may call the reviewed functions of PostgreSQL alone', async () => {
    const { rows } = await (
      await connect('owner')
    ).query<{ name: string }>(
      `select distinct proname as name from pg_proc
      where pronamespace = 'pg_catalog'::regnamespace and provolatile = 'v' and has_function_privilege('public', oid, 'execute')
        and prorettype <> all (array['trigger', 'event_trigger', 'language_handler', 'index_am_handler', 'table_am_handler', 'fdw_handler']::regtype[])
        and 'internal'::regtype <> all (proargtypes)`,
    )
    expect(rows.length).toBeGreaterThan(50)
    expect(rows.map(({ name }) => name).filter((name) => !reviewedFunctions.has(name))).toEqual([])
  })

  test('the application and the owner write messages into the write-ahead log', async () => {
    for (const name of ['app', 'owner'] as const) {
      const client = await connect(name)
      if (name === 'app') await client.query('set role megalot_app')
      const { rowCount } = await client.query(`select pg_logical_emit_message(true, '', '')`)
      expect(rowCount).toBe(1)
    }
  })

  // Defect: whoever reads could fill the log of the server by `do $$ … raise log … $$`, or by long errors.
  test.each(['reader', 'auditor', 'checker', 'app'] as const)('%s runs no blocks of PL/pgSQL', async (name) => {
    const client = await connect(name)
    for (const become of ['reset role', `set role ${name === 'checker' ? 'megalot_auditor' : `megalot_${name}`}`]) {
      await client.query(become)
      await expect(client.query(`do $$ begin raise log 'x'; end $$`)).rejects.toMatchObject({ code: '42501' })
    }
  })

  test.each(['reader', 'auditor', 'checker'] as const)(
    '%s has log_min_messages = fatal and cannot change it',
    async (name) => {
      const client = await connect(name)
      const { rows } = await client.query(`select current_setting('log_min_messages') as least`)
      expect(rows).toEqual([{ least: 'fatal' }])
      await expect(client.query('set log_min_messages = error')).rejects.toMatchObject({ code: '42501' })
    },
  )

  // Defect: whoever reads could take all connections of the server.
  test('the reader and the auditor have ten connections each', async () => {
    const { rows } = await (
      await connect('owner')
    ).query(`select rolname as name, rolconnlimit as most from pg_roles where rolname ~ '^megalot_.*login$' order by 1`)
    expect(rows).toEqual([
      { name: 'megalot_auditor_login', most: 10 },
      { name: 'megalot_checker_login', most: -1 },
      { name: 'megalot_login', most: -1 },
      { name: 'megalot_reader_login', most: 10 },
    ])
  })

  test.each(['reader', 'auditor'] as const)('%s fills no disk', async (name) => {
    const client = await connect(name)
    await client.query(`set role megalot_${name}; set default_transaction_read_only = off`)
    const { rows } = await client.query(`select current_setting('temp_file_limit') as most`)
    expect(rows).toEqual([{ most: '1GB' }])
    for (const statement of [
      'set temp_file_limit = -1',
      `select lo_from_bytea(0, 'x')`,
      'select lo_creat(-1)',
      'select lo_create(0)',
      `select lo_put(1, 0, 'x')`,
      `select lowrite(0, 'x')`,
      'select pg_export_snapshot()',
      `select pg_logical_emit_message(false, '', 'x')`,
    ])
      await expect(client.query(statement)).rejects.toMatchObject({ code: '42501' })
  })

  test.each(['reader', 'auditor'] as const)('%s sees no secret and changes no ticket', async (name) => {
    const client = await connect(name)
    const role = `megalot_${name}`
    await client.query(`set role ${role}`)
    for (const statement of [
      'select password_hash from users',
      'select token_hash from sessions',
      'select secret from second_factors',
      'select code_hash from recovery_codes',
      'select token_hash from recovery_links',
      'select answer from captchas',
      'update orders set win_satang = 1',
      'delete from entries',
      'insert into entries (kind, from_account_id, to_account_id, amount_satang) values ($$win$$, 1, 2, 5)',
    ])
      await expect(client.query(statement)).rejects.toMatchObject({
        code: expect.stringMatching(/42501|25006/),
      })
  })

  test('the reader sees no result that waits for its second person, and no code that registers members', async () => {
    const { db, owner, url } = await cloneDatabase()
    const period_code = await openPeriod(owner)
    await closePeriod(owner, null, period_code, 'early')
    await holdDraw(owner, period_code)
    await sql`
      insert into awards (period_id, state, result, entered_by)
      select period_id, 'entered', ${JSON.stringify(makeResult('123'))}::jsonb, (select user_id from users where username = 'office01')
      from periods where period_code = ${period_code}`.execute(db)
    await sql`
      insert into award_corrections (period_id, round, old_result, new_result, reason, entered_by)
      select period_id, 1, result, ${JSON.stringify(makeResult('456'))}::jsonb, 'typed wrongly', entered_by from awards
      where state = 'entered'`.execute(owner)
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    closeAtFileEnd(() => client.end())
    await client.query('set role megalot_reader')
    const read = async (columns: string, table: string) =>
      (
        await client.query(`select ${columns} from ${table} join periods using (period_id) where period_code = $1`, [
          period_code,
        ])
      ).rows
    for (const statement of [
      'select result from awards',
      'select new_result from award_corrections',
      'select code from agent_codes',
      'select agent_code from users',
    ])
      await expect(client.query(statement), `by ${statement}`).rejects.toMatchObject({ code: '42501' })
    expect(await read('1', 'agreed_awards')).toEqual([])
    expect(await read('1', 'agreed_corrections')).toEqual([])
    // Nor by an error about a row that is not shown: which condition is evaluated first is else the planner's choice.
    const { rows } = await sql<{ name: string }>`
      select relname as name from pg_class
      where relname in ('agreed_awards', 'agreed_corrections') and 'security_barrier=true' = any(reloptions)`.execute(
      owner,
    )
    expect(rows).toHaveLength(2)

    const agree = (table: string, result: string) =>
      sql`update ${sql.table(table)} set state = 'agreed', repeated_result = ${sql.ref(result)}, repeated_at = now(),
        repeated_by = (select user_id from users where username = 'office02')
        where state = 'entered'`.execute(owner)
    await agree('awards', 'result')
    await agree('award_corrections', 'new_result')
    expect(await read("result ->> 'top3' as top3", 'agreed_awards')).toEqual([{ top3: '123' }])
    expect(await read("new_result ->> 'top3' as top3", 'agreed_corrections')).toEqual([{ top3: '456' }])
  })

  test('no other log-in of the server connects', async () => {
    const admin = new pg.Client({ connectionString: urls.owner })
    await admin.connect()
    const { rows } = await admin.query(
      `select has_database_privilege('public', current_database(), 'connect') or has_database_privilege('public', current_database(), 'temporary') as is_open`,
    )
    await admin.end()
    expect(rows).toEqual([{ is_open: false }])
  })
})

describe('the application’s role cannot move money without a cause', () => {
  interface Accounts {
    order_id: number
    cash: number
    held: number
    period: number
    stranger: number
    other_period: number
  }
  let accounts: Accounts

  beforeAll(async () => {
    const { user_id } = await findCaller(database.db, 'member01')
    const [period_code, other] = [await openPeriod(database.owner), await openPeriod(database.owner)]
    const placed = await createIntake(database.batches).placeTicket(toNewTicket({ user_id }, makeTicket(period_code)))
    const { order_id } = placed
    const { rows } = await sql<Accounts>`
      select ${order_id}::bigint as order_id,
        (select account_id from accounts where user_id = ${user_id} and kind = 'cash') as cash,
        (select account_id from accounts where user_id = ${user_id} and kind = 'held') as held,
        (select account_id from accounts join periods using (period_id) where period_code = ${period_code}) as period,
        (select account_id from accounts join users using (user_id) where username = 'member02' and kind = 'cash') as stranger,
        (select account_id from accounts join periods using (period_id) where period_code = ${other}) as other_period`.execute(
      database.owner,
    )
    accounts = rows[0]!
  })

  type Side = Exclude<keyof Accounts, 'order_id'>
  const post = (db: Db, kind: EntryKind, hasTicket: boolean, from: Side, to: Side) =>
    sql`insert into entries (kind, order_id, from_account_id, to_account_id, amount_satang)
      values (${kind}, ${hasTicket ? accounts.order_id : null}, ${accounts[from]}, ${accounts[to]}, 500)`.execute(db)

  const causeless: readonly (readonly [EntryKind, boolean, Side, Side])[] = [
    ['adjustment', false, 'period', 'cash'],
    ['transfer', false, 'stranger', 'cash'],
    ['credit_change', true, 'period', 'cash'],
    ['commission', true, 'period', 'cash'],
    ['win', false, 'period', 'cash'],
    ['win', true, 'period', 'stranger'],
    ['win', true, 'other_period', 'cash'],
    ['win', true, 'stranger', 'cash'],
    ['refund', true, 'period', 'stranger'],
    ['bet_release', true, 'period', 'cash'],
    ['reversal', true, 'period', 'cash'],
  ]
  test.each(causeless)('%s, with a ticket: %s, from %s to %s', async (...entry) => {
    await expect(post(database.db, ...entry)).rejects.toMatchObject({ constraint: 'entries_have_a_cause' })
  })

  const caused: readonly (readonly [EntryKind, Side, Side])[] = [
    ['win', 'period', 'cash'],
    ['refund', 'period', 'cash'],
    ['reversal', 'cash', 'period'],
    ['bet', 'cash', 'period'],
    ['bet_hold', 'cash', 'held'],
    ['bet_release', 'held', 'cash'],
  ]
  test.each(caused)('%s of the ticket from %s to %s is possible', async (kind, from, to) => {
    await post(database.db, kind, true, from, to)
    expect(Object.keys(await findBrokenInvariants(database.owner))).not.toContain(ENTRY_CAUSES)
  })

  test('the owner, who can, is found out by the invariants', async () => {
    await post(database.owner, 'adjustment', false, 'period', 'cash')
    expect(Object.keys(await findBrokenInvariants(database.owner))).toContain(ENTRY_CAUSES)
  })
})

describe('the application’s role changes credit, terms, shares and quotas only with an audit row that says so', () => {
  const audit = (subject: string, after: object, action = 'change_credit_limit') => {
    const record = { actor_id: null, action, subject, after }
    return sql`select write_audit(${JSON.stringify([record])}::jsonb)`
  }

  test('a credit limit', async () => {
    const { user_id } = await findCaller(database.db, 'member03')
    const raise = (limit_satang: number, after: object | null, subject = `user:${user_id}`) =>
      database.db.transaction().execute(async (tx) => {
        await sql`update accounts set floor_satang = ${-limit_satang} where user_id = ${user_id} and kind = 'cash'`.execute(
          tx,
        )
        if (after) await audit(subject, after).execute(tx)
      })
    const refused = { constraint: 'credit_limits_are_audited' }
    await expect(raise(777_700, null)).rejects.toMatchObject(refused)
    await expect(raise(777_700, { credit_limit_satang: 777_600 })).rejects.toMatchObject(refused)
    await expect(raise(777_700, { credit_limit_satang: 777_700 }, `user:${user_id + 1}`)).rejects.toMatchObject(refused)
    await raise(777_700, { credit_limit_satang: 777_700 })
    // A row of an earlier transaction is no reason for another change.
    await raise(777_800, { credit_limit_satang: 777_800 })
    await expect(raise(777_700, null)).rejects.toMatchObject(refused)
  })

  test('a rate', async () => {
    const change = (rate: number, after: object | null, action = 'change_game_config') =>
      database.db.transaction().execute(async (tx) => {
        await sql`update package_terms set rate = ${rate} from packages
          where packages.package_id = package_terms.package_id and product_code = 'thai-government' and package_code = '70'
            and bet_type = '3top'`.execute(tx)
        if (after) await audit('package:thai-government/70', after, action).execute(tx)
      })
    const { rows } = await sql<{ terms: object }>`
      select to_json(package_terms) as terms from package_terms join packages using (package_id)
      where product_code = 'thai-government' and package_code = '70' and bet_type = '3top'`.execute(database.db)
    const refused = { constraint: 'terms_are_audited' }
    const terms = { ...rows[0]!.terms, rate: 54_900 }
    await expect(change(54_900, null)).rejects.toMatchObject(refused)
    await expect(change(54_900, { bet_types: [{ ...terms, rate: 54_800 }] })).rejects.toMatchObject(refused)
    await expect(change(54_900, { bet_types: [{ ...terms, bet_type: '3roll' }] })).rejects.toMatchObject(refused)
    await expect(change(54_900, { bet_types: [terms] }, 'log_in')).rejects.toMatchObject(refused)
    await change(54_900, { bet_types: [terms] })
  })

  // Defect: the application's log-in changed shares without a row of the audit log.
  test('shares', async () => {
    const { user_id } = await findCaller(database.db, 'agent01')
    const shares = { position_rate: 500, line_rate: 1000, commission_rate: 200 }
    const change = (after: object | null, action = 'change_share_terms', subject = `user:${user_id}`) =>
      database.db.transaction().execute(async (tx) => {
        await tx
          .insertInto('share_terms')
          .values({ user_id, ...shares })
          .execute()
        if (after) await audit(subject, after, action).execute(tx)
      })
    const refused = { constraint: 'shares_are_audited' }
    await expect(change(null)).rejects.toMatchObject(refused)
    await expect(change({ ...shares, commission_rate: 0 })).rejects.toMatchObject(refused)
    await expect(change(shares, 'log_in')).rejects.toMatchObject(refused)
    await expect(change(shares, 'change_share_terms', `user:${user_id + 1}`)).rejects.toMatchObject(refused)
    await change(shares)
    await change(shares, 'add_user')
  })

  // Defect: it raised the quota of a market, too.
  test('the quota of a market', async () => {
    const quota = { product_code: 'egypt', bet_type: '3top', full_satang: 1000, half_satang: 0 } as const
    const write = (full_satang: number, after: object | null, subject = 'product:egypt') =>
      database.db.transaction().execute(async (tx) => {
        await sql`insert into market_quotas (product_code, bet_type, full_satang, half_satang)
          values (${quota.product_code}, ${quota.bet_type}, ${full_satang}, ${quota.half_satang})
          on conflict (product_code, bet_type) do update set full_satang = excluded.full_satang`.execute(tx)
        if (after) await audit(subject, after, 'set_quota').execute(tx)
      })
    const refused = { constraint: 'quotas_are_audited' }
    await expect(write(1000, null)).rejects.toMatchObject(refused)
    await write(1000, quota)
    await expect(write(2000, null)).rejects.toMatchObject(refused)
    await expect(write(2000, quota)).rejects.toMatchObject(refused)
    await expect(write(2000, { ...quota, full_satang: 2000 }, 'product:gsb')).rejects.toMatchObject(refused)
    await write(2000, { ...quota, full_satang: 2000 })
  })

  test('the quota of a period, and its end', async () => {
    const period_code = await openPeriod(database.owner)
    const quota = { bet_type: '3top', full_satang: 1000, half_satang: 0 }
    const run = (statement: RawBuilder<unknown>, after: object | null) =>
      database.db.transaction().execute(async (tx) => {
        await statement.execute(tx)
        if (after) await audit(`period:${period_code}`, after, 'set_period_quota').execute(tx)
      })
    const ofPeriod = sql`period_id = (select period_id from periods where period_code = ${period_code})`
    const insert = sql`insert into period_quotas (period_id, bet_type, full_satang, half_satang)
      select period_id, '3top', 1000, 0 from periods where period_code = ${period_code}`
    const raise = sql`update period_quotas set full_satang = 2000 where ${ofPeriod}`
    const end = sql`delete from period_quotas where ${ofPeriod}`
    const refused = { constraint: 'quotas_are_audited' }
    await expect(run(insert, null)).rejects.toMatchObject(refused)
    await run(insert, quota)
    await expect(run(raise, quota)).rejects.toMatchObject(refused)
    await run(raise, { ...quota, full_satang: 2000 })
    await expect(run(end, null)).rejects.toMatchObject(refused)
    // Defect: the quota ended, and the log said that there was one.
    await expect(run(end, { ...quota, full_satang: 2000 })).rejects.toMatchObject(refused)
    await run(end, { bet_type: '3top' })
  })
})

// Defect: a quota that was moved to another market or period ended where it had been, with an audit row for the other one alone.
test.each(['market_quotas', 'period_quotas', 'package_quotas', 'period_package_quotas'])(
  'the application’s role may not move a row of %s',
  async (table) => {
    const move = sql`update ${sql.table(table)} set bet_type = '1top'`
    await expect(move.execute(database.db)).rejects.toMatchObject({ code: '42501' })
  },
)

// Defect: the application's log-in changed the numbers that 3bottom wins on in periods made later, without a trace.
test.each([
  `update products set bottom3_set = 'front+back'`,
  `update products set bet_types = '{3top}'`,
  `update products set group_code = 'lao'`,
  `update packages set package_code = 'forged'`,
  `insert into packages (product_code, package_code, name, position) values ('egypt', 'forged', 'forged', 9)`,
  `update package_terms set bet_type = '1top'`,
  `insert into package_terms select 1, 'x', rate, discount_rate, 1, 1, 1, true from package_terms`,
])('the application’s role may not run %s', async (statement) => {
  await expect(sql.raw(statement).execute(database.db)).rejects.toMatchObject({ code: '42501' })
})

describe('the application’s role makes nobody a person of the office', () => {
  async function idOf(username: string): Promise<number> {
    const found = await database.db
      .selectFrom('users')
      .select('user_id')
      .where('username', '=', username)
      .executeTakeFirstOrThrow()
    return found.user_id
  }

  test.each(officeRoles.filter((role) => role !== 'none'))('not by inserting one with the role %s', async (role) => {
    await expect(
      sql`insert into users (username, display_name, level, is_office, office_role, parent_id, password_hash)
        select ${`forged${role}`}, 'forged', 'company', true, ${role}, user_id, 'x' from users
        where level = 'company' and not is_office`.execute(database.db),
    ).rejects.toMatchObject({ constraint: 'office_needs_two' })
  })

  const makeAssistant = (principal: string) => sql<{ user_id: number }>`
    insert into users (username, display_name, level, principal_id, assistant_areas, password_hash)
    select ${`forged${principal}`}, 'forged', level, user_id, '{people,credit}', 'x' from users where username = ${principal}
    returning user_id::int`

  test.each(['office01', 'company'])('not by inserting an assistant of %s, without an audit row', async (principal) => {
    await expect(makeAssistant(principal).execute(database.db)).rejects.toMatchObject({
      constraint: 'office_needs_two',
    })
    await expect(
      database.db.transaction().execute(async (tx) => {
        const { rows } = await makeAssistant(principal).execute(tx)
        const record = { actor_id: null, action: 'create_assistant', subject: `user:${rows[0]!.user_id}` }
        await sql`select write_audit(${JSON.stringify([record])}::jsonb)`.execute(tx)
        await sql`set constraints all immediate`.execute(tx)
        throw new Error('enough')
      }),
    ).rejects.toThrow('enough')
  })

  const changes = officeRoles.flatMap((before) =>
    officeRoles.flatMap((after) =>
      before === after ? [] : [{ before, after, needsTwo: before === 'owner' || listGained(before, after).length > 0 }],
    ),
  )

  async function changeRole({ before, after }: { before: string; after: string }): Promise<void> {
    const user_id = await idOf('office02')
    await sql`update users set office_role = ${before} where user_id = ${user_id}`.execute(database.owner)
    await sql`update users set office_role = ${after} where user_id = ${user_id}`.execute(database.db)
  }

  test.each(changes.filter(({ needsTwo }) => needsTwo))('$before to $after needs an approval', async (change) => {
    await expect(changeRole(change)).rejects.toMatchObject({ constraint: 'office_needs_two' })
  })

  test.each(changes.filter(({ needsTwo }) => !needsTwo))('$before to $after needs one person', async (change) => {
    await expect(changeRole(change)).resolves.toBeUndefined()
  })

  test('the password of an office user is not set without an approval, nor by pretending that it was the user', async () => {
    const user_id = await idOf('office01')
    const set = sql`update users set password_hash = 'forged' where user_id = ${user_id}`
    await expect(set.execute(database.db)).rejects.toMatchObject({ constraint: 'office_needs_two' })
    await expect(
      database.db.transaction().execute(async (tx) => {
        await set.execute(tx)
        const record = { actor_id: user_id, action: 'change_password', subject: `user:${user_id}` }
        await sql`select write_audit(${JSON.stringify([record])}::jsonb)`.execute(tx)
      }),
    ).rejects.toMatchObject({ constraint: 'office_needs_two' })
  })

  // Defect: without the hash of the first half, which the application's log-in could clear, the second half was the password alone.
  test('a password in two halves keeps both until it is replaced', async () => {
    const user_id = await idOf('office01')
    const half = 'decode(repeat($$ab$$, 32), $$hex$$)'
    await sql`update users set must_change_password = true, first_half_hash = ${sql.raw(half)} where user_id = ${user_id}`.execute(
      database.owner,
    )
    for (const value of ['null', 'decode(repeat($$cd$$, 32), $$hex$$)'])
      await expect(
        sql`update users set first_half_hash = ${sql.raw(value)} where user_id = ${user_id}`.execute(database.db),
      ).rejects.toMatchObject({ constraint: 'office_needs_two' })
    await sql`update users set must_change_password = false, first_half_hash = null where user_id = ${user_id}`.execute(
      database.owner,
    )
  })

  test('nor does the application write columns that the database keeps', async () => {
    for (const column of [
      'status_in_force',
      'upline_ids',
      'factor_kinds',
      'package_ids',
      'password_expires_at',
      'is_office',
      'level',
    ])
      await expect(
        sql`update users set ${sql.ref(column)} = ${sql.ref(column)} where username = 'member01'`.execute(database.db),
      ).rejects.toMatchObject({ code: '42501' })
    await expect(
      sql`insert into users (username, display_name, level, parent_id, password_hash, is_demo)
        select 'forgeddemo', 'x', 'member', user_id, 'x', true from users where username = 'agent01'`.execute(
        database.db,
      ),
    ).rejects.toMatchObject({ code: '42501' })
  })
})
