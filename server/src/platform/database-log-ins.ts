// The log-ins of the database, made by the script that operators run too (`server/roles.sql`).

import { createHmac } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { projectRoot } from './project-root.ts'

/** By what they are used for; the names are those of `server/roles.sql`. */
const names = {
  owner: 'megalot_owner',
  app: 'megalot_login',
  reader: 'megalot_reader_login',
  auditor: 'megalot_auditor_login',
} as const

/** The log-ins that only read. */
export const readingLogIns: readonly string[] = [names.reader, names.auditor]

type LogIn = keyof typeof names

/**
 * Makes log-ins with these passwords, or sets the passwords of those that there are.
 * @param superuserUrl of the database, before its first migration where it has an owner of its own
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
    // The parameters of a statement must not put a password into the server's log.
    await client.query(
      "set log_statement = 'none'; set log_min_duration_statement = -1; set log_min_error_statement = 'panic'",
    )
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
 * Makes the application's log-in on the embedded PostgreSQL. All nodes of one server compute the same password, because it
 * is derived from the superuser's.
 * @returns the connection string for the application
 */
export async function makeAppLogin(superuserUrl: string): Promise<string> {
  const secret = decodeURIComponent(new URL(superuserUrl).password)
  const password = createHmac('sha256', secret).update(names.app).digest('hex')
  return (await makeDatabaseLogIns(superuserUrl, { app: password })).app
}
