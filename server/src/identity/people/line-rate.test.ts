// Goal: the company keeps what it has agreed with those directly below it, whatever these and the agents below them give to each other.

import { changeAs } from '../../../test/changes.ts'
import { randomUUID } from 'node:crypto'
import type { UserLevel } from '@megalot/contract'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { newName } from '../../../test/approvals.ts'
import { findCaller, type TestUser } from '../../../test/nodes.ts'
import { addPerson, codeOf, FIRST_PASSWORD } from '../../../test/scenes.ts'
import { startTestApp, type TestCaller } from '../../../test/test-app.ts'
import { Refusal } from '../../lib/refusal.ts'
import { createPerson } from './new-person.service.ts'
import { changeShareTerms } from './share-changes.ts'

const reason = 'agreed'

const app = await startTestApp()
await addPerson(app.owner, 'super1', 'super_senior', 'company')
await addPerson(app.owner, 'senior1', 'senior', 'super1')
await addPerson(app.owner, 'master1', 'master', 'senior1')
const office = await app.logIn('office01')
/** Directly below the company. */
const above = await app.logIn('super1')
const senior = await app.logIn('senior1')
const master = await app.logIn('master1')

interface Rates {
  position_rate: number
  line_rate?: number | undefined
}

const set = async (by: TestCaller, of: TestCaller, rates: Rates) =>
  codeOf(await by.post(`/mgluser/downline/${of.user_id}/share`, { ...rates, commission_rate: 0, reason }))

const newPerson = (level: UserLevel, rates: Rates) => ({
  ...{ request_id: randomUUID(), level, username: newName(), display_name: 'new', password: FIRST_PASSWORD },
  ...rates,
})

const make = async (by: TestCaller, level: UserLevel, rates: Rates) =>
  codeOf(await by.post('/mgluser/people', newPerson(level, rates)))

describe('an agent gives', () => {
  // Defect: only 100 % bounded the positions of a line, so that an agent gave away alone what was the company's.
  test('nothing where the company has given its line no more than its own position', async () => {
    expect(await set(office, above, { position_rate: 1_000 })).toBe('ok')
    for (const position_rate of [9_000, 50]) {
      expect(await set(above, senior, { position_rate })).toBe('share_over_parent')
      expect(await make(above, 'senior', { position_rate })).toBe('share_over_parent')
    }
  })

  test('what its own position leaves of its line rate, by positions and line rates alike', async () => {
    expect(await set(office, above, { position_rate: 1_000, line_rate: 3_000 })).toBe('ok')
    for (const rates of [{ position_rate: 2_050 }, { position_rate: 0, line_rate: 2_050 }]) {
      expect(await set(above, senior, rates)).toBe('share_over_parent')
      expect(await make(above, 'senior', rates)).toBe('share_over_parent')
    }
    expect(await set(above, senior, { position_rate: 2_000 })).toBe('ok')
    expect(await make(above, 'senior', { position_rate: 2_000 })).toBe('ok')
    // All of its line is its own position.
    expect(await set(senior, master, { position_rate: 50 })).toBe('share_over_parent')
    expect(await make(senior, 'master', { position_rate: 50 })).toBe('share_over_parent')
  })

  test('no position above the line rate that it gives with it', async () => {
    const rates = { position_rate: 100, line_rate: 50 }
    expect(await set(above, senior, rates)).toBe('share_over_parent')
    expect(await make(above, 'senior', rates)).toBe('share_over_parent')
  })

  test('no more than fits beside what its child has given, until the child takes it back', async () => {
    expect(await set(above, senior, { position_rate: 500, line_rate: 2_000 })).toBe('ok')
    expect(await set(senior, master, { position_rate: 1_500 })).toBe('ok')
    for (const rates of [{ position_rate: 550 }, { position_rate: 500, line_rate: 1_950 }])
      expect(await set(above, senior, rates)).toBe('share_over_parent')
    expect(await set(office, above, { position_rate: 1_050, line_rate: 3_000 })).toBe('share_over_parent')
    expect(await set(senior, master, { position_rate: 0, line_rate: 0 })).toBe('ok')
    expect(await set(above, senior, { position_rate: 550 })).toBe('ok')
  })
})

