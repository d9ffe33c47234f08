// Invariants of periods: their account, their quotas, their refunds, and the index of their tickets.

import { betTypeCodes, MAX_RETURN, winChance } from '@megalot/rules'
import { type RawBuilder, sql } from 'kysely'
import { among, type Invariant } from './invariant.ts'

/** The number that a quota counts: for a roll, its digits in ascending order. */
const quotaKey = (bet_type: RawBuilder<unknown>, number: RawBuilder<unknown>) => sql`
  case when ${bet_type} in ('3roll', '2roll')
    then (select string_agg(digit, '' order by digit) from regexp_split_to_table(${number}, '') digit) else ${number} end`

/**
 * Accepted amounts per number of some periods, as `accepted`. The view `number_quotas` joins number settings, and would
 * read all periods before applying a condition on the period.
 */
const acceptedOn = (isOfPeriods: RawBuilder<boolean>) => sql`(
  select period_id, bet_type, lpad((block * 100 + place - 1)::text, left(bet_type, 1)::int, '0') as quota_key, satang as accepted_satang
  from accepted_blocks cross join unnest(accepted_satang) with ordinality as number (satang, place)
  where satang <> 0 and ${isOfPeriods}) accepted`

/** The chance of each bet type, as `chance`. */
const chances = () =>
  sql`(values ${sql.join(
    betTypeCodes.flatMap((bet_type) =>
      (['back', 'front+back'] as const).map((set) => {
        const { wins, draws } = winChance(bet_type, set)
        return sql`(${sql.lit(bet_type)}, ${sql.lit(set)}, ${sql.lit(wins)}::numeric, ${sql.lit(draws)}::numeric)`
      }),
    ),
  )}) chance (bet_type, bottom3_set, wins, draws)`

