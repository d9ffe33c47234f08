// Goal: of many strangers that come in the same moment one begins in each turn of the event loop, in the order in which they came.

import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { takeStrangerTurn } from './stranger-turns.ts'

test('one stranger begins in a turn, in order', async () => {
  let turn = 0
  let isOver = false
  const counting = (async () => {
    for (; !isOver; turn += 1) await nextTurn()
  })()
  const began: { stranger: number; turn: number }[] = []
  await Promise.all(
    Array.from({ length: 20 }, async (_, stranger) => {
      await takeStrangerTurn()
      began.push({ stranger, turn })
    }),
  )
  isOver = true
  await counting
  expect(began.map(({ stranger }) => stranger)).toEqual(Array.from({ length: 20 }, (_, stranger) => stranger))
  expect(new Set(began.map((each) => each.turn)).size).toBe(20)
})
