import { createHmac } from 'node:crypto'
import pg from 'pg'
import { advisoryLocks } from './advisory-locks.ts'

const LOG_IN = 'megalot_login'

/**
 * A log-in for the product to the PostgreSQL that comes along: it can become `megalot_app` and nothing else, so that a
 * connection that forgets its role has less than before, not all that the owner has. Nodes on one server come to the same
 * password, because it is made of the owner's.
 * @returns the address to work at
 */
export async function makeAppLogin(ownerUrl: string): Promise<string> {
  const url = new URL(ownerUrl)
  const password = createHmac('sha256', decodeURIComponent(url.password)).update(LOG_IN).digest('hex')
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  try {
    // What fails is not to stand in the server's log with the password in it.
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
