// A caller who is suspended, or whose session ends, while its call waits for a password hash gets nothing done by the
// call. A caller who has lost a permission meanwhile gets nothing done that needs it.

import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { countWaitingHashes, runInHashQueue } from '../src/identity/accounts/index.ts'
import { DEMO_PASSWORD } from '../src/demo/demo.ts'
import { approve, mustPropose } from './approvals.ts'
import { hireAssistant, hireOfficeUser } from './staff.ts'
import { findCaller } from './nodes.ts'
import { codeOf, finishFirstLogIn, FIRST_PASSWORD } from './scenes.ts'
import { startTestApp, type TestCaller } from './test-app.ts'

const app = await startTestApp()

async function suspend({ user_id }: TestCaller): Promise<() => Promise<unknown>> {
  await app.asOwner`update users set own_status = 'SUSPENDED' where user_id = ${user_id}`
  return () => app.asOwner`update users set own_status = 'NORMAL' where user_id = ${user_id}`
}

async function endSession({ user_id }: TestCaller): Promise<() => Promise<unknown>> {
  await app.asOwner`update sessions set ended_at = clock_timestamp(), end_reason = 'replaced'
    where user_id = ${user_id} and ended_at is null`
  return () => Promise.resolve()
}

/**
 * Sends a call, and changes something while it waits for its hash.
 * @returns the reply's code
 */
async function whileItWaits(
  send: () => Promise<Parameters<typeof codeOf>[0]>,
  change: () => Promise<() => Promise<unknown>>,
): Promise<string> {
  let release!: () => void
  const released = new Promise<void>((resolve) => (release = resolve))
  // More than run at a time.
  const held = Array.from({ length: 16 }, (_, each) =>
    runInHashQueue({ kind: 'signed_in', owner_id: -1 - each }, () => released),
  )
  const before = countWaitingHashes('signed_in')
  let isAnswered = false
  const sent = send().finally(() => (isAnswered = true))
  while (countWaitingHashes('signed_in') === before && !isAnswered) await new Promise(setImmediate)
  const undo = await change()
  release()
  await Promise.all(held)
  const code = codeOf(await sent)
  await undo()
  return code
}

const createMember = (by: TestCaller, username: string) => () =>
  by.post('/mgluser/people', {
    request_id: randomUUID(),
    level: 'member',
    username,
    display_name: username,
    password: FIRST_PASSWORD,
    credit_limit_satang: 100_000,
  })

async function isUser(username: string): Promise<boolean> {
  const { rows } = await app.asOwner`select 1 from users where username = ${username}`
  return rows.length > 0
}

async function passwordOf(user_id: number): Promise<string> {
  const { rows } = await app.asOwner<{ password_hash: string }>`
    select password_hash from users where user_id = ${user_id}`
  return rows[0]!.password_hash
}

describe.each([
  ['was suspended', suspend, 'session_suspended'],
  ['has another session', endSession, 'session_replaced'],
] as const)('a caller who %s meanwhile', (_name, change, refusal) => {
  const suffix = refusal.replace('session_', '')

  test('makes no member', async () => {
    const agent = await app.logIn('agent01')
    expect(await whileItWaits(createMember(agent, `late${suffix}`), () => change(agent))).toBe(refusal)
    expect(await isUser(`late${suffix}`)).toBe(false)
  })

  test('approves nothing that gives a password', async () => {
    const owner = await findCaller(app.db, 'office01')
    const hired = { username: `s${suffix}`, display_name: 'support', office_role: 'support' } as const
    const { user_id } = await hireOfficeUser(app.owner, owner, hired)
    await finishFirstLogIn(app.owner, hired.username)
    const [first, second] = [await app.logIn('office01'), await app.logIn('office02')]
    const proposed = await mustPropose(first, 'reset_password', { user_id })
    const before = await passwordOf(user_id)
    expect(
      await whileItWaits(
        () => approve(second, proposed),
        () => change(second),
      ),
    ).toBe(refusal)
    expect(await passwordOf(user_id)).toBe(before)
  })

  test('learns nothing of its own password', async () => {
    const member = await app.logIn('member06')
    const guess = () =>
      member.post('/mgluser/change_password', {
        old_password: 'another-word-1',
        new_password: 'another-word-2',
        confirm_password: 'another-word-2',
      })
    expect(await whileItWaits(guess, () => change(member))).toBe(refusal)
    const { rows } = await app.asOwner<{ count: number }>`
      select count(*)::int as count from audit_log where actor_id = ${member.user_id} and action = 'change_password_failed'`
    expect(rows[0]!.count).toBe(0)
  })

  test('does not change its own password', async () => {
    const member = await app.logIn('member05')
    const before = await passwordOf(member.user_id)
    const changePassword = () =>
      member.post('/mgluser/change_password', {
        old_password: DEMO_PASSWORD,
        new_password: 'another-word-1',
        confirm_password: 'another-word-1',
      })
    expect(await whileItWaits(changePassword, () => change(member))).toBe(refusal)
    expect(await passwordOf(member.user_id)).toBe(before)
  })
})

test('an assistant who has lost an area meanwhile gives no credit', async () => {
  const agent = await findCaller(app.db, 'agent01')
  const given = { username: 'teller1', display_name: 'teller1', password: FIRST_PASSWORD }
  const { user_id } = await hireAssistant(app.db, agent, { ...given, areas: ['people', 'credit'] })
  await finishFirstLogIn(app.owner, 'teller1')
  const teller = await app.logIn('teller1')
  const loseArea = async () => {
    await app.asOwner`update users set assistant_areas = '{people}' where user_id = ${user_id}`
    return () => Promise.resolve()
  }
  expect(await whileItWaits(createMember(teller, 'latecredit'), loseArea)).toBe('permission_missing')
  expect(await isUser('latecredit')).toBe(false)
})
