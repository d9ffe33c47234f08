// The database of a running application, for benchmarks that kill it or read it directly as its owner.

import { type Database, openDatabase } from '../src/postgres/db.ts'
import { findRunningPostgres } from '../src/postgres/embedded-postgres.ts'

export { findRunningPostgres }

/** Opens the database of a data folder as its owner. @throws Error while no server runs on it */
export async function openDataFolderDatabase(dataDir: string): Promise<Database> {
  const server = await findRunningPostgres(dataDir)
  if (!server) throw new Error(`no database runs on ${dataDir}`)
  return openOwnerDatabase(server.url)
}

export function openOwnerDatabase(url: string): Database {
  return openDatabase({ url, role: 'owner', maxConnections: 2 })
}
