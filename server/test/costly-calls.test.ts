// Goal: who runs long reports delays neither the lists of others nor, by its assistants, the reports of others.

import { listOrders, listOutstanding, listPeople, listTransactions } from '@megalot/contract'
import { sql } from 'kysely'
import { beforeAll, expect, test, vi } from 'vitest'
import { createAssistant } from '../src/modules/staff/index.ts'
import { REPORT_CONNECTIONS } from '../src/platform/db.ts'
import { findCaller } from './nodes.ts'
import { codeOf, finishFirstLogIn, FIRST_PASSWORD } from './scenes.ts'
import { startTestApp, type TestApp, type TestCaller } from './test-app.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})

async function addAssistant(principal: string, username: string): Promise<TestCaller> {
  const areas = ['reports'] as const
  await createAssistant(app.db, await findCaller(app.db, principal), {
    username,
    display_name: username,
    password: FIRST_PASSWORD,
    areas: [...areas],
  })
  await finishFirstLogIn(app.owner, username)
  return app.logIn(username)
}

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
  const assistants = [await addAssistant('agent01', 'clerk1'), await addAssistant('agent01', 'clerk2')]
  const company = await app.logIn('company')
  let open!: () => void
  const opened = new Promise<void>((resolve) => (open = resolve))
  let isLocked!: () => void
  const locked = new Promise<void>((resolve) => (isLocked = resolve))
  // A report waits for this table.
  const holding = app.owner.transaction().execute(async (tx) => {
    await sql`lock table member_periods in access exclusive mode`.execute(tx)
    isLocked()
    await opened
  })
  await locked
  const answered: string[] = []
  const asked = [agent, ...assistants].flatMap((caller) =>
    Array.from({ length: 3 }, async () => {
      answered.push(codeOf(await caller.get(listOutstanding.path)))
    }),
  )
  await vi.waitUntil(() => answered.length >= 2)
  expect(answered).toEqual(['too_many_requests', 'too_many_requests'])
  const ofCompany = company.get(listOutstanding.path)
  open()
  await holding
  await Promise.all(asked)
  expect(answered.slice(2)).toEqual(Array.from({ length: 7 }, () => 'ok'))
  expect(codeOf(await ofCompany)).toBe('ok')
})
