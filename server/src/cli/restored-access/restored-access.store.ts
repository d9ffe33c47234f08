import { sql } from 'kysely'
import type { Tx } from '../../postgres/db.ts'

/**
 * Sequences of numbers that people hold: as a receipt (tickets, entries of a statement), in a command (approvals, limit
 * rules), or on their device (users, announcements). The step exceeds what can have been issued since a backup.
 */
const steps = {
  order_ids: 10_000_000,
  entry_ids: 100_000_000,
  approvals_approval_id_seq: 100_000,
  limit_rules_rule_id_seq: 100_000,
  users_user_id_seq: 100_000,
  announcements_announce_id_seq: 100_000,
} as const

/**
 * Moves these sequences forward, even if the transaction fails.
 * @returns the number that all later tickets exceed
 */
export async function skipIssuedNumbers(tx: Tx): Promise<number> {
  let order_ids_above = 0
  for (const [sequence, step] of Object.entries(steps)) {
    const { rows } = await sql<{ above: number }>`
      select setval(${sequence}::regclass, last_value + ${sql.lit(step)}) as above from ${sql.table(sequence)}`.execute(
      tx,
    )
    if (sequence === 'order_ids') order_ids_above = rows[0]!.above
  }
  return order_ids_above
}
