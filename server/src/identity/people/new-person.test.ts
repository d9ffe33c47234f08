// Goal: a new user gets what was given or copied and no more than its parent has, once for each request, and nothing is
// written where it is refused.

import { randomUUID } from 'node:crypto'
import { refusals, type RefusalCode } from '@megalot/contract'
import argon2 from '@node-rs/argon2'
import { beforeEach, describe, expect, test } from 'vitest'
import { findViolatedInvariants } from '../../../test/invariants.ts'
import { hireAssistant } from '../../../test/staff.ts'
import { countOutcomes, findCaller, openNode } from '../../../test/nodes.ts'
import {
  addAssistant,
  addPerson,
  codeOf,
  finishFirstLogIn,
  FIRST_PASSWORD,
  makeTicket,
  openPeriod,
  placeTicket,
} from '../../../test/scenes.ts'
import { logInWith } from '../../../test/factor-callers.ts'
import { startTestApp, type TestCaller } from '../../../test/test-app.ts'
import { changeAs } from '../../../test/changes.ts'
import { watchWrites, type WriteWatch } from '../../../test/write-watch.ts'
import { createPerson } from './new-person.service.ts'

const ids = new Map<string, number>()
let lastName = 0
const newName = () => `fresh${(lastName += 1)}`

const ofThai = { product_code: 'thai-government', package_code: '70' }
const ofEgypt = { product_code: 'egypt', package_code: '70' }

const app = await startTestApp()
// company ─ super1 ─ senior1 ─ master1 ─ shop1 ─ model1; company ─ other1.
await addPerson(app.db, 'super1', 'super_senior', 'company', 50_000_000)
await addPerson(app.db, 'senior1', 'senior', 'super1', 40_000_000)
await addPerson(app.db, 'master1', 'master', 'senior1', 30_000_000)
await addPerson(app.db, 'shop1', 'agent', 'master1', 20_000_000)
await addPerson(app.db, 'model1', 'member', 'shop1', 100_000)
await addPerson(app.db, 'other1', 'agent', 'company', 100_000)
const shop = await app.logIn('shop1')
const master = await app.logIn('master1')
const office = await app.logIn('office01')
const rows = await app.owner.selectFrom('users').select(['user_id', 'username']).execute()
for (const { user_id, username } of rows) ids.set(username, user_id)
for (const name of ['super1', 'senior1', 'master1'])
  await app.asOwner`insert into share_terms (user_id, position_rate, line_rate, commission_rate)
      values (${ids.get(name)!}, 0, 3000, 0)`
await app.asOwner`delete from user_packages where user_id = ${ids.get('model1')!} and package_id in (
    select package_id from packages where product_code <> 'thai-government')`
const writes: WriteWatch = await watchWrites(app.owner)

interface Fields {
  [name: string]: unknown
  level?: string
}

const make = (by: TestCaller, fields: Fields = {}, language: 'th' | 'en' = 'th') =>
  by.post(
    '/mgluser/people',
    {
      request_id: randomUUID(),
      level: 'member',
      username: newName(),
      display_name: 'คนใหม่',
      password: 'maple-first-26',
      ...fields,
    },
    language,
  )

/** Logs in with the first password, replaces it, and logs in with the own one. */
async function startAs(username: string, first: string): Promise<TestCaller> {
  const { caller, session } = await logInWith(app, username, first)
  expect(session.must_change_password).toBe(true)
  expect(codeOf(await caller.get('/mgluser/user_data/basic'))).toBe('password_change_needed')
  const own = { old_password: first, new_password: FIRST_PASSWORD, confirm_password: FIRST_PASSWORD }
  expect(codeOf(await caller.post('/mgluser/change_password', own))).toBe('ok')
  return (await logInWith(app, username, FIRST_PASSWORD)).caller
}

async function packagesOf(user_id: number): Promise<string[]> {
  const { rows } = await app.asOwner<{ name: string }>`
    select product_code || '/' || package_code as name from user_packages join packages using (package_id)
    where user_id = ${user_id} order by 1`
  return rows.map(({ name }) => name)
}

