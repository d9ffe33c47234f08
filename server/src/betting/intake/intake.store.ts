// What intake reads from the database.

import type { UserStatus } from '@megalot/contract'
import { type RawBuilder, sql } from 'kysely'
import { unquotedArray, plainArray, type Tx } from '../../postgres/db.ts'
import { isInPeriod } from '../read/in-period.ts'
import type { NewTicket } from '../ticket.ts'
import { type BettingPeriod, type ExistingTicket, requestKey } from './snapshot.ts'

/** A period as a batch reads it. */
export interface PeriodRead extends BettingPeriod {
  /** The database's clock. */
  now: Date
}

/** Reads the period and the clock. */
export async function readBettingPeriod(tx: Tx, period_code: string): Promise<PeriodRead | undefined> {
  const { rows } = await sql<PeriodRead>`
    select period.*, md5(period::text) as fingerprint, clock_timestamp() as now
    from betting_periods period where period_code = ${period_code}`.execute(tx)
  return rows[0]
}

/** Existing tickets with the same member and request_id, by `requestKey`. */
export async function findExistingTickets(
  tx: Tx,
  tickets: readonly Pick<NewTicket, 'user_id' | 'request_id'>[],
): Promise<Map<string, ExistingTicket>> {
  const { rows } = await sql<ExistingTicket & { user_id: number; request_id: string }>`
    select order_id, content_hash, given.user_id, given.request_id
    from unnest(${unquotedArray(tickets.map((each) => each.user_id))}::bigint[],
        ${plainArray(tickets.map((each) => each.request_id))}::text[]) as given (user_id, request_id)
      cross join lateral (
        select order_id, content_hash from orders
        where orders.user_id = given.user_id and orders.request_id = given.request_id limit 1
      ) existing`.execute(tx)
  return new Map(rows.map(({ order_id, content_hash, ...ticket }) => [requestKey(ticket), { order_id, content_hash }]))
}

/** The data of a member that a decision needs. */
export interface MemberRecord {
  user_id: number
  status: UserStatus
  /** Whether the member has ever set limits on its own play. */
  has_play_limits: boolean
  /** The packages of the period's market that the member has been given. */
  package_ids: number[]
  /** Received in the period on live tickets, over all bet types and numbers. */
  received_satang: number
  waiting_tickets: number
  taken_back_tickets: number
}

export async function listMembers(tx: Tx, period_code: string, user_ids: readonly number[]): Promise<MemberRecord[]> {
  const { rows } = await sql<MemberRecord>`
    with period as materialized (
      select period_id, array_agg(package_id) filter (where package_id is not null) as package_ids
      from periods left join packages using (product_code) where period_code = ${period_code} group by period_id
    )
    select user_id, status_in_force as status, has_play_limits,
      array(select package_id from unnest(users.package_ids) package_id where package_id = any(period.package_ids)) as package_ids,
      (select count(*)::int from orders where orders.user_id = users.user_id and orders.period_id = period.period_id
        and status = 'WAIT_CONFIRM') as waiting_tickets,
      coalesce((select tickets from taken_back_tickets counted
        where counted.user_id = users.user_id and counted.period_id = period.period_id), 0) as taken_back_tickets,
      coalesce((select received_satang from member_periods stored
        where stored.user_id = users.user_id and stored.period_id = period.period_id), 0) as received_satang
    from users cross join period where user_id = any(${unquotedArray(user_ids)}::bigint[])`.execute(tx)
  return rows
}

/** What some tickets of a member received. */
export interface StakedSum {
  order_ids: number[]
  received_satang: number
  /** In satang, by slot. */
  lines: [slot: number, received_satang: number][]
}

/** Tickets of a member with an id above `after_id`, and those of `waiting_ids`, which are known to have waited. */
export interface StakesToRead {
  user_id: number
  after_id: number
  waiting_ids: readonly number[]
}

export interface StakesRead {
  confirmed: StakedSum
  /** Tickets that waited before have their ids here, and not their lines. */
  waiting: StakedSum
}

