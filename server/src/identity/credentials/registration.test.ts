// Goal: an agent's code registers a member of that agent and nothing more.

import { refusals } from '@megalot/contract'
import { beforeAll, describe, expect, test } from 'vitest'
import { app, auditOf, callAs, logIn, register, startForNewcomers } from '../../../test/newcomers.ts'
import { DEMO_AGENT_CODE } from '../../demo/demo.ts'
import { countWaitingHashes, runInHashQueue } from '../accounts/index.ts'

beforeAll(startForNewcomers)

describe('registration', () => {
  test('creates a member under the agent, without credit, with its packages, logged in', async () => {
    const { http, json, username } = await register({
      agent_code: DEMO_AGENT_CODE.toLowerCase(),
      phone: '081-234-5678',
    })
    expect(http).toBe(200)
    expect(json.data).toMatchObject({ username, level: 'member', status: 'NORMAL', credit_remain_satang: 0 })
    expect((await callAs(json.sessionId)).json.data.username).toBe(username)
    const { rows } = await app.asOwner<{ parent: string; email: string; packages: number; theirs: number }>`
      select p.username as parent, link.email,
        (select count(*) from user_packages k where k.user_id = u.user_id) as packages,
        (select count(*) from user_packages k where k.user_id = p.user_id) as theirs
      from users u join users p on p.user_id = u.parent_id join email_links link on link.user_id = u.user_id
      where u.username = ${username}`
    expect(rows[0]).toMatchObject({ parent: 'agent01', email: `${username}@example.com` })
    expect(rows[0]!.packages).toBe(rows[0]!.theirs)
    expect(rows[0]!.packages).toBeGreaterThan(0)
    expect(await auditOf(json.data.user_id)).toEqual(['register', 'log_in'])
    expect((await logIn(username, 'first1234')).http).toBe(200)
  })

  test('with a level and a credit of its own creates a member without credit', async () => {
    const { json } = await register({ level: 'agent', credit_limit_satang: 100 })
    expect(json.data).toMatchObject({ level: 'member', credit_remain_satang: 0 })
  })

  test.each([
    ['an unknown agent code', { agent_code: 'NOBODY1' }, 'wrong_agent_code'],
    ['an existing name', { username: 'Member01' }, 'username_taken'],
    ['an unknown code and an existing name', { agent_code: 'NOBODY1', username: 'member01' }, 'wrong_agent_code'],
    ['a wrong captcha', { captcha_txt: 'zzzz' }, 'wrong_captcha'],
    ['a short password', { password: 'abc' }, 'bad_input'],
    ['Thai letters in the name', { username: 'สมชาย' }, 'bad_input'],
    ['no address', { email: undefined }, 'email_needed'],
    ['an address with a line in it', { email: 'a@b.co\nBcc: c@d.co' }, 'bad_input'],
  ] as const)('with %s is refused and creates no user', async (_name, changes, code) => {
    const before = await app.owner.selectFrom('users').select('user_id').execute()
    const { http, json } = await register(changes)
    expect([http, json.error.code]).toEqual([refusals[code].http, code])
    expect(json.status.message).toContain(refusals[code].en)
    expect(await app.owner.selectFrom('users').select('user_id').execute()).toHaveLength(before.length)
  })

  test('trims the names', async () => {
    const { json } = await register({ username: ' trimmed1 ', display_name: '\u3000ผู้มา ใหม่ \u00a0' })
    expect(json.data).toMatchObject({ username: 'trimmed1', display_name: 'ผู้มา ใหม่' })
    expect((await logIn('trimmed1\n', 'first1234')).http).toBe(200)
    expect((await register({ username: 'tri mmed' })).json.error.code).toBe('bad_input')
  })

  test('without an address works where the code allows it, and mails nothing', async () => {
    await app.asOwner`update agent_codes set is_email_optional = true where code = ${DEMO_AGENT_CODE}`
    const { http, json } = await register({ email: undefined })
    await app.asOwner`update agent_codes set is_email_optional = false where code = ${DEMO_AGENT_CODE}`
    expect(http).toBe(200)
    const { rows } = await app.asOwner`select from email_links where user_id = ${json.data.user_id}`
    expect(rows).toEqual([])
    expect((await callAs(json.sessionId, '/mgluser/email')).json.data).toEqual({ email: null, unverified_email: null })
  })

  test('of one name by ten callers at once creates one user', async () => {
    const replies = await Promise.all(Array.from({ length: 10 }, () => register({ username: 'wanted' })))
    expect(replies.filter(({ http }) => http === 200)).toHaveLength(1)
    expect(replies.filter(({ json }) => json.error?.code === 'username_taken')).toHaveLength(9)
  })

  // Defect: a flood of registrations paid nothing, unlike one of log-ins.
  test('needs a harder proof of work while many strangers wait', async () => {
    let release: (value: unknown) => void = () => {}
    const gate = new Promise((resolve) => {
      release = resolve
    })
    const waiting: Promise<unknown>[] = []
    while (countWaitingHashes('unknown') < 20) waiting.push(runInHashQueue({ kind: 'unknown' }, () => gate))
    const { http, json } = await register()
    release(undefined)
    await Promise.all(waiting)
    expect([http, json.error.code, json.error.details.proof_level]).toEqual([429, 'log_in_paused', 2])
    expect((await register()).http).toBe(200)
  })
})
