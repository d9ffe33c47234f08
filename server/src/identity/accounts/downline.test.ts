// Goal: an upline gives at most what it has, restricts its downline at once, and nobody else can do either.

import { refusals, type RefusalCode } from '@megalot/contract'
import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { findViolatedInvariants } from '../../../test/invariants.ts'
import {
  addPerson,
  changeWhileLocked,
  isLockWaitedFor,
  makeTicket,
  openPeriod,
  readCredit,
} from '../../../test/scenes.ts'
import { type Reply, startTestApp, type TestCaller } from '../../../test/test-app.ts'
import { changeAs } from '../../../test/changes.ts'
import { takeLock } from '../../postgres/advisory-locks.ts'
import { changeUserStatus, countReach } from './downline.service.ts'

const BAHT = 100

type Name = 'master1' | 'shop1' | 'shop2' | 'player1' | 'player2' | 'cousin1' | 'company' | 'office01'
const names: readonly Name[] = ['master1', 'shop1', 'shop2', 'player1', 'player2', 'cousin1', 'company', 'office01']

let people: Record<Name, TestCaller>

const app = await startTestApp()
await addPerson(app.db, 'master1', 'master', 'company', 10_000 * BAHT)
await addPerson(app.db, 'shop1', 'agent', 'master1', 1_000 * BAHT)
await addPerson(app.db, 'shop2', 'agent', 'master1', 1_000 * BAHT)
await addPerson(app.db, 'player1', 'member', 'shop1', 400 * BAHT)
await addPerson(app.db, 'player2', 'member', 'shop1', 400 * BAHT)
await addPerson(app.db, 'cousin1', 'member', 'shop2', 400 * BAHT)
await logInAll()
beforeEach(async () => {
  await app.asOwner`update users set own_status = 'NORMAL', status_set_by = null`
})

async function logInAll(): Promise<void> {
  people = {} as typeof people
  for (const name of names) people[name] = await app.logIn(name)
}

function setCredit(by: Name, of: Name, baht: number, language: 'th' | 'en' = 'th'): Promise<Reply> {
  const url = `/mgluser/downline/${people[of].user_id}/credit_limit`
  return people[by].post(url, { credit_limit_satang: baht * BAHT }, language)
}

const setStatus = (by: Name, of: Name, own_status: string) =>
  people[by].post(`/mgluser/downline/${people[of].user_id}/status`, { own_status, reason: 'for a test' })

async function limitOf(name: Name): Promise<number> {
  const { rows } = await app.asOwner<{ baht: number }>`
    select (-floor_satang / 100)::bigint as baht from accounts where kind = 'cash' and user_id = ${people[name].user_id}`
  return rows[0]!.baht
}

function lastAudit(user: Name) {
  return app.owner
    .selectFrom('audit_log')
    .select(['actor_id', 'action', 'before', 'after', 'reason'])
    .where('subject', '=', `user:${people[user].user_id}`)
    .where('action', 'like', 'change%')
    .orderBy('audit_id', 'desc')
    .executeTakeFirst()
}

const placeTicket = async (name: Name, period_code?: string) =>
  people[name].post('/api/order/create', makeTicket(period_code ?? (await openPeriod(app.owner))))

/** What each actor may do about player1, who is below shop1, master1 and the company. */
type Expected = 'ok' | RefusalCode