/** What members have staked in a period on live tickets, by member. */
export async function sumStakes(
  tx: Tx,
  period_id: number,
  members: readonly StakesToRead[],
): Promise<Map<number, StakesRead>> {
  if (members.length === 0) return new Map()
  const user_ids = members.map(({ user_id }) => user_id)
  const after_ids = members.map(({ after_id }) => after_id)
  const waiting_ids = members.flatMap((member) => member.waiting_ids)
  const rows = await sumLines(
    tx,
    sql`
      select ${ticketColumns}, true as is_summed from unnest(${user_ids}::bigint[], ${after_ids}::bigint[]) given (member_id, after_id)
        cross join lateral (
          select ${ticketColumns} from orders where user_id = member_id and order_id > after_id and ${isInPeriod(period_id)}
            and status in ('CONFIRMED', 'WAIT_CONFIRM') offset 0) ticket
      union all
      select ${ticketColumns}, status = 'CONFIRMED' from orders
        where order_id = any(${waiting_ids}::bigint[]) and status in ('CONFIRMED', 'WAIT_CONFIRM')`,
  )
  const rowsOf = new Map<number, StakedRow[]>(members.map(({ user_id }) => [user_id, []]))
  for (const row of rows) rowsOf.get(row.user_id)!.push(row)
  const isWaiting = ({ status }: StakedRow): boolean => status === 'WAIT_CONFIRM'
  return new Map(
    [...rowsOf].map(([user_id, own]) => [
      user_id,
      { confirmed: addUp(own.filter((row) => !isWaiting(row))), waiting: addUp(own.filter(isWaiting)) },
    ]),
  )
}

/** What was received of those of some confirmed tickets of a member that have been taken back since. */
export async function sumTakenBack(tx: Tx, order_ids: readonly number[]): Promise<StakedSum> {
  return addUp(
    await sumLines(
      tx,
      sql`select ${ticketColumns}, true as is_summed from orders
        where order_id = any(${order_ids}::bigint[]) and status in ('CANCELLED', 'DELETED')`,
    ),
  )
}

/** What was received of some tickets of a member as they were placed, whatever has been returned since. */
export async function sumAsPlaced(tx: Tx, order_ids: readonly number[]): Promise<StakedSum> {
  if (order_ids.length === 0) return addUp([])
  return addUp(
    await sumLines(
      tx,
      sql`select user_id, order_id, status, slots, lines, differences, null::int[] as returned_lines, true as is_summed
        from orders where order_id = any(${order_ids}::bigint[])`,
    ),
  )
}

/** Of a ticket, or of all lines on one number of tickets with one status. */
type StakedRow = { user_id: number; status: string } & (
  | { order_id: number; slot: null; staked: null }
  | { order_id: null; slot: number; staked: number }
)

const ticketColumns = sql`user_id, order_id, status, slots, lines, differences, returned_lines`

/**
 * In one statement, so that all of it is of one moment: a waiting ticket may be confirmed meanwhile.
 * @param tickets SQL with `ticketColumns` and `is_summed`: whether the lines of the ticket are read
 */
async function sumLines(tx: Tx, tickets: RawBuilder<unknown>): Promise<StakedRow[]> {
  const { rows } = await sql<StakedRow>`
    with tickets as materialized (${tickets})
    select user_id, status, order_id, null as slot, null as staked from tickets
    union all
    select user_id, status, null, line.slot,
      sum(case when line.line_no = any(coalesce(returned_lines, '{}')) then 0 else line.received_satang end)::bigint
    from tickets cross join lateral unpack_lines(slots, lines, differences) line
    where is_summed group by user_id, status, line.slot`.execute(tx)
  return rows
}

function addUp(rows: readonly StakedRow[]): StakedSum {
  const sum: StakedSum = { order_ids: [], received_satang: 0, lines: [] }
  for (const { order_id, slot, staked } of rows) {
    if (slot === null) sum.order_ids.push(order_id)
    else {
      sum.received_satang += staked
      sum.lines.push([slot, staked])
    }
  }
  return sum
}
