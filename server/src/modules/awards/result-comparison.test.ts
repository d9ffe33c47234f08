// Goal: the database compares results as the services do, but for the salt of an audit row: what only one of them took for the same could
// be agreed and not stored, or stored with the audit row of another result.

import type { DrawResult } from '@megalot/rules'
import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { makeResult } from '../../../test/scenes.ts'
import { cloneDatabase, type TestDatabase } from '../../../test/test-database.ts'
import { isSameResult } from './award-results.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await cloneDatabase()
})

type AuditedResult = DrawResult & { salt?: string }

async function isSameInDatabase(one: AuditedResult, other: AuditedResult): Promise<boolean> {
  const { rows } = await sql<{ is_same: boolean }>`
    select comparable_result(${JSON.stringify(one)}::jsonb) = comparable_result(${JSON.stringify(other)}::jsonb) as is_same`.execute(
    database.db,
  )
  return rows[0]!.is_same
}

const whole = makeResult('123')
const short: DrawResult = { top3: '123', bottom2: '45' }
const old: DrawResult = { ...short, first_prize: '000123', back3: ['111', '111', '222', '333'] }

test.each<[name: string, one: AuditedResult, other: AuditedResult, isSame: boolean]>([
  ['front numbers in another order', whole, { ...whole, front3: ['222', '111'] }, true],
  ['back numbers in another order', old, { ...old, back3: ['333', '111', '222', '111'] }, true],
  ['another salt', { ...whole, salt: 'one' }, { ...whole, salt: 'other' }, true],
  ['another first prize', whole, { ...whole, first_prize: '100123' }, false],
  ['no first prize', { ...short, first_prize: '000123' }, short, false],
  ['another number of two digits', short, { ...short, bottom2: '54' }, false],
  ['front and back numbers exchanged', whole, { ...whole, front3: whole.back3!, back3: whole.front3! }, false],
  ['another one of the numbers twice', old, { ...old, back3: ['111', '222', '222', '333'] }, false],
  ['no list in place of an empty one', { ...old, front3: [] }, old, false],
])('a result with %s is the same for both, or for neither', async (_name, one, other, isSame) => {
  expect([isSameResult(one, other), await isSameInDatabase(one, other)]).toEqual([isSame, isSame])
})

/** So few numbers that two lists often have the same ones. */
const number = fc.constantFrom('012', '102', '120')
const numbers = (count: number) => fc.array(number, { minLength: count, maxLength: count })
const plain = { top3: number, bottom2: fc.constantFrom('12', '21') }
const none = fc.constant<string[]>([])

/** The results of all markets and days, as the rules accept them. */
const anyResult: fc.Arbitrary<DrawResult> = fc
  .tuple(
    fc.constantFrom('000', '100'),
    fc.oneof(
      fc.record({ ...plain, front3: numbers(2), back3: numbers(2) }),
      fc.record({ ...plain, front3: none, back3: numbers(4) }, { requiredKeys: ['top3', 'bottom2', 'back3'] }),
      fc.record({ ...plain, front3: none, back3: none }, { requiredKeys: ['top3', 'bottom2'] }),
    ),
    fc.boolean(),
  )
  .map(([first, result, hasFirstPrize]) =>
    hasFirstPrize || result.back3?.length ? { ...result, first_prize: first + result.top3 } : result,
  )

/** The same lists in random order. */
const reordered = ({ front3, back3, ...rest }: DrawResult): fc.Arbitrary<DrawResult> => {
  const shuffled = (list: readonly string[]) =>
    fc.shuffledSubarray([...list], { minLength: list.length, maxLength: list.length })
  return fc
    .tuple(shuffled(front3 ?? []), shuffled(back3 ?? []))
    .map(([front, back]) => ({ ...rest, ...(front3 && { front3: front }), ...(back3 && { back3: back }) }))
}

const field = fc.constantFrom('first_prize', 'top3', 'bottom2', 'front3', 'back3')

/** One result, and the same in another order, with one field of a third result, or another result. */
const pair = anyResult.chain((one) =>
  fc.tuple(
    fc.constant(one),
    fc.oneof(
      reordered(one),
      fc
        .tuple(reordered(one), anyResult, field)
        .map(([same, other, key]): DrawResult => ({ ...same, [key]: other[key] })),
      anyResult,
    ),
  ),
)

/** As the result stands in a row of the audit log, or as it is stored. */
const salted = fc.option(fc.constantFrom('one', 'other'), { nil: undefined })

test('results whose lists are in random order are the same for the database where they are for the services', async () => {
  const seen = { sameInOrder: 0, sameReordered: 0, different: 0 }
  await fc.assert(
    fc.asyncProperty(pair, salted, salted, async ([one, other], salt, otherSalt) => {
      const isSame = isSameResult(one, other)
      expect(
        await isSameInDatabase({ ...one, ...(salt && { salt }) }, { ...other, ...(otherSalt && { salt: otherSalt }) }),
      ).toBe(isSame)
      const isInOrder = JSON.stringify([one.front3, one.back3]) === JSON.stringify([other.front3, other.back3])
      seen[isSame ? (isInOrder ? 'sameInOrder' : 'sameReordered') : 'different'] += 1
    }),
    { numRuns: 500 },
  )
  // Each occurs in far more of 500 pairs.
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(10)
})