describe('the credit limit', () => {
  const matrix: [Name, Name, Expected][] = [
    ['shop1', 'player1', 'ok'],
    ['office01', 'player1', 'ok'],
    ['office01', 'master1', 'ok'],
    ['company', 'master1', 'ok'],
    // Credit moves only between a user and its parent.
    ['master1', 'player1', 'not_allowed'],
    ['company', 'player1', 'not_allowed'],
    ['player1', 'player1', 'not_allowed'],
    ['shop1', 'shop1', 'not_allowed'],
    ['office01', 'office01', 'not_allowed'],
    ['company', 'office01', 'not_allowed'],
    ['player2', 'player1', 'not_allowed'],
    ['player1', 'shop1', 'not_allowed'],
    ['shop2', 'player1', 'not_found'],
    ['shop1', 'cousin1', 'not_found'],
    ['master1', 'company', 'not_found'],
  ]
  test.each(matrix)('is set by %s for %s: %s', async (by, of, expected) => {
    const before = await limitOf(of)
    const { json } = await setCredit(by, of, before)
    expect(json.error?.code ?? 'ok').toBe(expected)
    const limit = expected === 'ok' ? before + 1 : before
    await setCredit(by, of, before + 1)
    expect(await limitOf(of)).toBe(limit)
    await app.asOwner`update accounts set floor_satang = ${-before * BAHT} where kind = 'cash' and user_id = ${people[of].user_id}`
  })

  test('returns the changed user, and is audited', async () => {
    const { json } = await people.shop1.post(`/mgluser/downline/${people.player1.user_id}/credit_limit`, {
      credit_limit_satang: 350 * BAHT,
      reason: 'ลดวงเงิน',
    })
    expect(json.data).toMatchObject({ username: 'player1', level: 'member', credit_limit_satang: 350 * BAHT })
    expect(await lastAudit('player1')).toEqual({
      actor_id: people.shop1.user_id,
      action: 'change_credit_limit',
      before: { credit_limit_satang: 400 * BAHT },
      after: { credit_limit_satang: 350 * BAHT },
      reason: 'ลดวงเงิน',
    })
    expect((await readCredit(people.player1)).credit_limit_satang).toBe(35_000)
    await setCredit('shop1', 'player1', 400)
  })

  test('of all children together is never more than the parent has, to the satang', async () => {
    // shop1 has 1,000: 400 are player2's.
    for (const language of ['th', 'en'] as const) {
      const { http, json } = await setCredit('shop1', 'player1', 601, language)
      expect([http, json.error.code, json.status.message]).toEqual([
        409,
        'not_enough_to_give',
        refusals.not_enough_to_give[language],
      ])
      expect(json.error.details).toEqual({ least_satang: 0, most_satang: 600 * BAHT })
    }
    expect((await setCredit('office01', 'player1', 601)).json.error.code).toBe('not_enough_to_give')
    expect((await setCredit('shop1', 'player1', 600)).http).toBe(200)
    // The parent cannot lose what it has given already.
    expect((await setCredit('master1', 'shop1', 999)).json.error).toMatchObject({
      code: 'not_enough_to_give',
      details: { least_satang: 1_000 * BAHT },
    })
    await setCredit('shop1', 'player1', 400)
    expect((await setCredit('master1', 'shop1', 800)).http).toBe(200)
    expect((await setCredit('master1', 'shop1', 1_000)).http).toBe(200)
  })

  test('leaves to give what was not given to those directly below; members and the office give nothing', async () => {
    const leftTo = async (name: Name): Promise<number | null> =>
      (await people[name].get('/mgluser/user_data/basic')).json.data.credit_to_give_satang
    await setCredit('shop1', 'player1', 300)
    const [player1, player2] = [await limitOf('player1'), await limitOf('player2')]
    expect(await leftTo('shop1')).toBe(((await limitOf('shop1')) - player1 - player2) * BAHT)
    await setCredit('shop1', 'player1', 350)
    expect(await leftTo('shop1')).toBe(((await limitOf('shop1')) - 350 - player2) * BAHT)
    // What the shops give on is out of their own limit, not out of that of master1.
    expect(await leftTo('master1')).toBe(
      ((await limitOf('master1')) - (await limitOf('shop1')) - (await limitOf('shop2'))) * BAHT,
    )
    expect([await leftTo('player1'), await leftTo('office01')]).toEqual([null, null])
  })

  test('never falls below what is spent or held, by the service and by the database', async () => {
    await placeTicket('player1')
    const { credit_used_satang } = await readCredit(people.player1)
    expect(credit_used_satang).toBe(670)
    const url = `/mgluser/downline/${people.player1.user_id}/credit_limit` as const
    expect((await people.shop1.post(url, { credit_limit_satang: 669 })).json.error.code).toBe('not_enough_to_give')
    expect((await people.shop1.post(url, { credit_limit_satang: 670 })).json.data.credit_remain_satang).toBe(0)
    expect((await placeTicket('player1')).json.error.code).toBe('not_enough_credit')
    const setFloor = (floor_satang: number) =>
      sql`update accounts set floor_satang = ${floor_satang} where kind = 'cash' and user_id = ${people.player1.user_id}`.execute(
        app.db,
      )
    await expect(setFloor(-669)).rejects.toMatchObject({ constraint: 'credit_never_overspent' })
    await expect(setFloor(1)).rejects.toMatchObject({ code: '23514' })
    await setCredit('shop1', 'player1', 400)
    expect(await findViolatedInvariants(app.owner)).toEqual({})
  })

  test('of a parent that has given too much can still be taken back from a child', async () => {
    const floorOf = (name: Name, baht: number) =>
      app.asOwner`update accounts set floor_satang = ${-baht * BAHT} where kind = 'cash' and user_id = ${people[name].user_id}`
    await floorOf('shop1', 500)
    expect((await setCredit('shop1', 'player2', 401)).json.error.code).toBe('not_enough_to_give')
    expect((await setCredit('shop1', 'player2', 350)).http).toBe(200)
    await floorOf('shop1', 1_000)
    await setCredit('shop1', 'player2', 400)
  })

  // Defect: the parent could set a limit of exactly what was owed, which it had not to give.
  test('of a user that a correction has overdrawn is not raised beyond what its parent has', async () => {
    await addPerson(app.db, 'super1', 'super_senior', 'company', 200 * BAHT)
    await addPerson(app.db, 'senior1', 'senior', 'super1', 200 * BAHT)
    const overdrawn = { user_id: await addPerson(app.db, 'overdrawn1', 'member', 'senior1', 200 * BAHT) }
    const [above, parent] = [await app.logIn('super1'), await app.logIn('senior1')]
    const owe = (baht: number, beyond: number) =>
      app.asOwner`update accounts set balance_satang = ${-baht * BAHT}, overdraft_satang = ${beyond * BAHT}
        where kind = 'cash' and user_id = ${overdrawn.user_id}`
    const set = (by: TestCaller, of: { user_id: number }, baht: number) =>
      by.post(`/mgluser/downline/${of.user_id}/credit_limit`, { credit_limit_satang: baht * BAHT })
    await owe(5_200, 5_000)

    for (const baht of [199, 200, 201, 5_199, 5_200, 5_201]) {
      const { json } = await set(parent, overdrawn, baht)
      expect([baht, json.error]).toMatchObject([
        baht,
        { code: 'not_enough_to_give', details: { least_satang: 5_200 * BAHT, most_satang: 200 * BAHT } },
      ])
    }
    const { json } = await parent.get(`/mgluser/people/${overdrawn.user_id}`)
    expect(json.data.credit_range).toEqual({ least_satang: 5_200 * BAHT, most_satang: 200 * BAHT })
    expect((await findViolatedInvariants(app.owner)).given_within_limit).toBeUndefined()

    // Each level above has to have it first.
    expect((await set(above, parent, 5_200)).json.error.code).toBe('not_enough_to_give')
    expect((await set(people.company, above, 5_200)).http).toBe(200)
    expect((await set(above, parent, 5_200)).http).toBe(200)
    expect((await set(parent, overdrawn, 5_199)).json.error.code).toBe('not_enough_to_give')
    expect((await set(parent, overdrawn, 5_201)).json.error.code).toBe('not_enough_to_give')
    expect((await set(parent, overdrawn, 5_200)).http).toBe(200)
    expect((await findViolatedInvariants(app.owner)).given_within_limit).toBeUndefined()
    await owe(0, 0)
    expect(await findViolatedInvariants(app.owner)).toEqual({})
  })

  test('of a parent that has lost more than it can take back is reduced to what its child owes, and no further', async () => {
    await placeTicket('cousin1')
    const floor = (baht: number) =>
      app.asOwner`update accounts set floor_satang = ${-baht * BAHT} where kind = 'cash' and user_id = ${people.shop2.user_id}`
    await floor(5)
    const url = `/mgluser/downline/${people.cousin1.user_id}/credit_limit` as const
    const set = (credit_limit_satang: number) => people.shop2.post(url, { credit_limit_satang })
    expect((await set(669)).json.error).toMatchObject({ details: { least_satang: 670, most_satang: 670 } })
    expect((await set(670)).http).toBe(200)
    expect((await set(671)).json.error.code).toBe('not_enough_to_give')
    await floor(1_000)
    await setCredit('shop2', 'cousin1', 400)
    expect(await findViolatedInvariants(app.owner)).toEqual({})
  })
})

