// Prepares a new house: the company, all markets (off), and the set-up address at which the first owner is created.

import { randomBytes } from 'node:crypto'
import { SETUP_LINK_HOURS, SETUP_PATH } from '@megalot/contract'
import { sql } from 'kysely'
import { writeAudit } from '../../changes/audit/index.ts'
import { COMMAND_LINE } from '../../http/caller.ts'
import { giveCompanyPackages, seedMarkets } from '../../markets/index.ts'
import { takeLock } from '../../postgres/advisory-locks.ts'
import type { Db, Tx } from '../../postgres/db.ts'
import { createUser, hashPassword } from '../accounts/index.ts'
import { linkOf, makeLinkToken } from '../credentials/index.ts'
import { findCompanyId, hasOwner, insertSetupLink } from './setup.store.ts'

const COMPANY = 'company'
/** The company's credit limit until two people change it: 1,000,000,000 Baht. */
const COMPANY_CREDIT_SATANG = 100_000_000_000

/**
 * Adds markets of the catalogue that the database lacks, all off, and the company if there is none.
 * @param ownerDb the database as its owner, because the application's log-in adds no markets
 */
export async function prepareHouse(ownerDb: Db): Promise<void> {
  await ownerDb.transaction().execute(async (tx) => {
    await sql`select ${takeLock('seed')}`.execute(tx)
    const newPackages = await seedMarkets(tx, false)
    const company_id = await findCompanyId(tx)
    if (company_id === undefined) await addCompany(tx)
    // Packages that were taken from the company stay taken.
    else await giveCompanyPackages(tx, company_id, newPackages)
  })
}

async function addCompany(tx: Tx): Promise<void> {
  // Discarded: no one logs in as the company.
  const password_hash = await hashPassword(randomBytes(32).toString('base64url'))
  const company = { username: COMPANY, display_name: COMPANY, level: 'company', parent_id: null } as const
  const credit_limit_satang = COMPANY_CREDIT_SATANG
  const user_id = await createUser(tx, { ...company, password_hash, credit_limit_satang })
  await giveCompanyPackages(tx, user_id, null)
  await writeAudit(tx, {
    actor_id: null,
    address: COMMAND_LINE,
    action: 'add_user',
    subject: `user:${user_id}`,
    after: { username: COMPANY, level: 'company', credit_limit_satang },
  })
}

/**
 * Creates a set-up address. It expires after `SETUP_LINK_HOURS`, and with the first owner.
 * @param ownerDb the database as its owner, because only the machine creates addresses
 * @returns undefined if there is an owner
 */
export async function makeSetupLink(ownerDb: Db, publicUrl: string): Promise<string | undefined> {
  const { token, tokenHash } = makeLinkToken()
  return ownerDb.transaction().execute(async (tx) => {
    if (await hasOwner(tx)) return undefined
    await insertSetupLink(tx, tokenHash)
    return linkOf(publicUrl, SETUP_PATH, token)
  })
}

/** The text with the address, for the log and the terminal. */
export const describeSetupLink = (link: string): string =>
  `This house has no owner yet. Make the first one here, once and within ${SETUP_LINK_HOURS} hours:\n${link}`
