// Goal: batches that add to quotas and batches that lock them take turns, without a deadlock.

import fc from 'fast-check'
import { slotOf } from '@megalot/rules'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { countWrites, openPeriod, waitForLock } from '../../../test/scenes.ts'
import { cloneDatabase } from '../../../test/test-database.ts'
import type { Tx } from '../../postgres/db.ts'
import { lockQuotasOf, readQuotas, saveQuotaUse } from './quota-reads.ts'
import { createQuotaUse, type QuotaSnapshot } from './quota-snapshot.ts'

const database = await cloneDatabase()

// Defect: two batches create the block of a number at once; the second starts from zero, and the quota is oversold.
test.each(['locks', 'reads'] as const)(
  'a batch that %s quotas counts what one has added that created the blocks',
  async (how) => {
    const { db, owner } = database
    const period_code = await openPeriod(owner)
    const bet = slotOf('3top', '123')
    const addTo = async (tx: Tx, quotas: QuotaSnapshot): Promise<void> => {
      const use = createQuotaUse(quotas)
      use.add(bet, 1_000, '70')
      await saveQuotaUse(tx, period_code, use, quotas)
    }
    const holding: Promise<void>[] = []
    await db.transaction().execute(async (tx) => {
      await addTo(tx, await readQuotas(tx, period_code, [bet]))
      const read = how === 'locks' ? lockQuotasOf : readQuotas
      holding.push(db.transaction().execute(async (other) => addTo(other, await read(other, period_code, [bet]))))
      await waitForLock(owner)
    })
    await holding[0]
    const quotas = await db.transaction().execute((tx) => readQuotas(tx, period_code, [bet]))
    expect(createQuotaUse(quotas).quotaOf(bet, '70').accepted_satang).toBe(2_000)
  },
)

test('reading quotas, with or without the lock, writes nothing', async () => {
  const { db, owner } = database
  const period_code = await openPeriod(owner)
  const before = await countWrites(owner)
  for (const read of [readQuotas, lockQuotasOf])
    await db.transaction().execute((tx) => read(tx, period_code, [slotOf('3top', '123')]))
  expect(await countWrites(owner)).toEqual(before)
})

