// Goal: who runs long reports delays neither the lists of others nor, by its assistants, the reports of others; who sends many changes
// delays nobody but itself; who has waited is verified again.

import { randomUUID } from 'node:crypto'
import {
  checkMaintenance,
  exportTransactions,
  exportWinLossSummary,
  findOrderByRequestId,
  getCreditInfo,
  getPerson,
  getWinLossSummary,
  listAnnouncements,
  listAudit,
  listDayPeriods,
  listOrders,
  listOutstanding,
  listPeople,
  listPeriodWinLoss,
  listProductPeriod,
  listTransactions,
  listTypeSums,
  listWinners,
  readBook,
  type Route,
  routes,
} from '@megalot/contract'
import type { KyselyPlugin } from 'kysely'
import { sql } from 'kysely'
import { beforeAll, expect, test, vi } from 'vitest'
import { REPORT_CONNECTIONS } from '../src/platform/db.ts'
import { findCaller } from './nodes.ts'
import { addAssistant, addPerson, announce, codeOf, holdLock, makeTicket, openPeriod, placeTicket } from './scenes.ts'
import { cloneDatabase } from './test-database.ts'
import { appOn, startTestApp, type TestApp, type TestCaller } from './test-app.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})

test('lists are read while every connection for reports is in use', async () => {
  const [member, agent] = [await app.logIn('member01'), await app.logIn('agent01')]
  let release!: () => void
  const released = new Promise<void>((resolve) => (release = resolve))
  const taken: Promise<unknown>[] = []
  const ended = Array.from({ length: REPORT_CONNECTIONS }, () => {
    let take!: () => void
    taken.push(new Promise<void>((resolve) => (take = resolve)))
    return app.reports.transaction().execute(async (tx) => {
      await sql`select 1`.execute(tx)
      take()
      await released
    })
  })
  await Promise.all(taken)
  for (const [caller, path] of [
    [member, listOrders.path],
    [member, listTransactions.path],
    [agent, listOrders.path],
    [agent, listPeople.path],
  ] as const)
    expect(codeOf(await caller.get(path)), `GET ${path}`).toBe('ok')
  release()
  await Promise.all(ended)
})

test('an agent and its assistants have one report that runs and six that wait; others have their own', async () => {
  const agent = await app.logIn('agent01')
  const assistants = [
    await addAssistant(app, 'agent01', ['reports'], 'clerk1'),
    await addAssistant(app, 'agent01', ['reports'], 'clerk2'),
  ]
  const company = await app.logIn('company')
  // A report waits for this table.
  const lock = await holdLock(app.owner, sql`lock table member_periods in access exclusive mode`)
  const answered: string[] = []
  const asked = [agent, ...assistants].flatMap((caller) =>
    Array.from({ length: 3 }, async () => {
      answered.push(codeOf(await caller.get(listOutstanding.path)))
    }),
  )
  await vi.waitUntil(() => answered.length >= 2)
  expect(answered).toEqual(['too_many_requests', 'too_many_requests'])
  const ofCompany = company.get(listOutstanding.path)
  await lock.release()
  await Promise.all(asked)
  expect(answered.slice(2)).toEqual(Array.from({ length: 7 }, () => 'ok'))
  expect(codeOf(await ofCompany)).toBe('ok')
})

/** Without a limit of time: a busy machine is slow. */
async function until(isMet: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isMet())) await new Promise(setImmediate)
}

async function countWaiting(owner = app.owner): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
    owner,
  )
  return rows[0]!.count
}

/** Sends so many at once. @returns the codes of the replies so far, and all of them */
function sendMany(
  count: number,
  send: (each: number) => Promise<string>,
): { answered: string[]; all: Promise<unknown> } {
  const answered: string[] = []
  const all = Promise.all(
    Array.from({ length: count }, async (_, each) => {
      answered.push(await send(each))
    }),
  )
  return { answered, all }
}

