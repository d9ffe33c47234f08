// The data of a release as one compressed file. The file has no schema: a landed migration is never edited, so the
// migrations up to the release's last one make its schema again.

import { readFileSync } from 'node:fs'
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import pg from 'pg'
import { projectRoot } from '../src/lib/project-root.ts'
import { migrate, migrationsFolder } from '../src/postgres/migrate.ts'

/** Rows of a line, so that no line is longer than a string may be. */
const ROWS = 2_000
const SEQUENCES = 'sequences'

async function withClient<Value>(databaseUrl: string, run: (client: pg.Client) => Promise<Value>): Promise<Value> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    return await run(client)
  } finally {
    await client.end()
  }
}

/** The tables of the schema `public`. */
export async function listTables(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
    order by relname collate "C"`,
  )
  return rows.map(({ name }) => name)
}

/** All rows and sequences of a database: lines of a table's name, a tab, and rows as a JSON array. */
export function dumpData(databaseUrl: string): Promise<Buffer> {
  return withClient(databaseUrl, async (client) => {
    const lines: string[] = []
    await client.query('begin isolation level repeatable read, read only')
    for (const table of await listTables(client)) {
      const { rows } = await client.query<{ text: string }>(
        `select jsonb_agg(to_jsonb(each.whole))::text as text
        from (select whole, (row_number() over () - 1) / ${ROWS} as line from ${pg.escapeIdentifier(table)} whole) each
        group by line order by line`,
      )
      lines.push(...rows.map(({ text }) => `${table}\t${text}`))
    }
    const { rows } = await client.query<{ text: string }>(
      `select coalesce(jsonb_object_agg(sequencename, last_value), '{}')::text as text from pg_sequences
      where schemaname = 'public' and last_value is not null`,
    )
    lines.push(`${SEQUENCES}\t${rows[0]!.text}`)
    return gzipSync(lines.join('\n'), { level: 9 })
  })
}

/** Replaces all rows of a database that has the schema of the data. */
export function restoreData(databaseUrl: string, data: Buffer): Promise<void> {
  return withClient(databaseUrl, async (client) => {
    await client.query('begin')
    // Neither triggers nor foreign keys: the rows are as another database had them.
    await client.query('set local session_replication_role = replica')
    const tables = await listTables(client)
    await client.query(`truncate ${tables.map((name) => pg.escapeIdentifier(name)).join(', ')}`)
    for (const line of gunzipSync(data).toString().split('\n')) {
      const at = line.indexOf('\t')
      const [name, json] = [line.slice(0, at), line.slice(at + 1)]
      if (name === SEQUENCES)
        await client.query(
          'select setval(quote_ident(name)::regclass, last::bigint) from jsonb_each_text($1::jsonb) each (name, last)',
          [json],
        )
      else await insertRows(client, name, json)
    }
    await client.query('commit')
  })
}

async function insertRows(client: pg.Client, name: string, json: string): Promise<void> {
  const { rows } = await client.query<{ columns: string }>(
    `select string_agg(quote_ident(attname), ', ') as columns from pg_attribute
    where attrelid = quote_ident($1)::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    [name],
  )
  const table = pg.escapeIdentifier(name)
  await client.query(
    `insert into ${table} (${rows[0]!.columns}) overriding system value
    select ${rows[0]!.columns} from jsonb_populate_recordset(null::${table}, $1::jsonb)`,
    [json],
  )
}

/**
 * Makes a database as a release left it, in an empty one.
 * @param last the last migration of the release
 */
export async function restoreRelease(
  databaseUrl: string,
  last: string,
  data: Buffer,
  folder = migrationsFolder,
): Promise<void> {
  const ofRelease = await mkdtemp(join(tmpdir(), 'megalot-release-'))
  try {
    for (const name of await readdir(folder))
      if (name.endsWith('.sql') && name <= last) await cp(join(folder, name), join(ofRelease, name))
    await migrate(databaseUrl, ofRelease)
    // With the hashes that the migrations had then.
    await restoreData(databaseUrl, data)
  } finally {
    await rm(ofRelease, { recursive: true })
  }
}

/** The releases, each with its last migration. */
export function listReleases(): Record<string, string> {
  return JSON.parse(readFileSync(join(migrationsFolder, 'releases.json'), 'utf8')) as Record<string, string>
}

/** The file with the data of a release. */
export function releaseFile(version: string): string {
  return join(projectRoot, 'server', 'test', 'releases', `${version}.gz`)
}
