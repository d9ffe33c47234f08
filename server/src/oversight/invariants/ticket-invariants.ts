// Invariants of tickets, and of their members' sums per period. Tickets are compared with the ledger through their
// member's cash account, because entries are found by account.

import { type RawBuilder, sql } from 'kysely'
import { among, type Invariant, type Keys, memberPeriodKey, memberPeriodsOf } from './invariant.ts'

/**
 * The cash accounts of the members of `tickets (user_id, created_at)`, as `payers (account_id, first_id)`. Entries are
 * written after their ticket was decided, so older ones of the account, up to `first_id`, are skipped.
 */
function payersOfTickets(keys: Keys): RawBuilder<unknown> {
  const first = keys === null ? sql`0` : sql`id_before('entries', 'entry_id', 'at', hour)`
  return sql`
    -- Materialized: the search for an id runs once an hour, not once a member.
    marks as materialized (
      select hour, ${first} as first_id from (select distinct date_trunc('hour', created_at) as hour from tickets) hours
    ),
    payers as materialized (
      select account_id, first_id
      from (select user_id, date_trunc('hour', min(created_at)) as hour from tickets group by user_id) members
        join marks using (hour)
        join accounts using (user_id)
      where accounts.kind = 'cash'
    )`
}

/** What tickets have moved on their members' cash, as `moves (order_id, kind, amount)`. */
function movesOnCash(keys: Keys): RawBuilder<unknown> {
  return sql`
    tickets as materialized (select order_id, user_id, created_at from orders where ${among('order_id', keys)}),
    ${payersOfTickets(keys)},
    moves as materialized (
      select order_id, kind, -amount_satang as amount from payers join entries on from_account_id = account_id
      where entry_id > first_id
      union all
      select order_id, kind, amount_satang from payers join entries on to_account_id = account_id and kind <> 'bet'
      where entry_id > first_id
    )`
}

/**
 * When the transaction (or its parent) that wrote a row was committed; only the database sets it. Null if the server
 * does not record it (`track_commit_timestamp`), or no longer.
 */
const committedAt = (row: string): RawBuilder<unknown> =>
  sql`case when current_setting('track_commit_timestamp') = 'on' then pg_xact_commit_timestamp(${sql.raw(row)}.xmin) end`

/**
 * How long after the close a transaction decided before it may be committed. The application's statements are ended
 * after ten seconds.
 */
const COMMIT_GRACE = sql`interval '15 seconds'`

/** Later, transaction ids have wrapped around: an old row's may equal a new transaction's. */
const COMMITS_KNOWN = sql`interval '30 days'`

/**
 * Whether a repair wrote an entry, at any time after the close. The database refuses such a key without its approval.
 */
const isOfRepair = sql`starts_with(coalesce(entries.idempotency_key, ''), 'repair:')`