export const periodInvariants = {
  period_keeps_its_net: {
    name: {
      th: 'บัญชีของงวดมียอดสุทธิของสมาชิก หักรายการที่รอยืนยัน เงินรางวัล เงินคืน และส่วนที่ย้ายให้แต่ละระดับ; งวดที่จ่ายแล้วเป็นศูนย์',
      en: 'a period has the net of its members less what waits, was won, refunded, or moved to the levels: 0 once settled',
    },
    unit: 'satang',
    by: 'period',
    onChange: 'period',
    query: (keys) => sql`
      with members as materialized (
        select period_id, sum(received_satang - discount_satang - win_satang) as net from member_periods
        where ${among('(period_id + 0)', keys)} group by period_id
      ), waiting as materialized (
        select period_id, sum(received_satang - discount_satang) as net from orders where status = 'WAIT_CONFIRM' group by period_id
      ), refunded as materialized (
        select period_id, sum(net_satang) as net from refunded_orders where ${among('period_id', keys)} group by period_id
      ), moved as materialized (
        select period_id, sum(own_part(l)) as net from level_periods l where ${among('period_id', keys)} group by period_id
      )
      select period_id as key, period_id, balance_satang as stored, computed::bigint
      from accounts left join members using (period_id) left join waiting using (period_id) left join refunded using (period_id)
        left join moved using (period_id)
        cross join lateral (select coalesce(members.net, 0) - coalesce(waiting.net, 0) - coalesce(refunded.net, 0)
          - coalesce(moved.net, 0) as computed) sum
      where kind = 'period' and ${among('period_id', keys)} and balance_satang <> computed`,
  },
  void_refunds_all: {
    name: {
      th: 'งวดที่เป็นโมฆะคืนเงินตามที่บันทึก ไม่มากไม่น้อยกว่านั้น',
      en: 'a voided period has refunded what it says, and nothing else',
    },
    unit: 'satang',
    by: 'period',
    onChange: 'period',
    query: (keys) => sql`
      select period_id as key, period_id, refunded_satang as stored, coalesce(satang, 0)::bigint as computed
      from period_voids left join (
        select period_id, count(*) as orders, sum(net_satang) as satang from refunded_orders
        where ${among('period_id', keys)} group by period_id
      ) tickets using (period_id) left join (
        select orders.period_id, sum(amount_satang) as refunded
        from accounts join entries on from_account_id = account_id join orders using (order_id)
        where accounts.period_id in (select period_id from period_voids where ${among('period_id', keys)})
          and entries.kind = 'refund' and status = 'CONFIRMED' group by orders.period_id
      ) ledger using (period_id) left join (
        -- What a repair by two people has taken back, or given for another stake, stays in the sum of refunds: of such a ticket it counts up to
        -- its net. \`ticket_costs_its_net\` compares the rest.
        select orders.period_id, sum(greatest(given - received_satang + discount_satang, 0)) as beyond
        from orders join accounts using (period_id) cross join lateral (
          select sum(amount_satang) as given from entries
          where from_account_id = account_id and entries.order_id = orders.order_id and entries.kind = 'refund'
        ) refunds
        where ${among('orders.period_id', keys)} and status = 'CONFIRMED' and orders.period_id in (select period_id from period_voids)
          and order_id in (select (payload ->> 'order_id')::bigint from approvals where approvals.kind = 'repair_ticket' and state = 'executed')
        group by orders.period_id
      ) repaired using (period_id) join periods using (period_id)
      where ${among('period_id', keys)} and (refunded_orders <> coalesce(orders, 0) or refunded_satang <> coalesce(satang, 0)
        or refunded_satang <> coalesce(refunded, 0) - coalesce(beyond, 0) or (finished_at is not null) <> (outcome = 'void')
        or (outcome = 'void' and exists (
          select 1 from orders o where o.period_id = period_voids.period_id
            and (o.status = 'WAIT_CONFIRM' or (o.status = 'CONFIRMED' and order_id > refunded_up_to_order_id)))))`,
  },
  accepted_is_received: {
    name: { th: 'ยอดรับของแต่ละเลขเท่าผลรวมของรายการที่ยังมีผล', en: 'accepted is the sum received of live items' },
    unit: 'satang',
    by: 'period',
    // Reads every item of a period; `accepted_is_in_book` and reconciliation compare the same with the counted sums.
    onChange: null,
    query: (keys) => sql`
      select period_id as key, period_id, bet_type || ' ' || quota_key as bet, coalesce(accepted_satang, 0) as stored,
        coalesce(received, 0)::bigint as computed
      from ${acceptedOn(among('period_id', keys))} full join (
        select items.period_id, bet_type, ${quotaKey(sql`bet_type`, sql`number`)} as quota_key, sum(items.received_satang) as received
        from order_items items
        where ${among('items.period_id', keys)} and order_status in ('CONFIRMED', 'WAIT_CONFIRM') group by 1, 2, 3
      ) live using (period_id, bet_type, quota_key)
      where coalesce(accepted_satang, 0) <> coalesce(received, 0)`,
  },
  accepted_is_in_book: {
    name: {
      th: 'ยอดรับของแต่ละเลขเท่าที่อยู่ในสมุดยอดรวมกับที่ยังไม่ได้นับเข้าสมุด',
      en: 'accepted is what the book has counted, and what it has still to count',
    },
    unit: 'satang',
    by: 'period',
    onChange: 'period',
    // Only pending periods, because the exposure skips tickets of decided ones. One statement, so that tickets and
    // cursor are of one instant.
    query: (keys) => sql`
      with pending as materialized (select period_id from periods where outcome = 'pending' and ${among('period_id', keys)}),
      sums as (
        select period_id, slot::int, stake_satang as satang from book_slots join pending using (period_id)
        union all
        select period_id, line.slot, line.received_satang
        from pending join orders using (period_id) cross join book_cursor
          cross join lateral unpack_lines(slots, orders.lines, differences) line
        where order_id > orders_up_to and not order_id <@ orders_beyond
        union all
        select period_id, slots[(released ->> 'line_no')::int]::int, -(released ->> 'received_satang')::bigint
        from book_cursor join order_events on event_id > events_up_to and not event_id <@ events_beyond
          join orders using (order_id) join pending using (period_id)
          cross join lateral jsonb_array_elements(coalesce(details -> 'released', '[]')) released
      ), counted as (
        select period_id, bet_type, ${quotaKey(sql`bet_type`, sql`number`)} as quota_key, sum(satang) as satang
        from (select period_id, slot, sum(satang) as satang from sums group by period_id, slot) bets
          cross join lateral (select bet_type_of(slot) as bet_type, number_of(slot) as number) bet
        group by 1, 2, 3
      )
      select period_id as key, period_id, bet_type || ' ' || quota_key as bet, coalesce(accepted_satang, 0) as stored,
        coalesce(satang, 0)::bigint as computed
      from ${acceptedOn(sql<boolean>`period_id in (select period_id from pending)`)}
        full join counted using (period_id, bet_type, quota_key)
      where coalesce(accepted_satang, 0) <> coalesce(satang, 0)`,
  },
  quota_not_oversold: {
    name: {
      th: 'ไม่มีเลขใดรับเกินโควตาที่ใช้อยู่ตอนรับโพยสุดท้ายของเลขนั้น',
      en: 'no number has more than the quota that held when its last ticket was accepted',
    },
    unit: 'satang',
    by: 'period',
    onChange: 'period',
    // A quota may be lowered below the accepted amount, which then only falls, so the last ticket on the number is
    // decisive. Tickets are read only for numbers above the current quota.
    query: (keys) => sql`
      with beyond as materialized (
        select period_id, bet_type, quota_key, accepted_satang from ${acceptedOn(among('period_id', keys))} join quotas_in_force using (period_id, bet_type)
        where package_code is null and accepted_satang > full_satang + half_satang
      )
      select period_id as key, period_id, bet_type || ' ' || quota_key as bet, accepted_satang as stored, most_satang as computed
      from beyond cross join lateral (
        select max(placed_at) as at from orders cross join lateral unpack_lines(slots, orders.lines, differences) line
          cross join lateral (select bet_type_of(line.slot) as bet_type, number_of(line.slot) as number offset 0) bet
        where orders.period_id = beyond.period_id and bet.bet_type = beyond.bet_type and line.received_satang > 0
          and ${quotaKey(sql`bet.bet_type`, sql`bet.number`)} = beyond.quota_key
      ) last cross join lateral (select most_at(period_id, bet_type, last.at) as most_satang) limits
      where last.at is null or accepted_satang > most_satang`,
  },
  returns_within_bound: {
    name: {
      th: 'งวดที่ยังรับแทงคืนให้สายหนึ่งไม่เกิน 120% ของยอดแทงโดยเฉลี่ย รวมค่าคอมมิชชันของงวดนั้น',
      en: 'a period that takes bets returns at most 120 % of a stake on average, with the commission of its own opening',
    },
    unit: 'none',
    by: 'period',
    onChange: 'period',
    // By the current terms and the commission at the time (`markets/commission-bound.ts`). A closed period accepts no
    // ticket with current terms.
    query: (keys) => sql`
      with open_ones as materialized (
        select period_id, product_code, bottom3_set, least(shares_at, statement_timestamp()) as instant from periods
        where outcome = 'pending' and closed_at is null and close_at > clock_timestamp() and ${among('period_id', keys)}
      ), paid as materialized (
        select instant, max((share_terms_at(child.user_id, instant)).commission_rate) as commission_rate
        from (select distinct instant from open_ones) instants cross join users child
        where child.parent_id = (select user_id from users where level = 'company' and not is_office and principal_id is null)
          and child.level <> 'member' and not child.is_office
        group by instant
      )
      select distinct period_id as key, period_id, bet_type as bet
      from open_ones join (select product_code, bet_types from products) offered using (product_code) join packages using (product_code) join package_terms using (package_id)
        join ${chances()} using (bet_type, bottom3_set) left join paid using (instant)
      where is_on and bet_type = any(bet_types)
        and ceil(rate * 100 * wins / draws) + discount_rate + coalesce(commission_rate, 0) > ${sql.lit(MAX_RETURN)}`,
  },
  tickets_within_bound: {
    name: {
      th: 'โพยที่ยังมีผลคืนให้สายหนึ่งไม่เกิน 120% ของยอดแทงโดยเฉลี่ย ตามอัตราที่รับไว้ รวมค่าคอมมิชชันของงวดนั้น',
      en: 'a live ticket returns at most 120 % of a stake on average, by the rates it was accepted with and the commission of its period',
    },
    unit: 'none',
    by: 'period',
    onChange: 'period',
    // Items have terms that their package has offered (`rates_were_offered`), so only tickets of periods during which a
    // package offered such terms are read. A minute of tolerance for the clocks, as there. A period's commission is
    // read only if the highest ever would exceed the limit.
    query: (keys) => sql`
      with company as (
        select user_id from users where level = 'company' and not is_office and principal_id is null
      ), agents as materialized (
        select user_id from users where parent_id = (select user_id from company) and level <> 'member' and not is_office
      ), offered as materialized (
        select product_code, package_id, bet_type, bottom3_set, since_at, until_at,
          ceil(rate * 100 * wins / draws) + discount_rate as return_rate
        from (
          select package_id, bet_type, rate, discount_rate, is_on, since_at,
            lead(since_at) over (partition by package_id, bet_type order by since_at) as until_at
          from package_terms_history
        ) history join packages using (package_id) join ${chances()} using (bet_type)
        where is_on
      ), possible as materialized (
        select period_id, shares_at, package_id, bet_type, return_rate
        from periods join offered using (product_code, bottom3_set)
        where ${among('period_id', keys)} and since_at < close_at + interval '1 minute'
          and (until_at is null or until_at > open_at - interval '1 minute')
          and return_rate + (select coalesce(max(commission_rate), 0) from share_terms join agents using (user_id)) > ${sql.lit(MAX_RETURN)}
      ), paid as materialized (
        select shares_at, coalesce(max((share_terms_at(user_id, shares_at)).commission_rate), 0) as commission_rate
        from (select distinct shares_at from possible) instants left join agents on true
        group by shares_at
      ), beyond as materialized (
        select distinct period_id, package_id, bet_type, commission_rate from possible join paid using (shares_at)
        where return_rate + commission_rate > ${sql.lit(MAX_RETURN)}
      )
      select distinct period_id as key, period_id, order_id, orders.user_id, beyond.bet_type as bet
      from beyond join periods using (period_id) join ${chances()} using (bet_type, bottom3_set)
        join orders using (period_id, package_id) cross join lateral unpack_lines(slots, orders.lines, differences) line
      where status in ('CONFIRMED', 'WAIT_CONFIRM') and line.received_satang > 0 and bet_type_of(line.slot) = beyond.bet_type
        and ceil(line.rate * 100 * wins / draws) + line.discount_rate + commission_rate > ${sql.lit(MAX_RETURN)}`,
  },
  slot_index_complete: {
    name: {
      th: 'ดัชนีเลขของงวดมีครบทุกโพยในทุกเลข',
      en: 'the slot index of a period names each ticket under each of its bets',
    },
    unit: 'none',
    by: 'period',
    onChange: 'period',
    query: (keys) => sql`
      select distinct period_id as key, period_id from (
        select period_id, slot, array_agg(distinct order_id order by order_id) as order_ids
        from slot_indexes join orders using (period_id) cross join lateral unnest(slots) slot
        where ${among('period_id', keys)} group by period_id, slot
      ) counted full join (select * from period_slots where ${among('period_id', keys)}) indexed using (period_id, slot)
      where counted.order_ids is distinct from indexed.order_ids`,
  },
} as const satisfies Record<string, Invariant>
