// Adding users from the command line.

import { randomBytes } from 'node:crypto'
import type { UserLevel } from '@megalot/contract'
import { sql } from 'kysely'
import type { Db, Tx } from '../platform/db.ts'
import {
  createUser,
  findUser,
  hashPassword,
  lockHierarchy,
  refuseOverAllocation,
  refuseWeakPassword,
} from '../modules/accounts/index.ts'
import { writeAudit } from '../modules/audit/index.ts'
import { giveAllPackages, givePackagesOf } from '../modules/markets/index.ts'
import type { AskSecret } from './ask-secret.ts'

export interface NewAccount {
  username: string
  level: UserLevel
  parent: string
  /** Credit limit in satang. */
  credit_limit_satang: number
  password: string
  /** Whether the user has to set an own password at the first log-in. */
  must_change_password: boolean
}

/** @throws Error with a sentence for the terminal */
export async function askNewPassword(askSecret: AskSecret, username: string): Promise<string> {
  const password = await askSecret(`Password for ${username}: `, 'new_password')
  if (password.length < 4 || password.length > 100) throw new Error('A password has 4 to 100 characters')
  return password
}

/**
 * Adds a member or an agent with the packages of its parent. The caller has checked access to the parent.
 * @param refuse what it checks once more after the wait for the locks
 * @throws Error with a sentence for the terminal; Refusal not_enough_to_give (more credit than the parent has left to give)
 */
export async function addUser(
  db: Db,
  account: NewAccount,
  actor_id: number | null,
  refuse?: (tx: Tx) => Promise<void>,
): Promise<number> {
  const { username, level, credit_limit_satang } = account
  const password_hash = await hashPassword(account.password)
  return db.transaction().execute(async (tx) => {
    const parent = await findUser(tx, { username: account.parent })
    if (!parent) throw new Error(`There is no user ${account.parent}`)
    const { must_change_password } = account
    const columns = {
      username,
      display_name: username,
      level,
      parent_id: parent.user_id,
      password_hash,
      must_change_password,
    }
    const user_id = await createUser(tx, { ...columns, credit_limit_satang })
    await refuseOverAllocation(tx, parent.user_id, credit_limit_satang)
    await givePackagesOf(tx, parent.user_id, user_id)
    await refuse?.(tx)
    await auditUser(tx, actor_id, user_id, { ...account })
    return user_id
  })
}

export interface FirstOwner {
  username: string
  password: string
  /** The company, which is made where there is none. Nobody can log in as it: owners act for the house. */
  company: string
  /** The company's credit limit in satang. */
  credit_limit_satang: number
}

/**
 * Adds an owner of the office and, where there is none, the company with all packages. Whoever has the machine may do it, as
 * long as there are fewer than the two who can approve what the other proposes; a suspended owner counts, because one owner
 * with the machine could otherwise make its own second person.
 * @throws Error with a sentence for the terminal
 */
export async function addFirstOwner(db: Db, { username, password, company, ...credit }: FirstOwner): Promise<number> {
  refuseWeakPassword({ username, level: 'company', is_office: true }, password)
  const password_hash = await hashPassword(password)
  return db.transaction().execute(async (tx) => {
    await lockHierarchy(tx)
    if ((await countOwners(tx)) >= 2)
      throw new Error('The office has two owners already, who can add others: staff-add')
    const parent_id = (await findCompanyId(tx)) ?? (await addCompany(tx, company, credit.credit_limit_satang))
    const office_role = 'owner'
    const place = { level: 'company', is_office: true, office_role, parent_id } as const
    const columns = { username, display_name: username, password_hash, credit_limit_satang: 0 }
    const user_id = await createUser(tx, { ...columns, ...place })
    await auditUser(tx, null, user_id, { username, office_role, parent: company })
    return user_id
  })
}

async function addCompany(tx: Tx, username: string, credit_limit_satang: number): Promise<number> {
  // The password is thrown away: nobody logs in as the company itself.
  const password_hash = await hashPassword(randomBytes(32).toString('base64url'))
  const columns = { username, display_name: username, level: 'company', parent_id: null, password_hash } as const
  const user_id = await createUser(tx, { ...columns, credit_limit_satang })
  await giveAllPackages(tx, user_id)
  await auditUser(tx, null, user_id, { username, level: 'company', credit_limit_satang })
  return user_id
}

async function countOwners(tx: Tx): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from users where office_role = 'owner'`.execute(tx)
  return rows[0]!.count
}

async function findCompanyId(tx: Tx): Promise<number | undefined> {
  const { rows } = await sql<{ user_id: number }>`
    select user_id from users where level = 'company' and not is_office and principal_id is null`.execute(tx)
  return rows[0]?.user_id
}

function auditUser(
  tx: Tx,
  actor_id: number | null,
  user_id: number,
  { password: _password, ...after }: { password?: string } & Record<string, unknown>,
): Promise<void> {
  return writeAudit(tx, { actor_id, action: 'add_user', subject: `user:${user_id}`, after })
}