describe('a new member', () => {
  test('verifies the address that it was given, and an agent has none', async () => {
    const username = newName()
    const email = `${username}@example.com`
    const made = await make(shop, { username, email })
    expect(codeOf(made)).toBe('ok')
    const { rows } = await app.asOwner`
      select link.email, users.email as verified from email_links link join users using (user_id) where username = ${username}`
    expect(rows).toEqual([{ email, verified: null }])
    expect(codeOf(await make(office, { level: 'super_senior', email }))).toBe('bad_input')
  })

  test('replaces the password that it was given, and bets with the credit', async () => {
    const username = newName()
    const { http, json } = await make(shop, { username: username.toUpperCase(), credit_limit_satang: 50_000 })
    expect([http, json.error]).toEqual([200, undefined])
    expect(json.data).toMatchObject({
      username,
      display_name: 'คนใหม่',
      level: 'member',
      parent_username: 'shop1',
      credit_limit_satang: 50_000,
      credit_remain_satang: 50_000,
      status: 'NORMAL',
    })
    expect(await packagesOf(json.data.user_id)).toEqual(await packagesOf(ids.get('shop1')!))
    const member = await startAs(username, 'maple-first-26')
    await placeTicket(member, makeTicket(await openPeriod(app.owner)))
    expect(await findViolatedInvariants(app.owner)).toEqual({})
  })

  test('gets credit and packages of the one that it is copied from, as far as they are not given', async () => {
    const copy_from = ids.get('model1')!
    const copied = (await make(shop, { copy_from })).json.data
    expect(copied.credit_limit_satang).toBe(100_000)
    expect(await packagesOf(copied.user_id)).toEqual(await packagesOf(copy_from))
    const changed = (await make(shop, { copy_from, credit_limit_satang: 1, packages: [ofEgypt] })).json.data
    expect(changed.credit_limit_satang).toBe(1)
    expect(await packagesOf(changed.user_id)).toEqual(['egypt/70'])
    const none = (await make(shop, { packages: [] })).json.data
    expect([none.package_count, none.credit_limit_satang]).toEqual([0, 0])
  })

  test('is audited with what it was given, by whom', async () => {
    const copy_from = ids.get('model1')!
    const { data } = (await make(shop, { copy_from, packages: [ofThai] })).json
    const audit = await app.owner
      .selectFrom('audit_log')
      .select(['actor_id', 'action', 'after'])
      .where('subject', '=', `user:${data.user_id}`)
      .execute()
    expect(audit).toEqual([
      {
        actor_id: shop.user_id,
        action: 'add_user',
        after: {
          username: data.username,
          display_name: 'คนใหม่',
          level: 'member',
          parent_id: shop.user_id,
          credit_limit_satang: 100_000,
          position_rate: 0,
          line_rate: 0,
          commission_rate: 0,
          packages: ['thai-government/70'],
          copy_from,
        },
      },
    ])
  })
})

describe('a new agent', () => {
  test('stands one level below its parent, with its share', async () => {
    const { http, json } = await make(master, { level: 'agent', credit_limit_satang: 1_000_000, position_rate: 1_000 })
    expect([http, json.error]).toEqual([200, undefined])
    expect(json.data).toMatchObject({ level: 'agent', parent_username: 'master1', agent_count: 0, member_count: 0 })
    const shareOf = async ({ user_id }: { user_id: number }) => {
      const { position_rate, line_rate } = (await master.get(`/mgluser/downline/${user_id}/share`)).json.data
      return [position_rate, line_rate]
    }
    expect(await shareOf(json.data)).toEqual([1_000, 1_000])
    const copied = (await make(master, { level: 'agent', copy_from: json.data.user_id })).json.data
    expect(copied.credit_limit_satang).toBe(1_000_000)
    expect(await shareOf(copied)).toEqual([1_000, 1_000])
    const copyOf = async (fields: Fields) =>
      shareOf((await make(master, { level: 'agent', copy_from: copied.user_id, ...fields })).json.data)
    expect(await copyOf({ line_rate: 2_000 })).toEqual([1_000, 2_000])
    expect(await copyOf({ position_rate: 3_000 })).toEqual([3_000, 3_000])
    expect(await copyOf({ position_rate: 0 })).toEqual([0, 1_000])
  })

  test('may stand further down in the downline, and below the company for the office', async () => {
    expect((await make(master, { parent_id: ids.get('shop1')! })).json.data.parent_username).toBe('shop1')
    expect((await make(office, { level: 'super_senior' })).json.data.parent_username).toBe('company')
    expect((await make(office, { parent_id: ids.get('shop1')! })).json.data.parent_username).toBe('shop1')
  })
})

