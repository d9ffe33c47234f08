// Markets for benchmarks that kill what they measure: periods stay open, and some tickets wait for their member.

import { getGameConfig, type PlaceOrderBody, setQuota } from '@megalot/contract'
import type pg from 'pg'
import type { Client } from '../../bench/client.ts'
import { LINES_PER_TICKET } from '../../bench/tickets/ticket.ts'

const markets = ['thai-government', 'lao-vip']
const package_code = '90'
/** Numbers with their own quota, so that tickets are partly accepted and wait for their member. */
const hotNumbers = 60

export interface Market {
  period_code: string
  rates: ReadonlyMap<string, number>
}

/**
 * Bypasses the rules for periods created by the office: it opened in the past, and another may be drawn on the same
 * day.
 */
async function openPeriod(pool: pg.Pool, product_code: string): Promise<string> {
  const { rows } = await pool.query<{ period_code: string }>(
    `insert into periods (period_code, product_code, period_date, round, open_at, close_at, draw_at)
      select $1 || '-' || to_char(today, 'YYYYMMDD') || '-999', $1, today, 999, now() - interval '1 hour',
        now() + interval '2 hours', now() + interval '130 min'
      from (select (now() at time zone 'Asia/Bangkok')::date as today) bangkok returning period_code`,
    [product_code],
  )
  return rows[0]!.period_code
}

/** A period of each market that stays open throughout, with quotas on 3top. */
export async function openMarkets(pool: pg.Pool, office: Client, member: Client): Promise<Market[]> {
  const opened: Market[] = []
  for (const product_code of markets) {
    const period_code = await openPeriod(pool, product_code)
    const quota = { product_code, bet_type: '3top', full_satang: 20_000, half_satang: 10_000 }
    await office.call(setQuota, setQuota.path, quota)
    const path = getGameConfig.path.replace(':product_code', product_code).replace(':package_code', package_code)
    const { bet_types } = (await member.call(getGameConfig, path)).value.data
    const rates = new Map(bet_types.map(({ bet_type, rate }) => [bet_type, rate]))
    opened.push({ period_code, rates })
  }
  return opened
}

/** A random whole number from 0 to below the limit. */
export function drawBelow(limit: number): number {
  return Math.floor(Math.random() * limit)
}

/** Ten different lines; on every third ticket one or two of them are on numbers with a quota. */
export function makeTicket(opened: readonly Market[]): Omit<PlaceOrderBody, 'request_id'> {
  const { period_code, rates } = opened[drawBelow(opened.length)]!
  const hot = Math.random() < 0.33 ? 1 + drawBelow(2) : 0
  const first = drawBelow(hotNumbers)
  const items = Array.from({ length: LINES_PER_TICKET }, (_, line) => {
    if (line < hot) {
      const number = String((first + line) % hotNumbers).padStart(3, '0')
      return { bet_type: '3top' as const, number, bet_satang: (5 + drawBelow(25)) * 100, rate: rates.get('3top')! }
    }
    const bet_type = line % 2 === 0 ? ('2top' as const) : ('2bottom' as const)
    const number = String(line * 10 + drawBelow(10)).padStart(2, '0')
    return { bet_type, number, bet_satang: 500, rate: rates.get(bet_type)! }
  })
  return { period_code, package_code, items }
}
