// Invariants of report rollups of settled periods.

import { sql } from 'kysely'
import { among, type Invariant } from './invariant.ts'

export const rollupInvariants = {
  wins_of_members: {
    name: {
      th: 'ยอดที่สมาชิกถูกในงวดที่จ่ายแล้วเท่าผลรวมของรายการที่ถูก',
      en: 'what won in a settled period is the sum of its winning items',
    },
    unit: 'satang',
    by: 'period',
    onChange: 'period',
    query: (keys) => sql`
      select period_id as key, user_id, period_id, win_satang as stored, win::bigint as computed
      from (select * from member_wins where ${among('period_id', keys)}) stored full join (
        select items.user_id, items.period_id, count(*) as items, sum(items.bet_satang) as bet,
          sum(items.received_satang) as received, sum(items.discount_satang) as discount,
          count(distinct items.order_id) as tickets, sum(items.win_satang) as win
        from (select distinct order_id from order_wins where ${among('period_id', keys)}) won cross join lateral (
            select * from order_items where order_items.order_id = won.order_id offset 0) items
          join periods using (period_id)
        where items.win_satang > 0 and outcome = 'settled' group by items.user_id, items.period_id
      ) found using (user_id, period_id) join periods using (period_id)
      where outcome = 'settled' and (item_count, item_bet_satang, item_received_satang, item_discount_satang,
        item_ticket_count, win_satang) is distinct from (items, bet, received, discount, tickets, win)`,
  },
  levels_follow_members: {
    name: {
      th: 'ยอดของแต่ละระดับในงวดที่จ่ายแล้วมาจากยอดของสมาชิก',
      en: 'what levels have of a settled period follows from its members',
    },
    unit: 'none',
    by: 'period',
    onChange: 'period',
    query: (keys) => sql`
      with computed as materialized (
        select levels.* from (select distinct period_id from member_periods where ticket_count > 0 and ${among('(period_id + 0)', keys)}) bet
          join periods using (period_id) cross join lateral compute_level_periods(period_id) levels
        where outcome = 'settled'
      ), stored as materialized (
        select level_periods.* from level_periods join periods using (period_id)
        where outcome = 'settled' and ${among('period_id', keys)}
      )
      select distinct period_id as key, user_id, period_id from (
        (table computed except table stored) union all (table stored except table computed)) different`,
  },
  levels_lose_nothing: {
    name: { th: 'ไม่มียอดหายไประหว่างสมาชิกกับระดับต่าง ๆ', en: 'nothing is lost between members and levels' },
    unit: 'satang',
    by: 'period',
    onChange: 'period',
    query: (keys) => sql`
      select period_id as key, period_id, received_satang as stored, received::bigint as computed
      from level_periods stored join users using (user_id) join periods using (period_id)
        cross join lateral (
          select sum(ticket_count) as tickets, sum(received_satang) as received, sum(discount_satang) as discount,
            sum(win_satang) as win from member_periods m where m.period_id + 0 = stored.period_id) members
      where level = 'company' and outcome = 'settled' and ${among('period_id', keys)}
        and (ticket_count, stored.received_satang, discount_satang, win_satang, passed_received_satang)
          <> (tickets, received, discount, win, 0)`,
  },
  numbers_won: {
    name: { th: 'จำนวนครั้งที่แต่ละเลขถูกเท่าจำนวนรายการที่ถูก', en: 'a number has won as often as its items' },
    unit: 'satang',
    by: 'user',
    onChange: 'winner',
    query: (keys) => sql`
      select user_id as key, user_id, bet_type_of(slot) || ' ' || number_of(slot) as bet, win_satang as stored, win::bigint as computed
      from (select * from member_numbers where ${among('user_id', keys)}) stored full join (
        select user_id, product_code, slot, sum(sign) as times, sum(win_satang) as win
        from order_wins w join periods using (period_id) left join settlements s using (period_id)
        where ${among('user_id', keys)} and (outcome = 'settled' or w.round < s.round) group by user_id, product_code, slot
      ) found using (user_id, product_code, slot)
      where (win_count, win_satang) is distinct from (times, win)`,
  },
} as const satisfies Record<string, Invariant>
