// Defect: after the close the database's clock steps back, for example because a machine is moved or corrected, and the
// period accepts tickets again, when its result may be known.
// Tests cannot move the database's clock. They move the close instead, bypassing the table's guard, which is equivalent
// for everything that compares the two.

import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { codeOf, countWrites, makeTicket, openPeriod } from '../../test/scenes.ts'
import { startTestApp } from '../../test/test-app.ts'
import { recordClosedPeriods } from './index.ts'

let period_code: string

const app = await startTestApp()
const member = await app.logIn('member01')
beforeEach(async () => {
  period_code = await openPeriod(app.owner)
})

/** Moves the clock by this many minutes relative to the period's times. */
async function stepClock(minutes: number): Promise<void> {
  await app.owner.transaction().execute(async (tx) => {
    await sql`alter table periods disable trigger guard_period`.execute(tx)
    await sql`update periods set open_at = open_at - ${minutes} * interval '1 minute',
      close_at = close_at - ${minutes} * interval '1 minute', draw_at = draw_at - ${minutes} * interval '1 minute'
      where period_code = ${period_code}`.execute(tx)
    await sql`alter table periods enable trigger guard_period`.execute(tx)
  })
}

async function minutesToClose(): Promise<number> {
  const { rows } = await app.asOwner<{ minutes: number }>`
    select ceil(extract(epoch from close_at - clock_timestamp()) / 60)::int as minutes from periods
    where period_code = ${period_code}`
  return rows[0]!.minutes
}

const place = async () => member.post('/api/order/create', makeTicket(period_code))

describe('a period that was closed while the clock was later', () => {
  test.each([
    ['on this node, which has placed in it before', ['ok']],
    ['before anybody has placed in it', []],
  ])('takes no ticket: %s', async (_name, placed) => {
    for (const code of placed) expect(codeOf(await place())).toBe(code)
    const left = await minutesToClose()
    await stepClock(left + 1)
    expect(await recordClosedPeriods(app.db)).toBe(1)
    await stepClock(-(left + 1))
    const before = await countWrites(app.owner)
    expect(codeOf(await place())).toBe('period_closed')
    expect(await countWrites(app.owner)).toEqual(before)
  })

  test('refunds no ticket, and is not moved', async () => {
    const placed = await place()
    const left = await minutesToClose()
    await stepClock(left + 1)
    await recordClosedPeriods(app.db)
    await stepClock(-(left + 1))
    expect(codeOf(await member.post(`/api/order/${placed.json.data.order_id}/cancel`, placed.json.data))).not.toBe('ok')
    const move = sql`update periods set close_at = close_at - interval '1 second' where period_code = ${period_code}`
    await expect(move.execute(app.db)).rejects.toMatchObject({ constraint: 'periods_close_once' })
    const unlatch = sql`update periods set closed_at = null where period_code = ${period_code}`
    await expect(unlatch.execute(app.owner)).rejects.toMatchObject({ constraint: 'periods_close_once' })
    await expect(unlatch.execute(app.db)).rejects.toMatchObject({ code: '42501' })
  })
})

test('an open period is not latched, and an early close latches at once', async () => {
  await recordClosedPeriods(app.db)
  expect(codeOf(await place())).toBe('ok')
  await app.asOwner`update periods set close_at = clock_timestamp() where period_code = ${period_code}`
  const { rows } = await app.asOwner`
    select 1 from periods where period_code = ${period_code} and closed_at is not null`
  expect(rows).toHaveLength(1)
})
