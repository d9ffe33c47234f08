// Goal: the office sets numbers by hand, many at once or none at all, and every setting is audited.

import { changeAs } from '../../../test/changes.ts'
import pg from 'pg'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { addPerson, makeTicket, openPeriod, waitForLock } from '../../../test/scenes.ts'
import { startTestApp, type TestCaller } from '../../../test/test-app.ts'
import { lockPeriodShared } from '../index.ts'
import { setLimitNumber } from './limit-rule-changes.ts'
import { listLimitNumbers, listNumbers } from './limit-numbers.service.ts'
import { listQuotas } from './quota-settings.store.ts'
import { setPackageQuota, setQuota } from './quota-changes.ts'

let period_code: string

const app = await startTestApp()
const office = await app.logIn('office01')
const member = await app.logIn('member01')
beforeEach(async () => {
  period_code = await openPeriod(app.owner)
})

const listAudits = (subject: string) =>
  app.owner
    .selectFrom('audit_log')
    .select(['actor_id', 'action', 'before', 'after', 'reason'])
    .where('subject', '=', subject)
    .orderBy('audit_id')
    .execute()

// Defect: only members were bound to their packages; an agent read the quotas of any package.
test('a member and an agent read what the quota of a package limits only of packages that they have', async () => {
  await addPerson(app.owner, 'agent22', 'agent', 'company')
  const [other, agent, company] = [await app.logIn('member02'), await app.logIn('agent01'), await app.logIn('company')]
  const otherAgent = await app.logIn('agent22')
  await app.owner
    .deleteFrom('user_packages')
    .where('user_id', 'in', [other.user_id, otherAgent.user_id])
    .where('package_id', 'in', app.owner.selectFrom('packages').select('package_id').where('package_code', '=', '90'))
    .execute()
  const quota = { full_satang: 0, half_satang: 0 }
  const place = { product_code: 'thai-government', package_code: '90', bet_type: '3top' } as const
  await changeAs(app.db, office.user_id, setPackageQuota, { ...place, quota, reason: 'too much' })
  const countOf = async (caller: TestCaller) =>
    (await caller.get(`/api/game_config/limit_number/${period_code}?package_code=90`)).json.data.length
  const counts = []
  for (const caller of [member, other, agent, otherAgent, company, office]) counts.push(await countOf(caller))
  expect(counts).toEqual([1_000, 0, 1_000, 0, 1_000, 1_000])
  await changeAs(app.db, office.user_id, setPackageQuota, { ...place, quota: null, reason: 'enough' }, 'approved')
})

// Defect: each page that shows a period read its limited numbers for itself at each news of them.
test('all who ask for the limited numbers of a period in one moment share few reads', async () => {
  const url = `/api/game_config/limit_number/${period_code}`
  // Each has a lane of its own.
  const callers = [member]
  for (let each = 2; each <= 9; each += 1) callers.push(await app.logIn(`member0${each}`))
  const query = vi.spyOn(pg.Client.prototype, 'query')
  const replies = await Promise.all(callers.flatMap((caller) => [caller.get(url), caller.get(url)]))
  const statements = query.mock.calls.map(([first]: unknown[]) => JSON.stringify(first))
  query.mockRestore()
  expect(replies.map(({ http }) => http)).toEqual(Array(18).fill(200))
  const reads = statements.filter((statement) => statement.includes('from number_quotas'))
  expect(reads.length).toBeLessThan(10)
  expect(reads.length).toBeGreaterThan(0)
})

/** Sets a number of the period by hand. */
const setNumber = (bet_type: '3top' | '3roll' | '3front', number: string, set_to: 'half' | 'closed', reason?: string) =>
  changeAs(app.db, office.user_id, setLimitNumber, { period_code, bet_type, number, set_to, ...(reason && { reason }) })

