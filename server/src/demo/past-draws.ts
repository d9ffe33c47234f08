// Real draws of the Thai government lottery from 2006-12-30 on, as settled periods with their awards.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DrawResult } from '@megalot/rules'
import { sql } from 'kysely'
import { makePeriodCode } from '../markets/index.ts'
import { bangkokInstant } from '../lib/bangkok.ts'
import type { Tx } from '../postgres/db.ts'
import { projectRoot } from '../lib/project-root.ts'

export const GOVERNMENT_PRODUCT = 'thai-government'

export interface PastDraw {
  /** yyyy-mm-dd */
  date: string
  result: DrawResult
}

/** Every draw of `server/seed-data/thai-government-draws.csv`, oldest first. */
export async function readPastDraws(): Promise<PastDraw[]> {
  const text = await readFile(join(projectRoot, 'server', 'seed-data', 'thai-government-draws.csv'), 'utf8')
  const [, ...lines] = text.trim().split('\n')
  return lines.map((line) => {
    const [date = '', first_prize = '', front = '', back = '', bottom2 = ''] = line.trim().split(',')
    const front3 = front.split(' ').filter(Boolean)
    const back3 = back.split(' ').filter(Boolean)
    const result = { first_prize, top3: first_prize.slice(3), bottom2, back3, ...(front3.length > 0 ? { front3 } : {}) }
    return { date, result }
  })
}

/** When betting on a day's draw opened and closed, and when it was drawn. */
export function drawTimes(date: string): { open_at: Date; close_at: Date; draw_at: Date } {
  return {
    open_at: bangkokInstant(date, '06:00', -13),
    close_at: bangkokInstant(date, '15:20'),
    draw_at: bangkokInstant(date, '15:40'),
  }
}

/**
 * Writes the draws without a period.
 * @returns how many
 */
export async function seedPastDraws(tx: Tx, draws: readonly PastDraw[]): Promise<number> {
  const { numAffectedRows } = await sql`
    with given as (
      select * from unnest(
        ${draws.map(({ date }) => makePeriodCode(GOVERNMENT_PRODUCT, date, null))}::text[], ${draws.map(({ date }) => date)}::date[],
        ${draws.map(({ date }) => drawTimes(date).open_at)}::timestamptz[],
        ${draws.map(({ date }) => drawTimes(date).close_at)}::timestamptz[],
        ${draws.map(({ date }) => drawTimes(date).draw_at)}::timestamptz[],
        ${draws.map(({ result }) => JSON.stringify(result))}::text[]
      ) as given (period_code, period_date, open_at, close_at, draw_at, result)
    ), made as (
      insert into periods (period_code, product_code, period_date, open_at, close_at, draw_at, outcome)
      select period_code, ${GOVERNMENT_PRODUCT}, period_date, open_at, close_at, draw_at, 'settled' from given
      on conflict (period_code) do nothing returning period_id, period_code
    )
    insert into awards (period_id, state, result, entered_at)
    select period_id, 'agreed', result::jsonb, draw_at from made join given using (period_code)`.execute(tx)
  return Number(numAffectedRows ?? 0)
}
