// Limit rules (`0007-quotas.sql`): writing them, what they decide, and what their undo leaves.

import type { LimitRule, NumberValue, RuleSetting, StandingNumber } from '@megalot/contract'
import type { BetTypeCode } from '@megalot/rules'
import { sql } from 'kysely'
import { takeLock } from '../../postgres/advisory-locks.ts'
import { bangkokToday } from '../../lib/bangkok.ts'
import type { Db, Tx } from '../../postgres/db.ts'
import { type QuotaKey, unnestedKeys } from './quotas.store.ts'

/** Waits for periods that are being created, and keeps others from being created, until the transaction ends. */
export async function lockStandingRules(tx: Tx): Promise<void> {
  await sql`select ${takeLock('standingRules')}`.execute(tx)
}

export interface NewRule {
  actor_id: number
  value: NumberValue
  is_standing: boolean
  /** The last day of a standing rule; null: without end. */
  until_date: string | null
  reason: string | null
}

/** A number of a rule, in a period or standing in a market. */
export interface RuleRow extends QuotaKey {
  product_code: string
  /** Null: standing. */
  period_id: number | null
}

/**
 * Writes a rule, and what it decides on numbers of periods. Lock the periods first: of the rules of a period the last id decides, and this one
 * lies above those that it has waited for.
 */
export async function saveRule(
  tx: Tx,
  rule: NewRule,
  rows: readonly RuleRow[],
  period_ids: readonly number[],
  keys: readonly QuotaKey[],
): Promise<number> {
  const rule_id = await insertRule(tx, rule, rows)
  await insertRuleRows(tx, rule_id, rows)
  await applyRules(tx, period_ids, keys)
  return rule_id
}

/** A rule without its rows yet. @param rows what it is to have: its places and its numbers are shown with it */
async function insertRule(tx: Tx, rule: NewRule, rows: readonly RuleRow[]): Promise<number> {
  const { actor_id, value, is_standing, until_date, reason } = rule
  const product_codes = [...new Set(rows.map(({ product_code }) => product_code))]
  const period_ids = [...new Set(rows.flatMap(({ period_id }) => period_id ?? []))]
  const {
    rows: [inserted],
  } = await sql<{ rule_id: number }>`
    insert into limit_rules
      (actor_id, set_to, full_satang, half_satang, is_standing, until_date, product_codes, period_ids, numbers, reason)
    values (${actor_id}, ${value.set_to}, ${value.full_satang}, ${value.half_satang}, ${is_standing}, ${until_date},
      ${product_codes}::text[], ${period_ids}::int[], ${JSON.stringify(listNumbersByType(rows))}::jsonb, ${reason})
    returning rule_id`.execute(tx)
  return inserted!.rule_id
}

/** The bet types of rows with their numbers, both in order. */
function listNumbersByType(rows: readonly RuleRow[]): LimitRule['numbers'] {
  const numbersOf = new Map<BetTypeCode, Set<string>>()
  for (const { bet_type, quota_key } of rows)
    numbersOf.set(bet_type, (numbersOf.get(bet_type) ?? new Set()).add(quota_key))
  return [...numbersOf.keys()]
    .toSorted()
    .map((bet_type) => ({ bet_type, numbers: [...numbersOf.get(bet_type)!].toSorted() }))
}

async function insertRuleRows(tx: Tx, rule_id: number, rows: readonly RuleRow[]): Promise<void> {
  await sql`
    insert into limit_rule_rows (rule_id, product_code, period_id, bet_type, quota_key)
    select ${rule_id}, * from unnest(${rows.map((row) => row.product_code)}::text[],
      ${rows.map((row) => row.period_id)}::int[], ${rows.map((row) => row.bet_type)}::text[],
      ${rows.map((row) => row.quota_key)}::text[])`.execute(tx)
}

const columnsOf = (keys: readonly QuotaKey[]) => sql`
  ${keys.map((key) => key.bet_type)}::text[], ${keys.map((key) => key.quota_key)}::text[]`

/** A statement has to end in time. */
const SETTINGS_A_STATEMENT = 100_000

/** Writes what the rules decide on numbers of periods. */
async function applyRules(tx: Tx, period_ids: readonly number[], keys: readonly QuotaKey[]): Promise<void> {
  const periodsAtOnce = Math.max(1, Math.floor(SETTINGS_A_STATEMENT / keys.length))
  for (let from = 0; from < period_ids.length; from += periodsAtOnce) {
    const part = period_ids.slice(from, from + periodsAtOnce)
    await sql`select apply_limit_rules(${part}::int[], ${columnsOf(keys)})`.execute(tx)
  }
}

