// Defect: a line is stored as another bet, rate or discount than it was accepted with.

import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { cloneDatabase } from '../../test/test-database.ts'
import { allocateLines, packLine, unpackLines } from './stored-lines.ts'

/** Bet in Baht, rate and discount rate: the least, usual ones, and the greatest of each. */
const lines = [
  [0, 0, 0],
  [10, 55_000, 3_300],
  [2 ** 32 - 1, 2 ** 24 - 1, 2 ** 16 - 1],
] as const

function pack(each: readonly (readonly [number, number, number])[]): Buffer {
  const packed = allocateLines(each.length)
  for (const [index, line] of each.entries()) packLine(packed, index, ...line)
  return packed
}

test('a line is read as it was written, here and by SQL', async () => {
  const packed = pack(lines)
  expect(unpackLines(packed)).toEqual(lines.flat())
  const { db } = await cloneDatabase()
  const { rows } = await sql<{ bet_satang: number; rate: number; discount_rate: number }>`
    select bet_satang, rate, discount_rate from unpack_lines('{1,2,3}', ${packed}, null) order by line_no`.execute(db)
  expect(rows.map((row) => [row.bet_satang / 100, row.rate, row.discount_rate])).toEqual(lines)
})

test.each([
  ['a bet', [2 ** 32, 1, 1]],
  ['a bet below nothing', [-1, 1, 1]],
  ['a part of a Baht', [0.5, 1, 1]],
  ['no bet', [Number.NaN, 1, 1]],
  ['a rate', [1, 2 ** 24, 1]],
  ['a discount rate', [1, 1, 2 ** 16]],
] as const)('%s that has no place is refused', (_name, line) => {
  expect(() => pack([line])).toThrow(RangeError)
})
