// Invariants of wins: none without a result that pays it, and none missing.

import { sql } from 'kysely'
import { among, type Invariant } from './invariant.ts'

/**
 * The win of an item, as `winSatang` of `rules/src/money.ts`; numeric, so that no forged amount stops the check by an
 * overflow.
 */
const wonBy = (received: string, rate: string) => sql`div(${sql.raw(received)}::numeric * ${sql.raw(rate)} + 50, 100)`

export const winInvariants = {
  wins_follow_result: {
    name: {
      th: 'รางวัลทุกรายการเป็นไปตามผลที่ออก เลขที่แทง และอัตราจ่ายที่รับไว้',
      en: 'a win follows from the result of its period, its line and the rate that was accepted',
    },
    unit: 'satang',
    by: 'order',
    onChange: 'order',
    // Each settlement round by what it changed: the first by the result paid then, a correction by both results.
    query: (keys) => sql`
      with won as materialized (select * from order_wins where ${among('order_id', keys)}),
      rounds as materialized (
        select r.period_id, r.round, winning_slots(paid_by, bottom3_set) as winning,
          winning_slots(coalesce(replaced, '{}'), bottom3_set) as winning_before
        from (select distinct period_id, round from won) r join periods using (period_id)
          left join awards on awards.period_id = r.period_id and awards.state = 'agreed'
          left join award_corrections first
            on first.period_id = r.period_id and first.round = 1 and first.state in ('agreed', 'settled')
          left join award_corrections own
            on own.period_id = r.period_id and own.round = r.round and own.state in ('agreed', 'settled')
          cross join lateral (select case r.round when 0 then coalesce(first.old_result, awards.result) else own.new_result end as paid_by,
            case r.round when 0 then null else own.old_result end as replaced) results
      )
      select won.order_id as key, won.order_id, won.user_id, won.period_id,
        bet_type_of(won.slot) || ' ' || number_of(won.slot) as bet, won.win_satang as stored, should.win_satang as computed
      from won left join orders using (order_id) left join rounds on rounds.period_id = won.period_id and rounds.round = won.round
        left join lateral (select * from unpack_lines(orders.slots, orders.lines, orders.differences) each
          where each.line_no = won.line_no) line on true
        cross join lateral (select case
          when (won.user_id, won.period_id) = (orders.user_id, orders.period_id)
            and (won.slot, won.bet_satang, won.received_satang, won.discount_satang, won.rate)
              = (line.slot, line.bet_satang, line.received_satang, line.discount_satang, line.rate)
            and won.line_no <> all (coalesce(orders.returned_lines, '{}'))
            and (won.slot = any (winning)) = (won.sign = 1) and (won.slot = any (winning_before)) = (won.sign = -1)
          then won.sign * ${wonBy('line.received_satang', 'line.rate')} else 0 end as win_satang) should
      where won.win_satang <> should.win_satang`,
  },
  wins_are_complete: {
    name: {
      th: 'ทุกรายการที่ถูกรางวัลในงวดที่จ่ายแล้วได้รับรางวัล',
      en: 'in a settled period every line on a winning bet has its win',
    },
    unit: 'satang',
    by: 'period',
    atOnce: 5,
    onChange: 'period',
    // The slot index finds the tickets, as in settlement; without one all tickets of the period are read. Its
    // completeness is a separate invariant.
    query: (keys) => sql`
      with settled as materialized (
        select period_id, winning_slots(coalesce(result, '{}'), bottom3_set) as winning, built_at is not null as is_indexed
        from periods left join awards using (period_id) left join slot_indexes using (period_id)
        where ${among('periods.period_id', keys)} and outcome = 'settled'
      ), tickets as materialized (
        select distinct settled.period_id, order_id
        from settled join period_slots bets on bets.period_id = settled.period_id and slot = any (winning)
          cross join lateral unnest(order_ids) order_id
        where is_indexed
        union all
        select period_id, order_id from settled join orders using (period_id) where not is_indexed
      ), winners as (
        select order_id, user_id, period_id, sum(${wonBy('line.received_satang', 'line.rate')}) as due
        from tickets join settled using (period_id) join orders using (period_id, order_id)
          cross join lateral unpack_lines(slots, lines, differences) line
        where status = 'CONFIRMED' and line.slot = any (winning) and line.line_no <> all (coalesce(returned_lines, '{}'))
        group by order_id, user_id, period_id
      )
      select period_id as key, order_id, user_id, period_id, coalesce(won, 0) as stored, due as computed
      from winners left join lateral (
        select sum(win_satang) as won from order_wins where order_wins.order_id = winners.order_id) wins on true
      where coalesce(won, 0) <> due`,
  },
} as const satisfies Record<string, Invariant>
