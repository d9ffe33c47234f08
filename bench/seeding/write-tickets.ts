// Writes tickets by the hundred thousand, as if the product had taken them long ago: tickets, ledger, balances, quotas, wins
// and what reports add up all fit together, which the invariants prove afterwards. Over HTTP it would take an hour.

import type pg from 'pg'
import { LINES_PER_TICKET } from '../tickets/ticket.ts'

/** The number that wins in every seeded period. */
export const WINNING_NUMBER = '42'
export const WINNING_RESULT = { top3: '042', bottom2: '07' }

// Every line of a seeded ticket is a two-digit number at 10 Baht, rate 70, 28 % discount.
const slot = 4_000
const winningSlot = slot + Number(WINNING_NUMBER)
const bet_satang = 1_000
const rate = 7_000
const discount_rate = 2_800
const discount_satang = (bet_satang * discount_rate) / 10_000
const win_satang = (bet_satang * rate) / 100
const net_satang = LINES_PER_TICKET * (bet_satang - discount_satang)
const line = `[${[bet_satang, bet_satang, rate, rate, discount_rate, discount_satang, 0].join(',')}]`
const lines = `[${Array.from({ length: LINES_PER_TICKET }, () => line).join(',')}]`

/**
 * Makes the empty temporary table `seed_tickets`, to be filled by the caller: `numbers` are the ten two-digit numbers of a
 * ticket, all different; tickets of settled periods that hold the winning number have won.
 */
export async function makeSeedTable(database: pg.Client): Promise<void> {
  await database.query(`
    create temporary table seed_tickets (
      order_id bigint primary key, user_id bigint, period_id int, status text, created_at timestamptz, note text,
      numbers int[])`)
}

export interface ClosedPeriod {
  period_id: number
  period_code: string
  period_date: string
}

/** Makes a period of today, in a round of its own, that closed an hour ago and has no result. */
export async function seedClosedPeriod(
  database: pg.Client,
  product_code: string,
  round: number,
): Promise<ClosedPeriod> {
  const { rows } = await database.query<ClosedPeriod>(
    `insert into periods (period_code, product_code, period_date, open_at, close_at, draw_at)
      select $1 || '-' || to_char(now() at time zone 'Asia/Bangkok', 'YYYYMMDD') || '-' || $2::int, $1,
        (now() at time zone 'Asia/Bangkok')::date, now() - interval '1 day', now() - interval '1 hour', now()
      returning period_id, period_code, period_date::text`,
    [product_code, round],
  )
  return rows[0]!
}

/** The ten numbers of a ticket, by an SQL expression for its place in the row: a tenth of the tickets hold the winning one. */
export function numbersFor(place: string): string {
  return `array(select ((${place}) * 13 + i * 7) % 100 from generate_series(0, ${LINES_PER_TICKET - 1}) i)`
}

/** Writes all of `seed_tickets`. */
export async function writeSeedTickets(database: pg.Client): Promise<void> {
  // The triggers that guard and follow single tickets: what they would do is done for all at once.
  await database.query('set session_replication_role = replica')
  for (const step of steps) await database.query(step)
  await database.query('set session_replication_role = origin')
  await database.query('select rebuild_sums()')
  await database.query('vacuum analyze')
}

const hasWon = `(t.status = 'CONFIRMED' and outcome = 'settled' and ${WINNING_NUMBER} = any(t.numbers))`

