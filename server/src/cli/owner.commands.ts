// The command that adds the first two owners of the office, who add all other users in the console.

import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import * as contract from '@megalot/contract'
import { sql } from 'kysely'
import { lockOfHierarchy } from '../changes/index.ts'
import { createUser, hashPassword, refuseWeakPassword } from '../identity/accounts/index.ts'
import { writeAudit } from '../changes/audit/index.ts'
import { giveAllPackages } from '../markets/index.ts'
import { COMMAND_LINE } from '../http/caller.ts'
import type { Db, Tx } from '../postgres/db.ts'
import { type Command, type CommandCall, readAs, readBaht, required, text } from './command.ts'

async function addOwner({ db, args, askSecret }: CommandCall): Promise<string> {
  const { values, positionals } = parseArgs({ args, options: { company: text, credit: text }, allowPositionals: true })
  const username = required(positionals[0], 'USERNAME')
  const credit = { credit_limit_satang: readBaht(values.credit ?? '0', '--credit') }
  const { credit_limit_satang } = readAs(contract.changeCreditLimit.body, credit)
  const company = values.company ?? 'company'
  for (const name of [username, company]) readAs(contract.createOfficeUser.body, { username: name, display_name: name })
  const password = await askSecret(`Password for ${username}: `, 'new_password')
  if (password.length < 4 || password.length > 100) throw new Error('A password has 4 to 100 characters')
  await addFirstOwner(db, { username, password, company, credit_limit_satang })
  return `${username}: added as an owner`
}

interface FirstOwner {
  username: string
  password: string
  /** The company, created if it does not exist. No one can log in as the company: owners act for the house. */
  company: string
  /** The company's credit limit in satang. */
  credit_limit_satang: number
}

/**
 * Adds an owner of the office and, if there is none, the company with all packages. Available to anyone who controls
 * the machine, while there are fewer than the two owners who can approve each other's proposals. Suspended owners
 * count; otherwise one owner with the machine could create its own second person.
 * @throws Error with a sentence for the terminal
 */
async function addFirstOwner(db: Db, { username, password, company, ...credit }: FirstOwner): Promise<number> {
  refuseWeakPassword({ username, level: 'company', is_office: true }, password)
  const password_hash = await hashPassword(password)
  return db.transaction().execute(async (tx) => {
    await lockOfHierarchy.take(tx)
    if ((await countOwners(tx)) >= 2)
      throw new Error('The office has two owners already, who can add others on the page of staff')
    const parent_id = (await findCompanyId(tx)) ?? (await addCompany(tx, company, credit.credit_limit_satang))
    const office_role = 'owner'
    const place = { level: 'company', is_office: true, office_role, parent_id } as const
    const columns = { username, display_name: username, password_hash, credit_limit_satang: 0 }
    const user_id = await createUser(tx, { ...columns, ...place })
    await auditUser(tx, user_id, { username, office_role, parent: company })
    return user_id
  })
}

async function addCompany(tx: Tx, username: string, credit_limit_satang: number): Promise<number> {
  // The password is discarded, because no one logs in as the company.
  const password_hash = await hashPassword(randomBytes(32).toString('base64url'))
  const columns = { username, display_name: username, level: 'company', parent_id: null, password_hash } as const
  const user_id = await createUser(tx, { ...columns, credit_limit_satang })
  await giveAllPackages(tx, user_id)
  await auditUser(tx, user_id, { username, level: 'company', credit_limit_satang })
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

function auditUser(tx: Tx, user_id: number, after: Record<string, unknown>): Promise<void> {
  return writeAudit(tx, {
    actor_id: null,
    address: COMMAND_LINE,
    action: 'add_user',
    subject: `user:${user_id}`,
    after,
  })
}

export const ownerCommands: Readonly<Record<string, Command>> = {
  'owner-add': {
    usage: 'owner-add USERNAME [--company USERNAME] [--credit BAHT]',
    help: 'first start: makes an owner of the office as long as there are fewer than two, suspended or not, and the company where there is none; nobody signs in',
    // The application creates owners only with two people's approval.
    authority: null,
    isOwners: true,
    run: addOwner,
  },
}
