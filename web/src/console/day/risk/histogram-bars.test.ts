import { expect, test } from 'vitest'
import { barsOfHistogram } from './histogram-bars.ts'

test('what costs most is the greatest loss, and stands first', () => {
  // Received 150: 75 % cost 0 to 99, a quarter costs 200 to 299.
  const histogram = { step_satang: 100, chances: [750_000, 0, 250_000] }
  expect(barsOfHistogram(histogram, 150)).toEqual({
    results: [-100, 0, 100],
    losses: [25, null, null],
    profits: [null, null, 75],
  })
})

test('nothing was bet: one bar of nothing', () => {
  expect(barsOfHistogram({ step_satang: 1, chances: [1_000_000] }, 0).results).toHaveLength(1)
})
