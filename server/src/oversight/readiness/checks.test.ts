// Each check of the set-up is seen wrong with its cause made, and right without it.

import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import { testConfig } from '../../../test/test-app.ts'
import { createEmptyDatabase } from '../../../test/test-database.ts'
import { createMailbox } from '../../../test/test-mail.ts'
import type { Config } from '../../config.ts'
import { makeDatabaseLogIns } from '../../postgres/database-log-ins.ts'
import { checks, runChecks } from './checks.ts'
import { sendTestMail } from './test-mail.ts'

const files = { good: '', full: '', failed: '', old: '', none: '' }

const database = await createEmptyDatabase()
// Without log-ins: only what a superuser takes from those who read.
await makeDatabaseLogIns(database.url, {})
await database.asOwner`insert into users (username, display_name, level, password_hash) values ('house', 'house', 'company', '-')`
for (const username of ['first', 'second'])
  await database.asOwner`
      insert into users (username, display_name, level, is_office, office_role, parent_id, password_hash, factor_kinds)
      select ${username}, ${username}, 'company', true, 'owner', user_id, '-', '{passkey}' from users where username = 'house'`
await database.asOwner`
  insert into users (username, display_name, level, parent_id, password_hash)
  select 'agent1', 'agent1', 'agent', user_id, '-' from users where username = 'house'`
await database.asOwner`
  insert into products (product_code, name_th, name_en, group_code, country_code, bet_types, result_form, position)
  values ('open', 'a', 'a', 'lao', 'la', '{3top}', 'four_digits', 2)`
await database.asOwner`
  insert into quotas (product_code, bet_type, full_satang, half_satang) values ('open', '3top', 100, 0)`
const at = new Date().toISOString()
const status = {
  good: { backup_at: at, proven: { at }, free: { database: 0.5, backups: 0.5 } },
  full: { backup_at: at, proven: { at }, free: { database: 0.5, backups: 0.1 } },
  failed: { backup_at: at, error: 'no room' },
  old: { backup_at: '2026-01-01T00:00:00Z', proven: { at: '2026-01-01T00:00:00Z' } },
  none: {},
}
for (const [name, content] of Object.entries(status)) {
  const file = join(tmpdir(), `backup-${process.pid}-${name}.json`)
  files[name as keyof typeof files] = file
  await writeFile(file, JSON.stringify(content))
}
/** A house in which all is well, but for what the test server decides. */
const config: Config = {
  ...testConfig(),
  publicUrl: 'https://bet.example.com',
  smtpUrl: 'smtp://mail.example.com',
  alarmMails: ['a@example.com'],
  backupStatus: files.good,
  factorKey: Buffer.alloc(32),
  databaseUrl: 'postgresql://megalot_login@host/megalot',
  ownerDatabaseUrl: 'postgresql://megalot_owner@host/megalot',
  auditorDatabaseUrl: 'postgresql://megalot_checker_login@host/megalot',
}

const stateOf = async (check: string, change: Partial<Config> = {}): Promise<string> => {
  const found = await runChecks(database.db, { ...config, ...change })
  return found.find((each) => each.check === check)!.state
}

/** The tests run on any supported Node, and their server does not wait for its disk. */
const ofTheMachine = ['versions', 'durable', 'disk', 'commit_timestamps']

test('a house in which all is well has nothing to do', async () => {
  const found = await runChecks(database.db, config)
  expect(found.filter(({ check, state }) => state !== 'ok' && !ofTheMachine.includes(check))).toEqual([])
})

const causes: [check: string, state: string, change: Partial<Config> | (() => Partial<Config>)][] = [
  ['https', 'wrong', { publicUrl: 'http://bet.example.com' }],
  ['mail', 'warning', { smtpUrl: undefined }],
  ['alarm_target', 'warning', { alarmMails: [] }],
  ['backup_age', 'warning', { backupStatus: undefined }],
  ['backup_age', 'wrong', () => ({ backupStatus: files.failed })],
  ['backup_age', 'wrong', () => ({ backupStatus: files.old })],
  ['backup_age', 'wrong', () => ({ backupStatus: files.none })],
  ['backup_proven', 'warning', () => ({ backupStatus: files.old })],
  ['backup_proven', 'warning', () => ({ backupStatus: files.none })],
  ['disk', 'wrong', () => ({ backupStatus: files.full })],
  ['disk', 'warning', { backupStatus: undefined }],
  ['factor_key', 'warning', { factorKey: undefined }],
  ['separate_log_ins', 'warning', { ownerDatabaseUrl: 'postgresql://megalot_login@host/megalot' }],
]
test.each(causes)('%s is %s with its cause', async (check, state, change) => {
  expect(await stateOf(check, typeof change === 'function' ? change() : change)).toBe(state)
})