test('changes of one member take one connection, and delay neither its reads and tickets nor the changes of others', async () => {
  const [member, other] = [await app.logIn('member01'), await app.logIn('member02')]
  const period_code = await openPeriod(app.owner)
  const {
    rows: [notice],
  } = await sql<{ notice_id: number }>`
    insert into notices (kind, period_id) select 'period_voided', period_id from periods where period_code = ${period_code}
    returning notice_id`.execute(app.owner)
  const lock = await holdLock(
    app.owner,
    sql`insert into notice_reads (user_id, up_to_at) values (${member.user_id}, clock_timestamp())
      on conflict (user_id) do update set up_to_at = excluded.up_to_at`,
  )
  const notices = (caller: TestCaller) =>
    caller.post('/api/notice/read', { up_to_notice_id: notice!.notice_id }).then(codeOf)
  const { answered, all } = sendMany(40, () => notices(member))
  await until(() => answered.length >= 31)
  await until(async () => (await countWaiting()) === 1)
  expect(answered).toEqual(Array.from({ length: 31 }, () => 'too_many_requests'))
  expect(codeOf(await member.get(getCreditInfo.path))).toBe('ok')
  expect((await placeTicket(member, makeTicket(period_code))).status).toBe('CONFIRMED')
  expect(await notices(other)).toBe('ok')
  expect(await countWaiting()).toBe(1)
  await lock.release()
  await all
  expect(answered.slice(31)).toEqual(Array.from({ length: 9 }, () => 'ok'))
})

// Defect: a member with a hundred small reads at once had every connection for calls, and the bets of others waited for theirs.
test('reads of one member take three connections, and a call of somebody else has one', async () => {
  const [member, other] = [await app.logIn('member01'), await app.logIn('member02')]
  const lock = await holdLock(app.owner, sql`lock table announcements in access exclusive mode`)
  const { answered, all } = sendMany(60, () => member.get(listAnnouncements.path).then(codeOf))
  await until(() => answered.length >= 17)
  await until(async () => (await countWaiting()) >= 3)
  expect(answered).toEqual(Array.from({ length: 17 }, () => 'too_many_requests'))
  expect(await countWaiting()).toBe(3)
  expect(codeOf(await other.get(getCreditInfo.path))).toBe('ok')
  await lock.release()
  await all
  expect(answered.slice(17)).toEqual(Array.from({ length: 43 }, () => 'ok'))
})

// Defect: look-ups of lost tickets wait while a writer hangs, and other reads of the member waited behind them.
test('look-ups of lost tickets that wait for a writer keep no other read of the member waiting', async () => {
  const member = await app.logIn('member01')
  const lock = await holdLock(app.owner, sql`lock table orders in row exclusive mode`)
  const { answered, all } = sendMany(50, () =>
    member.get(findOrderByRequestId.path.replace(':request_id', randomUUID())).then(codeOf),
  )
  expect(codeOf(await member.get(getCreditInfo.path))).toBe('ok')
  expect(answered).toEqual([])
  await lock.release()
  await all
})

// Defect: as many as the budget of a minute has ran at once.
test('look-ups of lost tickets of one member are bounded at once', async () => {
  const member = await app.logIn('member01')
  const lock = await holdLock(app.owner, sql`lock table orders in row exclusive mode`)
  const { answered, all } = sendMany(90, () =>
    member.get(findOrderByRequestId.path.replace(':request_id', randomUUID())).then(codeOf),
  )
  await until(() => answered.length >= 22)
  await lock.release()
  await all
  expect(answered).toEqual([...Array(22).fill('too_many_requests'), ...Array(68).fill('not_found')])
})

// Defect: a stranger who asked a thousand times a second had every connection for calls.
test('strangers who ask whether there is maintenance take one connection', async () => {
  const lock = await holdLock(app.owner, sql`lock table maintenances in access exclusive mode`)
  const { answered, all } = sendMany(40, () => app.call('GET', checkMaintenance.path).then(codeOf))
  await until(async () => (await countWaiting()) >= 1)
  for (let each = 0; each < 20; each += 1) await new Promise(setImmediate)
  expect(await countWaiting()).toBe(1)
  await lock.release()
  await all
  expect(answered).toEqual(Array(40).fill('ok'))
})

test('a read that has several statements holds one connection', async () => {
  // Without tickets: the news of one, which comes at its own time, reads its period.
  const app = await startTestApp()
  const [member, agent, other] = [await app.logIn('member01'), await app.logIn('agent01'), await app.logIn('member02')]
  for (const [caller, path] of [
    [member, listProductPeriod.path],
    [agent, getPerson.path.replace(':user_id', String(member.user_id))],
  ] as const) {
    const lock = await holdLock(app.owner, sql`lock table periods, user_packages, play_limits in access exclusive mode`)
    const { answered, all } = sendMany(1, () => caller.get(path).then(codeOf))
    await until(async () => (await countWaiting(app.owner)) >= 1)
    // Whatever else the call has begun waits as well by then: an answer comes later than the begin of all its statements.
    await other.get(getCreditInfo.path)
    expect(await countWaiting(app.owner)).toBe(1)
    await lock.release()
    await all
    expect(answered).toEqual(['ok'])
  }
})

