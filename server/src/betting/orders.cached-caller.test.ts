// A cached caller can do nothing that its session, verified again, would not allow.

import { expect, onTestFinished, test } from 'vitest'
import { findViolatedInvariants } from '../../test/invariants.ts'
import { countWrites, makeTicket, openPeriod, placeTicket } from '../../test/scenes.ts'
import { startTestApp, type TestCaller } from '../../test/test-app.ts'

const app = await startTestApp()
const period_code = await openPeriod(app.owner)

/** A call that may be refused, with any content. */
const attempt = (member: TestCaller, changes: object = {}) =>
  member.post('/api/order/create', { ...makeTicket(period_code), ...changes })

/** A member whose first ticket has been accepted: for the next one its session comes from the cache. */
async function cachedMember(username: string): Promise<TestCaller> {
  const member = await app.logIn(username)
  await placeTicket(member, makeTicket(period_code))
  return member
}

const ends: [string, string, (username: string) => Promise<unknown>, number, string][] = [
  ['whose user has logged in elsewhere', 'member01', (username) => app.logIn(username), 401, 'session_replaced'],
  [
    'whose user was suspended',
    'member02',
    (username) => app.asOwner`update users set own_status = 'SUSPENDED' where username = ${username}`,
    401,
    'session_suspended',
  ],
  [
    'who has logged off',
    'member03',
    (username) =>
      app.asOwner`update sessions set ended_at = clock_timestamp(), end_reason = 'logged_off'
        where user_id = (select user_id from users where username = ${username}) and ended_at is null`,
    401,
    'not_signed_in',
  ],
  [
    'while the application is being mended',
    'member04',
    () => app.asOwner`insert into maintenances (scope, message_th, message_en) values ('', 'ปิดปรับปรุง', 'Being mended')`,
    503,
    'maintenance',
  ],
]

// Defect: a cached session outlives its end: a suspended or replaced user still places tickets.
test.each(ends)('a cached caller %s is refused, and nothing is written', async (_name, username, end, http, code) => {
  const member = await cachedMember(username)
  onTestFinished(async () => void (await app.asOwner`delete from maintenances`))
  await end(username)
  const before = await countWrites(app.owner)
  for (const changes of [{}, { period_code: 'nowhere-2026-01-01' }, { items: 'none' }, { package_code: 'other' }]) {
    const reply = await attempt(member, changes)
    expect([changes, reply.http, reply.json.error.code]).toEqual([changes, http, code])
  }
  expect(await countWrites(app.owner)).toEqual(before)
})

// Defect: the page's own polling counts as activity, and an unattended browser stays logged in for ever.
test('a keep-alive does not admit a caller whose session has been idle for too long', async () => {
  const member = await app.logIn('member08')
  const idleFor = (time: string) =>
    app.asOwner`update sessions set last_active_at = clock_timestamp() - ${time}::interval
      where user_id = ${member.user_id} and ended_at is null`
  await idleFor('29 min')
  expect((await member.get('/megalot/auth/session_sync?version=0&gui=user')).http).not.toBe(401)
  await idleFor('31 min')
  const before = await countWrites(app.owner)
  const reply = await attempt(member)
  expect([reply.http, reply.json.error?.code]).toEqual([401, 'session_expired'])
  expect(await countWrites(app.owner)).toEqual(before)
})

// Defect: the fast path validates less than the ordinary one.
test('a cached caller gets the same problems of an invalid call as any other', async () => {
  const member = await cachedMember('member05')
  expect((await attempt(member, { items: 'none' })).json.error.code).toBe('bad_input')
  expect((await attempt(member, { period_code: 'nowhere-2026-01-01' })).json.error.code).toBe('unknown_period')
  expect((await attempt(member)).http).toBe(200)
})

// Defect: the failed precondition of one caller refuses the batch, including other members' tickets.
test('one ticket of an ended session does not affect the others of its batch', async () => {
  const [ended, other] = await Promise.all([cachedMember('member06'), cachedMember('member07')])
  await app.logIn('member06')
  const replies = await Promise.all([attempt(ended), attempt(other), attempt(ended), attempt(other)])
  expect(replies.map(({ http }) => http)).toEqual([401, 200, 401, 200])
})

test('afterwards every invariant of money holds', async () => {
  expect(await findViolatedInvariants(app.owner)).toEqual({})
})
