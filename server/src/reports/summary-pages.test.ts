// Goal: the pages of a summary list each of its rows once.

import { getWinLossSummary } from '@megalot/contract'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startTestApp } from '../../test/test-app.ts'

// Defect: periods that close together, as several markets do on every day, were in no order: pages listed some of them twice and left others out.
test('periods that close together are listed once each, and add up to the total', async () => {
  const app = await startTestApp()
  const agent = await app.logIn('agent01')
  await app.asOwner`
    insert into periods (period_code, product_code, period_date, round, open_at, close_at, draw_at, outcome, shares_at)
    select product_code || '-' || to_char(day, 'YYYYMMDD') || '-99', product_code, day::date, 99, day - interval '20 hours', day, day,
      'settled', day
    from products, generate_series(timestamptz '2026-10-01', '2026-10-20', '1 day') day`
  const columns = await app.asOwner<{ column_name: string }>`
    select column_name from information_schema.columns where table_name = 'level_periods' order by ordinal_position`
  const amounts = columns.rows.slice(2).map(() => sql`period_id`)
  await app.asOwner`
    insert into level_periods select ${agent.user_id}::bigint, period_id, ${sql.join(amounts)} from periods
    where round = 99 and outcome = 'settled'`

  const read = async (page: number) => {
    const days = { date_from: '2026-10-01', date_to: '2026-10-20' }
    return (await agent.post(getWinLossSummary.path, { ...days, group_by: 'period', page, ipp: 15 })).json.data
  }
  const { row_count, totals } = await read(0)
  const rows = []
  for (let page = 0; page * 15 < row_count; page += 1) rows.push(...(await read(page)).rows)
  expect(row_count).toBeGreaterThan(300)
  expect(new Set(rows.map(({ period }) => period!.period_code)).size).toBe(row_count)
  expect(rows.reduce((sum, { member }) => sum + member.received_satang, 0)).toBe(totals.member.received_satang)
})