describe('the status', () => {
  const matrix: [Name, Name, Expected][] = [
    ['shop1', 'player1', 'ok'],
    ['master1', 'player1', 'ok'],
    ['company', 'player1', 'ok'],
    ['office01', 'player1', 'ok'],
    ['office01', 'shop1', 'ok'],
    // Office users are staff.
    ['company', 'office01', 'not_allowed'],
    ['player1', 'player1', 'not_allowed'],
    ['office01', 'office01', 'not_allowed'],
    // It would lock out everybody, and nobody could undo it.
    ['office01', 'company', 'not_allowed'],
    ['company', 'company', 'not_allowed'],
    ['player2', 'player1', 'not_allowed'],
    ['player1', 'shop1', 'not_allowed'],
    ['shop2', 'player1', 'not_found'],
    ['master1', 'company', 'not_found'],
    ['shop1', 'office01', 'not_found'],
  ]
  test.each(matrix)('is set by %s for %s: %s', async (by, of, expected) => {
    const { json } = await setStatus(by, of, 'DISABLED_BET')
    expect(json.error?.code ?? 'ok').toBe(expected)
    const { own_status } = await app.owner
      .selectFrom('users')
      .select('own_status')
      .where('user_id', '=', people[of].user_id)
      .executeTakeFirstOrThrow()
    expect(own_status).toBe(expected === 'ok' ? 'DISABLED_BET' : 'NORMAL')
  })

  // Defect: whoever named users of other lines waited for, and took, the lock of the hierarchy.
  test.each([
    ['cousin1', 'not_found'],
    ['shop1', 'not_allowed'],
  ] as const)('of %s is refused without the lock of the hierarchy', async (of, code) => {
    let isWaiting = true
    const { json } = await changeWhileLocked(
      app.owner,
      sql`select ${takeLock('userHierarchy')}`,
      () => setStatus('shop1', of, 'SUSPENDED'),
      async () => (isWaiting = await isLockWaitedFor(app.owner)),
    )
    expect([isWaiting, json.error?.code]).toEqual([false, code])
  })

  test('stops bets of the whole downline from the next call on, until it is lifted', async () => {
    const period_code = await openPeriod(app.owner)
    expect((await placeTicket('player1', period_code)).http).toBe(200)
    expect((await setStatus('master1', 'shop1', 'DISABLED_BET')).json.data).toMatchObject({ status: 'DISABLED_BET' })
    expect((await placeTicket('player1', period_code)).json.error.code).toBe('bet_disabled')
    expect((await people.player1.get('/mgluser/user_data/basic')).json.data.status).toBe('DISABLED_BET')
    expect((await placeTicket('cousin1', period_code)).http).toBe(200)
    expect((await setStatus('master1', 'shop1', 'NORMAL')).http).toBe(200)
    expect((await placeTicket('player1', period_code)).http).toBe(200)
  })

  test('of a suspended upline ends the sessions of its downline for good', async () => {
    expect((await setStatus('office01', 'shop1', 'SUSPENDED')).json.data).toMatchObject({
      own_status: 'SUSPENDED',
      status: 'SUSPENDED',
    })
    const { rows } = await app.asOwner<{ username: string }>`
      select username from sessions join users using (user_id) where ended_at is null`
    const signedIn = rows.map((row) => row.username)
    expect(signedIn).toEqual(expect.arrayContaining(['master1', 'shop2', 'cousin1', 'company', 'office01']))
    for (const name of ['shop1', 'player1', 'player2']) expect(signedIn).not.toContain(name)
    expect((await setStatus('office01', 'shop1', 'NORMAL')).http).toBe(200)
    for (const name of ['shop1', 'player1'] as const) {
      const { http, json } = await people[name].get('/mgluser/user_data/basic')
      expect([http, json.error.code]).toEqual([401, 'session_suspended'])
    }
    await logInAll()
    expect((await people.player1.get('/mgluser/user_data/basic')).json.data.status).toBe('NORMAL')
  })

  test('is the strictest of the user’s own and its uplines’', async () => {
    await setStatus('shop1', 'player1', 'DISABLED_BET')
    const { json } = await setStatus('master1', 'shop1', 'NORMAL')
    expect(json.data.own_status).toBe('NORMAL')
    const listed = (await people.master1.get('/mgluser/downline?search=player1')).json.data
    expect(listed).toMatchObject([{ own_status: 'DISABLED_BET', status: 'DISABLED_BET' }])
  })

  // The figure is computed anew from the statuses of each line.
  test('is in force as the strictest of each line after any changes, several of a line in one statement too', async () => {
    const top = await addPerson(app.owner, 'line1', 'senior', 'company')
    const below = [
      await addPerson(app.owner, 'line2', 'master', 'line1'),
      await addPerson(app.owner, 'line3', 'agent', 'line2'),
      await addPerson(app.owner, 'line4', 'member', 'line3'),
      await addPerson(app.owner, 'line5', 'member', 'line3'),
      await addPerson(app.owner, 'line6', 'member', 'line2'),
    ]
    for (const [at, principal_id] of [top, below[0]!, below[1]!].entries())
      below.push(
        await app.owner
          .insertInto('users')
          .values({
            username: `lineclerk${at}`,
            display_name: 'x',
            level: 'member',
            principal_id,
            assistant_areas: [],
            password_hash: 'x',
          })
          .returning('user_id')
          .executeTakeFirstOrThrow()
          .then(({ user_id }) => user_id),
      )
    const ids = [top, ...below]
    const statuses = ['NORMAL', 'DISABLED_BET', 'SUSPENDED'] as const
    const random = fc.sample(
      fc.array(fc.tuple(fc.constantFrom(...ids), fc.constantFrom(...statuses)), { minLength: 1, maxLength: 5 }),
      60,
    )
    for (const changes of random) {
      const [named, set] = [changes.map(([user_id]) => user_id), changes.map(([, own_status]) => own_status)]
      await app.asOwner`
        update users set own_status = given.own_status
        from (select distinct on (user_id) * from unnest(${named}::bigint[], ${set}::text[]) as given (user_id, own_status)) given
        where users.user_id = given.user_id`
      const people = await app.owner
        .selectFrom('users')
        .select(['user_id', 'parent_id', 'principal_id', 'own_status', 'status_in_force'])
        .where('user_id', 'in', ids)
        .execute()
      const rankOf = (user_id: number | null): number => {
        const one = people.find((each) => each.user_id === user_id)
        return one ? Math.max(statuses.indexOf(one.own_status), rankOf(one.principal_id ?? one.parent_id)) : 0
      }
      expect(people.map((one) => [one.user_id, one.status_in_force])).toEqual(
        people.map((one) => [one.user_id, statuses[rankOf(one.user_id)]]),
      )
    }
  })

  // Defect: a status wrote all rows below, also where it changed nothing, under the lock of the hierarchy.
  test('writes no row below that it does not change', async () => {
    const versions = async () =>
      (await app.asOwner`select user_id, xmin::text as version from users where username in ('player1', 'player2')`)
        .rows
    await setStatus('master1', 'shop1', 'SUSPENDED')
    const before = await versions()
    for (const status of ['DISABLED_BET', 'SUSPENDED', 'NORMAL']) {
      await app.asOwner`update users set own_status = 'SUSPENDED' where username = 'master1'`
      await app.asOwner`update users set own_status = ${status} where username = 'shop1'`
      expect(await versions()).toEqual(before)
    }
    await app.asOwner`update users set own_status = 'NORMAL' where username = 'master1'`
    await logInAll()
  })

  test('set by an upline cannot be lifted from below, only by that upline or a higher one', async () => {
    const orders: [Name, Expected][] = [
      ['shop1', 'status_set_above'],
      ['master1', 'ok'],
    ]
    await setStatus('master1', 'player1', 'DISABLED_BET')
    for (const [by, expected] of orders)
      expect((await setStatus(by, 'player1', 'NORMAL')).json.error?.code ?? 'ok').toBe(expected)

    // The office counts as the company.
    for (const setter of ['office01', 'company'] as const) {
      await setStatus(setter, 'player1', 'DISABLED_BET')
      for (const by of ['shop1', 'master1'] as const)
        for (const status of ['NORMAL', 'DISABLED_BET', 'SUSPENDED'])
          expect((await setStatus(by, 'player1', status)).json.error.code).toBe('status_set_above')
      expect((await setStatus(setter === 'company' ? 'office01' : 'company', 'player1', 'NORMAL')).http).toBe(200)
    }

    await setStatus('shop1', 'player1', 'DISABLED_BET')
    expect((await setStatus('master1', 'player1', 'NORMAL')).http).toBe(200)
    // Once it is normal again any upline may set it.
    expect((await setStatus('shop1', 'player1', 'DISABLED_BET')).http).toBe(200)
  })

  // Defect: each upline locks the users in an order of its own, and they wait for each other.
  test('set by two uplines of the same users at once does not deadlock', async () => {
    const everybody = [people.master1, people.shop1, people.player1, people.cousin1]
    const set = (user_id: number, own_status: 'NORMAL' | 'SUSPENDED') =>
      changeAs(app.db, people.office01.user_id, changeUserStatus, {
        ...{ user_id, own_status, reason: 'for a test' },
      })
    for (let repeat = 0; repeat < 60; repeat += 1) {
      await app.asOwner`
        insert into sessions (token_hash, user_id) select sha256(gen_random_uuid()::text::bytea), user_id from users
        where not exists (select 1 from sessions s where s.user_id = users.user_id and ended_at is null)`
      const suspended = await Promise.allSettled(everybody.map((each) => set(each.user_id, 'SUSPENDED')))
      expect(suspended.map((each) => each.status)).toEqual(everybody.map(() => 'fulfilled'))
      await Promise.all(everybody.map((each) => set(each.user_id, 'NORMAL')))
    }
    await logInAll()
  })
})