describe('adding to quotas', () => {
  /** A period in which 90 Baht of 100 at the full rate and 20 at half were accepted on 2 top 23. */
  async function beginAt90(): Promise<{
    period_code: string
    add: (amounts: number[], within_full: boolean, positions?: number[]) => Promise<unknown>
  }> {
    const { db, owner } = database
    const period_code = await openPeriod(owner)
    await sql`
      insert into quotas (product_code, bet_type, full_satang, half_satang)
      values ('thai-government', '2top', 10000, 2000) on conflict do nothing`.execute(owner)
    const bet = slotOf('2top', '23')
    await db.transaction().execute(async (tx) => {
      const quotas = await lockQuotasOf(tx, period_code, [bet])
      const use = createQuotaUse(quotas)
      use.add(bet, 9_000, '70')
      await saveQuotaUse(tx, period_code, use, quotas)
    })
    const add = (amounts: number[], within_full: boolean, positions = [24]) =>
      sql`select add_to_quotas(${period_code}, '{2top}', '{0}', array[${`{${positions.join()}}`}], array[${`{${amounts.join()}}`}],
        ${within_full})`.execute(db)
    return { period_code, add }
  }

  async function readAccepted(period_code: string): Promise<number[]> {
    const { rows } = await sql<{ accepted_satang: number[] }>`
      select accepted_satang from accepted_blocks join periods using (period_id)
      where period_code = ${period_code} and bet_type = '2top'`.execute(database.db)
    return rows[0]!.accepted_satang
  }

  test.each<[string, number, boolean, string | undefined]>([
    ['up to the full quota', 1_000, true, undefined],
    ['beyond the full quota, decided by an unlocked read', 1_001, true, 'quota_still_full'],
    ['beyond the full quota, decided under the lock', 1_001, false, undefined],
    ['up to both quotas', 3_000, false, undefined],
    ['beyond both', 3_001, false, 'quota_never_oversold'],
    ['back to 0', -9_000, false, undefined],
    ['below 0', -9_001, false, 'quota_never_below_nothing'],
  ])('%s', async (_name, satang, within_full, constraint) => {
    const { period_code, add } = await beginAt90()
    const refused = await add([satang], within_full).then(
      () => undefined,
      (error: { constraint?: string }) => error.constraint,
    )
    expect(refused).toBe(constraint)
    const accepted = await readAccepted(period_code)
    expect(accepted[23]).toBe(9_000 + (constraint ? 0 : satang))
    expect(accepted).toHaveLength(100)
    expect(accepted.filter((each) => each > 0)).toHaveLength(accepted[23] === 0 ? 0 : 1)
  })

  test('an amount above a lowered quota may shrink, but not grow', async () => {
    const { period_code, add } = await beginAt90()
    await add([3_000], false)
    await database.asOwner`update quotas set full_satang = 5000, half_satang = 0 where bet_type = '2top'`
    await add([-1_000], true)
    expect((await readAccepted(period_code))[23]).toBe(11_000)
    await expect(add([1], false)).rejects.toMatchObject({ constraint: 'quota_never_oversold' })
    await database.asOwner`update quotas set full_satang = 10000, half_satang = 2000 where bet_type = '2top'`
  })

  test('a number that was set to pay half by hand may exceed its full quota, and no other', async () => {
    const { period_code, add } = await beginAt90()
    await database.asOwner`
      insert into number_settings (period_id, bet_type, quota_key, set_to)
      select period_id, '2top', '23', 'half' from periods where period_code = ${period_code}`
    await add([2_000], true)
    expect((await readAccepted(period_code))[23]).toBe(11_000)
    await expect(add([100, 10_001], true, [24, 25])).rejects.toMatchObject({ constraint: 'quota_still_full' })
    expect((await readAccepted(period_code))[23]).toBe(11_000)
  })

  test.each<[string, number, boolean, string | undefined]>([
    ['up to its amount', 500, true, undefined],
    ['beyond it, decided by an unlocked read', 501, true, 'quota_still_full'],
    ['beyond it, decided under the lock', 501, false, undefined],
    ['beyond it and what pays half', 701, false, 'quota_never_oversold'],
    ['less than before', -100, true, undefined],
  ])('a number with an amount of its own: %s', async (_name, satang, within_full, constraint) => {
    const { period_code, add } = await beginAt90()
    await database.asOwner`
      insert into number_settings (period_id, bet_type, quota_key, set_to, full_satang, half_satang)
      select period_id, '2top', '23', 'open', 9500, 200 from periods where period_code = ${period_code}`
    const refused = await add([satang], within_full).then(
      () => undefined,
      (error: { constraint?: string }) => error.constraint,
    )
    expect(refused).toBe(constraint)
    expect((await readAccepted(period_code))[23]).toBe(9_000 + (constraint ? 0 : satang))
  })

  test('amounts of any size are added and released exactly, and tested against quotas of any size', async () => {
    const { db, owner } = database
    const most = 2 ** 40
    await sql`
      insert into quotas (product_code, bet_type, full_satang, half_satang)
      values ('thai-government', '2bottom', ${most}, 0) on conflict do nothing`.execute(owner)
    // Amounts around 2^15 and 2^30 Baht, where elements end, and parts of a Baht.
    const amount = fc.oneof(
      fc.integer({ min: -2, max: 2 }),
      fc.integer({ min: -(2 ** 16), max: 2 ** 16 }).map((baht) => baht * 100),
      fc.integer({ min: -(2 ** 31), max: 2 ** 31 }),
      fc.integer({ min: -(2 ** 41), max: 2 ** 41 }),
      fc.constantFrom(
        ...[2 ** 15, 2 ** 30].flatMap((baht) =>
          [baht, baht - 1, 1 - baht, baht - 0.01].map((each) => Math.round(each * 100)),
        ),
        most,
      ),
    )
    const step = fc.uniqueArray(fc.record({ position: fc.constantFrom(11, 44, 99), amount }), {
      minLength: 1,
      maxLength: 3,
      selector: ({ position }) => position,
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const period_code = await openPeriod(owner)
        const expected = Array.from({ length: 100 }, () => 0)
        for (const added of steps) {
          const after = added.map((each) => expected[each.position - 1]! + each.amount)
          const refusals = after.flatMap((satang, index) => {
            if (satang < 0) return ['quota_never_below_nothing']
            return satang > most && added[index]!.amount > 0 ? ['quota_never_oversold'] : []
          })
          const refused = await sql`
            select add_to_quotas(${period_code}, '{2bottom}', '{0}', array[${`{${added.map(({ position }) => position).join()}}`}],
              array[${`{${added.map((each) => each.amount).join()}}`}], false)`
            .execute(db)
            .then(
              () => undefined,
              (error: { constraint?: string }) => error.constraint,
            )
          // The first of the positions that is refused.
          expect(refused).toBe(refusals[0])
          if (refusals.length === 0)
            for (const [index, { position }] of added.entries()) expected[position - 1] = after[index]!
        }
        const { rows } = await sql<{ accepted_satang: number[]; on_numbers: number[] }>`
          select accepted_satang, array(
            select accepted_satang from number_quotas n where n.period_id = b.period_id and bet_type = '2bottom' order by quota_key
          ) as on_numbers from accepted_blocks b join periods using (period_id) where period_code = ${period_code}`.execute(
          db,
        )
        expect(rows[0]?.accepted_satang ?? Array.from({ length: 100 }, () => 0)).toEqual(expected)
        expect(rows[0]?.on_numbers ?? []).toEqual(expected.filter((satang) => satang > 0))
      }),
      { numRuns: 40 },
    )
  })

  test('nothing is added for a missing position or amount, or a block that is named twice, and nothing released from a new one', async () => {
    const { add } = await beginAt90()
    await expect(add([], false)).rejects.toMatchObject({ constraint: 'quota_never_below_nothing' })
    for (const position of [0, 101])
      await expect(add([100], false, [position])).rejects.toMatchObject({ code: expect.any(String) as string })
    const elsewhere = await openPeriod(database.owner)
    const released = sql`select add_to_quotas(${elsewhere}, '{2top}', '{0}', array['{1}'], array['{-100}'], false)`
    await expect(released.execute(database.db)).rejects.toMatchObject({ constraint: 'quota_never_below_nothing' })
    const twice = sql`
      select add_to_quotas(${elsewhere}, '{2top,2top}', '{0,0}', array['{1}','{2}'], array['{100}','{100}'], false)`
    await expect(twice.execute(database.db)).rejects.toMatchObject({ code: '21000' })
  })
})
