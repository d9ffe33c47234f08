// A call takes no more connections than it needs, and long reports take none from lists.

import {
  checkMaintenance,
  exportTransactions,
  exportWinLossSummary,
  getCreditInfo,
  getPerson,
  getWinLossSummary,
  isChange,
  listAudit,
  listOrders,
  listPeople,
  listPeriodWinLoss,
  listProductPeriod,
  listTransactions,
  listTypeSums,
  listWinners,
  routes,
} from '@megalot/contract'
import type { KyselyPlugin } from 'kysely'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { REPORT_CONNECTIONS } from '../src/postgres/db.ts'
import { codeOf, holdLock, openPeriod } from './scenes.ts'
import { cloneDatabase } from './test-database.ts'
import { appOn, startTestApp } from './test-app.ts'

const app = await startTestApp()

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

/** Without a time limit: a busy machine is slow. */
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

/**
 * Sends this many at once.
 * @returns the codes of the replies so far, and all of them
 */
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

// Regression: an unauthenticated client with a thousand calls per second had every connection for calls.
test('unauthenticated maintenance checks share one connection', async () => {
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
  // Without tickets, because news of a ticket reads its period at an arbitrary time.
  const app = await startTestApp()
  const [member, agent, other] = [await app.logIn('member01'), await app.logIn('agent01'), await app.logIn('member02')]
  for (const [caller, path] of [
    [member, listProductPeriod.path],
    [agent, getPerson.path.replace(':user_id', String(member.user_id))],
  ] as const) {
    const lock = await holdLock(app.owner, sql`lock table periods, user_packages, play_limits in access exclusive mode`)
    const { answered, all } = sendMany(1, () => caller.get(path).then(codeOf))
    await until(async () => (await countWaiting(app.owner)) >= 1)
    // A call's other statements wait too by then: a reply comes later than the start of all of them.
    await other.get(getCreditInfo.path)
    expect(await countWaiting(app.owner)).toBe(1)
    await lock.release()
    await all
    expect(answered).toEqual(['ok'])
  }
})

// Regression: one report sent up to four statements at a time, and took every connection for reports; two lists of
// people took those for lists.
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
    for (const route of routes.filter((each) => !isChange(each) && !each.is_stream)) {
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
