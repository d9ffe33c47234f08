// Goal: PostgreSQL reads an array in the binary format as exactly the values that were written. A byte in the wrong place would
// be other money, and no constraint would notice.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cloneDatabase } from '../../test/test-database.ts'
import { byteaArray, int2Array, int4Array, int8Array, textArray } from './binary-array.ts'

const database = await cloneDatabase()

interface Columns {
  int2: number[]
  int4: number[]
  int8: number[]
  text: string[]
  bytea: Buffer[]
}

/** One array of each type: what PostgreSQL returns for it as text, and the index of its first element. */
async function sendAndRead({ int2, int4, int8, text, bytea }: Columns): Promise<unknown> {
  const { rows } = await database.batches.query(
    `select $1::smallint[] as int2, $2::int[] as int4, $3::bigint[] as int8, $4::text[] as text,
      $5::bytea[] as bytea, array[array_lower($1, 1), array_lower($2, 1), array_lower($3, 1),
        array_lower($4, 1), array_lower($5, 1)] as first`,
    [int2Array(int2), int4Array(int4), int8Array(int8), textArray(text), byteaArray(bytea)],
  )
  return rows[0]
}

/** The index of the first element: null for an empty array. `place_batch` takes parts of arrays by index. */
function expected(columns: Columns): unknown {
  const first = Object.values(columns).map(({ length }: { length: number }) => (length === 0 ? null : 1))
  return { ...columns, first }
}

const LEAST_UNSAFE = 2 ** 53
/** Texts that the text format of an array would have to escape, and texts of more bytes than letters. */
const difficultTexts = ['', 'NULL', '{}', '"', '\\', "'", 'a","b', 'แม่บ้าน', 'ก่ำ', '👨‍👩‍👧', '\u{10ffff}', 'é', ' \t\r\n']
const anyText = fc.oneof(
  fc.constantFrom(...difficultTexts),
  // PostgreSQL has no text with a zero byte; the contract refuses one.
  fc.string({ unit: 'binary', maxLength: 40 }).map((text) => text.replaceAll('\0', '')),
)
const anyInt8 = fc.oneof(
  fc.maxSafeInteger(),
  // On both sides of where the lower 32 bits begin anew.
  fc
    .tuple(fc.integer({ min: -(2 ** 20), max: 2 ** 20 }), fc.integer({ min: -1, max: 1 }))
    .map(([high, low]) => high * 2 ** 32 + low),
)

const anyColumns: fc.Arbitrary<Columns> = fc.record({
  int2: fc.array(fc.integer({ min: -(2 ** 15), max: 2 ** 15 - 1 })),
  int4: fc.array(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })),
  int8: fc.array(anyInt8),
  text: fc.array(anyText),
  bytea: fc.array(fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes))),
})

describe('an array is read back unchanged', () => {
  test('whatever it contains', async () => {
    await fc.assert(
      fc.asyncProperty(anyColumns, async (columns) => {
        expect(await sendAndRead(columns)).toEqual(expected(columns))
      }),
      { numRuns: 300 },
    )
  })

  test('at the least and the greatest values of its type, and where it is empty', async () => {
    const columns: Columns = {
      int2: [-32_768, -1, 0, 1, 255, 256, 32_767],
      int4: [-2_147_483_648, -1, 0, 1, 65_535, 65_536, 2_147_483_647],
      int8: [
        Number.MIN_SAFE_INTEGER,
        -4_294_967_297,
        -4_294_967_296,
        -1,
        0,
        4_294_967_295,
        4_294_967_296,
        Number.MAX_SAFE_INTEGER,
      ],
      text: difficultTexts,
      bytea: [Buffer.alloc(0), Buffer.from([0]), Buffer.from([0, 255, 128, 0])],
    }
    expect(await sendAndRead(columns)).toEqual(expected(columns))
    const empty: Columns = { int2: [], int4: [], int8: [], text: [], bytea: [] }
    expect(await sendAndRead(empty)).toEqual(expected(empty))
  })

  test('also from a typed array, and with as many elements as a full batch has', async () => {
    const slots = Int16Array.from({ length: 64_000 }, (_, line) => line % 4_320)
    const terms = Int32Array.from({ length: 192_000 }, (_, index) => index * 11_111)
    // PostgreSQL compares, because the difference of two such arrays would take minutes to print.
    const { rows } = await database.batches.query(
      `select $1::smallint[] = array(select (line % 4320)::smallint from generate_series(0, 63999) line order by line) as slots,
        $2::int[] = array(select index * 11111 from generate_series(0, 191999) index order by index) as terms`,
      [int2Array(slots), int4Array(terms)],
    )
    expect(rows[0]).toEqual({ slots: true, terms: true })
  })
})

describe('a value that its type cannot hold is refused before anything is sent', () => {
  test.each([LEAST_UNSAFE, -LEAST_UNSAFE, 1e300, 0.5, Number.NaN, Infinity, -Infinity])('%d as bigint', (value) => {
    expect(() => int8Array([1, value])).toThrow(RangeError)
  })

  test('a value that is absent, as bigint', () => {
    expect(() => int8Array([1, undefined as unknown as number])).toThrow(RangeError)
  })

  test('an integer outside of the range of its type', () => {
    for (const value of [32_768, -32_769, 1e10]) expect(() => int2Array([value])).toThrow(RangeError)
    for (const value of [2_147_483_648, -2_147_483_649, 1e10]) expect(() => int4Array([value])).toThrow(RangeError)
  })
})
