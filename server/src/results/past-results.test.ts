// Goal: a member reads all that it has won in some periods part by part, and a part costs little, however much that is.

import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { countRead } from '../../test/count-read.ts'
import { openPeriod } from '../../test/scenes.ts'
import { startTestApp, type TestCaller } from '../../test/test-app.ts'
import { getPeriodRecord } from '../markets/index.ts'
import { listOwnWins } from './past-results.service.ts'

/** Tickets with their winning lines, oldest first. */
const won: { order_id: number; lines: number }[] = []

/** Tickets with so many winning lines each, in turn in one period and the other. */
async function addWins(caller: TestCaller, firstId: number, lines: readonly number[]): Promise<void> {
  const [one, other] = await Promise.all(periods.map(async (code) => (await getPeriodRecord(app.db, code)).period_id))
  await app.owner.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx)
    await sql`insert into order_wins (order_id, line_no, win_satang, period_id, user_id, slot, bet_satang, received_satang, discount_satang, rate)
      select ${firstId} + at, line_no, 100, case when at % 2 = 0 then ${one}::int else ${other}::int end, ${caller.user_id}, 1, 100, 100, 0, 100
      from unnest(${lines}::int[]) with ordinality as ticket (lines, at) cross join generate_series(1, lines) line_no`.execute(
      tx,
    )
  })
}

const app = await startTestApp()
const member = await app.logIn('member01')
const periods: string[] = [await openPeriod(app.owner), await openPeriod(app.owner)]
await app.owner.transaction().execute(async (tx) => {
  await sql`set local session_replication_role = replica`.execute(tx)
  await sql`update periods set outcome = 'settled', close_at = now() - interval '1 minute', closed_at = now()
      where period_code = any(${periods}::text[])`.execute(tx)
})
const lines = [...Array.from({ length: 2_000 }, () => 3), 500, 499, 2, 500, 1]
for (const [at, count] of lines.entries()) won.push({ order_id: 1_000_001 + at, lines: count })
await addWins(member, 1_000_000, lines)
// Of another member, newer than all of them.
await addWins(await app.logIn('member02'), 2_000_000, [500, 500])
await app.asOwner`analyze order_wins`

const pathOf = (before?: number | null) =>
  `/api/rewardcalc/award/own_wins?period_code=${periods.join(',')}${before ? `&before=${before}` : ''}`

test('parts join without gaps, and hold whole tickets', async () => {
  const parts: number[] = []
  const found = new Map<number, number[]>()
  for (let before: number | null | undefined; before !== null;) {
    const { json } = await member.get<'/api/rewardcalc/award/own_wins'>(pathOf(before) as never)
    parts.push(json.data.length)
    for (const { order_id, line_no } of json.data) found.set(order_id, [...(found.get(order_id) ?? []), line_no])
    before = json.next_before
  }
  expect([...found]).toEqual(
    won.toReversed().map(({ order_id, lines }) => [order_id, Array.from({ length: lines }, (_, line) => line + 1)]),
  )
  expect(parts).toEqual([1, 500, 2, 499, 500, ...Array.from({ length: 12 }, () => 498), 24])
})

// Defect: each part sorted all wins of the member in up to a hundred periods.
test('a part reads so many wins, however many there are', async () => {
  for (const before of [undefined, 1_001_000]) {
    const read = await countRead(app.db, 'order_wins', (tx) => listOwnWins(tx, member.user_id, periods, before))
    expect(read).toBeLessThan(4_000)
  }
})