describe('the downline', () => {
  const list = async (by: Name, query = ''): Promise<string[]> =>
    (await people[by].get(`/mgluser/downline?ipp=100&${query}`)).json.data.map((each) => each.username)

  test('is everybody below the caller; the office sees all users', async () => {
    expect((await people.player1.get('/mgluser/downline')).json.error.code).toBe('not_allowed')
    expect(await list('shop1')).toEqual(['player1', 'player2'])
    expect(await list('shop2')).toEqual(['cousin1'])
    expect(await list('master1')).toEqual(['cousin1', 'player1', 'player2', 'shop1', 'shop2'])
    const all = await list('office01')
    expect(all).toEqual(expect.arrayContaining(['company', 'office02', 'agent01', 'member20', 'player1']))
    // Defect: the office stands below the company, which read its names.
    const ofOffice = await app.owner.selectFrom('users').select('username').where('is_office', '=', true).execute()
    const hidden = new Set(['company', ...ofOffice.map(({ username }) => username)])
    expect(await list('company')).toEqual(all.filter((name) => !hidden.has(name)))
    expect(await list('company', 'search=office')).toEqual([])
    expect((await app.call('GET', '/mgluser/downline')).json.error.code).toBe('not_signed_in')
  })

  test('is filtered by parent and by name, and comes in pages', async () => {
    expect(await list('master1', `parent_id=${people.master1.user_id}`)).toEqual(['shop1', 'shop2'])
    expect(await list('master1', `parent_id=${people.shop2.user_id}`)).toEqual(['cousin1'])
    expect(await list('shop1', `parent_id=${people.shop2.user_id}`)).toEqual([])
    expect(await list('master1', 'search=PLAYER')).toEqual(['player1', 'player2'])
    expect(await list('master1', 'search=%25')).toEqual([])
    expect((await people.master1.get('/mgluser/downline?page=1&ipp=2')).json.data).toHaveLength(2)
  })

  test('shows credit and status as the user sees them', async () => {
    await placeTicket('cousin1')
    const [cousin] = (await people.shop2.get('/mgluser/downline')).json.data
    const own = await readCredit(people.cousin1)
    expect(cousin).toEqual({
      user_id: people.cousin1.user_id,
      username: 'cousin1',
      display_name: 'cousin1',
      level: 'member',
      is_office: false,
      parent_id: people.shop2.user_id,
      own_status: 'NORMAL',
      status: 'NORMAL',
      ...own,
    })
  })
})

// Defect: the downline of an actor who named itself too was not counted.
test('the reach of a change is the users named that the actor reaches and all below, each once, whoever else is named', async () => {
  const ids = (...of: Name[]) => of.map((name) => people[name].user_id)
  const scope = { principal_id: people.master1.user_id, is_office: false }
  const reach = (...of: Name[]) => countReach(app.db, scope, ids(...of))
  expect(await reach('shop1')).toBe(3)
  expect(await reach('shop1', 'player1')).toBe(3)
  expect(await reach('shop1', 'shop2')).toBe(5)
  expect(await reach('shop1', 'master1', 'company')).toBe(3)
  expect(await reach('master1')).toBe(0)
  expect(await countReach(app.db, { ...scope, is_office: true }, ids('shop1', 'master1'))).toBe(6)
})
