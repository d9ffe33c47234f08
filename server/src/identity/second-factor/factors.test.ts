// Goal: where a second factor is required, nobody without one changes anything, and the last one stays; who has lost the factors
// gets rid of them only through other people.

import { refusals, type Route, routes } from '@megalot/contract'
import { sql } from 'kysely'
import { changeAs } from '../../../test/changes.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import type { RouteName } from '../../../test/access-matrix.ts'
import { Authenticator } from '../../../test/authenticator.ts'
import {
  AuthenticatorApp,
  codeOfReply,
  decodeBase32,
  enrolApp,
  enrolKey,
  logInWith,
  ORIGIN,
} from '../../../test/factor-callers.ts'
import { sampleCalls, urlOf } from '../../../test/sample-calls.ts'
import { openPeriod, makeTicket } from '../../../test/scenes.ts'
import { appOn, startTestApp, type TestCaller } from '../../../test/test-app.ts'
import type { Db } from '../../postgres/db.ts'
import { DEMO_PASSWORD } from '../../demo/demo.ts'
import { resetFactors } from './index.ts'

const optional = await startTestApp()
/** The same database with `SECOND_FACTOR=required`. */
const required = await appOn(optional, { SECOND_FACTOR: 'required' })

beforeEach(async () => {
  await optional.asOwner`delete from second_factors`
  await optional.asOwner`delete from recovery_codes`
  await optional.asOwner`delete from failed_tries`
})

/** The refusal of a call of each route for the console that changes something, and of those about the own account. */
async function callRoutes(caller: TestCaller): Promise<Map<Route, string | undefined>> {
  const subject = {
    ticket: { order_id: 1 } as never,
    user_id: 1,
    announce_id: 1,
    approval_id: 1,
    rule_id: 1,
    period_code: 'thai-government-20200101',
    other_period_code: 'thai-government-20200101',
  }
  const codes = new Map<Route, string | undefined>()
  for (const route of routes.filter(({ access, is_stream }) => access !== 'anyone' && !is_stream)) {
    if (route.name === 'logOff') continue
    const sample = sampleCalls[route.name as RouteName](subject)
    const reply = await required.server.inject({
      method: route.method,
      url: urlOf(route, sample),
      headers: { authorization: `Bearer ${caller.sessionToken}` },
      ...(sample.body === undefined ? {} : { payload: sample.body as object }),
    })
    codes.set(route, reply.json().error?.code)
  }
  return codes
}

const isChange = ({ needs = [] }: Route): boolean => [needs].flat().some((one) => one.endsWith('.do'))

describe('where a second factor is required', () => {
  test.each(['office01', 'agent01', 'company'])(
    '%s without one can read and enrol, and change nothing',
    async (name) => {
      const { caller, session } = await logInWith(required, name)
      expect(session).toMatchObject({ must_enrol: true, has_factor: false })
      const codes = [...(await callRoutes(caller))]
      const refused = codes.filter(([, code]) => code === 'second_factor_required').map(([route]) => route.name)
      expect(refused.length).toBeGreaterThan(20)
      expect(refused).toEqual(codes.filter(([route]) => isChange(route)).map(([route]) => route.name))
      expect((await caller.get('/mgluser/user_data/basic')).http).toBe(200)
      expect((await caller.get('/mgluser/downline')).http).toBe(200)
      const reply = await caller.post(
        '/mgluser/downline/1/status',
        { own_status: 'NORMAL', reason: 'for a test' },
        'en',
      )
      expect([reply.http, reply.json.status.message]).toEqual([403, refusals.second_factor_required.en])
      await enrolKey(caller)
      expect([...(await callRoutes(caller)).values()]).not.toContain('second_factor_required')
    },
  )

  test('a member is asked for nothing', async () => {
    const { caller, session } = await logInWith(required, 'member01')
    expect(session).toMatchObject({ must_enrol: false, must_verify_factor: false })
    const placed = await caller.post('/api/order/create', makeTicket(await openPeriod(required.owner)))
    expect(placed.http).toBe(200)
  })

  test('the last factor stays, also of two that are removed at once', async () => {
    const caller = await required.logIn('office01')
    const first = await enrolKey(caller)
    expect(codeOfReply(await caller.remove(`/mgluser/factors/${first.factor_id}`))).toBe('last_factor')
    const second = await enrolKey(caller)
    const replies = await Promise.all(
      [first, second].map(({ factor_id }) => caller.remove(`/mgluser/factors/${factor_id}`)),
    )
    expect(new Set(replies.map(codeOfReply))).toEqual(new Set(['last_factor', undefined]))
    expect((await caller.get('/mgluser/factors')).json.data).toMatchObject({ recovery_codes_left: 10 })
  })
})

