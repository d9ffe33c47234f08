// One-time passwords of many users. A hash is slow, so it is made before the transaction.

import type { BulkOutcome } from '@megalot/contract'
import { listBeyond } from '../../../http/caller.ts'
import type { Db } from '../../../postgres/db.ts'
import { findPasswordWeakness, hashGivenPassword, lockHierarchy, permissionsOfLevel } from '../../accounts/index.ts'
import { setOneTimePassword } from '../../credentials/index.ts'
import { suspendAssistants } from '../../staff/index.ts'
import type { PeopleActor } from '../new-person.service.ts'
import { type BulkUser, lockUsers } from './bulk.store.ts'
import {
  type BulkCall,
  type BulkChange,
  findBulkOutcomes,
  idsOf,
  type RowDecision,
  runBulk,
  toRows,
  type UserRow,
} from './run-bulk.ts'

interface PasswordRow extends UserRow {
  password: string
}

/**
 * Sets one-time passwords; the users' sessions end, and the assistants of agents are suspended: whoever had the account may have made them, and
 * knows their passwords. No assistant of an agent begins what takes two people, so nothing of it ends. Sent again the passwords are not compared. Rows are refused with
 * common_password (of an agent) besides, with more_than_own: whoever knows the password of a user could act as it, and with
 * changed_meanwhile.
 */
export async function resetPasswords(
  db: Db,
  caller: PeopleActor,
  { rows, ...call }: BulkCall & { rows: readonly PasswordRow[] },
): Promise<BulkOutcome[]> {
  const user_ids = rows.map(({ user_id }) => user_id)
  const passwords = new Map(rows.map(({ user_id, password }) => [user_id, password]))
  const hashes = new Map<number, string>()
  let isPrepared = false
  let actor = caller
  const change: BulkChange<UserRow> = {
    action: 'set_one_time_password',
    rows: toRows(user_ids),
    content: { user_ids },
    lock: async (tx, users) => {
      // Statuses change, and assistants are made, under this lock. Members have no assistants.
      if (users.some(({ level }) => level !== 'member')) await lockHierarchy(tx)
      await lockUsers(tx, users)
    },
    decide: async (_db, reached, actor) =>
      reached.map(({ user }): RowDecision => {
        const decision = decidePassword(actor, user, passwords.get(user.user_id)!)
        // It was refused when the hashes were made, and another transaction has made it possible since.
        const lacksHash = isPrepared && !('code' in decision) && !hashes.has(user.user_id)
        return lacksHash ? { code: 'changed_meanwhile' } : decision
      }),
    write: async (tx, accepted) => {
      for (const { user } of accepted) await setOneTimePassword(tx, user.user_id, hashes.get(user.user_id)!)
      const agents = accepted.filter(({ user }) => user.level !== 'member')
      if (agents.length === 0) return []
      return (await suspendAssistants(tx, caller, idsOf(agents), call.reason)).map(({ record }) => record)
    },
  }
  if (call.preview !== true) {
    const earlier = await findBulkOutcomes(db, actor, call, change)
    if (earlier) return earlier
    // What is refused costs no hash.
    const outcomes = await runBulk(db, actor, { ...call, preview: true }, change)
    // One after another: the queue of hashes has room for others as well.
    for (const { user_id, code } of outcomes) {
      if (code !== 'ok') continue
      const hashed = await hashGivenPassword(db, actor, passwords.get(user_id)!)
      hashes.set(user_id, hashed.hash)
      actor = hashed.actor
    }
    isPrepared = true
  }
  return runBulk(db, actor, call, change)
}

function decidePassword(actor: PeopleActor, user: BulkUser, password: string): RowDecision {
  const weakness = findPasswordWeakness(user, password)
  if (weakness) return weakness
  const permissions = listBeyond(actor.permissions, permissionsOfLevel(user.level))
  if (permissions.length > 0) return { code: 'more_than_own', details: { permissions } }
  return { before: { has_session: user.has_session }, after: { is_one_time: true } }
}
