// The permissions after waiting for a lock decide what a call may do, not those before.

import { randomUUID } from 'node:crypto'
import { type Area, STEP_UP_CREDIT_SATANG } from '@megalot/contract'
import { type RawBuilder, sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { takeLock } from '../src/postgres/advisory-locks.ts'
import { addFactor, approve, mustPropose, newName, startTwoPeople } from './approvals.ts'
import { hireAssistant } from './staff.ts'
import { enrolApp } from './factor-callers.ts'
import { findCaller } from './nodes.ts'
import { addPerson, changeWhileLocked, codeOf, finishFirstLogIn, FIRST_PASSWORD } from './scenes.ts'
import type { TestCaller } from './test-app.ts'

const people = await startTwoPeople()
const app = people.app
const master = await addPerson(app.owner, 'master9', 'master', 'company', 200_000_000)
await app.asOwner`insert into share_terms (user_id, position_rate, line_rate, commission_rate)
    values (${master}, 0, 100, 0)`
await addPerson(app.owner, 'shop9', 'agent', 'master9', 50_000_000)
await addPerson(app.owner, 'model9', 'member', 'shop9', 100_000)

async function logInAssistant(principal: string, areas: readonly Area[]): Promise<TestCaller> {
  const username = newName()
  const given = { username, display_name: username, password: FIRST_PASSWORD, areas }
  await hireAssistant(app.db, await findCaller(app.db, principal), given)
  await finishFirstLogIn(app.owner, username)
  return app.logIn(username)
}

const everyAreaOfAgents: readonly Area[] = [
  'people',
  'credit',
  'terms',
  'risk',
  'tickets',
  'reports',
  'messages',
  'staff',
  'audit',
  'money',
]

const setAreas = ({ user_id }: Pick<TestCaller, 'user_id'>, areas: readonly Area[]) =>
  app.asOwner`update users set assistant_areas = ${areas}::text[] where user_id = ${user_id}`

const ageFactor = ({ user_id }: TestCaller) =>
  app.asOwner`update sessions set factor_verified_at = factor_verified_at - interval '1 hour' where user_id = ${user_id}`

const hierarchy = (): RawBuilder<unknown> => sql`select ${takeLock('userHierarchy')}`
/** Sends an assistant's call that waits for a lock, and removes all but these areas meanwhile. */
const loseAreas = <Sent>(
  clerk: TestCaller,
  areas: readonly Area[],
  lock: RawBuilder<unknown>,
  send: () => Promise<Sent>,
): Promise<Sent> => changeWhileLocked(app.owner, lock, send, () => setAreas(clerk, areas))

async function findMade(username: string): Promise<object | undefined> {
  const { rows } = await app.asOwner<object>`
    select 0 - floor_satang as credit_limit_satang, coalesce(position_rate, 0) as position_rate
    from users join accounts using (user_id) left join share_terms using (user_id)
    where username = ${username} and kind = 'cash'`
  return rows[0]
}

describe('a new person that is copied', () => {
  const copy = (by: TestCaller, username: string, level: 'member' | 'agent', copy_from: number) => () =>
    by.post('/mgluser/people', {
      ...{ request_id: randomUUID(), level, username, display_name: username, password: FIRST_PASSWORD, copy_from },
    })

  test('gets no credit from an assistant who has lost the area credit meanwhile', async () => {
    const teller = await logInAssistant('shop9', ['people', 'credit'])
    const { user_id } = await findCaller(app.db, 'model9')
    const username = newName()
    const reply = await loseAreas(teller, ['people'], hierarchy(), copy(teller, username, 'member', user_id))
    expect(codeOf(reply)).toBe('ok')
    expect(await findMade(username)).toMatchObject({ credit_limit_satang: 0 })
  })

  test.each([
    ['the hierarchy', hierarchy()],
    ['the shares', sql`select ${takeLock('shareTerms')}`],
  ])('gets no share from an assistant who has lost the area terms in the wait for %s', async (_name, lock) => {
    const teller = await logInAssistant('master9', everyAreaOfAgents)
    const { user_id } = await findCaller(app.db, 'shop9')
    await app.asOwner`insert into share_terms (user_id, position_rate, line_rate, commission_rate) values (${user_id}, 100, 100, 0)
      on conflict do nothing`
    const username = newName()
    const send = copy(teller, username, 'agent', user_id)
    const left = everyAreaOfAgents.filter((area) => area !== 'terms')
    const reply = await loseAreas(teller, left, lock, send)
    // The agent could do more than its maker.
    expect(codeOf(reply)).toBe('more_than_own')
    expect(await findMade(username)).toBe(undefined)
    await setAreas(teller, everyAreaOfAgents)
    expect(codeOf(await send())).toBe('ok')
    expect(await findMade(username)).toMatchObject({ position_rate: 100 })
  })

  test('much credit is not given with a factor that has become old meanwhile', async () => {
    const agent = await app.logIn('shop9')
    await addPerson(app.owner, 'rich9', 'member', 'shop9', STEP_UP_CREDIT_SATANG + 1)
    await enrolApp(app, agent)
    const { user_id } = await findCaller(app.db, 'rich9')
    const username = newName()
    const send = copy(agent, username, 'member', user_id)
    const reply = await changeWhileLocked(app.owner, hierarchy(), send, () => ageFactor(agent))
    expect(codeOf(reply)).toBe('step_up_needed')
    expect(await findMade(username)).toBe(undefined)
  })
})

describe('an agent code with credit', () => {
  const makeCode = async (by: TestCaller): Promise<string> => {
    const { code } = (await by.post('/mgluser/agent_codes', { opening_credit_satang: 5_000 })).json.data
    expect(codeOf(await switchTo(by, code, false))).toBe('ok')
    return code
  }
  const switchTo = (by: TestCaller, code: string, is_active: boolean) =>
    by.post(`/mgluser/agent_codes/${code}/switch`, { is_active, reason: 'because' })
  const lockCodes = (user_id: number): RawBuilder<unknown> =>
    sql`select ${takeLock('agentCodes', sql`${user_id}::int`)}`

  // Regression: the code was created with the permissions from before the wait.
  describe('is not made', () => {
    const send = (by: TestCaller) => () => by.post('/mgluser/agent_codes', { opening_credit_satang: 5_000 })
    const countCodes = async (user_id: number): Promise<number> => {
      const { rows } = await app.asOwner<{ count: number }>`
        select count(*)::int as count from agent_codes where user_id = ${user_id}`
      return rows[0]!.count
    }

    test('by an assistant who has lost the area credit meanwhile', async () => {
      const clerk = await logInAssistant('shop9', ['people', 'credit'])
      const { user_id } = await findCaller(app.db, 'shop9')
      const before = await countCodes(user_id)
      expect(codeOf(await loseAreas(clerk, ['people'], lockCodes(user_id), send(clerk)))).toBe('permission_missing')
      expect(await countCodes(user_id)).toBe(before)
      // Without credit it needs only the area people.
      expect(codeOf(await clerk.post('/mgluser/agent_codes', {}))).toBe('ok')
    })

    test('with a factor that has become old meanwhile', async () => {
      const user_id = await addPerson(app.owner, 'shop7', 'agent', 'company', 50_000)
      const agent = await app.logIn('shop7')
      await enrolApp(app, agent)
      const reply = await changeWhileLocked(app.owner, lockCodes(user_id), send(agent), () => ageFactor(agent))
      expect(codeOf(reply)).toBe('step_up_needed')
      expect(await countCodes(user_id)).toBe(0)
    })
  })

  test('is not switched on by an assistant who has lost the area credit meanwhile', async () => {
    const clerk = await logInAssistant('shop9', ['people', 'credit'])
    const { user_id } = await findCaller(app.db, 'shop9')
    const code = await makeCode(clerk)
    const send = () => switchTo(clerk, code, true)
    expect(codeOf(await loseAreas(clerk, ['people'], lockCodes(user_id), send))).toBe('permission_missing')
    // Switching off needs no credit.
    expect(codeOf(await switchTo(clerk, code, false))).toBe('ok')
  })

  test('is not switched on with a factor that has become old meanwhile', async () => {
    const user_id = await addPerson(app.owner, 'shop8', 'agent', 'company', 50_000)
    const agent = await app.logIn('shop8')
    const code = await makeCode(agent)
    await enrolApp(app, agent)
    const send = () => switchTo(agent, code, true)
    const reply = await changeWhileLocked(app.owner, lockCodes(user_id), send, () => ageFactor(agent))
    expect(codeOf(reply)).toBe('step_up_needed')
  })
})

test.each(['reset_factors', 'reset_password', 'change_office_role'] as const)(
  'a proposal of %s is not approved while its proposer may do less than the user',
  async (kind) => {
    const areas: readonly Area[] = ['staff', 'people', 'tickets', 'terms', 'risk']
    const clerk = await logInAssistant('office01', areas)
    await addFactor(app, people.support)
    const payload = { user_id: people.support, ...(kind === 'change_office_role' && { office_role: 'risk' }) }
    const approval = await mustPropose(clerk, kind, payload)
    await setAreas(clerk, ['staff'])
    const reply = await approve(people.second, approval)
    expect([codeOf(reply), reply.json.error?.details]).toEqual(['approval_outdated', { changed: 'proposer' }])
    await setAreas(clerk, areas)
    expect(codeOf(await approve(people.second, approval))).toBe('ok')
  },
)