test('without a line rate it stays, or grows to the position; that of the company is 100 %', async () => {
  const lineOf = async (user_id: number) => (await office.get(`/mgluser/downline/${user_id}/share`)).json.data.line_rate
  const { user_id } = await findCaller(app.db, 'agent01')
  const agent = { ...senior, user_id }
  for (const [rates, line_rate] of [
    [{ position_rate: 1_000 }, 1_000],
    [{ position_rate: 500 }, 1_000],
    [{ position_rate: 2_000 }, 2_000],
    [{ position_rate: 0, line_rate: 500 }, 500],
  ] as const) {
    expect(await set(office, agent, rates)).toBe('ok')
    expect(await lineOf(user_id)).toBe(line_rate)
  }
  expect(await lineOf((await findCaller(app.db, 'company')).user_id)).toBe(10_000)
})

const nextLevel = { super_senior: 'senior', senior: 'master', master: 'agent' } as const

test('the company keeps its rest through all that agents give and take back', async () => {
  const LINE_RATE = 3_000
  const top = await addPerson(app.owner, 'super2', 'super_senior', 'company')
  const officer = await findCaller(app.db, 'office01')
  await changeAs(app.db, officer, changeShareTerms, {
    ...{ user_id: top, position_rate: 500, line_rate: LINE_RATE, commission_rate: 0, reason },
  })
  /** Of the users below `top`, the least that the company gets of a stake there, as settlement computes it. */
  const readLeast = async (): Promise<number> => {
    const { rows } = await app.asOwner<{ least: number }>`
      select min(left_rate) as least from users cross join left_above_levels(upline_ids || user_id, 'infinity')
      where ${top} = any(upline_ids || user_id) and depth = 2`
    return rows[0]!.least
  }
  const agents: TestUser[] = [await findCaller(app.db, 'super2')]
  const parents = new Map<number, TestUser>()
  const rate = fc.integer({ min: 0, max: 8 }).map((each) => each * 500)
  const call = fc.record({
    isNew: fc.constantFrom(true, false, false, false),
    who: fc.nat(1_000),
    position_rate: rate,
    line_rate: fc.option(rate, { nil: undefined }),
    isCopy: fc.boolean(),
  })
  const outcomes = new Set<string>()
  const least = new Set<number>()
  for (const { isNew, who, isCopy, position_rate, line_rate } of fc.sample(call, { numRuns: 100, seed: 3 })) {
    const agent = agents[who % agents.length]!
    const level = nextLevel[agent.level as keyof typeof nextLevel] as UserLevel | undefined
    const parent = parents.get(agent.user_id)
    const give = async (): Promise<string> => {
      if (isNew && level !== undefined) {
        const { request_id, username, ...given } = newPerson(level, { position_rate, line_rate })
        const copied = isCopy ? { copy_from: agent.user_id, position_rate: undefined } : {}
        await changeAs(app.db, agent, createPerson, { ...given, ...copied, request_id, username })
        const made = await findCaller(app.db, username)
        agents.push(made)
        parents.set(made.user_id, agent)
        return 'made'
      }
      if (parent === undefined) return 'none'
      await changeAs(app.db, parent, changeShareTerms, {
        ...{ user_id: agent.user_id, position_rate, line_rate, commission_rate: 0, reason },
      })
      return 'changed'
    }
    const outcome = await give().catch((error: unknown) => {
      if (error instanceof Refusal) return error.code
      throw error
    })
    outcomes.add(outcome)
    least.add(await readLeast())
  }
  expect([...outcomes].toSorted()).toEqual(['changed', 'made', 'none', 'share_over_parent'])
  expect(Math.min(...least)).toBe(10_000 - LINE_RATE)
})
