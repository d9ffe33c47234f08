// Writes hundreds of thousands of past tickets, with effects written by the same steps as the demo's history
// (`server/src/seed/write-history.ts`). Over HTTP it would take an hour.

import { listWinningBets, slotOf } from '@megalot/rules'
import type pg from 'pg'
import { allocateLines, packLine } from '../../server/src/betting/stored-lines.ts'
import { dropStaging, historySteps, stagingTables } from '../../server/src/demo/write-history.ts'
import { LINES_PER_TICKET } from '../tickets/ticket.ts'

export const WINNING_RESULT = { top3: '042', bottom2: '07' }

// Every item of a seeded ticket is a two-digit number at 10 Baht, rate 70, 28 % discount.
const firstSlot = slotOf('2top', '00')
const bet_baht = 10
const rate = 7_000
const discount_rate = 2_800
const lines = allocateLines(LINES_PER_TICKET)
for (let line = 0; line < LINES_PER_TICKET; line++) packLine(lines, line, bet_baht, rate, discount_rate)
const winningSlots = listWinningBets(WINNING_RESULT, 'back').map(({ bet_type, number }) => slotOf(bet_type, number))

/**
 * Writes tickets and their periods in one transaction, so that no job of the application finds a closed period before
 * its tickets.
 * @param plan creates the periods and fills the temporary table `planned_tickets`. `numbers` are up to ten
 * different two-digit numbers of a ticket; tickets of settled periods with the winning number have won
 */
export async function seedTickets<Planned>(database: pg.Client, plan: () => Promise<Planned>): Promise<Planned> {
  await database.query('begin')
  await makeSeedTable(database)
  const planned = await plan()
  for (const step of [...stagingSteps, ...historySteps]) await database.query(step)
  await database.query(dropStaging)
  await database.query('drop table planned_tickets')
  await database.query('commit')
  await database.query('vacuum analyze')
  return planned
}

async function makeSeedTable(database: pg.Client): Promise<void> {
  for (const table of stagingTables) await database.query(table)
  await database.query(`
    create temporary table planned_tickets (
      order_id bigint primary key, user_id bigint, period_id int, status text, created_at timestamptz, note text,
      numbers int[])`)
}

export interface ClosedPeriod {
  period_id: number
  period_code: string
  period_date: string
}

/** Creates a period of today, in its own round, that closed an hour ago and has no result. */
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

/** Plans tickets of the bettors in a period, at ten per second. */
export async function planTickets(database: pg.Client, period_id: number, count: number): Promise<void> {
  await database.query(
    `insert into planned_tickets
      select 1000000 + n, bettors[1 + n * 7 % cardinality(bettors)], $1, 'CONFIRMED',
        now() - interval '20 hours' + n * interval '100 ms', '', ${numbersFor('n')}
      from generate_series(0, $2::int - 1) n,
        (select array_agg(user_id order by user_id) as bettors from users where username like 'bettor%') members`,
    [period_id, count],
  )
}

/**
 * The ten numbers of a ticket, as an SQL expression of its row number. A tenth of the tickets have the winning number.
 */
export function numbersFor(place: string): string {
  return `array(select ((${place}) * 13 + i * 7) % 100 from generate_series(0, ${LINES_PER_TICKET - 1}) i)`
}

const settledPeriods = `(select period_id, draw_at from periods
  where outcome = 'settled' and period_id in (select period_id from planned_tickets))`

const stagingSteps = [
  `insert into seed_tickets (order_id, user_id, period_id, package_id, status, note, placed_at, removed_at, removed_by, reason,
      slots, lines)
    select order_id, user_id, period_id, package_id, t.status, note, t.created_at,
      case when t.status <> 'CONFIRMED' then t.created_at + interval '1 minute' end,
      case t.status when 'CANCELLED' then user_id when 'DELETED' then parent_id end,
      case t.status when 'DELETED' then 'seeded' end,
      array(select ${firstSlot} + number from unnest(numbers) with ordinality as bet (number, place) order by place),
      substring('\\x${lines.toString('hex')}'::bytea for cardinality(numbers) * ${lines.length / LINES_PER_TICKET})
    from planned_tickets t join periods using (period_id) join users using (user_id)
      join packages on packages.product_code = periods.product_code and package_code = '70'`,
  `insert into seed_settlements (period_id, started_at, finished_at) select period_id, draw_at, draw_at from ${settledPeriods} p`,
  `insert into seed_winning (period_id, slot)
    select period_id, slot from ${settledPeriods} p cross join unnest(array[${winningSlots.join(',')}]) slot`,
]