export const ticketInvariants = {
  ticket_costs_its_net: {
    name: {
      th: 'โพยที่ยังมีผลหักเงินสมาชิกเท่ายอดสุทธิ และโพยที่จบแล้วไม่หักเงิน',
      en: 'a ticket has cost its member its net while it lives, and nothing when it ended',
    },
    unit: 'satang',
    by: 'order',
    onChange: 'order',
    query: (keys) => sql`
      with ${movesOnCash(keys)}
      select order_id as key, order_id, orders.user_id, orders.period_id, coalesce(moved, 0)::bigint as stored, should.moved_satang as computed
      from orders
        left join (select order_id, sum(amount) as moved from moves where kind not in ('win', 'reversal') group by order_id) cash using (order_id)
        left join refunded_orders refunded using (order_id)
        cross join lateral (select case when status in ('CONFIRMED', 'WAIT_CONFIRM') and refunded.order_id is null
          then orders.discount_satang - orders.received_satang else 0 end as moved_satang) should
      where ${among('orders.order_id', keys)} and coalesce(moved, 0) <> moved_satang`,
  },
  ticket_totals: {
    name: { th: 'ยอดรวมของโพยเท่าผลรวมของรายการในโพย', en: 'totals of a ticket are the sums of its items' },
    unit: 'satang',
    by: 'order',
    onChange: 'order',
    query: (keys) => sql`
      select order_id as key, order_id, orders.user_id, orders.period_id, orders.received_satang as stored,
        sum(items.received_satang)::bigint as computed
      from orders join order_items items using (order_id)
      where ${among('orders.order_id', keys)}
      group by order_id
      having orders.item_count <> count(*) or orders.bet_satang <> sum(items.bet_satang)
        or orders.received_satang <> sum(items.received_satang) or orders.discount_satang <> sum(items.discount_satang)
        or orders.win_satang <> sum(items.win_satang)`,
  },
  win_paid_once: {
    name: { th: 'เงินรางวัลจ่ายครั้งเดียวและครบจำนวน', en: 'a win is paid once, in full' },
    unit: 'satang',
    by: 'order',
    onChange: 'order',
    query: (keys) => sql`
      with ${movesOnCash(keys)}
      select order_id as key, order_id, user_id, period_id, coalesce(paid, 0)::bigint as stored, win_satang as computed
      from orders left join (
        select order_id, sum(amount) as paid from moves where kind in ('win', 'reversal') group by order_id
      ) wins using (order_id)
      where ${among('order_id', keys)} and win_satang <> coalesce(paid, 0)`,
  },
  bets_exist: {
    name: {
      th: 'ทุกรายการเป็นเลขที่มีอยู่จริง และเก็บส่วนต่างเฉพาะเมื่อมีส่วนต่าง',
      en: 'a line is on a bet that there is, and differences are stored only where there are any',
    },
    unit: 'none',
    by: 'order',
    onChange: 'order',
    query: (keys) => sql`
      select order_id as key, order_id, user_id, period_id from orders
      where ${among('order_id', keys)}
        and ((0 <= all (slots) and 4319 >= all (slots) and array_ndims(slots) = 1) is not true
          or (differences is not null and not exists (select 1 from unpack_lines(slots, lines, differences) line
            where received_satang <> bet_satang or rate_seen <> rate or is_half_pay)))`,
  },
  rates_were_offered: {
    name: {
      th: 'ทุกรายการใช้อัตราจ่ายและส่วนลดที่แพ็กเกจเสนออยู่ตอนรับโพย',
      en: 'a line has the rate and the discount that its package offered when it was accepted',
    },
    unit: 'none',
    by: 'order',
    onChange: 'order',
    // Half pay halves the rate (`halfRate` of `rules/src/money.ts`). A minute of tolerance for the clocks of two
    // database servers. Uses only the time of writing, because the writer itself states when a batch was read.
    query: (keys) => sql`
      with accepted as materialized (
        select distinct order_id, user_id, period_id, package_id, placed_at, slot_type.bet_type, rate, discount_rate,
          is_half_pay
        from orders cross join lateral unpack_lines(slots, lines, differences) line
          cross join lateral (select bet_type_of(line.slot) as bet_type) slot_type
        where ${among('order_id', keys)} and line.received_satang > 0
      ), offered as materialized (
        select product_code, package_id, bet_type, rate, discount_rate, is_on, since_at,
          lead(since_at) over (partition by package_id, bet_type order by since_at) as until_at
        from package_terms_history join packages using (package_id)
        where package_id in (select package_id from accepted)
      )
      select distinct order_id as key, order_id, user_id, period_id, accepted.bet_type as bet
      from accepted left join periods using (period_id)
      where not exists (
        select 1 from offered
        where (offered.product_code, offered.package_id, offered.bet_type, offered.discount_rate)
            = (periods.product_code, accepted.package_id, accepted.bet_type, accepted.discount_rate)
          and accepted.rate = case when is_half_pay then (offered.rate + 1) / 2 else offered.rate end and offered.is_on
          and since_at <= placed_at + interval '1 minute'
          and (until_at is null or until_at > placed_at - interval '1 minute'))`,
  },
  accepted_in_time: {
    name: {
      th: 'ไม่มีโพยที่รับก่อนเปิดรับ หรือตั้งแต่เวลาปิดรับเป็นต้นไป',
      en: 'nothing is accepted before the opening, nor at or after the close',
    },
    unit: 'none',
    by: 'order',
    onChange: 'order',
    query: (keys) => sql`
      select order_id as key, order_id, user_id, period_id from orders join periods using (period_id)
      where ${among('order_id', keys)} and (placed_at >= close_at or created_at < open_at)`,
  },
  committed_in_time: {
    name: {
      th: 'โพยที่รับหรือเอาออกก่อนปิดรับ บันทึกถาวรในฐานข้อมูลไม่เกิน 15 วินาทีหลังปิดรับ',
      en: 'what is accepted or removed before the close is committed within 15 seconds of it',
    },
    unit: 'none',
    by: 'order',
    onChange: 'order',
    // A transaction kept open could write times from before the close, and be committed or not once the result is
    // known. A live ticket's row is written again by wins and by the end of waiting, so it is checked by the entries of
    // its bet and refunds, which never change, and by the events that returned items. A free ticket has no entry.
    query: (keys) => sql`
      with tickets as materialized (
        select order_id, user_id, orders.period_id, created_at, status, returned_lines, latest_at
        from orders join periods using (period_id) cross join auditor_state
          cross join lateral (select greatest(close_at + ${COMMIT_GRACE}, commits_count_after) as latest_at) allowed
        where ${among('order_id', keys)} and close_at > clock_timestamp() - ${COMMITS_KNOWN}
          and latest_at < clock_timestamp() and ${committedAt('orders')} > latest_at
      ), ${payersOfTickets(keys)}, stakes as (
        select order_id, coalesce(${committedAt('entries')} > latest_at, false) as is_late, ${isOfRepair} as is_of_repair
        from payers join entries on from_account_id = account_id join tickets using (order_id)
        where entry_id > first_id and entries.kind in ('bet', 'bet_hold')
      ), late as (
        -- A repair takes stake at any time, but only a stake of its own shows that the ticket was there before the close.
        select order_id from stakes group by order_id
        having bool_or(is_late and not is_of_repair) or bool_and(is_late)
        union
        select order_id from tickets
        where (status not in ('CONFIRMED', 'WAIT_CONFIRM') or exists (select 1 from order_events events
            where events.order_id = tickets.order_id and details is not null and ${committedAt('events')} > latest_at)
          -- Events can be written before what they tell: money cannot.
          or exists (select 1 from payers join entries on to_account_id = account_id and entries.kind <> 'bet'
            where entries.order_id = tickets.order_id and entry_id > first_id and entries.kind = 'bet_release'
              and ${committedAt('entries')} > latest_at and not (${isOfRepair} and returned_lines is null)))
          and not exists (select 1 from approvals where kind = 'void_order' and state = 'executed' and subject = 'order:' || tickets.order_id)
      )
      select order_id as key, order_id, user_id, period_id from late join tickets using (order_id)`,
  },
  removed_in_time: {
    name: {
      th: 'โพยที่ถูกยกเลิก ลบ หรือคืนรายการ เกิดขึ้นก่อนปิดรับ หรือโดยเจ้าหน้าที่สองคน',
      en: 'a ticket is cancelled, deleted or has lines returned before the close, or it was voided by two people',
    },
    unit: 'none',
    by: 'order',
    onChange: 'order',
    // By the last event that removed something, whose time only the database sets. A minute of tolerance, because the
    // event is written after the change that `refuse_late_removal` allowed.
    query: (keys) => sql`
      select order_id as key, order_id, user_id, period_id from orders join periods using (period_id)
        cross join lateral (select max(at) as at from order_events events where events.order_id = orders.order_id
          and (to_status not in ('CONFIRMED', 'WAIT_CONFIRM') or details is not null)) removal
      where ${among('order_id', keys)} and (status not in ('CONFIRMED', 'WAIT_CONFIRM') or returned_lines is not null)
        and (removal.at < close_at + interval '1 minute') is not true
        and not exists (select 1 from approvals where kind = 'void_order' and state = 'executed' and subject = 'order:' || orders.order_id)`,
  },
  member_period_sums: {
    name: {
      th: 'ยอดของสมาชิกในงวดเท่าผลรวมของโพยที่ยังมีผล',
      en: 'what a member has in a period is the sum of its live tickets',
    },
    unit: 'satang',
    by: 'member_period',
    onChange: 'member_period',
    // By the members and the span of ids of their periods, not by their periods: see `isInPeriod`.
    query: (keys) => {
      const sums = sql`user_id, period_id, count(*) as tickets, sum(bet_satang) as bet, sum(received_satang) as received,
        sum(discount_satang) as discount, sum(win_satang) as win`
      const live = sql`status in ('CONFIRMED', 'WAIT_CONFIRM')`
      const [kept, found] =
        keys === null
          ? [sql`member_periods`, sql`(select ${sums} from orders where ${live} group by user_id, period_id)`]
          : [
              sql`(select stored.* from given
                cross join lateral (select * from member_periods m
                  where m.user_id = given.user_id and m.period_id = given.period_id offset 0) stored)`,
              sql`(select ${sums} from (
                  select given.user_id, given.period_id, status, bet_satang, received_satang, discount_satang, win_satang
                  from given join spans using (period_id)
                    cross join lateral (select * from orders o where o.user_id = given.user_id and o.period_id + 0 = given.period_id
                      and o.order_id between first_id and last_id offset 0) own
                ) bets where ${live} group by user_id, period_id)`,
            ]
      // The span of a period is looked up once, not once per member.
      const pairs =
        keys === null
          ? sql``
          : sql`with given as materialized (select * from ${memberPeriodsOf(keys)} pairs), spans as materialized (
            select period_id, first_order_of(period_id) as first_id, last_order_of(period_id) as last_id
            from (select distinct period_id from given) of_periods)`
      return sql`
        ${pairs}
        select ${memberPeriodKey} as key, user_id, period_id, coalesce(received_satang, 0) as stored,
          coalesce(received, 0)::bigint as computed
        from ${kept} kept full join ${found} live using (user_id, period_id)
        where (coalesce(ticket_count, 0), coalesce(bet_satang, 0), coalesce(received_satang, 0), coalesce(discount_satang, 0),
          coalesce(win_satang, 0)) <> (coalesce(tickets, 0), coalesce(bet, 0), coalesce(received, 0), coalesce(discount, 0),
          coalesce(win, 0))`
    },
  },
} as const satisfies Record<string, Invariant>
