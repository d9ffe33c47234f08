// Whether a database is whole: what a restored one must prove before anybody relies on it.

import { openDatabase } from '../../platform/db.ts'
import { compareMigrations, type MigrationState } from '../../platform/migrate.ts'
import { type ChainReport, verifyAuditChain } from '../audit/index.ts'
import { findBrokenInvariants, invariantCodes } from '../invariants/index.ts'
import { type LastTicket, listRunMigrations, readLastTicket } from './database-check.store.ts'

export interface DatabaseCheck {
  last_ticket: LastTicket
  migrations: MigrationState
  /** Null: not checked, because the schema is not of this version. */
  invariants: { count: number; broken: Awaited<ReturnType<typeof findBrokenInvariants>> } | null
  audit: ChainReport | null
  isWhole: boolean
}

/** Checks every invariant of money, verifies the audit log, and changes nothing. @param url as the owner */
export async function checkDatabase(url: string): Promise<DatabaseCheck> {
  const database = openDatabase({ url, role: 'owner', maxConnections: 2 })
  try {
    const { db } = database
    const migrations = await compareMigrations(await listRunMigrations(db))
    const last_ticket = await readLastTicket(db)
    if (migrations.missing.length + migrations.foreign.length > 0)
      return { last_ticket, migrations, invariants: null, audit: null, isWhole: false }
    const broken = await findBrokenInvariants(db)
    const audit = await verifyAuditChain(db)
    const isWhole = Object.keys(broken).length === 0 && audit.problems.length === 0
    const invariants = { count: invariantCodes.length, broken }
    return { last_ticket, migrations, invariants, audit, isWhole }
  } finally {
    await database.close()
  }
}