describe('levels between an agent and its parent', () => {
  const listChain = async (username: string) => {
    const { rows } = await app.asOwner`
      select u.level, u.username, parent.username as parent, position_rate, line_rate,
        (select count(*)::int from user_packages where user_id = u.user_id) as packages
      from users u join users parent on parent.user_id = u.parent_id
        left join lateral share_terms_at(u.user_id, 'infinity') on true
      where u.username like ${`${username}%`} order by level_rank(u.level)`
    return rows
  }

  test('are made with what the agent gets, and the agent works below them', async () => {
    const [username, credit_limit_satang] = [newName(), 50_000]
    const shares = { position_rate: 1_000, line_rate: 2_000 }
    const made = await make(office, { level: 'agent', username, credit_limit_satang, ...shares, packages: [ofThai] })
    expect(codeOf(made)).toBe('ok')
    const between = { position_rate: 0, line_rate: 2_000, packages: 1 }
    expect(await listChain(username)).toEqual([
      { level: 'super_senior', username: `${username}ss`, parent: 'company', ...between },
      { level: 'senior', username: `${username}s`, parent: `${username}ss`, ...between },
      { level: 'master', username: `${username}m`, parent: `${username}s`, ...between },
      { level: 'agent', username, parent: `${username}m`, ...shares, packages: 1 },
    ])
    // The agent, and whoever gave it its password, know none of theirs.
    const { rows: above } = await app.asOwner<{ password_hash: string; must_change_password: boolean }>`
      select password_hash, must_change_password from users where username = any(${['ss', 's', 'm'].map((suffix) => username + suffix)})`
    expect(above.map(({ must_change_password }) => must_change_password)).toEqual([true, true, true])
    for (const { password_hash } of above) expect(await argon2.verify(password_hash, 'maple-first-26')).toBe(false)
    const agent = await startAs(username, 'maple-first-26')
    expect(codeOf(await make(agent, { credit_limit_satang: 50_000 }))).toBe('ok')
    expect(await findViolatedInvariants(app.owner)).toEqual({})
  })

  test('are named otherwise where the name is taken, and get no share out of that of another than the caller', async () => {
    const username = newName()
    await addPerson(app.db, `${username}m`, 'member', 'shop1')
    const upline = await app.logIn('super1')
    expect(codeOf(await make(upline, { level: 'agent', parent_id: ids.get('senior1')!, username }))).toBe('ok')
    expect(await listChain(username)).toMatchObject([
      { level: 'master', username: `${username}m2`, parent: 'senior1', line_rate: null },
      { level: 'agent', username, parent: `${username}m2`, line_rate: null },
      { level: 'member', username: `${username}m` },
    ])
  })
})