describe('enrolling an authenticator app', () => {
  const password = DEMO_PASSWORD
  const ENROL = '/mgluser/factors/totp'
  const begin = async (caller: TestCaller, body: object) => {
    const { json } = await caller.post(`${ENROL}/start`, body)
    return new AuthenticatorApp(optional, decodeBase32(json.data.secret))
  }
  const enrol = async (caller: TestCaller, code: string) => {
    const reply = await caller.post(ENROL, { name: 'phone', code })
    if (reply.http === 200) caller.sessionToken = reply.json.sessionId ?? caller.sessionToken
    return codeOfReply(reply)
  }

  test('takes a right code, also after a wrong one, and once', async () => {
    const caller = await optional.logIn('office01')
    expect(await enrol(caller, '000000')).toBe('enrolment_failed')
    const phone = await begin(caller, { password })
    expect(await enrol(caller, await phone.showWrong())).toBe('wrong_factor')
    expect((await caller.get('/mgluser/factors')).json.data.factors).toEqual([])
    expect(await enrol(caller, await phone.show())).toBeUndefined()
    expect(await enrol(caller, await phone.show(1))).toBe('enrolment_failed')
    expect((await caller.get('/mgluser/factors')).json.data.factors).toHaveLength(1)
  })

  test('is over after ten minutes, and belongs to its session', async () => {
    const caller = await optional.logIn('office01')
    const phone = await begin(caller, { password })
    await optional.asOwner`update factor_challenges set expires_at = clock_timestamp()`
    expect(await enrol(caller, await phone.show())).toBe('enrolment_failed')
    const again = await begin(caller, { password })
    expect(await enrol(await optional.logIn('office02'), await again.show())).toBe('enrolment_failed')
    expect(await enrol(caller, await again.show())).toBeUndefined()
  })

  test('ends at ten factors, also of an app and a passkey at once', async () => {
    const caller = await optional.logIn('office01')
    for (let each = 0; each < 9; each += 1) await enrolKey(caller)
    const phone = await begin(caller, { password })
    const key = new Authenticator(ORIGIN)
    const options = (await caller.post('/mgluser/factors/passkey/start', { password })).json.data
    const code = await phone.show()
    const [app, passkey] = [
      { name: 'phone', code },
      { name: 'key', passkey: key.create(options) },
    ]
    const replies: Promise<string | undefined>[] = []
    await optional.owner.transaction().execute(async (tx) => {
      // Both wait for the user, as if another change of its factors were going on.
      await sql`select 1 from users where user_id = ${caller.user_id} for update`.execute(tx)
      replies.push(
        caller.post(ENROL, app).then(codeOfReply),
        caller.post('/mgluser/factors/passkey', passkey).then(codeOfReply),
      )
      await waitForLocks(optional.owner, 2)
    })
    expect(new Set(await Promise.all(replies))).toEqual(new Set(['too_many_factors', undefined]))
    expect((await caller.get('/mgluser/factors')).json.data.factors).toHaveLength(10)
  })
})

