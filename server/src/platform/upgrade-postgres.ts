// Copies a database into a new data folder of another major version of the embedded PostgreSQL, which cannot read the old files. The
// packages have neither pg_dump nor pg_upgrade. So the new schema is made by the migrations, and the rows are copied table by table,
// in one snapshot; the old folder stays as it is.

import { chmod, mkdir, readFile, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { BackupRefusal } from './backup/backup-refusal.ts'
import { refuseUsedFolder } from './backup/restore.ts'
import { inMegabytes, nearestFolder, readFreeBytes } from './disk-space.ts'
import {
  type Binaries,
  type EmbeddedPostgres,
  majorOf,
  readServerVersion,
  startEmbeddedPostgres,
} from './embedded-postgres.ts'
import { compareMigrations, migrate } from './migrate.ts'
import { findRunning } from './postgres-supervisor.ts'

export interface UpgradeOptions {
  /** The data folder that the application had. Nobody uses it. */
  from: string
  /** The folder of the programs of its PostgreSQL. */
  binFolder: string
  /** The new data folder: it is not there, or empty. */
  into: string
}

export interface Upgraded {
  /** Major versions. */
  made: string
  here: string
  tables: number
  rows: number
  copy_ms: number
  /** Runs on the new folder, with every migration of this version. */
  postgres: EmbeddedPostgres
}

/** What the new folder needs beside the rows, in bytes: the log of the copy, and an empty database. */
const SPARE_BYTES = 1024 ** 3
/** How much larger than the old database the new one may become, for a moment. */
const SIZE_FACTOR = 1.2

/**
 * Copies the database and starts a server on the new folder. Each table is compared with the old one, row by row. Where it is refused
 * or fails, the new folder is as it was.
 * @throws BackupRefusal no_old_database, no_old_server, same_server, database_runs, folder_not_empty, newer_schema, not_enough_disk
 */
export async function upgradePostgres({ from, binFolder, into }: UpgradeOptions): Promise<Upgraded> {
  const { made, here, binaries } = await plan(from, binFolder)
  await refuseUsedFolder(into)
  const old = await startEmbeddedPostgres({
    dataDir: from,
    binaries,
    // Its archive, where it has one, stays as it is.
    settings: ['default_transaction_read_only=on', 'archive_mode=off'],
    startMs: 0,
  })
  let postgres: EmbeddedPostgres | undefined
  let hasMade = false
  try {
    const source = await connect(old.url)
    try {
      const lastMigration = await readLastMigration(source)
      await refuseFullDisk(source, into)
      const startedAtMs = performance.now()
      hasMade = true
      await mkdir(into, { recursive: true })
      // The server may have another account: it must reach its own folder in this one.
      if (process.getuid?.() === 0) await chmod(into, 0o755)
      postgres = await startEmbeddedPostgres({ dataDir: into, startMs: 0 })
      await migrate(postgres.url, lastMigration)
      const copied = await copyDatabase(source, postgres.url)
      await migrate(postgres.url)
      await resetTransactionIds(postgres.url)
      return { made, here, ...copied, copy_ms: performance.now() - startedAtMs, postgres }
    } finally {
      await source.end()
    }
  } catch (error) {
    await postgres?.stop()
    if (hasMade) {
      for (const name of ['postgres', 'postgres-port', 'log'])
        await rm(join(into, name), { recursive: true, force: true })
      // Where it was made here; one with something in it was refused.
      await rmdir(into).catch(() => {})
    }
    throw error
  } finally {
    await old.stop()
  }
}

async function plan(from: string, binFolder: string): Promise<{ made: string; here: string; binaries: Binaries }> {
  const folder = join(from, 'postgres')
  const made = (await readFile(join(folder, 'PG_VERSION'), 'utf8').catch(() => '')).trim()
  if (made === '') throw new BackupRefusal('no_old_database', { folder: from })
  const here = majorOf(await readServerVersion())
  if (made === here) throw new BackupRefusal('same_server', { made })
  const binaries = { postgres: join(binFolder, 'postgres'), initdb: join(binFolder, 'initdb') }
  const version = await readServerVersion(binaries.postgres).catch(() => '')
  if (majorOf(version) !== made) throw new BackupRefusal('no_old_server', { folder: binFolder, made })
  if (await findRunning(folder)) throw new BackupRefusal('database_runs', { folder: from })
  return { made, here, binaries }
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  return client
}

/** The last migration that ran in the old database. @throws BackupRefusal newer_schema: one that this version does not have */
async function readLastMigration(source: pg.Client): Promise<string> {
  const { rows } = await source.query<{ name: string; hash: string }>('select name, hash from migrations order by name')
  const { foreign } = await compareMigrations(rows)
  if (foreign.length > 0 || rows.length === 0)
    throw new BackupRefusal('newer_schema', { migration: foreign.at(-1) ?? 'no migration' })
  return rows.at(-1)!.name
}

async function refuseFullDisk(source: pg.Client, into: string): Promise<void> {
  const { rows } = await source.query<{ bytes: string }>('select pg_database_size(current_database()) as bytes')
  const needed = Number(rows[0]!.bytes) * SIZE_FACTOR + SPARE_BYTES
  const free = await readFreeBytes(await nearestFolder(into))
  if (free < needed)
    throw new BackupRefusal('not_enough_disk', { folder: into, needed: inMegabytes(needed), free: inMegabytes(free) })
}

interface Table {
  /** Quoted, with its schema. */
  name: string
  /** Quoted, in alphabetical order; generated ones compute themselves. */
  columns: string[]
  types: string[]
}

/** Jobs are made anew by the scheduler when the application starts, and are found by what is due. */
const TABLES = `
  select format('%I.%I', nspname, relname) as name,
    array_agg(format('%I', attname) order by attname) filter (where attgenerated = '') as columns,
    array_agg(format_type(atttypid, atttypmod) order by attname) filter (where attgenerated = '') as types
  from pg_class join pg_namespace on pg_namespace.oid = relnamespace join pg_attribute on attrelid = pg_class.oid
  where relkind in ('r', 'p') and attnum > 0 and not attisdropped
    and nspname not in ('pg_catalog', 'information_schema', 'pg_toast', 'graphile_worker')
  group by nspname, relname order by nspname, relname`

/** Copies every row and the state of every sequence. @throws Error where a table differs afterwards: nothing is kept then */
async function copyDatabase(source: pg.Client, url: string): Promise<{ tables: number; rows: number }> {
  const target = await connect(url)
  try {
    await source.query('begin isolation level repeatable read')
    const tables = (await source.query<Table>(TABLES)).rows
    const made = (await target.query<Table>(TABLES)).rows
    if (JSON.stringify(tables) !== JSON.stringify(made))
      throw new Error(`The migrations do not make the tables of the old database: ${describeDifference(tables, made)}`)
    await target.query('begin')
    // Neither triggers nor references to rows that are not there yet: what was valid stays valid.
    await target.query('set local session_replication_role = replica')
    // The migrations wrote rows too.
    await target.query(`truncate ${made.map(({ name }) => name).join(', ')}`)
    let rows = 0
    for (const table of tables) rows += await copyTable(source, target, table)
    await copySequences(source, target)
    await target.query('commit')
    await target.query('vacuum analyze')
    return { tables: tables.length, rows }
  } finally {
    await target.end()
  }
}

function describeDifference(tables: readonly Table[], made: readonly Table[]): string {
  const known = new Set(made.map((table) => JSON.stringify(table)))
  const own = new Set(tables.map((table) => JSON.stringify(table)))
  return [
    ...tables.filter((table) => !known.has(JSON.stringify(table))),
    ...made.filter((table) => !own.has(JSON.stringify(table))),
  ]
    .map(({ name }) => name)
    .join(', ')
}

async function copyTable(source: pg.Client, target: pg.Client, { name, columns }: Table): Promise<number> {
  const list = columns.join(', ')
  await pipeline(
    source.query(copyTo(`copy (select ${list} from ${name}) to stdout`)),
    target.query(copyFrom(`copy ${name} (${list}) from stdin`)),
  )
  const [before, after] = [await digest(source, name, columns), await digest(target, name, columns)]
  if (before.digest !== after.digest || before.rows !== after.rows)
    throw new Error(`${name} has ${before.rows} rows, and its copy ${after.rows} others`)
  return before.rows
}

/** The number of rows, and a digest of their text that does not depend on their order. */
async function digest(
  client: pg.Client,
  name: string,
  columns: readonly string[],
): Promise<{ rows: number; digest: string }> {
  const { rows } = await client.query<{ rows: string; digest: string }>(
    `select count(*) as rows, coalesce(sum(('x' || left(md5(row(${columns.join(', ')})::text), 15))::bit(60)::bigint), 0)::text as digest
     from ${name}`,
  )
  return { rows: Number(rows[0]!.rows), digest: rows[0]!.digest }
}

/**
 * Transaction ids begin anew in the new server. One of the old server would belong to another transaction there: a proposal would be
 * executed a second time by it, and the auditor would take new rows for ones that it has checked.
 */
async function resetTransactionIds(url: string): Promise<void> {
  const target = await connect(url)
  try {
    await target.query('begin')
    // What was decided is otherwise kept by triggers.
    await target.query('set local session_replication_role = replica')
    // The first id of a cluster, which made it.
    await target.query("update approvals set executed_in = '3' where state = 'executed'")
    await target.query("update book_cursor set mark_xid = '0'")
    // Without a snapshot everything is checked. The new server committed all rows now, whenever they were written.
    await target.query(
      'update auditor_state set snapshot = null, mark_xid = 0, commits_count_after = clock_timestamp()',
    )
    await target.query('commit')
  } finally {
    await target.end()
  }
}

async function copySequences(source: pg.Client, target: pg.Client): Promise<void> {
  const { rows } = await source.query<{ name: string }>(
    `select format('%I.%I', schemaname, sequencename) as name from pg_sequences where schemaname <> 'graphile_worker'`,
  )
  for (const { name } of rows) {
    const state = await source.query<{ last_value: string; is_called: boolean }>(
      `select last_value, is_called from ${name}`,
    )
    const { last_value, is_called } = state.rows[0]!
    await target.query('select setval($1::regclass, $2, $3)', [name, last_value, is_called])
  }
}
