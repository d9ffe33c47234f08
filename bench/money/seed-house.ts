// A house on a Monday: an agent with 800 children, 500 other agents with three members each, three played weeks of
// settled periods, and closed periods full of tickets that await their results.

import type pg from 'pg'
import { addBettors, coverLimits } from '../app/app-database.ts'
import { type ClosedPeriod, seedClosedPeriod, seedTickets, WINNING_RESULT } from '../seeding/write-tickets.ts'
import { LINES_PER_TICKET } from '../tickets/ticket.ts'

export const CHILDREN = 800
export const AGENTS = 500
const MEMBERS_OF_AGENT = 3
const WEEKS = 3
/** In the last full week, and in the others. */
export const PERIODS_OF_DAY = 30
const PERIODS_OF_OTHER_DAY = 3
const PRODUCT = 'hanoi-vip'
/** Tickets of a period per winning one. */
const TICKETS_PER_WINNER = 50
const MEMBER_CREDIT_SATANG = 1_000_000_000

export interface House {
  large: ClosedPeriod[]
  /** The Mondays of the played weeks, the earliest first. */
  mondays: string[]
}

/**
 * @param large how many closed periods of how many items; three of four tickets are of the agent's children
 */
export async function seedHouse(database: pg.Client, large: { count: number; items: number }): Promise<House> {
  await addBettors(database, CHILDREN)
  await addAgents(database)
  await coverLimits(database)
  await giveShares(database)
  return seedTickets(database, async () => {
    await seedPeriods(database)
    await planWeeks(database)
    const periods: ClosedPeriod[] = []
    const tickets = large.items / LINES_PER_TICKET
    for (let nth = 0; nth < large.count; nth += 1) {
      const period = await seedClosedPeriod(database, PRODUCT, 1_000 + nth)
      await planLargePeriod(database, period, tickets, 10_000_000 + nth * tickets)
      periods.push(period)
    }
    const { rows } = await database.query<{ monday: string }>(
      `select distinct date_trunc('week', day)::date::text as monday from seed_periods order by monday limit ${WEEKS}`,
    )
    return { large: periods, mondays: rows.map(({ monday }) => monday) }
  })
}

/** Agents beside the demo's, each with members. */
async function addAgents(database: pg.Client): Promise<void> {
  const add = async (level: string, prefix: string, count: number, parents: string) =>
    database.query(
      `with made as (
          insert into users (username, display_name, level, parent_id, password_hash, is_demo)
          select $2 || lpad(n::text, 6, '0'), $2 || n, $1, parents.ids[1 + n % cardinality(parents.ids)], demo.password_hash, true
          from generate_series(1, $3::int) n, (${parents}) parents,
            (select password_hash from users where username = 'agent01') demo
          returning user_id
        )
        insert into accounts (kind, user_id, floor_satang)
        select kind, user_id, case when kind = 'cash' and $1 = 'member' then -${MEMBER_CREDIT_SATANG}::bigint else 0 end
        from made cross join unnest(array['cash', 'held']) kind`,
      [level, prefix, count],
    )
  await add('agent', 'ag', AGENTS, `select array[parent_id] as ids from users where username = 'agent01'`)
  const agents = `select array_agg(user_id order by user_id) as ids from users where username like 'ag______'`
  await add('member', 'mb', AGENTS * MEMBERS_OF_AGENT, agents)
}

/** Shares of the agents in all periods: the trigger would date them now. */
async function giveShares(database: pg.Client): Promise<void> {
  await database.query('alter table share_terms disable trigger date_share_terms')
  await database.query(
    `insert into share_terms (user_id, position_rate, line_rate, commission_rate, since_at)
      select user_id, 3000, 3000, 200, now() - interval '3 years' from users
      where username = 'agent01' or username like 'ag______'`,
  )
  await database.query('alter table share_terms enable trigger date_share_terms')
}

/** Settled periods from the first Monday until yesterday, and the table `seed_periods`. */
async function seedPeriods(database: pg.Client): Promise<void> {
  await database.query(
    `create temporary table seed_periods as
      with made as (
        insert into periods (period_code, product_code, period_date, open_at, close_at, draw_at, outcome)
        select '${PRODUCT}-' || to_char(day, 'YYYYMMDD') || '-' || 100 + nth, '${PRODUCT}', day::date,
          day at time zone 'Asia/Bangkok', (day + nth * interval '30 minutes') at time zone 'Asia/Bangkok',
          (day + nth * interval '30 minutes' + interval '5 minutes') at time zone 'Asia/Bangkok', 'settled'
        from (select (now() at time zone 'Asia/Bangkok')::date::timestamp as today) now
          cross join generate_series(date_trunc('week', today) - interval '${WEEKS} weeks', today - interval '1 day', '1 day') day
          cross join lateral generate_series(1, case date_trunc('week', today) - date_trunc('week', day)
            when interval '7 days' then ${PERIODS_OF_DAY} else ${PERIODS_OF_OTHER_DAY} end) nth
        returning period_id, period_date as day, open_at
      )
      select *, row_number() over (order by period_id) as nth, row_number() over (partition by day order by period_id) as nth_of_day
      from made`,
  )
  await database.query(
    `insert into awards (period_id, state, result, entered_at)
      select period_id, 'agreed', $1::jsonb, draw_at from seed_periods join periods using (period_id)`,
    [JSON.stringify(WINNING_RESULT)],
  )
}

/** In each period a ticket of one item of each agent's line, and every day one of each of the 800 children. */
async function planWeeks(database: pg.Client): Promise<void> {
  await database.query(
    `insert into planned_tickets
      select 1000000 + row_number() over (order by open_at, nth, user_id), user_id, period_id, 'CONFIRMED',
        open_at + nth % 600 * interval '1 second', '', array[((user_id * 7 + nth) % 100)::int]
      from seed_periods join users on case when username like 'mb______' then nth % ${MEMBERS_OF_AGENT} = user_id % ${MEMBERS_OF_AGENT}
        when username like 'bettor%' then nth_of_day = 1 + user_id % ${PERIODS_OF_OTHER_DAY} end`,
  )
}

async function planLargePeriod(
  database: pg.Client,
  { period_id }: ClosedPeriod,
  tickets: number,
  first_order_id: number,
): Promise<void> {
  // Spreads winners evenly among the others, whose numbers are all below the winning one.
  await database.query(
    `insert into planned_tickets
      select $1::bigint + n, case when n % 4 = 3 then others.ids[1 + n / 4 * 7 % cardinality(others.ids)]
          else children.ids[1 + (n / 4 * 3 + n % 4) * 7 % cardinality(children.ids)] end, $2, 'CONFIRMED',
        now() - interval '20 hours' + n * interval '100 ms', '',
        case when n % ${TICKETS_PER_WINNER} = 1 then array[42, 41, 40, 39, 38, 37, 36, 35, 34, 33] else array(select (n * 13 + i * 3) % 40 from generate_series(0, ${LINES_PER_TICKET - 1}) i) end
      from generate_series(0, $3::int - 1) n,
        (select array_agg(user_id order by user_id) as ids from users where username like 'bettor%') children,
        (select array_agg(user_id order by user_id) as ids from users where username like 'mb______') others`,
    [first_order_id, period_id, tickets],
  )
}
