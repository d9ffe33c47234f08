// A change that waits for a lock is not made if its caller's session ended, or its caller was suspended, meanwhile.

import type { Order } from '@megalot/contract'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../src/postgres/db.ts'
import { closeAtFileEnd } from './file-end.ts'
import { changeWhileLocked, codeOf, makeTicket, openPeriod, placeTicket } from './scenes.ts'
import { appOn, startTestApp, type TestApp, type TestCaller } from './test-app.ts'

let app: TestApp
let member: TestCaller
let order: Order

beforeAll(async () => {
  app = await startTestApp()
  member = await app.logIn('member02')
})

const setStatus = ({ user_id }: TestCaller, own_status: string) =>
  sql`update users set own_status = ${own_status} where user_id = ${user_id}`.execute(app.owner)

const endSession = ({ user_id }: TestCaller) =>
  sql`update sessions set ended_at = clock_timestamp(), end_reason = 'replaced'
    where user_id = ${user_id} and ended_at is null`.execute(app.owner)

/** The state that the changes below would modify. */
async function readState(): Promise<object> {
  const { rows } = await sql<object>`
    select (select jsonb_agg(floor_satang order by account_id) from accounts where kind = 'cash') as credit,
      (select jsonb_agg(jsonb_build_array(display_name, own_status, package_ids, assistant_areas) order by user_id)
        from users where level = 'member' or principal_id is not null) as users,
      (select jsonb_agg(status order by order_id) from orders) as orders,
      (select count(*)::int from audit_log where action not in ('log_in', 'log_off')) as audits`.execute(app.owner)
  return rows[0]!
}

interface LateChange {
  name: string
  /** What it waits for. */
  lock: () => ReturnType<typeof sql>
  send: (agent: TestCaller) => Promise<Parameters<typeof codeOf>[0]>
}

const cashOf = (username: string) => () =>
  sql`select 1 from accounts join users using (user_id)
    where username = ${username} and kind = 'cash' for update of accounts`
const reason = 'because'

const changes: readonly LateChange[] = [
  {
    name: 'a credit limit',
    lock: cashOf('member02'),
    send: (agent) => agent.post(`/mgluser/downline/${member.user_id}/credit_limit`, { credit_limit_satang: 4_321_000 }),
  },
  {
    name: 'the deletion of a ticket',
    lock: cashOf('member02'),
    send: (agent) => agent.post(`/api/order/${order.order_id}/delete`, { reason }),
  },
]

/**
 * Sends a change that waits for a lock, and ends its caller's rights meanwhile.
 * @returns the reply's code
 */
async function endWhileWaiting(
  { lock, send }: LateChange,
  agent: TestCaller,
  end: (caller: TestCaller) => Promise<unknown>,
): Promise<string> {
  return codeOf(
    await changeWhileLocked(
      app.owner,
      lock(),
      () => send(agent),
      () => end(agent),
    ),
  )
}

const ends = [
  { who: 'has another session', end: endSession, refusal: 'session_replaced' },
  { who: 'was suspended', end: (caller: TestCaller) => setStatus(caller, 'SUSPENDED'), refusal: 'session_suspended' },
] as const

const cases = changes.flatMap((change) => ends.map((end) => ({ ...change, ...end })))

test.each(cases)('$name is not made for a caller who $who while it waits', async ({ end, refusal, ...change }) => {
  const agent = await app.logIn('agent01')
  // A suspension ends the sessions of all users below.
  member = await app.logIn('member02')
  order = await placeTicket(member, makeTicket(await openPeriod(app.owner)))
  const before = await readState()
  const code = await endWhileWaiting(change, agent, end)
  await setStatus(agent, 'NORMAL')
  expect(code).toBe(refusal)
  expect(await readState()).toEqual(before)
})

test('a change verifies its caller without a second connection, which could deadlock', async () => {
  const one = openDatabase({ url: app.url, role: 'megalot_app', maxConnections: 1 })
  closeAtFileEnd(() => one.close())
  const node = await appOn({ ...app, db: one.db })
  const agent = await node.logIn('agent01')
  const credit = (satang: number) => ({ credit_limit_satang: satang })
  const path = `/mgluser/downline/${member.user_id}/credit_limit`
  expect(codeOf(await agent.post(path, credit(4_321_000)))).toBe('ok')
})