/**
 * The day of a market's first period that accepts bets now or later, created or not: at the latest yesterday, because a
 * period may be created today whose draw is today and whose day is the one before.
 */
const firstDayToBet = (product_code: ReturnType<typeof sql>) => sql`
  least(${bangkokToday} - 1, (select min(first.period_date) from periods first where first.product_code = ${product_code}
    and first.outcome = 'pending' and first.close_at > clock_timestamp()))`

/**
 * How many numbers of a market have standing rules that are in force now or later, and how many rows (a number of a rule) these rules
 * have. The given ones are included, as one more rule.
 */
export async function countStanding(
  db: Db,
  product_code: string,
  keys: readonly QuotaKey[],
): Promise<{ numbers: number; rows: number }> {
  const { rows } = await sql<{ numbers: number; rows: number }>`
    with in_force as materialized (
      select bet_type, quota_key from limit_rule_rows r join limit_rules l using (rule_id)
      where r.period_id is null and not r.is_over and r.product_code = ${product_code}
        and (l.until_date is null or l.until_date >= ${firstDayToBet(sql`${product_code}`)})
      union all
      select * from unnest(${columnsOf(keys)})
    )
    select count(*)::int as rows, (select count(*)::int from (select distinct bet_type, quota_key from in_force) one) as numbers
    from in_force`.execute(db)
  return rows[0]!
}

/** Leaves standing rules that are over out of what is read for new periods. Lock standing rules first (`lockStandingRules`). */
export async function endPastRules(tx: Tx, product_codes: readonly string[]): Promise<void> {
  await sql`
    update limit_rule_rows r set is_over = true from limit_rules l
    where r.period_id is null and not r.is_over and r.product_code = any (${[...product_codes]}::text[])
      and l.rule_id = r.rule_id and l.until_date < ${firstDayToBet(sql`r.product_code`)}`.execute(tx)
}

interface ValueColumns {
  set_to: RuleSetting
  full_satang: number | null
  half_satang: number | null
}

/** What holds for a number now, in a period or standing in a market. */
export interface PresentNumber extends ValueColumns, RuleRow {
  /** Null: standing. */
  period_code: string | null
  /** In the period; of a market that in its period that has most. */
  accepted_satang: number
  /** Periods with a rule of their own for the number, and all periods that were asked for. */
  exception_count: number
  period_count: number
}

/** What numbers are set to in periods, and what was accepted on them, in order. */
export async function listNumbersInPeriods(
  db: Db,
  period_ids: readonly number[],
  keys: readonly QuotaKey[],
): Promise<PresentNumber[]> {
  const { rows } = await sql<PresentNumber>`
    select product_code, period_code, given.bet_type, given.quota_key, periods.period_id,
      case when s.full_satang is not null then 'amount' else coalesce(s.set_to, 'open') end as set_to,
      s.full_satang, s.half_satang,
      coalesce(b.accepted_satang[given.quota_key::int % 100 + 1], 0) as accepted_satang,
      0 as exception_count, 1 as period_count
    from periods cross join ${unnestedKeys(keys)}
      left join number_settings s on s.period_id = periods.period_id and s.bet_type = given.bet_type
        and s.quota_key = given.quota_key
      left join accepted_blocks b on b.period_id = periods.period_id and b.bet_type = given.bet_type
        and b.block = given.quota_key::int / 100
    where periods.period_id = any (${[...period_ids]}::int[])
    order by 1, 2, 3, 4`.execute(db)
  return rows
}

/** The day in Asia/Bangkok by the database's clock, yyyy-mm-dd. */
export async function readToday(db: Db): Promise<string> {
  const { rows } = await sql<{ today: string }>`select to_char(${bangkokToday}, 'YYYY-MM-DD') as today`.execute(db)
  return rows[0]!.today
}

