// Goal: a change that waits for a lock is not made for a caller whose session ended, or who was suspended, while it waited.

import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { takeLock } from '../src/platform/advisory-locks.ts'
import { createAssistant } from '../src/modules/staff/index.ts'
import { findCaller } from './nodes.ts'
import { codeOf, FIRST_PASSWORD, makeTicket, openPeriod, placeTicket, waitForLock } from './scenes.ts'
import { startTestApp, type TestApp, type TestCaller } from './test-app.ts'

let app: TestApp
let member: TestCaller
let clerk_id: number

beforeAll(async () => {
  app = await startTestApp()
  member = await app.logIn('member02')
  const clerk = await createAssistant(app.db, await findCaller(app.db, 'agent01'), {
    ...{ username: 'clerk1', display_name: 'clerk1', password: FIRST_PASSWORD, areas: ['reports'] },
  })
  clerk_id = clerk.user_id
})

const setStatus = ({ user_id }: TestCaller, own_status: string) =>
  sql`update users set own_status = ${own_status} where user_id = ${user_id}`.execute(app.owner)

const endSession = ({ user_id }: TestCaller) =>
  sql`update sessions set ended_at = clock_timestamp(), end_reason = 'replaced'
    where user_id = ${user_id} and ended_at is null`.execute(app.owner)

/** What the changes below would change. */
async function readState(): Promise<object> {
  const { rows } = await sql<object>`
    select (select jsonb_agg(floor_satang order by account_id) from accounts where kind = 'cash') as credit,
      (select jsonb_agg(jsonb_build_array(display_name, own_status, package_ids, assistant_areas) order by user_id)
        from users where level = 'member' or principal_id is not null) as users,
      (select jsonb_agg(status order by order_id) from orders) as orders,
      (select count(*)::int from audit_log where action not in ('log_in', 'log_off')) as audits`.execute(app.owner)
  return rows[0]!
}

const cash = () => sql`select 1 from accounts where user_id = ${member.user_id} and kind = 'cash' for update`
const row = () => sql`select 1 from users where user_id = ${member.user_id} for update`
const hierarchy = () => sql`select ${takeLock('userHierarchy')}`

const many = (rest: object) => ({ request_id: randomUUID(), reason: 'because', ...rest })
const ids = () => ({ user_ids: [member.user_id] })

const changes: readonly [string, () => ReturnType<typeof sql>, (agent: TestCaller) => Promise<Parameters<typeof codeOf>[0]>][] =
  [
    [
      'a credit limit',
      cash,
      (agent) => agent.post(`/mgluser/downline/${member.user_id}/credit_limit`, { credit_limit_satang: 4_321_000 }),
    ],
    [
      'the credit limits of many',
      cash,
      (agent) =>
        agent.post(
          '/mgluser/people/bulk/credit',
          many({ rows: [{ user_id: member.user_id, credit_limit_satang: 4_321_000 }] }),
        ),
    ],
    [
      'the credit of a new member',
      () => sql`select 1 from accounts join users using (user_id) where username = 'agent01' and kind = 'cash' for update`,
      (agent) =>
        agent.post('/mgluser/people', {
          request_id: randomUUID(),
          level: 'member',
          username: 'late',
          display_name: 'late',
          password: FIRST_PASSWORD,
          credit_limit_satang: 100,
        }),
    ],
    [
      'names',
      row,
      (agent) =>
        agent.post('/mgluser/people/bulk/names', many({ rows: [{ user_id: member.user_id, display_name: 'late' }] })),
    ],
    [
      'a status',
      hierarchy,
      (agent) =>
        agent.post(`/mgluser/downline/${member.user_id}/status`, { own_status: 'SUSPENDED', reason: 'because' }),
    ],
    [
      'the statuses of many',
      hierarchy,
      (agent) => agent.post('/mgluser/people/bulk/status', many({ ...ids(), own_status: 'SUSPENDED' })),
    ],
    [
      'packages',
      hierarchy,
      (agent) =>
        agent.post(`/mgluser/downline/${member.user_id}/packages/take`, {
          packages: [{ product_code: 'yeekee', package_code: '70' }],
          reason: 'because',
        }),
    ],
    [
      'the areas of an assistant',
      hierarchy,
      (agent) => agent.post(`/mgluser/staff/${clerk_id}/areas`, { areas: ['people'], reason: 'because' }),
    ],
    [
      'a ticket',
      cash,
      async (agent) => agent.post(`/api/order/${order_id}/delete`, { reason: 'because' }),
    ],
  ]
let order_id: number

describe.each(changes)('%s of a caller', (_name, lock, send) => {
  test.each([
    ['was suspended', (caller: TestCaller) => setStatus(caller, 'SUSPENDED'), 'session_suspended'],
    ['has another session', endSession, 'session_replaced'],
  ] as const)('who %s while the change waited: nothing is changed', async (_change, end, refusal) => {
    const agent = await app.logIn('agent01')
    // A suspension ends the sessions of everybody below.
    member = await app.logIn('member02')
    ;({ order_id } = await placeTicket(member, makeTicket(await openPeriod(app.db))))
    const before = await readState()
    let sent!: ReturnType<typeof send>
    await app.owner.transaction().execute(async (tx) => {
      await lock().execute(tx)
      sent = send(agent)
      await waitForLock(app.owner)
      await end(agent)
    })
    const code = codeOf(await sent)
    await setStatus(agent, 'NORMAL')
    expect(code).toBe(refusal)
    expect(await readState()).toEqual(before)
  })
})