const rows: [check: string, state: string, cause: string, mended: string][] = [
  [
    'second_owner',
    'wrong',
    `update users set status_in_force = 'SUSPENDED' where username = 'second'`,
    `update users set status_in_force = 'NORMAL' where username = 'second'`,
  ],
  [
    'second_owner',
    'wrong',
    `update users set must_change_password = true where username = 'second'`,
    `update users set must_change_password = false where username = 'second'`,
  ],
  ['open_market', 'warning', `update products set is_enabled = false`, `update products set is_enabled = true`],
  [
    'first_agent',
    'warning',
    `update users set level = 'master' where username = 'agent1'`,
    `update users set level = 'agent' where username = 'agent1'`,
  ],
  [
    'result_entry',
    'warning',
    `update users set status_in_force = 'SUSPENDED' where username = 'second'`,
    `update users set status_in_force = 'NORMAL' where username = 'second'`,
  ],
  [
    'owners_factors',
    'wrong',
    `update users set factor_kinds = '{}' where username = 'second'`,
    `update users set factor_kinds = '{passkey}' where username = 'second'`,
  ],
  [
    'no_demo',
    'wrong',
    `update users set is_demo = true where username = 'house'`,
    `update users set is_demo = false where username = 'house'`,
  ],
  [
    'database_guards',
    'warning',
    `grant execute on function pg_advisory_lock(bigint) to public`,
    `revoke execute on function pg_advisory_lock(bigint) from public`,
  ],
  [
    'migrations',
    'wrong',
    `create table kept as select * from migrations order by name desc limit 1; delete from migrations where name in (select name from kept)`,
    `insert into migrations select * from kept; drop table kept`,
  ],
  [
    'quotas',
    'wrong',
    `insert into products (product_code, name_th, name_en, group_code, country_code, bet_types, result_form, position)
      values ('any', 'a', 'a', 'lao', 'la', '{3top, 2top}', 'four_digits', 1);
      insert into quotas (product_code, bet_type, full_satang, half_satang) values ('any', '2top', 100, 0)`,
    `insert into quotas (product_code, bet_type, full_satang, half_satang) values ('any', '3top', 100, 0)`,
  ],
]
test.each(rows)('%s is %s with its cause, and right without it', async (check, state, cause, mended) => {
  const run = async (statements: string): Promise<void> => {
    for (const statement of statements.split(';'))
      await database.owner.transaction().execute(async (tx) => {
        await sql`set local session_replication_role = replica`.execute(tx)
        await sql.raw(statement).execute(tx)
      })
  }
  await run(cause)
  expect(await stateOf(check)).toBe(state)
  await run(mended)
  expect(await stateOf(check)).toBe('ok')
})

function runAsNode(node: string): void {
  vi.stubGlobal('process', Object.create(process, { versions: { value: { node } } }))
  onTestFinished(() => void vi.unstubAllGlobals())
}

/** The server's own settings are those of all tests, so others are pretended. */
test.each([
  ['durable', 'wrong', 'fsync', 'off'],
  ['durable', 'wrong', 'full_page_writes', 'off'],
  ['durable', 'wrong', 'synchronous_commit', 'off'],
  ['commit_timestamps', 'wrong', 'track_commit_timestamp', 'off'],
  ['versions', 'warning', 'server_version_num', '140012'],
])('%s is %s where %s is %s', async (check, state, name, value) => {
  runAsNode('24.0.0')
  const stateWith = (settings: Readonly<Record<string, string>>): Promise<string> =>
    database.owner.transaction().execute(async (tx) => {
      await sql
        .raw(
          `create schema pretended;
          create function pretended.current_setting(name text) returns text language sql as
            $$ select coalesce('${JSON.stringify(settings)}'::jsonb ->> name, pg_catalog.current_setting(name)) $$;
          set local search_path = pretended, pg_catalog, public`,
        )
        .execute(tx)
      const found = await runChecks(tx, config)
      await sql`drop schema pretended cascade`.execute(tx)
      return found.find((each) => each.check === check)!.state
    })
  const right = { fsync: 'on', full_page_writes: 'on', track_commit_timestamp: 'on' }
  expect(await stateWith(right)).toBe('ok')
  expect(await stateWith({ ...right, [name]: value })).toBe(state)
})

test('an older Node is a warning', async () => {
  runAsNode('24.0.0')
  expect(await stateOf('versions')).toBe('ok')
  runAsNode('22.21.0')
  expect(await stateOf('versions')).toBe('warning')
})

test('a clock that differs from the database’s is wrong', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 5_000 })
  onTestFinished(() => void vi.useRealTimers())
  expect(await stateOf('clock')).toBe('wrong')
})

test('a check that fails itself is wrong', async () => {
  const found = await runChecks({} as never, config)
  expect(found.filter(({ state }) => state === 'wrong').length).toBeGreaterThan(8)
})

test('each check has its sentences in both languages', () => {
  for (const { title, todo } of Object.values(checks))
    expect([title.th, title.en, todo.th, todo.en].every((text) => text.length > 5)).toBe(true)
})

test('a test mail says what failed', async () => {
  const [withServer, to] = [{ ...config }, 'somebody@example.com']
  const { mails, sendMail } = createMailbox()
  expect(await sendTestMail(withServer, sendMail, to)).toEqual({ has_server: true, error: null })
  expect(mails).toMatchObject([{ to }])
  const refuse = () => Promise.reject(new Error('535 wrong password'))
  expect(await sendTestMail(withServer, refuse, to)).toEqual({ has_server: true, error: '535 wrong password' })
  expect(await sendTestMail({ ...config, smtpUrl: undefined }, refuse, to)).toEqual({ has_server: false, error: null })
})
