// What the cached attempt assumes, asserted in the transaction that writes the batch. A violated precondition is an
// error of the database with the precondition as its constraint: nothing is written, and the batch goes on to the next
// attempt.

import { type RawBuilder, sql } from 'kysely'
import { assertPrecondition } from '../../../platform/constraints.ts'
import { unquotedArray, type Tx } from '../../../platform/db.ts'
import { areSessionsLive } from '../../sessions/index.ts'
import type { NumberedTicket } from '../ticket.ts'
import { bettingPeriod, nextOrderIds } from './intake.store.ts'
import type { BettingPeriod } from './snapshot.ts'

export interface Assumptions {
  /** `period_unchanged`: open, with the same market, packages, terms and account. */
  period: BettingPeriod
  /** `quota_rules_unchanged`: SQL for whether quotas and numbers set by hand are the same. */
  quotaRulesUnchanged: RawBuilder<boolean>
  /**
   * `members_may_bet`: each member is in good standing, has set itself no limits, and has been given the package.
   * `sessions_open`: sessions that were found in the cache have not ended, and the application is not in maintenance.
   */
  tickets: readonly NumberedTicket[]
  /**
   * `far_from_number_limit`: no member exceeds this in the period. It is checked by a trigger when the tickets are
   * inserted, which reads this setting.
   */
  max_received_satang: number
}

/**
 * Asserts all preconditions in one statement, which also draws ids for future tickets: a statement of its own would have
 * a fixed cost.
 * @returns the ids, `idCount` of them
 * @throws an error of the database with the violated precondition as its constraint
 */
export async function assertPreconditions(tx: Tx, assumptions: Assumptions, idCount: number): Promise<number[]> {
  const { period, quotaRulesUnchanged, tickets, max_received_satang } = assumptions
  const session_ids = tickets.flatMap(({ ticket }) => ticket.session_to_verify ?? [])
  const { rows } = await sql<{ order_ids: number[] }>`
    select
      ${assertPrecondition(
        sql`(select md5(period::text) from ${bettingPeriod(period.period_code)}) = ${period.fingerprint}`,
        'period_unchanged',
      )},
      ${assertPrecondition(quotaRulesUnchanged, 'quota_rules_unchanged')},
      ${assertPrecondition(membersMayBet(tickets), 'members_may_bet')},
      ${assertPrecondition(areSessionsLive(session_ids), 'sessions_open')},
      set_config('megalot.max_received_satang', ${String(max_received_satang)}, true),
      ${nextOrderIds(idCount)} as order_ids`.execute(tx)
  return rows[0]!.order_ids
}

function membersMayBet(tickets: readonly NumberedTicket[]): RawBuilder<boolean> {
  return sql`not exists (
    select 1 from unnest(${unquotedArray(tickets.map(({ ticket }) => ticket.user_id))}::bigint[],
        ${unquotedArray(tickets.map((each) => each.package_id))}::int[]) as given (user_id, package_id)
      left join users using (user_id)
    where status_in_force is distinct from 'NORMAL' or has_play_limits or not given.package_id = any(package_ids)
  )`
}
