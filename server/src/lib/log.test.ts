// The log describes each of several errors, and quotes no rows of the database.

import { expect, test } from 'vitest'
import { describeError } from './log.ts'

// Defect: for unsettled periods the log said how many, but not which or why.
test('an error that wraps several names the first five', () => {
  const errors = Array.from({ length: 7 }, (_, index) => new Error(`The book of period ${index} differs`))
  expect(describeError(new AggregateError(errors, '7 periods could not be settled'))).toMatchObject({
    type: 'AggregateError',
    message: '7 periods could not be settled',
    errors: [0, 1, 2, 3, 4].map((index) => ({ type: 'Error', message: `The book of period ${index} differs` })),
  })
})

test('other fields of an error are left out, except its code', () => {
  const error = Object.assign(new Error('duplicate key'), { code: '23505', detail: 'Key (secret)=(1)' })
  expect(JSON.stringify(describeError(error))).not.toContain('secret')
  expect(describeError(error)).toMatchObject({ code: '23505' })
})
