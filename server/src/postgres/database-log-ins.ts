// The database's log-ins, created by the script that operators run too (`server/roles.sql`).

import { createHmac } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import type { Db } from './db.ts'
import { projectRoot } from '../lib/project-root.ts'

/** By use; the names are those of `server/roles.sql`. */
const names = {
  owner: 'megalot_owner',
  app: 'megalot_login',
  reader: 'megalot_reader_login',
  auditor: 'megalot_auditor_login',
  checker: 'megalot_checker_login',
} as const

/** Log-ins that only read, used by people and their reports. */
export const readingLogIns: readonly string[] = [names.reader, names.auditor]

type LogIn = keyof typeof names

/** Settings of read-only log-ins in `server/roles.sql`, including the checker's; the others have none. */
const readerSettings = [
  'default_transaction_read_only=on',
  'idle_session_timeout=15min',
  'idle_in_transaction_session_timeout=1min',
]
/** The same, where a superuser ran it. */
const superuserSettings = ['temp_file_limit=1GB', 'log_min_messages=fatal']

/** Whether a superuser ran `server/roles.sql`, so that log-ins that only read can neither take locks nor fill a disk. */
export async function hasSuperuserGuards(db: Db): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`
    select not has_function_privilege('public', 'pg_advisory_lock(bigint)', 'execute') as has`.execute(db)
  return rows[0]!.has
}

/**
 * How the log-ins' settings differ from `server/roles.sql`, one line per setting. A log-in may change its own settings,
 * which apply to its later connections. A changed password does not show; the log-in then fails.
 */
export async function listChangedSettings(db: Db): Promise<string[]> {
  const { rows } = await sql<{ log_in: string; settings: string[] }>`
    select rolname as log_in, array(
      select coalesce('in database ' || datname || ' ', '') || setting
      from pg_db_role_setting left join pg_database on pg_database.oid = setdatabase cross join lateral unnest(setconfig) setting
      where setrole = pg_roles.oid) as settings
    from pg_roles where rolname in (${sql.join(Object.values(names))})`.execute(db)
  const hasGuards = await hasSuperuserGuards(db)
  return rows
    .flatMap(({ log_in, settings }) => {
      const isReader = [...readingLogIns, names.checker].includes(log_in)
      const allowed = isReader ? [...readerSettings, ...superuserSettings] : []
      const expected = hasGuards ? allowed : allowed.filter((one) => readerSettings.includes(one))
      return [
        ...settings.filter((one) => !allowed.includes(one)),
        ...expected.filter((one) => !settings.includes(one)).map((one) => `not ${one}`),
      ].map((difference) => `${log_in}: ${difference}`)
    })
    .toSorted()
}

/**
 * Creates log-ins with these passwords, or sets the passwords of existing ones.
 * @param superuserUrl of the database, before its first migration if it has its own owner
 * @returns the connection string of each
 */
export async function makeDatabaseLogIns<Given extends LogIn>(
  superuserUrl: string,
  passwords: Readonly<Record<Given, string>>,
): Promise<Record<Given, string>> {
  const given = Object.entries(passwords) as [Given, string][]
  const client = new pg.Client({ connectionString: superuserUrl })
  await client.connect()
  try {
    // Statement parameters keep the password out of the server's log. An owner without superuser may not set these.
    await client
      .query("set log_statement = 'none'; set log_min_duration_statement = -1; set log_min_error_statement = 'panic'")
      .catch(() => {})
    for (const [logIn, password] of given)
      await client.query("select set_config('megalot.' || $1 || '_password', $2, false)", [logIn, password])
    await client.query(await readFile(join(projectRoot, 'server', 'roles.sql'), 'utf8'))
  } finally {
    await client.end()
  }
  return Object.fromEntries(
    given.map(([logIn, password]) => {
      const url = new URL(superuserUrl)
      url.username = names[logIn]
      url.password = encodeURIComponent(password)
      return [logIn, url.toString()]
    }),
  ) as Record<Given, string>
}

/**
 * Creates the application's log-in on the embedded PostgreSQL. All nodes of one server compute the same password,
 * because it is derived from the superuser's.
 * @returns the connection string for the application
 */
export async function makeAppLogin(superuserUrl: string): Promise<string> {
  const secret = decodeURIComponent(new URL(superuserUrl).password)
  const password = createHmac('sha256', secret).update(names.app).digest('hex')
  return (await makeDatabaseLogIns(superuserUrl, { app: password })).app
}