describe('is refused, and nothing is written,', () => {
  let before: object
  beforeEach(async () => {
    before = await writes.count()
  })

  const cases: [string, () => TestCaller, () => Fields, RefusalCode][] = [
    ['with an existing name', () => shop, () => ({ username: 'Model1' }), 'username_taken'],
    ['of another level', () => shop, () => ({ level: 'agent' }), 'level_not_below'],
    ['of its own level', () => master, () => ({ level: 'master' }), 'level_not_below'],
    ['of the company’s level', () => office, () => ({ level: 'company' }), 'level_not_below'],
    ['below a member', () => shop, () => ({ parent_id: ids.get('model1')! }), 'level_not_below'],
    ['below somebody else’s agent', () => shop, () => ({ parent_id: ids.get('other1')! }), 'not_found'],
    ['below an upline', () => shop, () => ({ parent_id: ids.get('master1')! }), 'not_found'],
    ['below nobody', () => shop, () => ({ parent_id: 99_999_999 }), 'not_found'],
    ['below an office user', () => office, () => ({ parent_id: ids.get('office02')! }), 'not_allowed'],
    ['copied from outside of the downline', () => shop, () => ({ copy_from: ids.get('other1')! }), 'not_found'],
    ['copied from an office user', () => office, () => ({ copy_from: ids.get('office02')! }), 'not_allowed'],
    [
      'with more credit than the parent has',
      () => shop,
      () => ({ credit_limit_satang: 20_000_001 }),
      'not_enough_to_give',
    ],
    [
      'with a package that does not exist',
      () => shop,
      () => ({ packages: [{ ...ofThai, package_code: '1' }] }),
      'unknown_package',
    ],
    ['as a member with a share', () => shop, () => ({ position_rate: 50 }), 'share_over_parent'],
    ['as a member with a line', () => shop, () => ({ line_rate: 50 }), 'share_over_parent'],
    [
      'with a share above the downline',
      () => master,
      () => ({ level: 'agent', commission_rate: 5_000 }),
      'share_over_parent',
    ],
    [
      'as an agent with an easy password',
      () => master,
      () => ({ level: 'agent', password: 'dragon77' }),
      'common_password',
    ],
  ]
  test.each(cases)('%s', async (_name, by, fields, code) => {
    const language = code.length % 2 === 0 ? 'th' : 'en'
    const { http, json } = await make(by(), fields(), language)
    expect([http, json.error?.code]).toEqual([refusals[code].http, code])
    expect(json.status.message).toContain(refusals[code][language])
    expect(await writes.count()).toEqual(before)
  })

  test('with a package that the parent has not', async () => {
    // Of the whole downline in one statement: nobody has a package that its parent has not.
    await app.asOwner`delete from user_packages using users, packages where users.user_id = user_packages.user_id
      and packages.package_id = user_packages.package_id and product_code = 'egypt' and package_code = '90'
      and (users.user_id = ${ids.get('shop1')!} or parent_id = ${ids.get('shop1')!})`
    const lacking = { product_code: 'egypt', package_code: '90' }
    expect((await make(shop, { packages: [lacking] })).json.error).toMatchObject({
      code: 'package_not_held',
      details: { packages: ['egypt/90'] },
    })
  })

  test.each([
    ['credit_limit_satang', { credit_limit_satang: 1 }],
    ['position_rate', { position_rate: 50 }],
    ['line_rate', { line_rate: 50 }],
    ['commission_rate', { commission_rate: 1 }],
  ])('with %s out of another parent than the caller', async (field, fields) => {
    const level = field === 'credit_limit_satang' ? 'member' : 'agent'
    const parent_id = ids.get(level === 'member' ? 'shop1' : 'master1')!
    const by = level === 'member' ? master : await app.logIn('senior1')
    before = await writes.count()
    const { json } = await make(by, { parent_id, level, ...fields })
    expect(json.error).toMatchObject({ code: 'permission_missing', details: { field } })
    expect(await writes.count()).toEqual(before)
    // Nor is it copied.
    const copied = (await make(by, { parent_id, level, copy_from: ids.get(level === 'member' ? 'model1' : 'shop1')! }))
      .json
    expect(copied.data.credit_limit_satang).toBe(0)
  })

  test('to an assistant who may not give credit or packages', async () => {
    const clerk = await addAssistant(app, 'shop1', ['people'], 'clerk1')
    expect((await make(clerk, { credit_limit_satang: 1 })).json.error).toMatchObject({
      code: 'permission_missing',
      details: { field: 'credit_limit_satang' },
    })
    expect(codeOf(await make(clerk, { packages: [ofThai] }))).toBe('permission_missing')
    // What it may not give is not copied either.
    const copied = (await make(clerk, { copy_from: ids.get('model1')! })).json.data
    const seen = (await shop.get(`/mgluser/people/${copied.user_id}`)).json.data
    expect([seen.parent_username, seen.credit_limit_satang]).toEqual(['shop1', 0])
    const audit = await app.owner
      .selectFrom('audit_log')
      .select('actor_id')
      .where('subject', '=', `user:${copied.user_id}`)
      .executeTakeFirstOrThrow()
    expect(audit.actor_id).toBe(clerk.user_id)
  })

  test('an agent, to an assistant who may do less: it would know the password of the agent', async () => {
    const clerk = await addAssistant(app, 'super1', ['people'], 'clerk3')
    expect(codeOf(await make(clerk, { level: 'senior' }))).toBe('more_than_own')
    expect(codeOf(await make(clerk, { level: 'member' }))).toBe('ok')
  })
})