test('an agent has several changes at a time and more that wait, with its assistants', async () => {
  const agent = await app.logIn('agent01')
  const { user_id } = await findCaller(app.db, 'member01')
  const name = (caller: TestCaller) => (each: number) =>
    caller
      .post('/mgluser/people/bulk/names', {
        request_id: randomUUID(),
        rows: [{ user_id, display_name: `member ${each}` }],
        reason: 'spelling',
      })
      .then(codeOf)
  const lock = await holdLock(app.owner, sql`lock table users in exclusive mode`)
  const { answered, all } = sendMany(40, name(agent))
  await until(() => answered.length >= 7)
  expect(answered).toEqual(Array.from({ length: 7 }, () => 'too_many_requests'))
  await until(async () => (await countWaiting()) >= 3)
  expect(await countWaiting()).toBe(3)
  await lock.release()
  await all
  expect(answered).toHaveLength(40)
})

test('an assistant with many changes does not keep its principal from ending its session', async () => {
  const [agent, assistant] = [await app.logIn('agent01'), await addAssistant(app, 'agent01', ['reports'], 'clerk3')]
  const lock = await holdLock(app.owner, sql`select 1 from users where user_id = ${assistant.user_id} for update`)
  const { answered, all } = sendMany(80, () => assistant.post('/mgluser/factors/1/name', { name: 'x' }).then(codeOf))
  await until(() => answered.length >= 47)
  const ended = sendMany(1, () =>
    agent.post(`/mgluser/staff/${assistant.user_id}/sessions/end`, { reason: 'because' }).then(codeOf),
  )
  await until(async () => ended.answered.length > 0 || (await countWaiting()) >= 2)
  await lock.release()
  await Promise.all([all, ended.all])
  expect(ended.answered).toEqual(['ok'])
  expect(answered.filter((code) => code === 'too_many_requests')).toHaveLength(71)
})

test('a change that has waited for its turn is not made for somebody who was suspended meanwhile', async () => {
  const office = await app.logIn('office02')
  const announce_id = await announce(app.owner)
  // This change does not verify its caller again in its transaction.
  const lock = await holdLock(app.owner, sql`select 1 from announcements where announce_id = ${announce_id} for update`)
  const read = () => office.post(`/api/admin/announcement/${announce_id}/read`).then(codeOf)
  const { all, answered } = sendMany(6, read)
  await until(async () => (await countWaiting()) >= 3)
  await sql`update users set own_status = 'SUSPENDED' where user_id = ${office.user_id}`.execute(app.owner)
  await lock.release()
  await all
  expect(answered.toSorted()).toEqual([...Array(3).fill('ok'), ...Array(3).fill('session_suspended')])
})

test('a report that has waited is not sent to a caller whose session has ended meanwhile', async () => {
  const agent = await app.logIn('agent01')
  const lock = await holdLock(app.owner, sql`lock table member_periods in access exclusive mode`)
  const { answered, all } = sendMany(8, () => agent.get(listOutstanding.path).then(codeOf))
  // One is refused: the seven others are in the lane.
  await until(async () => answered.length >= 1 && (await countWaiting()) >= 1)
  await sql`update sessions set ended_at = clock_timestamp(), end_reason = 'ended_by_staff'
    where user_id = ${agent.user_id} and ended_at is null`.execute(app.owner)
  await lock.release()
  await all
  expect(answered).toEqual(['too_many_requests', 'ok', ...Array(6).fill('session_ended')])
})

