// Runs once for all test files: a real PostgreSQL with a migrated and seeded template, from which each file clones its
// own database, and the bundled application for tests that start it as a process.

import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import argon2 from '@node-rs/argon2'
import { sql } from 'kysely'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '../src/postgres/db.ts'
import { startEmbeddedPostgres } from '../src/postgres/embedded-postgres.ts'
import { migrate } from '../src/postgres/migrate.ts'
import { projectRoot } from '../src/lib/project-root.ts'
import { DEMO_PASSWORD, seedDemo } from '../src/demo/demo.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    postgresUrl: string
    /** The folder of the server's own log. */
    postgresLogFolder: string
    /** The bundled application. */
    appFile: string
  }
}

export const TEMPLATE = 'megalot_template'

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const bundleFolder = join(projectRoot, `.cache/test-server-${process.pid}`)
  const bundled = promisify(execFile)(process.execPath, ['scripts/bundle-server.mjs', bundleFolder], {
    cwd: projectRoot,
  })
  const dataDir = await mkdtemp(join(tmpdir(), 'megalot-test-'))
  // Tests of durability start their own server, so fsync is not needed here.
  const postgres = await startEmbeddedPostgres({ dataDir, settings: ['fsync=off', 'full_page_writes=off'] })
  await runSql(postgres.url, `create database ${TEMPLATE}`)
  const templateUrl = withDatabase(postgres.url, TEMPLATE)
  await migrate(templateUrl)
  const owner = openDatabase({ url: templateUrl, role: 'owner', maxConnections: 1 })
  await seedDemo(owner.db, () => {})
  // A log-in verifies with the stored hash's parameters. Hashes made during tests use the product's.
  const password_hash = await argon2.hash(DEMO_PASSWORD, { algorithm: 2, memoryCost: 64, timeCost: 1, parallelism: 1 })
  await sql`update users set password_hash = ${password_hash}`.execute(owner.db)
  // Tests move tickets into the past, so their terms must have been offered then.
  await sql`
    insert into package_terms_history (package_id, bet_type, since_at, rate, discount_rate, min_satang, max_satang,
      max_per_number_satang, is_on)
    select package_id, bet_type, now() - interval '365 days', rate, discount_rate, min_satang, max_satang,
      max_per_number_satang, is_on from package_terms`.execute(owner.db)
  await owner.close()
  await bundled
  project.provide('postgresUrl', postgres.url)
  project.provide('postgresLogFolder', join(dataDir, 'log'))
  project.provide('appFile', join(bundleFolder, 'main.js'))
  return async () => {
    await postgres.stop()
    for (const folder of [dataDir, bundleFolder]) await rm(folder, { recursive: true, force: true })
  }
}

export function withDatabase(url: string, database: string): string {
  const changed = new URL(url)
  changed.pathname = `/${database}`
  return changed.toString()
}

export async function runSql(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
