// The user whose figures a report shows, and whether the caller may see them.

import type { UserLevel } from '@megalot/contract'
import { sql } from 'kysely'
import { canAccess, type Scope } from '../http/caller.ts'
import type { Db } from '../postgres/db.ts'
import { Refusal } from '../lib/refusal.ts'
import { findUser } from '../identity/accounts/index.ts'

export interface Subject {
  user_id: number
  username: string
  level: UserLevel
}

/**
 * The caller's principal, or a user below it; any user for the office.
 * @throws Refusal not_found; not_allowed for office users, whose log-in names are visible to the office only
 */
export async function findSubject(db: Db, caller: Scope, user_id: number = caller.principal_id): Promise<Subject> {
  const user = await findUser(db, { user_id })
  if (!user || user.principal_id !== null || !canAccess(caller, user)) throw new Refusal('not_found')
  if (user.is_office && !caller.is_office) throw new Refusal('not_allowed')
  return user
}

/** As `findSubject`; an office user gets the company instead, because it has no report of its own. */
export async function findReportSubject(db: Db, caller: Scope, user_id?: number): Promise<Subject> {
  const subject = await findSubject(db, caller, user_id)
  const { rows } = await sql<Subject>`
    select company.user_id, company.username, company.level from users
      join users company on company.user_id = users.parent_id
    where users.user_id = ${subject.user_id} and users.is_office`.execute(db)
  return rows[0] ?? subject
}
