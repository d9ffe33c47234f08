// An outage does not fill the log, and every other error is logged.

import { expect, test } from 'vitest'
import { createOutageLimit } from './outage-limit.ts'

const outage = (): Error => Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })

test('an outage is logged once per ten seconds and message, with the number left out', () => {
  let nowMs = 0
  const countLeftOut = createOutageLimit(() => nowMs)
  expect(countLeftOut(outage(), 'request failed')).toBe(0)
  for (nowMs = 100; nowMs < 10_000; nowMs += 100) expect(countLeftOut(outage(), 'request failed')).toBeUndefined()
  expect(countLeftOut(outage(), 'a job failed')).toBe(0)
  expect(countLeftOut(outage(), 'request failed')).toBe(99)
  nowMs += 10_000
  expect(countLeftOut(outage(), 'request failed')).toBe(0)
})

test('every other error is logged, however often it occurs', () => {
  const countLeftOut = createOutageLimit(() => 0)
  const defect = new Error('a defect')
  expect([1, 2, 3].map(() => countLeftOut(defect, 'request failed'))).toEqual([0, 0, 0])
  expect([1, 2].map(() => countLeftOut(undefined, 'late bet'))).toEqual([0, 0])
})
