// Goal: passwords of the console are not easy to guess, and a password that somebody else has set opens nothing but the change of
// it.

import { hash, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { refusals, routes } from '@megalot/contract'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { codeOfReply, enrolKey, logInWith, verifyKey } from '../../../test/factor-callers.ts'
import { addPerson } from '../../../test/scenes.ts'
import { startTestApp, type TestCaller } from '../../../test/test-app.ts'
import { Refusal } from '../../lib/refusal.ts'
import { DEMO_PASSWORD } from '../../demo/demo.ts'
import { refuseWeakPassword, setBreachedPasswords } from '../accounts/index.ts'

const CHANGE = '/mgluser/change_password'
const BASIC = '/mgluser/user_data/basic'
const GOOD = 'maple-lantern-77'

const app = await startTestApp()
await addPerson(app.owner, 'agent02', 'agent', 'company', 100_000_000)
await addPerson(app.owner, 'stranger01', 'member', 'agent02', 5_000_000)

const change = (caller: TestCaller, new_password: string, old_password = DEMO_PASSWORD) =>
  caller.post(CHANGE, { old_password, new_password, confirm_password: new_password }, 'en')

/** The code with which something was refused; undefined: it was not. */
function codeOf(act: () => void): string | undefined {
  try {
    act()
    return undefined
  } catch (error) {
    if (error instanceof Refusal) return error.code
    throw error
  }
}

describe('a password', () => {
  const office = { username: 'office01', level: 'company', is_office: true } as const
  const agent = { username: 'agent01', level: 'agent', is_office: false } as const
  const member = { username: 'member01', level: 'member', is_office: false } as const
  const cases: [string, typeof office | typeof agent | typeof member, string, string | undefined][] = [
    ['office user', office, 'maple-lante', 'weak_password'],
    ['office user', office, 'maple-lanter', undefined],
    ['office user', office, 'ก'.repeat(6), 'weak_password'],
    ['office user', office, 'qwerty123456', 'common_password'],
    ['office user', office, 'Password2024!', 'common_password'],
    ['office user', office, 'zzzzzzzzzzzz', 'common_password'],
    ['office user', office, '--Office01--2024', 'common_password'],
    ['office user', office, 'Megalot2026!!', 'common_password'],
    ['office user', office, 'admin-megalot-1', 'common_password'],
    ['office user', office, 'LotteryOffice99', 'common_password'],
    ['office user', office, 'หวยรัฐบาล2569', 'common_password'],
    ['office user', office, 'office.win.office', 'common_password'],
    ['office user', office, 'maple-megalot-77', undefined],
    ['office user', office, '7382-9471-2255', undefined],
    ['agent', agent, 'kx7q-2m', 'weak_password'],
    ['agent', agent, 'kx7q-2mw', undefined],
    ['agent', agent, 'dragon77', 'common_password'],
    ['agent', agent, 'agent01-', 'common_password'],
    ['agent', agent, 'agent-lotto', 'common_password'],
    ['member', member, 'dragon', undefined],
    ['member', member, 'kx7q', undefined],
  ]
  test.each(cases)('of an %s: %o %s → %s', (_who, owner, password, code) => {
    expect(codeOf(() => refuseWeakPassword(owner, password))).toBe(code)
  })

  test.each([
    ['office01', 'maple-lante', 'weak_password'],
    ['office01', 'administrator', 'common_password'],
    ['agent01', 'monkey123', 'common_password'],
  ] as const)('that %s changes to %s is refused, and the old one stays', async (name, password, code) => {
    const caller = await app.logIn(name)
    const { http, json } = await change(caller, password)
    expect([http, json.error.code, json.status.message]).toEqual([422, code, refusals[code].en])
    expect((await app.logIn(name)).sessionToken).toBeDefined()
  })
})

test('a breached password of the operator’s file is refused to the console', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'megalot-breached-')), 'hashes')
  writeFileSync(file, `${hash('sha1', 'copper-window-88').toUpperCase()}:3\r\n`)
  const agent = { username: 'agent01', level: 'agent', is_office: false } as const
  const codes = () => ['copper-window-88', GOOD].map((password) => codeOf(() => refuseWeakPassword(agent, password)))
  try {
    setBreachedPasswords(file)
    expect(codes()).toEqual(['common_password', undefined])
  } finally {
    setBreachedPasswords(undefined)
    rmSync(dirname(file), { recursive: true })
  }
  expect(codes()).toEqual([undefined, undefined])
})