describe('a number set by hand', () => {
  test('is audited, a roll once for all orders of its digits', async () => {
    await setNumber('3roll', '321', 'half', 'many bets')
    await setNumber('3top', '456', 'half')
    await setNumber('3roll', '213', 'closed')
    const [roll, top] = [
      { bet_type: '3roll', number: '123' },
      { bet_type: '3top', number: '456' },
    ]
    expect(await listLimitNumbers(app.db, period_code)).toEqual([
      { ...roll, state: 'grey', pays_half: false },
      { ...top, state: 'yellow', pays_half: true },
    ])
    const row = { actor_id: office.user_id, action: 'set_number' }
    const of = (number: typeof roll, before: string, after: string, reason: string | null = null) => ({
      ...{ ...row, before: { ...number, set_to: before }, after: { ...number, set_to: after } },
      reason,
    })
    expect(await listAudits(`period:${period_code}`)).toEqual([
      of(roll, 'open', 'half', 'many bets'),
      of(top, 'open', 'half'),
      of(roll, 'half', 'closed'),
    ])
  })

  test.each([
    ['of another length', '3top', '12', 'bad_number'],
    ['of a bet type that the market does not offer', '3front', '123', 'bet_type_not_offered'],
  ] as const)('is refused where it is %s', async (_name, bet_type, number, code) => {
    period_code = await openPeriod(app.owner, 'lao-vip')
    await expect(setNumber(bet_type, number, 'closed')).rejects.toMatchObject({ code })
    expect(await listNumbers(app.db, period_code)).toEqual([])
    expect(await listAudits(`period:${period_code}`)).toEqual([])
  })

  // Defect: a number is closed by hand while a batch that read it as open is in flight, and is written after it.
  test('waits for batches in flight, and is refused where the period closes meanwhile', async () => {
    const setting: Promise<unknown>[] = []
    await app.owner.transaction().execute(async (tx) => {
      await lockPeriodShared(tx, period_code)
      const attempt = setNumber('3top', '123', 'closed')
      setting.push(
        attempt.then(
          () => 'set',
          (error) => error.code,
        ),
      )
      await waitForLock(app.owner)
      await tx
        .updateTable('periods')
        .set({ close_at: new Date(Date.now() - 1_000) })
        .where('period_code', '=', period_code)
        .execute()
    })
    expect(await setting[0]).toBe('period_closed')
    expect(await listNumbers(app.db, period_code)).toEqual([])
  })
})

test('numbers are listed with accepted amounts, remaining amounts and marks', async () => {
  const quota = { product_code: 'gsb', bet_type: '3top' as const, full_satang: 100_000, half_satang: 50_000 }
  await changeAs(app.db, office.user_id, setQuota, { ...quota, reason: 'standing quota' })
  expect(await listAudits('product:gsb')).toEqual([
    { actor_id: office.user_id, action: 'set_quota', before: null, after: quota, reason: 'standing quota' },
  ])
  expect((await listQuotas(app.db)).markets).toContainEqual(quota)
  period_code = await openPeriod(app.owner, 'gsb')
  const items = [
    ...[400, 850, 1_000].map((baht, index) => ({
      bet_type: '3top' as const,
      number: `00${index}`,
      bet_satang: baht * 100,
      rate: 55_000,
    })),
    { bet_type: '2top' as const, number: '12', bet_satang: 1_000, rate: 7_000 },
  ]
  const { json } = await member.post('/api/order/create', makeTicket(period_code, { items }))
  expect(json.data.status).toBe('CONFIRMED')
  await setNumber('3top', '999', 'closed')
  const limits = { full_satang: 100_000, half_satang: 50_000 }
  const top = { bet_type: '3top', set_to: 'open', ...limits }
  expect(await listNumbers(app.db, period_code)).toEqual([
    {
      bet_type: '2top',
      number: '12',
      set_to: 'open',
      accepted_satang: 1_000,
      full_satang: null,
      half_satang: 0,
      state: null,
    },
    { ...top, number: '000', accepted_satang: 40_000, state: null },
    { ...top, number: '001', accepted_satang: 85_000, state: 'yellow' },
    { ...top, number: '002', accepted_satang: 100_000, state: 'half' },
    { ...top, number: '999', accepted_satang: 0, set_to: 'closed', state: 'grey' },
  ])
})