/** What stands in markets for numbers, and what was accepted on them in those of their periods that are given, in order. */
export async function listNumbersInMarkets(
  db: Db,
  product_codes: readonly string[],
  period_ids: readonly number[],
  keys: readonly QuotaKey[],
): Promise<PresentNumber[]> {
  const { rows } = await sql<PresentNumber>`
    select product_code, given.bet_type, given.quota_key, null as period_code, null as period_id,
      coalesce(top.set_to, 'open') as set_to, top.full_satang, top.half_satang, coalesce(accepted_satang, 0) as accepted_satang,
      coalesce(exception_count, 0)::int as exception_count, coalesce(period_count, 0)::int as period_count
    from unnest(${[...product_codes]}::text[]) as market (product_code) cross join ${unnestedKeys(keys)}
      left join lateral ${topStandingRule(sql`null`)} top on true
      left join (
        select product_code, given.bet_type, given.quota_key, count(*) as period_count,
          count(*) filter (where not l.is_standing) as exception_count,
          max(b.accepted_satang[given.quota_key::int % 100 + 1]) as accepted_satang
        from periods cross join ${unnestedKeys(keys)}
          left join number_settings s on s.period_id = periods.period_id and s.bet_type = given.bet_type
            and s.quota_key = given.quota_key
          left join limit_rules l on l.rule_id = s.rule_id
          left join accepted_blocks b on b.period_id = periods.period_id and b.bet_type = given.bet_type
            and b.block = given.quota_key::int / 100
        where periods.period_id = any (${[...period_ids]}::int[])
        group by 1, 2, 3
      ) counted using (product_code, bet_type, quota_key)
    order by 1, 2, 3`.execute(db)
  return rows
}

/**
 * The day of a market's next period, by which a standing rule is still in force or not (`deciding_rules`); today, where
 * there is none yet.
 */
function nextPeriodDay(product_code: ReturnType<typeof sql>) {
  return sql`coalesce((select min(next.period_date) from periods next where next.product_code = ${product_code}
    and next.outcome = 'pending' and next.close_at > clock_timestamp()), ${bangkokToday})`
}

/** The standing rule that decides in the next period on the number of `given` in the market of `market`, without one that is left out. */
function topStandingRule(left_out: ReturnType<typeof sql>) {
  return sql`standing_rule(market.product_code, given.bet_type, given.quota_key, ${nextPeriodDay(sql`market.product_code`)},
    ${left_out})`
}