test('lists of one agent and its assistants leave a connection to others, and those that wait are sent to whoever is still signed in', async () => {
  const agent = await app.logIn('agent01')
  const assistant = await addAssistant(app, 'agent01', ['reports'], 'clerk10')
  const member = await app.logIn('member01')
  const period_code = await openPeriod(app.owner)
  const { order_id } = await placeTicket(member, makeTicket(period_code))
  const lock = await holdLock(app.owner, sql`lock table audit_log in access exclusive mode`)
  const { answered, all } = sendMany(170, () => agent.get(listAudit.path).then(codeOf))
  await until(async () => answered.length >= 8 && (await countWaiting()) >= 2)
  expect(answered).toEqual(Array(8).fill('too_many_requests'))
  expect(await countWaiting()).toBe(2)
  const orders = await member.get(listOrders.path)
  expect(orders.json.data[0]?.order_id).toBe(order_id)
  expect(codeOf(await assistant.get(listOutstanding.path))).toBe('ok')
  expect(codeOf(await assistant.get(listTransactions.path))).toBe('too_many_requests')
  await sql`update sessions set ended_at = clock_timestamp(), end_reason = 'ended_by_staff'
    where user_id = ${agent.user_id} and ended_at is null`.execute(app.owner)
  await lock.release()
  await all
  expect(answered.slice(8).toSorted()).toEqual(['ok', 'ok', ...Array(160).fill('session_ended')])
})

// Defect: each date that nobody had asked for summed up a day, on every connection for reports.
test('days of one agent run two at a time, and are paid from no budget', async () => {
  const agent = await app.logIn('agent01')
  const lock = await holdLock(app.owner, sql`lock table member_periods in access exclusive mode`)
  let day = 0
  const { answered, all } = sendMany(170, () => {
    day += 1
    const date = new Date(Date.UTC(2027, 0, day)).toISOString().slice(0, 10)
    return agent.get(`/api/draw_day/periods?date=${date}`).then(codeOf)
  })
  await until(async () => answered.length >= 8 && (await countWaiting()) >= 2)
  expect(answered).toEqual(Array(8).fill('too_many_requests'))
  expect(await countWaiting()).toBe(2)
  await lock.release()
  await all
  expect(answered.slice(8)).toEqual(Array(162).fill('ok'))
  const node = await appOn(app, { COSTLY_CALLS_PER_MINUTE: '1' })
  const polling = await node.logIn('agent01')
  for (let each = 0; each < 5; each += 1) expect(codeOf(await polling.get('/api/draw_day/periods'))).toBe('ok')
})

// Defect: a member that read a thousand times a second doubled what bets took, though seven of eight calls were refused: each looked up its caller.
test('a call of a session whose lane is full is refused without a query', async () => {
  const database = await cloneDatabase()
  let queries = 0
  const counting: KyselyPlugin = {
    transformQuery: ({ node }) => {
      queries += 1
      return node
    },
    transformResult: async ({ result }) => result,
  }
  const node = await appOn({ ...database, db: database.db.withPlugin(counting) })
  const member = await node.logIn('member01')
  const lock = await holdLock(database.owner, sql`lock table announcements in access exclusive mode`)
  const { answered, all } = sendMany(60, () => member.get(listAnnouncements.path).then(codeOf))
  await until(() => answered.length >= 17)
  const before = queries
  const codes: string[] = []
  for (let each = 0; each < 100; each += 1) codes.push(codeOf(await member.get(listAnnouncements.path)))
  expect(codes).toEqual(Array(100).fill('too_many_requests'))
  // One a second looks up the caller again.
  expect(queries - before).toBeLessThan(20)
  await lock.release()
  await all
  expect(codeOf(await member.get(listAnnouncements.path))).toBe('ok')
})

test('every row that reads by the connections for lists says so', async () => {
  const database = await cloneDatabase()
  let count = 0
  const counting: KyselyPlugin = {
    transformQuery: ({ node }) => {
      count += 1
      return node
    },
    transformResult: async ({ result }) => result,
  }
  const node = await appOn({ ...database, lists: database.lists.withPlugin(counting) })
  const callers = [await node.logIn('member01'), await node.logIn('agent01'), await node.logIn('office01')]
  const order_id = (await placeTicket(callers[0]!, makeTicket(await openPeriod(node.owner)))).order_id
  const reading = new Set<string>()
  for (const route of routes.filter(({ method, is_stream }) => method === 'GET' && !is_stream)) {
    const values: Record<string, string> = {
      user_id: String(callers[0]!.user_id),
      order_id: String(order_id),
      product_code: 'lao-vip',
    }
    const path = route.path.replaceAll(/:(\w+)/g, (_, name: string) => values[name] ?? '1')
    for (const query of [
      '',
      '?period_code=thai-government-20261201',
      '?product_code=lao-vip',
      '?date_from=2026-12-01&date_to=2026-12-01',
    ])
      for (const caller of callers) {
        const before = count
        await caller.get(path + query)
        if (count > before) reading.add(route.name)
      }
  }
  const lists = routes.filter(({ is_list }) => is_list === true).map(({ name }) => name)
  // These sum up by the connections for reports, every few seconds for each page.
  for (const { name } of [listDayPeriods, readBook]) reading.add(name)
  expect([...reading].toSorted()).toEqual(lists.toSorted())
})

