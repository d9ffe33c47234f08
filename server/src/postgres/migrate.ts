import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { advisoryLocks } from './advisory-locks.ts'
import { projectRoot } from '../lib/project-root.ts'

/** The migrations of this version. */
export const migrationsFolder = join(projectRoot, 'server', 'migrations')

/**
 * Brings a database to the newest schema: runs each file of `server/migrations` once, in order, each in its own
 * transaction.
 * @param folder other migrations, in tests of upgrades
 * @returns the names of the files it ran
 * @throws Error if a file that ran before has been edited since, or if the database was made by files from before the
 * first one: migrations only go forward
 */
export async function migrate(databaseUrl: string, folder = migrationsFolder): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl })
  // A server that shuts down during a query reports it twice: by the failed call, and by this event.
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [advisoryLocks.migrate])
    await client.query(`create table if not exists migrations (
      name text primary key, hash text not null, ran_at timestamptz not null default now())`)
    const { rows } = await client.query<{ name: string; hash: string }>('select name, hash from migrations')
    const hashes = new Map(rows.map((row) => [row.name, row.hash]))
    const migrations = await Promise.all((await migrationFiles(folder)).map((name) => readMigration(folder, name)))
    if (hashes.size > 0 && !hashes.has(migrations[0]!.name))
      throw new Error(
        'The database was made by an older version, which this one cannot go on from. Use an empty database or data folder.',
      )
    const ran: string[] = []
    for (const { name, hash, text } of migrations) {
      const known = hashes.get(name)
      if (known === hash) continue
      if (known !== undefined)
        throw new Error(
          `Migration ${name} was edited after it ran: the database was made by another version, which this one cannot go on from. Use an empty database or data folder.`,
        )
      await runOne(client, name, hash, text)
      ran.push(name)
    }
    return ran
  } finally {
    await client.end()
  }
}

interface Migration {
  name: string
  hash: string
  text: string
}

async function readMigration(folder: string, name: string): Promise<Migration> {
  const text = await readFile(join(folder, name), 'utf8')
  return { name, hash: createHash('sha256').update(text).digest('hex'), text }
}

/** The names of all migrations, in their order. */
export async function migrationFiles(folder = migrationsFolder): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted()
}

async function runOne(client: pg.Client, name: string, hash: string, text: string): Promise<void> {
  await client.query('begin')
  try {
    await client.query(text)
    await client.query('insert into migrations (name, hash) values ($1, $2)', [name, hash])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw new Error(`Migration ${name} failed: ${(error as Error).message}`, { cause: error })
  }
}
