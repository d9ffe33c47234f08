// Through HTTP, a caller that asks too much is told so in its language, and when to retry, and its bets still work.

import { getBasicUser, isChange, listPeriodWinLoss, logOff, priceOf, routes } from '@megalot/contract'
import { beforeAll, expect, test } from 'vitest'
import { addAssistant, codeOf, makeTicket, openPeriod } from './scenes.ts'
import { startTestApp, type TestApp, type TestCaller } from './test-app.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp({ CALL_LIMITS_FACTOR: '1' })
})

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

test('a caller who has spent its bucket can still bet and log out', async () => {
  const member = await app.logIn('member02')
  const period_code = await openPeriod(app.owner)
  while (codeOf(await member.get(getBasicUser.path)) !== 'too_many_requests');
  for (let each = 0; each < 20; each += 1)
    expect(codeOf(await member.post('/api/order/create', makeTicket(period_code)))).toBe('ok')
  expect(codeOf(await member.post(logOff.path))).toBe('ok')
})

test('assistants share the bucket of their principal, which can still end their sessions', async () => {
  const agent = await app.logIn('agent01')
  const [one, other] = [
    await addAssistant(app, 'agent01', ['reports'], 'clerk1'),
    await addAssistant(app, 'agent01', ['reports'], 'clerk2'),
  ]
  await spend(one)
  expect(codeOf(await other.get(listPeriodWinLoss.path))).toBe('too_many_requests')
  expect(codeOf(await agent.post(`/mgluser/staff/${one.user_id}/sessions/end`, { reason: 'because' }))).toBe('ok')
})

test('only tickets and ending the own session are free changes, and no unauthenticated change is unlimited', () => {
  const changes = routes.filter(isChange)
  const free = changes.filter((route) => priceOf(route) === 'free').map(({ name }) => name)
  expect(free.toSorted()).toEqual(['cancelOrder', 'confirmOrder', 'logOff', 'placeOrder'])
  expect(changes.filter(({ access, is_throttled }) => access === 'anyone' && !is_throttled)).toEqual([])
})
