// What a new house consists of before its first person: the company, and all markets, off. And the address at which the
// first owner is made.

import { randomBytes } from 'node:crypto'
import { SETUP_LINK_HOURS, SETUP_PATH } from '@megalot/contract'
import { sql } from 'kysely'
import { writeAudit } from '../../changes/audit/index.ts'
import { lockOfHierarchy } from '../../changes/index.ts'
import { COMMAND_LINE } from '../../http/caller.ts'
import { giveAllPackages, seedMarkets } from '../../markets/index.ts'
import { takeLock } from '../../postgres/advisory-locks.ts'
import type { Db, Tx } from '../../postgres/db.ts'
import { createUser, hashPassword } from '../accounts/index.ts'
import { linkOf, makeLinkToken } from '../credentials/index.ts'
import { findCompanyId, hasOwner, insertSetupLink } from './setup.store.ts'

const COMPANY = 'company'
/** What the company can give in all, until two people change it: a thousand million Baht. */
const COMPANY_CREDIT_SATANG = 100_000_000_000

/**
 * Adds markets of the catalogue that the database lacks, all off, and the company if there is none.
 * @param owner the database's owner: the application adds no markets
 */
export async function prepareHouse(owner: Db): Promise<void> {
  await owner.transaction().execute(async (tx) => {
    await sql`select ${takeLock('seed')}`.execute(tx)
    const hasNew = await seedMarkets(tx, false)
    const company_id = await findCompanyId(tx)
    if (company_id === undefined) await addCompany(tx)
    else if (hasNew) await giveAllPackages(tx, company_id)
  })
}

async function addCompany(tx: Tx): Promise<void> {
  // Discarded: no one logs in as the company.
  const password_hash = await hashPassword(randomBytes(32).toString('base64url'))
  const company = { username: COMPANY, display_name: COMPANY, level: 'company', parent_id: null } as const
  const credit_limit_satang = COMPANY_CREDIT_SATANG
  const user_id = await createUser(tx, { ...company, password_hash, credit_limit_satang })
  await giveAllPackages(tx, user_id)
  await writeAudit(tx, {
    actor_id: null,
    address: COMMAND_LINE,
    action: 'add_user',
    subject: `user:${user_id}`,
    after: { username: COMPANY, level: 'company', credit_limit_satang },
  })
}

/**
 * An address at which the first owner is made, valid once and for a day.
 * @param owner the database's owner: an address is made by who has the machine
 * @returns undefined if there is an owner
 */
export async function makeSetupLink(owner: Db, publicUrl: string): Promise<string | undefined> {
  const { token, tokenHash } = makeLinkToken()
  return owner.transaction().execute(async (tx) => {
    await lockOfHierarchy.take(tx)
    if (await hasOwner(tx)) return undefined
    await insertSetupLink(tx, tokenHash)
    return linkOf(publicUrl, SETUP_PATH, token)
  })
}

/** The address for the log and the terminal. */
export const describeSetupLink = (link: string): string =>
  `This house has no owner yet. Make the first one here, once and within ${SETUP_LINK_HOURS} hours:\n${link}`
