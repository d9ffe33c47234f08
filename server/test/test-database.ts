import { randomBytes } from 'node:crypto'
import { type QueryResult, sql } from 'kysely'
import { inject } from 'vitest'
import { type DatabaseHandles, type Db, openDatabase } from '../src/postgres/db.ts'
import { migrate } from '../src/postgres/migrate.ts'
import { closeAtFileEnd } from './file-end.ts'
import { runSql, TEMPLATE, withDatabase } from './start-postgres.ts'

export interface TestDatabase extends DatabaseHandles {
  url: string
  /** As the owner, for preparing a scene and reading tables directly. */
  owner: Db
  /** Executes a statement as the owner. */
  asOwner: <Row>(statement: TemplateStringsArray, ...values: unknown[]) => Promise<QueryResult<Row>>
}

/** A test file's own database, cloned from the seeded template; closed when the file ends. */
export function cloneDatabase(): Promise<TestDatabase> {
  return openNewDatabase((server, name) =>
    runSql(server, `create database ${name} template ${TEMPLATE} strategy file_copy`),
  )
}

/** An own database without seed: its tables are empty. */
export function createEmptyDatabase(): Promise<TestDatabase> {
  return openNewDatabase(async (server, name) => {
    await runSql(server, `create database ${name}`)
    await migrate(withDatabase(server, name))
  })
}

/** A database without tables, for tests before the first migration; dropped when the file ends. */
export async function createUnmigratedDatabase(): Promise<string> {
  const server = inject('postgresUrl')
  const name = `test_${randomBytes(6).toString('hex')}`
  await runSql(server, `create database ${name}`)
  closeAtFileEnd(() => runSql(server, `drop database ${name} with (force)`))
  return withDatabase(server, name)
}

export function handlesOf(owner: Db): Pick<TestDatabase, 'owner' | 'asOwner'> {
  return { owner, asOwner: (...statement) => sql<never>(...statement).execute(owner) }
}

async function openNewDatabase(create: (server: string, name: string) => Promise<unknown>): Promise<TestDatabase> {
  const server = inject('postgresUrl')
  const name = `test_${randomBytes(6).toString('hex')}`
  await create(server, name)
  closeAtFileEnd(() => runSql(server, `drop database ${name} with (force)`))
  return openTestDatabase(withDatabase(server, name))
}

/** Connects to a database of a test as application and as owner; closed when the file ends. */
export function openTestDatabase(url: string): TestDatabase {
  const application = openDatabase({ url, role: 'megalot_app', maxConnections: 10 })
  const owner = openDatabase({ url, role: 'owner', maxConnections: 3 })
  closeAtFileEnd(async () => {
    await application.close()
    await owner.close()
  })
  const { db, batches, reports, lists } = application
  return { url, db, batches, reports, lists, ...handlesOf(owner.db) }
}
