// What children and their parents owe each other. In the tables an amount above 0 is in the child's favour.

import type { ClearingTerms, UserLevel } from '@megalot/contract'
import { sql } from 'kysely'
import type { Lock } from '../changes/index.ts'
import { getCompanyId } from '../identity/accounts/index.ts'
import type { Scope } from '../http/caller.ts'
import { type Db, unquotedArray } from '../postgres/db.ts'

type AccountKind = 'cash' | 'result' | 'purse'

/** Whose children a caller collects from: its principal; the company for the office. */
export async function findOwnerId(db: Db, { is_office, principal_id }: Scope): Promise<number> {
  return is_office ? getCompanyId(db) : principal_id
}

/**
 * Locks accounts of users in the order in which bets and settlement lock them, and the edges above these children.
 */
export function locksOfEdges(child_ids: readonly number[], owner_ids: readonly number[], kind: AccountKind): Lock[] {
  const ids = unquotedArray([...new Set([...child_ids, ...owner_ids])])
  const children = unquotedArray(child_ids)
  const accounts = sql`
    select from accounts where user_id = any(${ids}::bigint[]) and kind = any(${['cash', kind]}::text[])
    order by account_id for no key update`
  const edges = sql`
    select from edges where child_id = any(${children}::bigint[]) order by child_id for no key update`
  return [
    { rank: 'cash', key: `${kind} ${child_ids.join()}`, take: (tx) => accounts.execute(tx) },
    { rank: 'edges', key: child_ids.join(), take: (tx) => edges.execute(tx) },
  ]
}

/** The edge between a child and its parent, for what moves no money. */
export function lockOfEdge(child_id: number): Lock {
  const lock = sql`select from edges where child_id = ${child_id} for no key update`
  return { rank: 'edges', key: `${child_id}`, take: (tx) => lock.execute(tx) }
}

export interface EdgeState {
  user_id: number
  username: string
  display_name: string
  parent_id: number
  level: UserLevel
  balance_satang: number
  /** The member's cash less its floor; null for an agent. */
  remain_satang: number | null
  settle_figure_satang: number | null
  clearing: ClearingTerms
}

/** Edges by child. Change them only under `locksOfEdges`. */
export async function listEdgeStates(db: Db, child_ids: readonly number[]): Promise<Map<number, EdgeState>> {
  const { rows } = await sql<EdgeState>`
    select user_id, username, display_name, parent_id, level, edges.balance_satang, settle_figure_satang, clearing,
      case when level = 'member' then accounts.balance_satang - floor_satang end as remain_satang
    from edges join users on user_id = child_id join accounts using (user_id)
    where accounts.kind = 'cash' and child_id = any(${unquotedArray(child_ids)}::bigint[])`.execute(db)
  return new Map(rows.map((state) => [state.user_id, state]))
}

/** A child in a week. */
export interface EdgeWeekRecord {
  user_id: number
  username: string
  display_name: string
  level: UserLevel
  settle_figure_satang: number | null
  clearing: ClearingTerms
  /** Now, and what changed after the week. */
  balance_satang: number
  later_satang: number
  days: number[]
  received_satang: number
  paid_satang: number
  adjusted_satang: number
  open_satang: number
}

/**
 * Edges of an owner's children, or of one child.
 * @param monday the first day of the week
 */
export async function listEdgeWeeks(
  db: Db,
  of: { owner_id: number } | { child_id: number },
  monday: string,
): Promise<EdgeWeekRecord[]> {
  const isOf = 'owner_id' in of ? sql`parent_id = ${of.owner_id}` : sql`user_id = ${of.child_id}`
  const inWeek = sql`day <= ${monday}::date + 6`
  const day = (nth: number) =>
    sql`coalesce(sum(played_satang) filter (where day = ${monday}::date + ${sql.lit(nth)}), 0)`
  const { rows } = await sql<EdgeWeekRecord>`
    with children as materialized (
      select user_id, username, display_name, level from users
      where ${isOf} and not is_office and principal_id is null
    )
    select children.*, settle_figure_satang, clearing, edges.balance_satang, later_satang::bigint, days,
      received_satang::bigint, paid_satang::bigint, adjusted_satang::bigint,
      greatest(0, coalesce(edges.balance_satang - own.satang, below.satang, 0))::bigint as open_satang
    from children join edges on child_id = user_id
      cross join lateral (
        select array[${sql.join([0, 1, 2, 3, 4, 5, 6].map(day))}]::bigint[] as days,
          coalesce(sum(received_satang) filter (where ${inWeek}), 0) as received_satang,
          coalesce(sum(paid_satang) filter (where ${inWeek}), 0) as paid_satang,
          coalesce(sum(adjusted_satang) filter (where ${inWeek}), 0) as adjusted_satang,
          coalesce(sum(played_satang + received_satang - paid_satang + adjusted_satang) filter (where not ${inWeek}), 0) as later_satang
        from edge_days where edge_days.child_id = children.user_id and day >= ${monday}::date
      ) week
      left join lateral (
        select sum(balance_satang) as satang from accounts
        where level = 'member' and accounts.user_id = children.user_id
      ) own on true
      left join lateral (
        select sum(of_member.balance_satang - (select sum(balance_satang) from accounts where accounts.user_id = member.user_id)) as satang
        from users member join edges of_member on of_member.child_id = member.user_id
        where children.level <> 'member' and member.upline_ids @> array[children.user_id] and member.level = 'member'
      ) below on true
    order by username`.execute(db)
  return rows
}

/** A level's own part of the settled periods of a week. */
export async function sumOwnPart(db: Db, user_id: number, monday: string): Promise<number> {
  const { rows } = await sql<{ satang: number }>`
    select coalesce(sum(own_part(l)), 0)::bigint as satang from periods join level_periods l using (period_id)
    where period_date between ${monday}::date and ${monday}::date + 6 and l.user_id = ${user_id}`.execute(db)
  return rows[0]!.satang
}

/** A member's wins in the settled periods of a week. */
export async function sumWins(db: Db, user_id: number, monday: string): Promise<number> {
  const { rows } = await sql<{ satang: number }>`
    select coalesce(sum(win_satang), 0)::bigint as satang from periods join member_wins using (period_id)
    where period_date between ${monday}::date and ${monday}::date + 6 and user_id = ${user_id}`.execute(db)
  return rows[0]!.satang
}
