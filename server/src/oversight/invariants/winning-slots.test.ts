// Goal: the database's second definition of what wins, by which the auditor checks wins, agrees with the rules.

import { type Bottom3Set, type DrawResult, listWinningBets, slotOf } from '@megalot/rules'
import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { cloneDatabase } from '../../../test/test-database.ts'

const database = await cloneDatabase()

const sets = ['back', 'front+back'] as const satisfies readonly Bottom3Set[]
const digits = (value: number, count: number): string => String(value).padStart(count, '0')

async function expectAgreement(results: readonly DrawResult[]): Promise<void> {
  const { rows } = await sql<{ back: number[]; both: number[] }>`
    select winning_slots(result, 'back') as back, winning_slots(result, 'front+back') as both
    from jsonb_array_elements(${JSON.stringify(results)}::jsonb) with ordinality as given (result, place) order by place`.execute(
    database.db,
  )
  expect(rows).toHaveLength(results.length)
  for (const [index, result] of results.entries())
    for (const set of sets) {
      const expected = listWinningBets(result, set).map(({ bet_type, number }) => slotOf(bet_type, number))
      expect(rows[index]![set === 'back' ? 'back' : 'both']).toEqual(
        [...new Set(expected)].toSorted((one, other) => one - other),
      )
    }
}

test('for every top number, with every bottom number', async () => {
  expect.hasAssertions()
  await expectAgreement(
    Array.from({ length: 1_000 }, (_, top) => ({ top3: digits(top, 3), bottom2: digits(top % 100, 2) })),
  )
})

test('for any front and back numbers, also the four back numbers of old draws', async () => {
  const number = fc.integer({ min: 0, max: 999 }).map((value) => digits(value, 3))
  const result = fc.record({
    top3: number,
    bottom2: fc.integer({ min: 0, max: 99 }).map((value) => digits(value, 2)),
    front3: fc.array(number, { minLength: 0, maxLength: 2 }),
    back3: fc.array(number, { minLength: 2, maxLength: 4 }),
  })
  await fc.assert(fc.asyncProperty(fc.array(result, { minLength: 50, maxLength: 50 }), expectAgreement), {
    numRuns: 20,
  })
})

test('nothing wins without a result', async () => {
  const { rows } = await sql<{ slots: number[] }>`select winning_slots('{}', 'back') as slots`.execute(database.db)
  expect(rows[0]!.slots).toEqual([])
})
