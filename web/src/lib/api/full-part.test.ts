// Goal: a page is filled from several short parts, none of which is asked for in vain, and a list without matches is left in time.

import { expect, test } from 'vitest'
import { readFullPart } from './full-part.ts'

/** A list whose parts have these rows; the place of a part stands for its `before`. */
function makeList(parts: readonly string[][]) {
  const asked: (string | undefined)[] = []
  const ask = async (before: string | undefined) => {
    asked.push(before)
    const at = Number(before ?? 0)
    return { data: parts[at]!, next_before: at + 1 < parts.length ? at + 1 : null, head: `head ${at}` }
  }
  return { ask, asked }
}

test('a full part is one call', async () => {
  const { ask, asked } = makeList([['a', 'b'], ['c']])
  expect(await readFullPart(ask, undefined, 2)).toEqual({ data: ['a', 'b'], next_before: 1, head: 'head 0', asked: 1 })
  expect(asked).toEqual([undefined])
})

test('short and empty parts are joined until there is a page, or the list ends', async () => {
  const { ask, asked } = makeList([['a'], [], ['b'], [], ['c', 'd']])
  expect(await readFullPart(ask, undefined, 2)).toEqual({ data: ['a', 'b'], next_before: 3, head: 'head 0', asked: 3 })
  expect(await readFullPart(ask, '3', 9)).toEqual({ data: ['c', 'd'], next_before: null, head: 'head 3', asked: 2 })
  expect(asked).toEqual([undefined, '1', '2', '3', '4'])
})

test('where nothing matches, ten parts are asked for at once', async () => {
  const { ask } = makeList(Array.from({ length: 30 }, () => []))
  expect(await readFullPart(ask, undefined, 50)).toMatchObject({ data: [], next_before: 10, asked: 10 })
})