/** How many live tickets of periods have a bet on one of the slots. */
export async function countTickets(db: Db, period_ids: readonly number[], slots: readonly number[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from orders where period_id = any (${[...period_ids]}::int[])
      and status in ('CONFIRMED', 'WAIT_CONFIRM') and slots && ${[...slots]}::smallint[]`.execute(db)
  return rows[0]!.count
}

interface FoundRule {
  is_standing: boolean
  until_date: string | null
  is_undone: boolean
}

export async function findRule(db: Db, rule_id: number): Promise<FoundRule | undefined> {
  const { rows } = await sql<FoundRule>`
    select is_standing, to_char(until_date, 'YYYY-MM-DD') as until_date, undone_at is not null as is_undone
    from limit_rules where rule_id = ${rule_id}`.execute(db)
  return rows[0]
}

export async function lockRule(tx: Tx, rule_id: number): Promise<void> {
  await sql`select 1 from limit_rules where rule_id = ${rule_id} for update`.execute(tx)
}

/** The rows of a rule, in order; `period_code` is null in a standing rule. */
export async function listRuleRows(db: Db, rule_id: number): Promise<(RuleRow & { period_code: string | null })[]> {
  const { rows } = await sql<RuleRow & { period_code: string | null }>`
    select r.product_code, r.period_id, period_code, bet_type, quota_key
    from limit_rule_rows r left join periods using (period_id) where rule_id = ${rule_id}
    order by r.product_code, period_id, bet_type, quota_key`.execute(db)
  return rows
}

/** What the undo of a rule leaves of one of its rows. */
export interface NumberAfterUndo extends ValueColumns, QuotaKey {
  product_code: string
  period_code: string | null
  /** Whether the rule decides on the number until it is undone. */
  is_deciding: boolean
}

/** What the undo of a rule leaves in its periods that accept bets now or later. */
export async function listAfterUndoInPeriods(db: Db, rule_id: number): Promise<NumberAfterUndo[]> {
  const { rows } = await sql<NumberAfterUndo>`
    with own as materialized (
      select r.product_code, period_id, period_code, r.bet_type, r.quota_key
      from limit_rule_rows r join periods using (period_id)
      where r.rule_id = ${rule_id} and periods.outcome = 'pending' and close_at > clock_timestamp()
    ), left_over as materialized (
      select decided.* from (select array_agg(distinct period_id) as period_ids from own) given_periods,
        (select array_agg(bet_type) as bet_types, array_agg(quota_key) as quota_keys
          from (select distinct bet_type, quota_key from own) keys) given_numbers,
        deciding_rules(period_ids, bet_types, quota_keys, ${rule_id}) decided
    )
    select own.product_code, period_code, bet_type, quota_key, s.rule_id is not distinct from ${rule_id} as is_deciding,
      coalesce(l.set_to, s.set_before_rules) as set_to, l.full_satang, l.half_satang
    from own join number_settings s using (period_id, bet_type, quota_key)
      left join left_over using (period_id, bet_type, quota_key)
      left join limit_rules l on l.rule_id = left_over.rule_id
    order by own.product_code, period_code, bet_type, quota_key`.execute(db)
  return rows
}

/** What the undo of a standing rule leaves in its markets. */
export async function listAfterUndoInMarkets(db: Db, rule_id: number): Promise<NumberAfterUndo[]> {
  const { rows } = await sql<NumberAfterUndo>`
    select market.product_code, null as period_code, given.bet_type, given.quota_key,
      top.rule_id is null or top.rule_id < market.rule_id as is_deciding,
      coalesce(top.set_to, 'open') as set_to, top.full_satang, top.half_satang
    from limit_rule_rows market cross join lateral (select market.bet_type, market.quota_key) given
      left join lateral ${topStandingRule(sql`market.rule_id`)} top on true
    where market.rule_id = ${rule_id} and market.period_id is null
    order by 1, 3, 4`.execute(db)
  return rows
}

/** Undoes a rule, and writes what holds without it. Lock the rule first. */
export async function saveUndo(
  tx: Tx,
  undo: { rule_id: number; undone_by: number; undo_reason: string | null },
  period_ids: readonly number[],
  keys: readonly QuotaKey[],
): Promise<void> {
  await sql`
    update limit_rules set undone_at = clock_timestamp(), undone_by = ${undo.undone_by}, undo_reason = ${undo.undo_reason}
    where rule_id = ${undo.rule_id}`.execute(tx)
  await sql`update limit_rule_rows set is_over = true where rule_id = ${undo.rule_id} and not is_over`.execute(tx)
  await applyRules(tx, period_ids, keys)
}

/** A value as the wire has it. */
const valueOf = sql`json_build_object('set_to', set_to, 'full_satang', full_satang, 'half_satang', half_satang) as value`

const personOf = (user_id: string) => sql`(
  select json_build_object('user_id', user_id, 'username', username, 'display_name', display_name) from users
  where user_id = ${sql.ref(user_id)})`

const RULES_A_PAGE = 50

/** The newest rules, newest first, undone ones too. @param before only rules before this one */
export async function listLimitRules(db: Db, before: number | null = null): Promise<LimitRule[]> {
  const { rows } = await sql<Omit<LimitRule, 'set_at' | 'undone_at'> & { set_at: Date; undone_at: Date | null }>`
    select l.rule_id, set_at, ${personOf('l.actor_id')} as set_by, ${valueOf}, is_standing,
      to_char(until_date, 'YYYY-MM-DD') as until_date, reason, array(select unnest(product_codes) order by 1) as product_codes,
      array(select period_code from periods where period_id = any (l.period_ids) order by 1) as period_codes, numbers,
      undone_at, case when undone_by is not null then ${personOf('l.undone_by')} end as undone_by, undo_reason
    from limit_rules l
    where ${before}::bigint is null or l.rule_id < ${before}::bigint
    order by l.rule_id desc limit ${RULES_A_PAGE}`.execute(db)
  return rows.map(({ set_at, undone_at, ...rule }) => ({
    ...rule,
    set_at: set_at.toISOString(),
    undone_at: undone_at?.toISOString() ?? null,
  }))
}

/** What standing rules set in the next period of markets. @param product_code one market; absent: all of them */
export async function listStandingNumbers(db: Db, product_code: string | null = null): Promise<StandingNumber[]> {
  const { rows } = await sql<StandingNumber>`
    select market.product_code, given.bet_type, given.quota_key as number, ${valueOf},
      to_char(until_date, 'YYYY-MM-DD') as until_date, rule_id
    from (
      select distinct product_code, bet_type, quota_key from limit_rule_rows
      where period_id is null and not is_over and (${product_code}::text is null or product_code = ${product_code})
    ) market cross join lateral (select market.bet_type, market.quota_key) given
      cross join lateral ${topStandingRule(sql`null`)}
    where set_to <> 'open' order by 1, 2, 3`.execute(db)
  return rows
}
