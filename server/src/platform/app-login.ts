import { createHmac } from 'node:crypto'
import pg from 'pg'
import { advisoryLocks } from './advisory-locks.ts'

const LOG_IN = 'megalot_login'

/**
 * Creates a log-in for the application on the embedded PostgreSQL. It can become `megalot_app` and nothing else, so a
 * connection that fails to set its role has fewer rights, not the owner's. All nodes of one server compute the same
 * password, because it is derived from the owner's.
 * @returns the connection string for the application
 */
export async function makeAppLogin(ownerUrl: string): Promise<string> {
  const url = new URL(ownerUrl)
  const password = createHmac('sha256', decodeURIComponent(url.password)).update(LOG_IN).digest('hex')
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  try {
    // An error must not put the password into the server's log.
    await client.query('set log_min_error_statement = panic')
    await client.query(`
      begin;
      select pg_advisory_xact_lock(${advisoryLocks.appLogin});
      do $$ begin
        if not exists (select 1 from pg_roles where rolname = '${LOG_IN}') then create role ${LOG_IN}; end if;
      end $$;
      alter role ${LOG_IN} with login noinherit password '${password}';
      grant megalot_app to ${LOG_IN} with inherit false, set true;
      commit`)
  } finally {
    await client.end()
  }
  url.username = LOG_IN
  url.password = password
  return url.toString()
}