const steps = [
  `drop index orders_by_bet`,
  `insert into orders (order_id, request_id, content_hash, user_id, period_id, package_id, status, note, item_count,
      bet_satang, received_satang, discount_satang, win_satang, created_at, validated_at, processed_at, placed_at,
      cancelled_by, lines, bet_keys)
    select order_id, gen_random_uuid(), sha256(order_id::text::bytea), user_id, period_id, package_id, t.status, note,
      ${LINES_PER_TICKET}, ${LINES_PER_TICKET * bet_satang}, ${LINES_PER_TICKET * bet_satang},
      ${LINES_PER_TICKET * discount_satang}, case when ${hasWon} then ${win_satang} else 0 end,
      t.created_at, t.created_at, t.created_at, t.created_at,
      case t.status when 'CANCELLED' then user_id when 'DELETED' then parent_id end, '${lines}',
      array(select period_id::bigint * 10000 + ${slot} + number from unnest(numbers) number)
    from seed_tickets t join periods using (period_id) join users using (user_id)
      join packages on packages.product_code = periods.product_code and package_code = '70'
    order by order_id`,
  `create index orders_by_bet on orders using gin (bet_keys)`,
  `insert into order_events (order_id, at, event, from_status, to_status, actor_id, reason)
    select order_id, seed_tickets.created_at + interval '1 minute', case status when 'CANCELLED' then 'cancel' else 'delete' end,
      'CONFIRMED', status, case status when 'CANCELLED' then user_id else parent_id end,
      case status when 'DELETED' then 'seeded' end
    from seed_tickets join users using (user_id) where status in ('CANCELLED', 'DELETED')`,
  `insert into order_wins (order_id, line_no, period_id, user_id, slot, bet_satang, received_satang, discount_satang, rate,
      win_satang)
    select order_id, array_position(numbers, ${WINNING_NUMBER}), period_id, user_id, ${winningSlot}, ${bet_satang},
      ${bet_satang}, ${discount_satang}, ${rate}, ${win_satang}
    from seed_tickets t join periods using (period_id) where ${hasWon}`,
  `insert into entries (entry_id, kind, order_id, once_key, actor_id, at, from_account_id, to_account_id, amount_satang)
    select (select last_value from entry_ids) + row_number() over (order by at, order_id), kind, order_id, once_key, actor_id,
      at, from_id, to_id, amount
    from (
      select 'bet' as kind, order_id, null as once_key, t.user_id as actor_id, t.created_at as at, cash.account_id as from_id,
        house.account_id as to_id, ${net_satang} as amount
      from seed_tickets t join accounts cash on cash.user_id = t.user_id
        join accounts house on house.period_id = t.period_id where cash.kind = 'cash'
      union all
      select 'refund', order_id, 'refund:' || order_id, t.user_id, t.created_at + interval '1 minute', house.account_id,
        cash.account_id, ${net_satang}
      from seed_tickets t join accounts cash on cash.user_id = t.user_id
        join accounts house on house.period_id = t.period_id
      where cash.kind = 'cash' and status in ('CANCELLED', 'DELETED')
      union all
      select 'win', order_id, 'win:' || t.period_id || ':' || order_id, null, draw_at, house.account_id, cash.account_id,
        ${win_satang}
      from seed_tickets t join periods using (period_id) join accounts cash on cash.user_id = t.user_id
        join accounts house on house.period_id = t.period_id
      where cash.kind = 'cash' and ${hasWon}
    ) moves`,
  `update accounts set balance_satang = balance_satang + moved from (
      select account_id, sum(amount_satang) as moved from postings join (
        select min(entry_id) as first_id from entries where order_id >= (select min(order_id) from seed_tickets)) f
        on entry_id >= first_id
      group by account_id) sums
    where sums.account_id = accounts.account_id`,
  `insert into quota_blocks (period_id, bet_type, block, accepted_satang)
    select period_id, '2top', 0, array_agg(coalesce(times, 0) * ${bet_satang}::bigint order by place)
    from (select distinct period_id from seed_tickets) p cross join generate_series(0, 99) place
      left join (select period_id, number as place, count(*) as times
        from seed_tickets cross join unnest(numbers) number where status = 'CONFIRMED' group by 1, 2) bets
        using (period_id, place)
    group by period_id`,
  `select setval('order_ids', (select max(order_id) from orders)), setval('entry_ids', (select max(entry_id) from entries))`,
  // As the nightly round would have noted them.
  `insert into balance_marks (user_id, entry_id, balance_satang)
    select user_id, entry_id, balance from (
      select user_id, entry_id, sum(sum(postings.amount_satang)) over (partition by user_id order by entry_id) as balance,
        row_number() over (partition by user_id, (at at time zone 'Asia/Bangkok')::date order by entry_id desc) as nth
      from accounts join postings using (account_id) join entries using (entry_id)
      where user_id is not null group by user_id, entry_id, at
    ) running where nth = 1`,
]
