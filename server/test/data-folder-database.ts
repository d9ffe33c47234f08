// The database of a running application as its owner, for tests and benchmarks that kill it or read it directly.

import { join } from 'node:path'
import { type Database, openDatabase } from '../src/platform/db.ts'
import { readPassword } from '../src/platform/embedded-postgres.ts'
import { findRunning, type Running } from '../src/platform/postgres-supervisor.ts'

/** Port and process id of the server of a data folder, while it takes connections. */
export async function findDataFolderServer(dataDir: string): Promise<Running | null> {
  return findRunning(join(dataDir, 'postgres'))
}

/** Opens the database of a data folder as its owner. @throws Error while no server runs on it */
export async function openDataFolderDatabase(dataDir: string): Promise<Database> {
  const server = await findDataFolderServer(dataDir)
  if (!server) throw new Error(`no database runs on ${dataDir}`)
  const password = await readPassword(join(dataDir, 'postgres'))
  const url = `postgresql://postgres:${password}@127.0.0.1:${server.port}/postgres`
  return openOwnerDatabase(url)
}

export function openOwnerDatabase(url: string): Database {
  return openDatabase({ url, role: 'owner', maxConnections: 2 })
}
