// Goal: what the server says of a refused ticket becomes something the member can do, and nonsense becomes nothing.

import type { PlaceOrderBody } from '@megalot/contract'
import { expect, test } from 'vitest'
import { CallRefused } from '../../../lib/errors/refusal.ts'
import { readRemedy } from './remedy.ts'

const body: PlaceOrderBody = {
  request_id: '00000000-0000-4000-8000-000000000001',
  period_code: 'lao-1',
  package_code: '70',
  items: [
    { bet_type: '2top', number: '12', bet_satang: 5000, rate: 7000 },
    { bet_type: '3roll', number: '123', bet_satang: 2000, rate: 10_500 },
    { bet_type: '2bottom', number: '12', bet_satang: 1000, rate: 7000 },
  ],
}
const rates = [{ bet_type: '2top', rate_seen: 7000, rate: 6500 }]
const closed = (index: unknown) => ({ code: 'number_closed', lines: [index] })

function read(
  code: 'rate_changed' | 'numbers_closed' | 'period_closed' | 'play_limit_reached',
  details: Record<string, unknown>,
) {
  return readRemedy(new CallRefused(code, '', 409, { status: 'INVALID', ...details }), body)
}

test('changed rates are shown as they came', () => {
  expect(read('rate_changed', { rates })).toEqual({ kind: 'rates', rates })
})

test('closed lines are those of the ticket, in its order and each once', () => {
  const [first, , third] = body.items
  const remedy = read('numbers_closed', { problems: [closed(2), closed(0), closed(2)] })
  expect(remedy).toEqual({ kind: 'numbers', lines: [first, third] })
})

test('a limit of the member says what is left of it', () => {
  const limit = { kind: 'stake', span: 'day', amount_satang: 20_000, left_satang: 0 }
  expect(read('play_limit_reached', limit)).toEqual({ kind: 'limit', limit })
  expect(read('play_limit_reached', { ...limit, span: 'year' })).toBeNull()
  expect(read('play_limit_reached', { ...limit, left_satang: 'none' })).toBeNull()
})

test('details that do not say it leave the sentence alone', () => {
  expect(read('rate_changed', {})).toBeNull()
  expect(
    read('rate_changed', { rates: [null, { bet_type: '4top', rate_seen: 1, rate: 2 }, { bet_type: '2top' }] }),
  ).toBeNull()
  expect(read('numbers_closed', { problems: 'all' })).toBeNull()
  expect(
    read('numbers_closed', { problems: [closed(3), closed(-1), closed('0'), { code: 'other', lines: [0] }] }),
  ).toBeNull()
  expect(read('period_closed', { rates, problems: [closed(0)] })).toBeNull()
})