/** Waits until so many transactions of this database wait for a lock. */
async function waitForLocks(db: Db, count: number): Promise<void> {
  for (;;) {
    const { rows } = await sql`
      select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
    if (rows.length >= count) return
  }
}

describe('where a second factor is optional', () => {
  test('the last one can be removed, and its recovery codes go with it', async () => {
    const caller = await optional.logIn('office01')
    const { factor_id } = await enrolKey(caller)
    expect((await caller.remove(`/mgluser/factors/${factor_id}`)).http).toBe(200)
    expect((await caller.get('/mgluser/factors')).json.data).toMatchObject({ factors: [], recovery_codes_left: 0 })
    expect((await logInWith(optional, 'office01')).session).toMatchObject({
      has_factor: false,
      must_verify_factor: false,
    })
    expect(
      codeOfReply(
        await (await optional.logIn('office01')).post('/mgluser/factors/recovery_codes', { password: DEMO_PASSWORD }),
      ),
    ).toBe('no_factor')
  })

  test('a factor gets another name, which the audit log keeps', async () => {
    const caller = await optional.logIn('office01')
    const { factor_id } = await enrolKey(caller)
    const { json } = await caller.post(`/mgluser/factors/${factor_id}/name`, { name: 'the blue key' })
    expect(json.data).toMatchObject({ factor_id, name: 'the blue key' })
    expect((await caller.get('/mgluser/factors')).json.data.factors).toMatchObject([{ name: 'the blue key' }])
    const row = await optional.owner
      .selectFrom('audit_log')
      .select(['before', 'after'])
      .where('action', '=', 'rename_factor')
      .orderBy('audit_id', 'desc')
      .executeTakeFirstOrThrow()
    expect(row).toEqual({ before: { factor_id, name: 'key' }, after: { factor_id, name: 'the blue key' } })
    const other = await optional.logIn('office02')
    expect(codeOfReply(await other.post(`/mgluser/factors/${factor_id}/name`, { name: 'mine' }))).toBe('not_found')
  })

  test('a factor of somebody else is not found', async () => {
    const { factor_id } = await enrolKey(await optional.logIn('office02'))
    const caller = await optional.logIn('office01')
    await enrolKey(caller)
    const refused = await caller.remove(`/mgluser/factors/${factor_id}`)
    expect([refused.http, refused.json.error.code]).toEqual([404, 'not_found'])
  })

  test('a factor is removed only after a recent verification', async () => {
    const caller = await optional.logIn('office01')
    const { factor_id } = await enrolKey(caller)
    await optional.asOwner`update sessions set factor_verified_at = clock_timestamp() - interval '301 seconds'`
    expect(codeOfReply(await caller.remove(`/mgluser/factors/${factor_id}`))).toBe('step_up_needed')
  })

  test('a session that waits for a factor ends with the last one', async () => {
    const owner = await optional.logIn('office01')
    const { phone, factor_id } = await enrolApp(optional, owner)
    const { caller: waiting, session } = await logInWith(optional, 'office01')
    expect(session.must_verify_factor).toBe(true)
    await owner.post('/megalot/auth/factor/totp', { code: await phone.show(1) })
    expect((await owner.remove(`/mgluser/factors/${factor_id}`)).http).toBe(200)
    expect(codeOfReply(await waiting.get('/mgluser/user_data/basic'))).toBe('session_factors_reset')
    expect(codeOfReply(await owner.get('/mgluser/user_data/basic'))).toBeUndefined()
  })

  test('a session that waits for a factor goes on waiting where its user has none', async () => {
    await enrolApp(optional, await optional.logIn('office01'))
    const { caller: waiting } = await logInWith(optional, 'office01')
    await optional.asOwner`delete from second_factors`
    expect(codeOfReply(await waiting.get('/mgluser/staff'))).toBe('second_factor_needed')
  })

  test('new recovery codes replace the old ones', async () => {
    const caller = await optional.logIn('office01')
    const { recovery_codes: old } = await enrolApp(optional, caller)
    const wrong = await caller.post('/mgluser/factors/recovery_codes', { password: 'wrong1234' })
    expect(codeOfReply(wrong)).toBe('wrong_password')
    const { json } = await caller.post('/mgluser/factors/recovery_codes', { password: DEMO_PASSWORD })
    expect(new Set([...json.data.recovery_codes, ...old]).size).toBe(20)
    const verify = (code: string) => caller.post('/megalot/auth/factor/recovery_code', { code })
    expect(codeOfReply(await verify(old[0]!))).toBe('wrong_factor')
    expect((await verify(json.data.recovery_codes[0]!)).http).toBe(200)
  })
})

test('a reset of factors removes factors, codes and the session, and names who did it and why', async () => {
  const caller = await optional.logIn('agent01')
  await enrolKey(caller)
  const office = await optional.logIn('office01')
  const reset = { user_id: caller.user_id, reason: 'the phone was stolen' }
  await changeAs(optional.db, office.user_id, resetFactors, reset, 'approved')
  const { http, json } = await caller.get('/mgluser/user_data/basic')
  expect([http, json.error.code]).toEqual([401, 'session_factors_reset'])
  const { rows } = await optional.asOwner<{ kind: string }>`
      select kind from second_factors union all select 'code' from recovery_codes`
  expect(rows).toEqual([])
  const audit = await optional.asOwner`
      select actor_id, subject, reason, before from audit_log where action = 'reset_factors'`
  expect(audit.rows).toEqual([
    {
      actor_id: office.user_id,
      subject: `user:${caller.user_id}`,
      reason: 'the phone was stolen',
      before: { factors: [expect.objectContaining({ kind: 'passkey', name: 'key' })] },
    },
  ])
  expect((await logInWith(optional, 'agent01')).session.has_factor).toBe(false)
})

describe('the database', () => {
  test('keeps the kinds of factors of each user', async () => {
    const caller = await optional.logIn('office01')
    const kinds = async () =>
      (
        await optional.asOwner<{ factor_kinds: string[] }>`
          select factor_kinds from users where user_id = ${caller.user_id}`
      ).rows[0]!.factor_kinds
    const { factor_id } = await enrolApp(optional, caller)
    await enrolKey(caller)
    expect(await kinds()).toEqual(['passkey', 'totp'])
    await caller.remove(`/mgluser/factors/${factor_id}`)
    expect(await kinds()).toEqual(['passkey'])
  })

  test('stores no secret of an app that can be read', async () => {
    const { phone } = await enrolApp(optional, await optional.logIn('office01'))
    const { rows } = await optional.asOwner<{ secret: Buffer }>`select secret from second_factors`
    expect(rows[0]!.secret.includes(phone.secret)).toBe(false)
  })
})

test('without a key authenticator apps are refused, and passkeys work', async () => {
  const app = await appOn(optional, { FACTOR_KEY: '' })
  const caller = await app.logIn('office01')
  const refused = await caller.post('/mgluser/factors/totp/start', { password: 'demo1234' })
  expect([refused.http, refused.json.error.code]).toEqual([409, 'totp_not_available'])
  expect((await caller.get('/mgluser/factors')).json.data.is_totp_available).toBe(false)
  await enrolKey(caller)
})