// Defect: an agent made users without an end, and found out of any name whether somebody has it, as often as it asked.
describe('the users of a day', () => {
  const setCount = (of: TestCaller, count: number) =>
    app.asOwner`insert into attempts_of_day as stored (subject_hash, day, attempts)
      values (sha256(convert_to(${`new-users:${of.user_id}`}, 'UTF8')), (now() at time zone 'Asia/Bangkok')::date, ${count})
      on conflict (subject_hash) do update set attempts = excluded.attempts`

  test('are bounded for a principal with its assistants, and not for another or the office', async () => {
    await setCount(shop, 1_998)
    const given = { username: 'clerk7', display_name: 'clerk', password: FIRST_PASSWORD, areas: ['people' as const] }
    await hireAssistant(app.db, await findCaller(app.db, 'shop1'), given)
    await finishFirstLogIn(app.owner, 'clerk7')
    const clerk = await app.logIn('clerk7')
    const sent = { request_id: randomUUID(), username: newName() }
    // What is refused makes no user.
    expect(codeOf(await make(shop, { packages: [{ ...ofThai, package_code: '1' }] }))).toBe('unknown_package')
    const made = await make(clerk, sent)
    expect(codeOf(made)).toBe('ok')
    expect((await make(shop)).json.error).toMatchObject({ code: 'new_user_limit_reached', details: { most: 2_000 } })
    const hired = await shop.post('/mgluser/staff/assistant', { ...given, username: newName() })
    expect(codeOf(hired)).toBe('new_user_limit_reached')
    expect((await make(clerk, sent)).json.data.user_id).toBe(made.json.data.user_id)
    expect(codeOf(await make(master, { parent_id: ids.get('shop1')! }))).toBe('ok')
    for (let each = 0; each < 2; each += 1)
      expect(codeOf(await make(office, { parent_id: ids.get('shop1')! }))).toBe('ok')
  })

  test('are as many as names that were taken: then no name is found out any more', async () => {
    await setCount(shop, 1_999)
    expect(codeOf(await make(shop, { username: 'office01' }))).toBe('username_taken')
    expect(codeOf(await make(shop, { username: 'office02' }))).toBe('new_user_limit_reached')
    const given = { display_name: 'clerk', password: FIRST_PASSWORD, areas: ['people' as const] }
    const hire = (username: string) => shop.post('/mgluser/staff/assistant', { ...given, username }).then(codeOf)
    expect(await hire('office02')).toBe('new_user_limit_reached')
    await setCount(shop, 1_999)
    expect(await hire('office02')).toBe('username_taken')
    expect(await hire('office01')).toBe('new_user_limit_reached')
    await app.asOwner`update attempts_of_day set day = day - 1`
    expect(codeOf(await make(shop))).toBe('ok')
  })
})

test('users that are made at once on two nodes never get more than their parent has, 8 times', async () => {
  const nodes = [openNode(app.url), openNode(app.url)]
  const counts: object[] = []
  for (let round = 0; round < 8; round += 1) {
    const name = `pot${round}`
    await addPerson(app.db, name, 'agent', 'company', 200)
    const actor = await findCaller(app.db, name)
    const results = await Promise.allSettled(
      Array.from({ length: 4 }, (_, at) =>
        changeAs(nodes[at % 2]!.db, actor, createPerson, {
          ...{ request_id: randomUUID(), level: 'member' as const, username: newName() },
          ...{ display_name: 'แบ่ง', password: 'maple-first-26', credit_limit_satang: 100 },
        }),
      ),
    )
    counts.push(countOutcomes(results))
  }
  expect(counts).toEqual(Array.from({ length: 8 }, () => ({ ok: 2, not_enough_to_give: 2 })))
  expect(await findViolatedInvariants(app.owner)).toEqual({})
})