describe('a one-time password', () => {
  /** The outcome of a reset: `ok`, or the code of its refusal. */
  const reset = async (name: string, by: string, password: string): Promise<string> => {
    const user = await app.owner.selectFrom('users').selectAll().where('username', '=', name).executeTakeFirstOrThrow()
    const rows = [{ user_id: user.user_id, password }]
    const call = { request_id: randomUUID(), reason: 'forgotten', rows }
    const { json } = await (await app.logIn(by)).post('/mgluser/people/bulk/passwords', call)
    return json.data.outcomes[0]!.code
  }

  const giveTo = async (name: string, by = 'office01', password = 'one-time-77'): Promise<TestCaller> => {
    expect(await reset(name, by, password)).toBe('ok')
    return (await logInWith(app, name, password)).caller
  }

  test.each(['member01', 'agent01'])('of %s opens the change of the password and nothing else', async (name) => {
    const before = await app.logIn(name)
    const caller = await giveTo(name)
    expect(codeOfReply(await before.get(BASIC))).toBe('session_password_changed')
    expect((await caller.get('/megalot/auth/session')).json.data).toMatchObject({ must_change_password: true })
    const admitted: string[] = []
    for (const route of routes.filter(({ access }) => access !== 'anyone')) {
      const reply = await app.server.inject({
        method: route.method,
        url: route.path.replaceAll(/:\w+/g, '1'),
        headers: route.name === 'logOff' ? {} : { authorization: `Bearer ${caller.sessionToken}` },
      })
      if (reply.json().error?.code !== 'password_change_needed') admitted.push(route.name)
    }
    const verifications = ['startPasskeyVerification', 'verifyPasskey', 'verifyRecoveryCode', 'verifyTotp']
    expect(admitted.toSorted()).toEqual(['changePassword', 'getSession', 'logOff', ...verifications])
    // A ticket too, whose caller may come from the cache.
    expect(codeOfReply(await caller.post('/api/order/create', {}))).toBe('password_change_needed')
    const own = `${GOOD}-${name}`
    expect(codeOfReply(await change(caller, 'one-time-77', 'one-time-77'))).toBe('same_password')
    expect((await change(caller, own, 'one-time-77')).http).toBe(200)
    const { caller: again, session } = await logInWith(app, name, own)
    expect(session.must_change_password).toBe(false)
    expect((await again.get(BASIC)).http).toBe(200)
  })

  test('comes after the second factor, which it does not replace', async () => {
    await app.asOwner`update users set password_hash = (select password_hash from users where username = 'member09')
      where username = 'agent01'`
    const { key } = await enrolKey(await app.logIn('agent01'))
    const caller = await giveTo('agent01')
    expect(codeOfReply(await change(caller, GOOD, 'one-time-77'))).toBe('second_factor_needed')
    const verified = await verifyKey(app, caller, key)
    expect(codeOfReply(await verified.get(BASIC))).toBe('password_change_needed')
    expect((await change(verified, GOOD, 'one-time-77')).http).toBe(200)
  })

  test('opens no session after 72 hours, until another one is given', async () => {
    await giveTo('stranger01', 'agent02')
    const { rows } = await app.asOwner<{ hours: number }>`
      select round(extract(epoch from password_expires_at - clock_timestamp()) / 3600)::int as hours
      from users where username = 'stranger01'`
    expect(rows).toEqual([{ hours: 72 }])
    await app.asOwner`update users set password_expires_at = password_expires_at - interval '72 hours'
      where username = 'stranger01'`
    await expect(logInWith(app, 'stranger01', 'one-time-77')).rejects.toThrow('password_expired')
    const own = sql`update users set password_expires_at = null where username = 'stranger01'`.execute(app.db)
    await expect(own).rejects.toThrow('permission denied')
    await giveTo('stranger01', 'agent02', 'one-time-78')
  })
})

describe('the first password of staff', () => {
  const given = { display_name: 'Staff', password: GOOD }

  // That of an office user comes in two halves: `approvals/second-person.test.ts`.
  test('is changed at the first log-in', async () => {
    const office = await app.logIn('office01')
    const made = await office.post('/mgluser/staff/assistant', { ...given, username: 'risk01', areas: ['people'] })
    expect(made.http).toBe(200)
    const { caller, session } = await logInWith(app, 'risk01', GOOD)
    expect(session.must_change_password).toBe(true)
    expect(codeOfReply(await caller.get(BASIC))).toBe('password_change_needed')
  })
})
