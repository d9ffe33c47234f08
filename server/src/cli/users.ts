// The office's work from the command line. A person authorises each action with name and password, as on the screen.

import type { UserLevel } from '@megalot/contract'
import type { Db } from '../platform/db.ts'
import {
  createUser,
  findUser,
  findUserAndVerify,
  hashPassword,
  refuseOverAllocation,
} from '../modules/accounts/index.ts'
import { writeAudit } from '../modules/audit/index.ts'
import { giveAllPackages, givePackagesOf } from '../modules/markets/index.ts'

/** The office user behind a name and password. @throws Error with a sentence for the terminal */
export async function signIn(db: Db, username: string, password: string): Promise<number> {
  const { user, isRight } = await findUserAndVerify(db, username, password)
  if (!user || !isRight) throw new Error('Wrong username or password')
  if (!user.is_office || user.status !== 'NORMAL') throw new Error(`${username} does not work for the office`)
  return user.user_id
}

export interface NewAccount {
  username: string
  level: UserLevel
  is_office: boolean
  /** Absent for the company itself. */
  parent: string | undefined
  /** Credit limit in satang. */
  credit_limit_satang: number
  password: string
  /** Whether the user has to set an own password at the first log-in. */
  must_change_password: boolean
}

/**
 * Adds a user with the packages of its parent; the company has them all. Anybody with access to the machine may run it.
 * @throws Error with a sentence for the terminal; Refusal not_enough_to_give (more credit than the parent has left to give)
 */
export async function addUser(db: Db, account: NewAccount): Promise<number> {
  const password_hash = await hashPassword(account.password)
  return db.transaction().execute(async (tx) => {
    const parent = account.parent === undefined ? undefined : await findUser(tx, { username: account.parent })
    if (account.parent !== undefined && !parent) throw new Error(`There is no user ${account.parent}`)
    const user_id = await createUser(tx, {
      username: account.username,
      display_name: account.username,
      level: account.level,
      is_office: account.is_office,
      parent_id: parent?.user_id ?? null,
      password_hash,
      must_change_password: account.must_change_password,
      credit_limit_satang: account.credit_limit_satang,
    })
    if (parent) await refuseOverAllocation(tx, parent.user_id)
    if (parent && !account.is_office) await givePackagesOf(tx, parent.user_id, user_id)
    if (!parent) await giveAllPackages(tx, user_id)
    const { password: _password, ...after } = account
    await writeAudit(tx, { actor_id: null, action: 'add_user', subject: `user:${user_id}`, after })
    return user_id
  })
}
