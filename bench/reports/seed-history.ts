// Months of a company's history: members who bet every day on five markets, one of them with a third of all tickets,
// settled periods with their wins, cancelled and deleted tickets, notes. Written by `write-tickets.ts`.

import { createHash } from 'node:crypto'
import type pg from 'pg'
import { addBettors } from '../app/app-database.ts'
import { numbersFor, seedTickets, WINNING_RESULT } from '../seeding/write-tickets.ts'
import { LINES_PER_TICKET } from '../tickets/ticket.ts'

const MEMBERS = 2_000
const PRODUCTS = ['hanoi-special', 'hanoi', 'hanoi-vip', 'lao-vip', 'egypt'] as const

/** One in three tickets is the busiest member's. */
const OF_THE_BUSIEST = 3

export interface History {
  /** Session of the member with a third of all tickets. */
  busiest_session_token: string
  busiest_id: number
  busiest_name: string
  /** One of that member's tickets, from the middle of the history. */
  order_id: number
  period_code: string
  first_day: string
  last_day: string
  tickets_of_busiest: number
}

/**
 * Fills a new application's database.
 * @param items how many items to write
 * @param days how many days before today the tickets are spread over
 * @param numbers_of SQL expression for a ticket's numbers, by its row number `n` (`numbersFor`)
 */
export async function seedHistory(
  database: pg.Client,
  items: number,
  days: number,
  numbers_of = 'n',
): Promise<History> {
  const [busiest] = await addBettors(database, MEMBERS)
  const token_hash = createHash('sha256').update(busiest!.sessionToken).digest()
  const { rows: found } = await database.query<{ user_id: string; username: string }>(
    'select user_id, username from sessions join users using (user_id) where token_hash = $1',
    [token_hash],
  )
  const busiest_id = Number(found[0]!.user_id)
  await database.query(
    `insert into share_terms (user_id, position_rate, line_rate, commission_rate, since_at)
      select user_id, 3000, 3000, 200, now() - interval '3 years' from users where username = 'agent01'`,
  )
  const tickets = Math.round(items / LINES_PER_TICKET)
  await seedTickets(database, async () => {
    await seedPeriods(database, days)
    await planTickets(database, { tickets, days, busiest_id, numbers_of })
  })
  const { rows } = await database.query<Omit<History, 'busiest_session_token' | 'busiest_id' | 'busiest_name'>>(
    `select order_id::int, period_code, to_char(current_date - $2::int, 'YYYY-MM-DD') as first_day,
        to_char(current_date, 'YYYY-MM-DD') as last_day,
        (select count(*)::int from orders where user_id = $1) as tickets_of_busiest
      from orders join periods using (period_id) where user_id = $1 and orders.status = 'CONFIRMED'
      order by order_id offset $3 limit 1`,
    [busiest_id, days, Math.floor(tickets / OF_THE_BUSIEST / 2)],
  )
  return {
    ...rows[0]!,
    busiest_session_token: busiest!.sessionToken,
    busiest_id,
    busiest_name: found[0]!.username,
  }
}

/** Plans tickets evenly over the days, each in the period of its day and market. */
async function planTickets(
  database: pg.Client,
  { tickets, days, busiest_id, numbers_of }: { tickets: number; days: number; busiest_id: number; numbers_of: string },
): Promise<void> {
  await database.query(
    `insert into planned_tickets
      select 1000000 + n,
        case when n % ${OF_THE_BUSIEST} = 0 then $3::bigint
          else others[1 + (n::bigint * 7919 % cardinality(others))::int] end,
        period_id, case when n % 50 = 7 then 'CANCELLED' when n % 97 = 5 then 'DELETED' else 'CONFIRMED' end,
        created_at, case when n % 10 = 0 then 'note ' || n else '' end, ${numbersFor(numbers_of)}
      from generate_series(0, $1::int - 1) n
        cross join lateral (
          select (current_date - $2::int)::timestamp at time zone 'Asia/Bangkok'
            + (n::float8 / $1 * $2 * 0.999) * interval '1 day' as created_at) at
        join seed_periods p on p.product_code = ($4::text[])[1 + n / ${OF_THE_BUSIEST} % ${PRODUCTS.length}]
          and p.day = (created_at at time zone 'Asia/Bangkok')::date,
        (select array_agg(user_id order by user_id) as others from users
          where username like 'bettor%' and user_id <> $3) members`,
    [tickets, days, busiest_id, PRODUCTS],
  )
}

/**
 * One settled period per day and market, and the table `seed_periods` with their days. Those of the last day are not
 * settled.
 */
export async function seedPeriods(database: pg.Client, days: number): Promise<void> {
  await database.query(
    `create temporary table seed_periods as
      with made as (
        insert into periods (period_code, product_code, period_date, open_at, close_at, draw_at, outcome)
        select product_code || '-' || to_char(day, 'YYYYMMDD') || '-900', product_code, day::date,
          day::timestamp at time zone 'Asia/Bangkok', (day + interval '24 hours')::timestamp at time zone 'Asia/Bangkok',
          (day + interval '24 hours 10 minutes')::timestamp at time zone 'Asia/Bangkok',
          case when day::date = current_date - 1 then 'pending' else 'settled' end
        from generate_series(current_date - $1::int, current_date - 1, interval '1 day') day
          cross join unnest($2::text[]) product_code
        returning period_id, product_code, period_date as day
      )
      select * from made`,
    [days, PRODUCTS],
  )
  await database.query(
    `insert into awards (period_id, state, result, entered_at)
      select period_id, 'agreed', $1::jsonb, draw_at from seed_periods join periods using (period_id)
      where outcome = 'settled'`,
    [JSON.stringify(WINNING_RESULT)],
  )
}
