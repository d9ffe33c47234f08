// Who counts as one person for decisions that need two, and who still has its rights.

import { type Area, listPermissions, type OfficeRole, type Permission, type UserLevel } from '@megalot/contract'
import { sql } from 'kysely'
import { shareLock, takeLock } from '../postgres/advisory-locks.ts'
import { listBeyond } from '../http/caller.ts'
import type { Db, Tx } from '../postgres/db.ts'
import type { Lock } from './locks.ts'

/** Until the transaction ends, no user is added to the hierarchy, and no role, status or area changes. */
export const lockOfHierarchy: Lock = {
  rank: 'hierarchy',
  key: '',
  take: (tx) => sql`select ${takeLock('userHierarchy')}`.execute(tx),
}

/** Until the transaction ends nothing changes that spreads down the hierarchy; users are still added. */
export const lockOfPlaces: Lock = {
  rank: 'hierarchy',
  key: 'shared',
  take: (tx) => sql`select ${shareLock('userHierarchy')}`.execute(tx),
}

/** Whether two users are one person: an assistant counts as its principal, and so do two assistants of one principal. */
export async function isOnePerson(db: Db, user_id: number, other_id: number): Promise<boolean> {
  const { rows } = await sql<{ is_one: boolean }>`
    select principal_of(${user_id}) = principal_of(${other_id}) as is_one`.execute(db)
  return rows[0]!.is_one
}

/** A user and its assistants, who depend on its rights. */
export async function listWithAssistants(db: Db, user_id: number): Promise<number[]> {
  const { rows } = await sql<{ user_id: number }>`
    select user_id from users where user_id = ${user_id} or principal_id = ${user_id}`.execute(db)
  return rows.map((row) => row.user_id)
}

interface Powers {
  user_id: number
  level: UserLevel
  office_role: OfficeRole | null
  assistant_areas: Area[] | null
}

/** Keeps the permissions of these users until the transaction ends. */
export const lockOfPeople = (user_ids: readonly number[]): Lock => ({
  rank: 'people',
  key: user_ids.join(),
  take: (tx) => lockPeople(tx, user_ids),
})

/** Locks the users, and the principals of assistants, in one order. */
async function lockPeople(tx: Tx, user_ids: readonly number[]): Promise<void> {
  await sql`
    select 1 from users
    where user_id = any(${user_ids}::bigint[])
      or user_id in (select principal_id from users where user_id = any(${user_ids}::bigint[]))
    order by user_id for share`.execute(tx)
}

/**
 * The users of a list who currently have all these permissions and are not suspended. Both stay true until the
 * transaction ends (`lockOfPeople`).
 */
export async function listStillPermitted(
  tx: Tx,
  user_ids: readonly number[],
  needs: Permission | readonly Permission[],
): Promise<ReadonlySet<number>> {
  await lockPeople(tx, user_ids)
  // In a separate statement, after the wait.
  const { rows } = await sql<Powers>`
    select u.user_id, u.level, coalesce(u.office_role, p.office_role) as office_role, u.assistant_areas
    from users u left join users p on p.user_id = u.principal_id
    where u.user_id = any(${user_ids}::bigint[]) and u.status_in_force <> 'SUSPENDED'`.execute(tx)
  const isPermitted = ({ level, office_role, assistant_areas }: Powers): boolean => {
    const own = listPermissions({ is_member: level === 'member', office_role, assistant_areas })
    return listBeyond(own, [needs].flat()).length === 0
  }
  return new Set(rows.filter(isPermitted).map(({ user_id }) => user_id))
}

/** As `listStillPermitted`, for one user. */
export async function isStillPermitted(
  tx: Tx,
  user_id: number,
  needs: Permission | readonly Permission[],
): Promise<boolean> {
  return (await listStillPermitted(tx, [user_id], needs)).has(user_id)
}
