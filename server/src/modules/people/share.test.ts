// Goal: a commission and the theoretical return of the terms are bounded together. One person alone makes nothing that pays a
// line more than its stakes: not by the commission, not by the terms, not through a new agent, and not by both at once.

import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { decideByTwo } from '../../../test/approvals.ts'
import { findCaller, openNode } from '../../../test/nodes.ts'
import { addPerson, codeOf, FIRST_PASSWORD, waitForLock } from '../../../test/scenes.ts'
import { startTestApp, type TestApp, type TestCaller } from '../../../test/test-app.ts'
import { changeGameConfig } from '../markets/index.ts'
import { changeShare } from './share.service.ts'

let app: TestApp
let first: TestCaller
let second: TestCaller
/** Directly below the company. */
let senior: number
const reason = 'for a test'
const TERMS = '/api/admin/product/lao-vip/template/70/game_config'

beforeAll(async () => {
  app = await startTestApp()
  await addPerson(app.owner, 'senior1', 'super_senior', 'company', 0)
  await addPerson(app.owner, 'senior2', 'senior', 'senior1', 0)
  senior = (await findCaller(app.db, 'senior1')).user_id
  first = await app.logIn('office01')
  second = await app.logIn('office02')
})
beforeEach(async () => {
  // The highest return of the catalogue: 70 % and 28 %.
  await sql`update package_terms set rate = 7000, discount_rate = 2800 where bet_type = '2top' and package_id in (
    select package_id from packages where (product_code, package_code) = ('lao-vip', '70'))`.execute(app.owner)
  for (const username of ['senior2', 'senior1', 'agent01'])
    await sql`insert into share_terms (user_id, position_rate, commission_rate)
      select user_id, 0, 0 from users where username = ${username}`.execute(app.owner)
})

const setShare = (user_id: number, commission_rate: number, by = first) =>
  by.post(`/mgluser/downline/${user_id}/share`, { position_rate: 0, commission_rate, reason })
const setRate = (rate: number, by = first) => by.post(TERMS, { reason, bet_types: [{ bet_type: '2top', rate }] })

describe('a commission directly below the company', () => {
  test('is set by one person up to 100 % with the highest return, above by two, above 120 % by nobody', async () => {
    expect(codeOf(await setShare(senior, 200))).toBe('ok')
    const { json } = await setShare(senior, 201)
    expect(json.error).toMatchObject({
      code: 'approval_needed',
      details: { kind: 'change_share', return_rate: 10_001 },
    })
    expect((await first.get(`/mgluser/downline/${senior}/share`)).json.data.commission_rate).toBe(200)
    const payload = { user_id: senior, position_rate: 0, commission_rate: 2_200 }
    expect(codeOf(await decideByTwo(first, second, 'change_share', payload))).toBe('ok')
    expect(codeOf(await setShare(senior, 2_201))).toBe('return_too_high')
    expect(codeOf(await decideByTwo(first, second, 'change_share', { ...payload, commission_rate: 2_201 }))).toBe(
      'return_too_high',
    )
    // Lowering it takes one, also where it stays above the bound; so does a part of it further down.
    expect(codeOf(await setShare(senior, 1_000))).toBe('ok')
    expect(codeOf(await setShare((await findCaller(app.db, 'senior2')).user_id, 900))).toBe('ok')
  })

  test('is refused to the company itself, and unknown to strangers', async () => {
    expect(codeOf(await setShare(senior, 201, await app.logIn('company')))).toBe('approval_needed')
    expect(codeOf(await setShare(senior, 201, await app.logIn('agent01')))).toBe('not_found')
  })

  test('is not given by one person with a new agent', async () => {
    const given = {
      request_id: randomUUID(),
      level: 'super_senior',
      username: `n${randomUUID().replaceAll('-', '')}`,
      display_name: 'new',
      password: FIRST_PASSWORD,
    }
    expect(codeOf(await first.post('/mgluser/people', { ...given, commission_rate: 201 }))).toBe('approval_needed')
    const { rows } = await sql`select 1 from users where username = ${given.username}`.execute(app.owner)
    expect(rows).toEqual([])
    expect(codeOf(await first.post('/mgluser/people', { ...given, commission_rate: 200 }))).toBe('ok')
  })
})

describe('terms', () => {
  test('are raised by one person up to 100 % with the highest commission, and lowered at any time', async () => {
    expect(codeOf(await setShare(senior, 200))).toBe('ok')
    const { json } = await setRate(7_001)
    expect(json.error).toMatchObject({
      code: 'approval_needed',
      details: { kind: 'change_terms', commission_rate: 200 },
    })
    const discount = await first.post(TERMS, { reason, bet_types: [{ bet_type: '2top', discount_rate: 2_801 }] })
    expect(codeOf(discount)).toBe('approval_needed')
    const bet_types = [{ bet_type: '2top', rate: 7_100 }]
    const payload = { product_code: 'lao-vip', package_code: '70', bet_types }
    expect(codeOf(await decideByTwo(first, second, 'change_terms', payload))).toBe('ok')
    expect(codeOf(await setRate(7_099))).toBe('ok')
    expect(codeOf(await setRate(7_100))).toBe('approval_needed')
    const most = { ...payload, bet_types: [{ bet_type: '2top', rate: 9_000 }] }
    expect(codeOf(await decideByTwo(first, second, 'change_terms', most))).toBe('ok')
    const beyond = { ...payload, bet_types: [{ bet_type: '2top', rate: 9_001 }] }
    expect(codeOf(await decideByTwo(first, second, 'change_terms', beyond))).toBe('return_too_high')
  })

  test('wait for a commission that is being changed, and are checked with it', async () => {
    const changing: ReturnType<typeof setRate>[] = []
    await app.owner.transaction().execute(async (tx) => {
      await sql`insert into share_terms (user_id, position_rate, commission_rate) values (${senior}, 0, 200)`.execute(
        tx,
      )
      changing.push(setRate(7_001))
      await waitForLock(app.owner)
    })
    expect(codeOf(await changing[0]!)).toBe('approval_needed')
  })

  test('and a commission that fit alone, at once on two nodes, do not both pass', async () => {
    const owner = await findCaller(app.db, 'office01')
    for (let each = 0; each < 10; each += 1) {
      await setShare(senior, 0)
      await setRate(7_000)
      const nodes = [openNode(app.url), openNode(app.url)]
      const results = await Promise.allSettled([
        changeShare(nodes[0]!.db, owner, senior, { position_rate: 0, commission_rate: 200, reason }),
        changeGameConfig(
          nodes[1]!.db,
          owner.actor_id,
          { product_code: 'lao-vip', package_code: '70' },
          { reason, bet_types: [{ bet_type: '2top', rate: 7_200 }] },
        ),
      ])
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    }
  })
})
