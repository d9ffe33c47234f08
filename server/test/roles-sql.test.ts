// Each log-in created by server/roles.sql gets only its role, and can neither stop bets or checks nor fill a disk.

import { closeEarly } from './changes.ts'
import { sql } from 'kysely'
import pg from 'pg'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type IntegrityChecker, checkChanges } from '../src/oversight/invariants/index.ts'
import { makeDatabaseLogIns } from '../src/postgres/database-log-ins.ts'
import { openIntegrityReader, openDatabase } from '../src/postgres/db.ts'
import { migrate } from '../src/postgres/migrate.ts'
import { checkEverything } from './auditor.ts'
import { closeAtFileEnd } from './file-end.ts'
import { reviewedFunctions } from './public-functions.ts'
import { holdDraw, makeResult, openPeriod } from './scenes.ts'
import { cloneDatabase, createUnmigratedDatabase } from './test-database.ts'

describe('the log-ins that server/roles.sql makes', () => {
  const passwords = { owner: 'o-secret', app: 'a-secret', reader: "r'secret", auditor: 'u-secret', checker: 'c-secret' }
  let urls: Record<keyof typeof passwords, string>

  beforeAll(async () => {
    const url = await createUnmigratedDatabase()
    urls = await makeDatabaseLogIns(url, passwords)
    // Twice: a changed password is set, and nothing else changes.
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

  function openOwnAuditor(): IntegrityChecker {
    const connection = openIntegrityReader({ url: urls.checker })
    closeAtFileEnd(() => connection.close())
    const owner = openDatabase({ url: urls.owner, role: 'owner', maxConnections: 2 })
    closeAtFileEnd(() => owner.close())
    return { reader: connection.reader, owner: owner.db, targets: { mails: [], hasWebhook: false } }
  }

  test('the auditor reads with its log-in, and the owner writes what it found', async () => {
    const auditor = openOwnAuditor()
    const { owner } = auditor
    expect(await checkChanges(auditor)).toEqual({ broken: [], whole: [] })
    expect(await checkEverything(auditor)).toEqual({ broken: [], whole: [] })
    await sql`insert into users (username, display_name, level, password_hash) values ('company', 'x', 'company', 'x')`.execute(
      owner,
    )
    // As a person with the owner's log-in would.
    await sql`insert into accounts (kind, user_id, floor_satang, balance_satang)
      select 'cash', user_id, 0, 7 from users`.execute(owner)
    expect(await checkChanges(auditor)).toEqual({ broken: ['balance_follows_mark'], whole: [] })
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

  test('only the application and the owner may take advisory locks, by any function', async () => {
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
    // It has locked what it may lock by now.
    if (role === 'megalot_auditor') await client.query('lock table auditor_state in access share mode')
    if (role === 'megalot_app') await client.query('select pg_advisory_xact_lock(7361213)')
    expect(await checkChanges(openOwnAuditor())).not.toBeNull()
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

  // Regression: readers could fill the write-ahead log with pg_logical_emit_message.
  test('only reviewed functions of PostgreSQL may be called by everyone', async () => {
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

  // Regression: readers could fill the server's log with `do $$ … raise log … $$`, or with long errors.
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

  // Regression: readers could take all connections of the server.
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

  test('the reader sees no result that waits for its second entry, and no agent code', async () => {
    const { owner, url } = await cloneDatabase()
    const period_code = await openPeriod(owner)
    await closeEarly(owner, period_code)
    await holdDraw(owner, period_code)
    await sql`
      insert into awards (period_id, state, result, entered_by)
      select period_id, 'entered', ${JSON.stringify(makeResult('123'))}::jsonb, (select user_id from users where username = 'office01')
      from periods where period_code = ${period_code}`.execute(owner)
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
    // Not even by an error about a hidden row: the planner chooses which condition is evaluated first.
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
