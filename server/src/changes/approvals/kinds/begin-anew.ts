// A user who gets a one-time password from two people begins anew: somebody else may have had its account.

import type { Tx } from '../../../postgres/db.ts'
import type { SplitPassword } from '../../../identity/accounts/index.ts'
import { endBegun, LockOrder } from '../../index.ts'
import { writeAudits } from '../../audit/index.ts'
import { givePassword } from '../../../identity/credentials/index.ts'
import { suspendAssistants } from '../../../identity/staff/index.ts'
import type { Decider } from './kind.ts'

/** Gives the password, and suspends the user's assistants. The caller has locked the hierarchy. */
export async function beginAnew(
  tx: Tx,
  user_id: number,
  password: SplitPassword,
  approver: Decider,
  reason: string,
): Promise<void> {
  await givePassword(tx, user_id, password, { actor_id: approver.actor_id, reason })
  const suspended = await suspendAssistants(tx, approver, [user_id], reason)
  const at = { tx, locks: new LockOrder(null), by: { caller: approver, reason } }
  const rows = suspended.map(({ record }) => record)
  for (const assistant of suspended)
    for (const row of await endBegun(at, assistant.user_id, true))
      rows.push({ ...row, action: row.action!, actor_id: approver.actor_id, reason })
  await writeAudits(tx, rows)
}
