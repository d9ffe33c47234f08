// Through HTTP, a caller that asks too much is told so in its language, and when to retry, and its bets still work.

import { isChange, listPeriodWinLoss, priceOf, routes } from '@megalot/contract'
import { expect, test } from 'vitest'
import { codeOf } from './scenes.ts'
import { startTestApp, type TestCaller } from './test-app.ts'

const app = await startTestApp({ CALL_LIMITS_FACTOR: '1' })

/** Reads reports until one is refused. */
async function spend(caller: TestCaller): Promise<void> {
  for (let each = 0; each < 50; each += 1)
    if (codeOf(await caller.get(listPeriodWinLoss.path)) === 'too_many_requests') return
  throw new Error('nothing was refused')
}

test.each([
  ['th', 'เรียกใช้งานถี่เกินไป กรุณารอสักครู่'],
  ['en', 'Too many requests. Please wait a moment'],
] as const)('a spent bucket is refused in %s, with Retry-After', async (language, message) => {
  const member = await app.logIn('member01')
  await spend(member)
  const { statusCode, headers, body } = await app.server.inject({
    url: listPeriodWinLoss.path,
    headers: { authorization: `Bearer ${member.sessionToken}`, 'accept-language': language },
  })
  expect([statusCode, headers['retry-after']]).toEqual([429, '1'])
  const { status, error } = JSON.parse(body) as { status: object; error: { code: string } }
  expect([status, error.code]).toEqual([{ code: 429, message }, 'too_many_requests'])
})

test('only tickets and ending the own session are free changes, and few changes are unauthenticated', () => {
  const changes = routes.filter(isChange)
  const free = changes.filter((route) => priceOf(route) === 'free').map(({ name }) => name)
  expect(free.toSorted()).toEqual(['cancelOrder', 'confirmOrder', 'logOff', 'placeOrder'])
  // The first three need a proof of work from a subnet that fails often, the next three a token of 256 random bits. The
  // last one changes metrics only.
  const open = routes.filter(({ access, method }) => access === 'anyone' && method !== 'GET')
  expect(open.map(({ name }) => name)).toEqual([
    'logIn',
    'register',
    'forgotPassword',
    'resetPassword',
    'verifyEmail',
    'createFirstOwner',
    'reportVitals',
  ])
})
