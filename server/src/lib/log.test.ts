// Goal: the log says what each of several errors was, and quotes no row of the database.

import { expect, test } from 'vitest'
import { describeError } from './log.ts'

// Defect: of periods that could not be settled the log said how many, and neither which nor why.
test('an error that stands for several names the first five', () => {
  const errors = Array.from({ length: 7 }, (_, index) => new Error(`The book of period ${index} differs`))
  expect(describeError(new AggregateError(errors, '7 periods could not be settled'))).toMatchObject({
    type: 'AggregateError',
    message: '7 periods could not be settled',
    errors: [0, 1, 2, 3, 4].map((index) => ({ type: 'Error', message: `The book of period ${index} differs` })),
  })
})

test('further fields of an error are left out, but for its code', () => {
  const error = Object.assign(new Error('duplicate key'), { code: '23505', detail: 'Key (secret)=(1)' })
  expect(JSON.stringify(describeError(error))).not.toContain('secret')
  expect(describeError(error)).toMatchObject({ code: '23505' })
})
