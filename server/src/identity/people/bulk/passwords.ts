// One-time passwords of many users.

import * as contract from '@megalot/contract'
import * as z from 'zod/mini'
import { type By, lockOfHierarchy } from '../../../changes/index.ts'
import { listBeyond } from '../../../http/caller.ts'
import { Refusal } from '../../../lib/refusal.ts'
import { findPasswordWeakness, hashForOther, permissionsOfLevel } from '../../accounts/index.ts'
import { setOneTimePassword } from '../../credentials/index.ts'
import { suspendAssistants } from '../../staff/index.ts'
import { type BulkUser, lockOfUsers } from './bulk.store.ts'
import { defineBulk, idsOf, type RowDecision } from './define-bulk.ts'

/**
 * Sets one-time passwords; the users' sessions end, and the assistants of agents are suspended: whoever had the account may have made them, and
 * knows their passwords. No assistant of an agent begins what takes two people, so nothing of it ends. Sent again the passwords are not
 * compared. Rows are refused with common_password (of an agent) besides, and with more_than_own: whoever knows the password of a user
 * could act as it.
 * @throws Refusal changed_meanwhile (the caller may do more than when its call began)
 */
export const resetPasswords = defineBulk({
  name: 'reset_passwords',
  action: 'set_one_time_password',
  needs: 'people.do',
  input: z.pick(contract.resetPasswords.body, { rows: true }),
  withoutSecrets: ({ rows }) => rows.map(({ user_id }) => user_id),
  rowsOf: ({ rows }) => rows,
  // Statuses change, and assistants are made, under the lock of the hierarchy. Members have no assistants.
  locks: (users) => [...(users.some(({ level }) => level !== 'member') ? [lockOfHierarchy] : []), lockOfUsers(users)],
  decideRow: (_state, { row, user }, _input, by) => decidePassword(by, user, row.password),
  // One after another: the queue of hashes has room for others as well.
  async prepare(rows, { caller }) {
    const hashes = new Map<number, string>()
    for (const { row } of rows) hashes.set(row.user_id, await hashForOther(caller, row.password))
    return hashes
  },
  async write({ tx, by }, accepted, _state, _input, hashes) {
    for (const { user } of accepted) {
      const hash = hashes.get(user.user_id)
      // It was refused when the hashes were made.
      if (hash === undefined) throw new Refusal('changed_meanwhile')
      await setOneTimePassword(tx, user.user_id, hash)
    }
    const agents = accepted.filter(({ user }) => user.level !== 'member')
    if (agents.length === 0) return []
    return (await suspendAssistants({ tx, by }, idsOf(agents))).map(({ row }) => row)
  },
})

function decidePassword({ caller }: By, user: BulkUser, password: string): RowDecision {
  const weakness = findPasswordWeakness(user, password)
  if (weakness) return weakness
  const permissions = listBeyond(caller.permissions, permissionsOfLevel(user.level))
  if (permissions.length > 0) return { code: 'more_than_own', details: { permissions } }
  return { before: { has_session: user.has_session }, after: { is_one_time: true } }
}
