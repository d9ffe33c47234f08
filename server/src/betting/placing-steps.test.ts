// For every refusal of placeOrder the table names the failed step, which the member sees.

import { readFileSync } from 'node:fs'
import { placingStepOf, refusals } from '@megalot/contract'
import { slipProblemCodes, slipProblemSeverity } from '@megalot/rules'
import { expect, test } from 'vitest'

/** The files that a ticket passes through; every refusal in them can be its reply. */
const filesOnTheWay = [
  '../http/serve.ts',
  '../http/send-error.ts',
  './intake/attempt.ts',
  './intake/place-by-reading.ts',
  './intake/read-snapshot.ts',
  './intake/decide-batch.ts',
  './intake/decide-ticket.ts',
  './play-limits/play-use.ts',
]

function codesIn(file: string): string[] {
  const source = readFileSync(new URL(file, import.meta.url), 'utf8')
  return [...source.matchAll(/(?:new Refusal\(\s*|\bcode: )'(\w+)'/g)].map(([, code]) => code!)
}

/** The slip's own problems keep their code, except one (`renamed` in decide-ticket.ts). */
const slipCodes = slipProblemCodes
  .filter((code) => slipProblemSeverity[code] === 'refuses')
  .map((code) => (code === 'over_credit' ? 'not_enough_credit' : code))

const sessionCodes = Object.entries(refusals)
  .filter(([, { http }]) => http === 401)
  .map(([code]) => code)

test('every refusal of placeOrder has its step', () => {
  // The codes of a slip's problems are in these files too.
  const found = filesOnTheWay.flatMap((file) => codesIn(file)).filter((code) => Object.hasOwn(refusals, code))
  // Checks that this test's patterns still match the code.
  expect(found).toEqual(expect.arrayContaining(['bet_disabled', 'play_break', 'maintenance', 'server_error']))
  const codes = new Set([...found, ...slipCodes, ...sessionCodes, 'rate_changed', 'numbers_closed'])
  const without = [...codes].filter((code) => !(code in placingStepOf))
  expect(without).toEqual([])
})

test('a refusal with a remedy belongs to the right step', () => {
  expect(placingStepOf).toMatchObject({
    under_min: 'check_ticket',
    period_closed: 'check_ticket',
    bet_disabled: 'check_ticket',
    rate_changed: 'check_ticket',
    not_enough_credit: 'check_quota',
    numbers_closed: 'check_quota',
    all_numbers_closed: 'check_quota',
    unavailable: 'create_ticket',
    request_id_reused: 'create_ticket',
  })
})
