// Goal: arrays that are written as text are read back unchanged.

import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { cloneDatabase } from '../../test/test-database.ts'
import { unquotedArray, plainArray, quotedArray } from './db.ts'

const database = await cloneDatabase()

test('an array is read back unchanged, whatever it contains', async () => {
  const words = ['{a}', '[1,2,null]', 'a b', '', 'NULL', 'ก', 'a","b', 'a\\', '"', '\\"']
  const { rows } = await sql<{ words: string[]; numbers: number[] }>`
    select ${plainArray(words)}::text[] as words, ${plainArray([1, -2, 9_007_199_254_740_991])}::bigint[] as numbers`.execute(
    database.db,
  )
  expect(rows[0]).toEqual({ words, numbers: [1, -2, 9_007_199_254_740_991] })
  expect(plainArray([])).toBe('{}')
})

test('so are arrays that need no escaping, with nulls in them', async () => {
  const numbers = [1, null, -2, 9_007_199_254_740_991]
  const lists = ['[[1,2],[3]]', '{4,5}', '']
  const { rows } = await sql<{ text: string; words: string[]; lists: string[]; none: string[] }>`
    select array_to_json(${unquotedArray(numbers)}::bigint[])::text as text, ${unquotedArray(['bet', 'bet_hold'])}::text[] as words,
      ${quotedArray(lists)}::text[] as lists, ${unquotedArray([])}::text[] || ${quotedArray([])}::text[] as none`.execute(
    database.db,
  )
  expect(rows[0]).toEqual({ text: JSON.stringify(numbers), words: ['bet', 'bet_hold'], lists, none: [] })
})