// Defect: one report sent up to four statements at a time, and took every connection for reports; two lists of people took those for lists.
test.each(['reports', 'lists'] as const)(
  'no call has more than one statement at a time on the connections for %s',
  async (pool) => {
    const database = await cloneDatabase()
    const running = new Set<object>()
    let most = 0
    const counting: KyselyPlugin = {
      transformQuery: ({ node, queryId }) => {
        running.add(queryId)
        most = Math.max(most, running.size)
        return node
      },
      transformResult: async ({ result, queryId }) => {
        running.delete(queryId)
        return result
      },
    }
    const node = await appOn({ ...database, [pool]: database[pool].withPlugin(counting) })
    const callers = [await node.logIn('member01'), await node.logIn('agent01'), await node.logIn('office01')]
    const days = { date_from: '2026-12-01', date_to: '2026-12-01' }
    const values: Record<string, string> = {
      user_id: String(callers[0]!.user_id),
      period_code: await openPeriod(node.owner),
    }
    const queries = ['', new URLSearchParams(days).toString(), 'is_online=false', `period_code=${values.period_code}`]
    const parallel = new Set<string>()
    const failed: string[] = []
    const reading = new Set<string>()
    const isReading = ({ cost, is_list }: Route): boolean =>
      pool === 'lists' ? is_list === true && cost !== 'report' : cost === 'report' || cost === 'export'
    for (const route of routes.filter(isReading)) {
      const path = route.path.replaceAll(/:(\w+)/g, (_, name: string) => values[name] ?? '1')
      for (const caller of callers)
        for (const query of route.method === 'GET' ? queries : ['']) {
          most = 0
          // A statement that failed has no result.
          running.clear()
          const { http } = await (route.method === 'GET' ? caller.get(`${path}?${query}`) : caller.post(path, days))
          if (http >= 500) failed.push(`${route.name} ${query}: ${http}`)
          if (most > 0) reading.add(route.name)
          if (most > 1) parallel.add(route.name)
        }
    }
    expect({ parallel: [...parallel], failed }).toEqual({ parallel: [], failed: [] })
    const found = {
      reports: [
        exportTransactions,
        exportWinLossSummary,
        getWinLossSummary,
        listPeriodWinLoss,
        listTypeSums,
        listWinners,
      ],
      lists: [listAudit, listOrders, listPeople, listTransactions],
    }
    for (const { name } of found[pool]) expect(reading).toContain(name)
  },
)

// Defect: the boards of one agent waited without a bound in front of those of all others.
test('the risk boards of one agent wait for one another, and not those of others for all of them', async () => {
  const [agent, company] = [await app.logIn('agent01'), await app.logIn('company')]
  await addPerson(app.owner, 'agent21', 'agent', 'company')
  const other = await app.logIn('agent21')
  const { rows } = await sql<{ period_code: string }>`
    select period_code from periods order by period_id desc limit 20`.execute(app.owner)
  const lock = await holdLock(app.owner, sql`lock table member_periods in access exclusive mode`)
  const answered: TestCaller[] = []
  const read = async (caller: TestCaller, period_code: string) => {
    expect(codeOf(await caller.get(`/api/book/${period_code}`))).toBe('ok')
    answered.push(caller)
  }
  const boards = rows.map(({ period_code }) => read(agent, period_code))
  await until(async () => (await countWaiting()) >= 2)
  const ofOther = read(other, rows[0]!.period_code)
  // The house's book is no sum, and waits for none. After several reads of it the call of the other agent has come to the sums.
  for (let times = 1; times <= 10; times += 1) await read(company, rows[0]!.period_code)
  await lock.release()
  answered.length = 0
  await Promise.all([...boards, ofOther])
  expect(answered).toHaveLength(21)
  expect(answered.indexOf(other)).toBeLessThan(11)
})
