// Every route with a request_id carries a call out once. Repeated with the same content, it returns the same reply and
// writes nothing; with other content it is refused.

import { type Route, routes } from '@megalot/contract'
import { expect, test } from 'vitest'
import { setLimitRule } from '../src/markets/quotas/index.ts'
import { changeAs } from './changes.ts'
import type { RouteName } from './access-matrix.ts'
import { proposePeriod } from './approvals.ts'
import { findCaller } from './nodes.ts'
import { type CallSubject, limitRuleOf, sampleCalls, urlOf } from './sample-calls.ts'
import { announce, makeTicket, openPeriod, placeTicket } from './scenes.ts'
import { startTestApp } from './test-app.ts'
import { watchWrites, type WriteWatch } from './write-watch.ts'

const app = await startTestApp()
const member = await app.logIn('member01')
const office = await app.logIn('office01')
const writes: WriteWatch = await watchWrites(app.owner)

async function makeSubject(): Promise<CallSubject> {
  const period_code = await openPeriod(app.owner)
  const { actor_id } = await findCaller(app.db, 'office01')
  const rule = await changeAs(app.db, actor_id, setLimitRule, limitRuleOf(period_code))
  return {
    ticket: await placeTicket(member, makeTicket(period_code)),
    user_id: (await findCaller(app.db, 'member02')).actor_id,
    announce_id: await announce(app.owner),
    approval_id: await proposePeriod(app.db),
    rule_id: rule!.rule_id!,
    period_code,
    other_period_code: period_code,
  }
}

type Body = Record<string, unknown> & { request_id: string }

/** What counts as other content, for calls without a reason. */
const otherContent: Partial<Record<RouteName, object>> = {
  placeOrder: { note: 'another' },
  createPerson: { display_name: 'Another Name' },
  createReportFile: { format: 'csv' },
  recordPayments: { note: 'another' },
}

/** Fields that only the first reply has, or that change on their own. */
const firstReplyAlone: Partial<Record<RouteName, readonly string[]>> = {
  proposeApproval: ['password_half'],
  createReportFile: ['state', 'rows_done', 'row_count', 'byte_count'],
}

// A captcha's request_id belongs to the captcha and is valid for one call.
const takesRequestId = (body: unknown): body is Body =>
  typeof body === 'object' && body !== null && 'request_id' in body && !('captcha_txt' in body)

const subjectOfNothing = {} as CallSubject
const isReplayed = (name: RouteName): boolean => {
  try {
    return takesRequestId(sampleCalls[name](subjectOfNothing).body)
  } catch {
    // It names a ticket, so it is not the id of a call.
    return false
  }
}

const replayed = Object.values<Route>(routes).filter(({ name }) => isReplayed(name as RouteName))

test('these are all routes that take one', () => {
  expect(replayed.map(({ name }) => name).toSorted()).toEqual([
    'adjustBalance',
    'changeCreditLimits',
    'changeDisplayNames',
    'changePackages',
    'changeStatuses',
    'countCash',
    'createMembers',
    'createPerson',
    'createReportFile',
    'endPeopleSessions',
    'handOverCash',
    'inviteOwner',
    'openMarkets',
    'placeOrder',
    'proposeApproval',
    'recordPayments',
    'resetPasswords',
    'reversePayment',
    'setLimitRule',
    'undoLimitRule',
  ])
})

/**
 * Refused in this house, which has owners and open markets and no cash; `changes.test.ts` repeats them. Each row of
 * `createMembers` is a call of its own (`new-members.test.ts`).
 */
const refusedHere: readonly string[] = [
  ...['inviteOwner', 'openMarkets', 'adjustBalance', 'reversePayment', 'countCash', 'handOverCash', 'createMembers'],
]

test.each(replayed.filter(({ name }) => !refusedHere.includes(name)))('$name', async (route) => {
  const name = route.name as RouteName
  const caller = name === 'placeOrder' ? member : office
  const call = sampleCalls[name](await makeSubject())
  const { preview: _preview, ...body } = call.body as Body
  const send = async (sent: object) => {
    const { http, json } = await caller.post(urlOf(route, call), sent)
    const data = json.data as object | undefined
    const compared = Object.entries(data ?? {}).filter(([field]) => !firstReplyAlone[name]?.includes(field))
    return { http, code: json.error?.code, data: Array.isArray(data) ? data : Object.fromEntries(compared) }
  }
  const first = await send(body)
  expect([first.http, first.code]).toEqual([200, undefined])
  await reportFilesAreWritten()
  const before = await writes.count()
  expect(await Promise.all([send(body), send(body)])).toEqual([first, first])
  const other = { ...body, ...(otherContent[name] ?? { reason: 'for another reason' }) }
  expect(await send(other)).toMatchObject({ http: 409, code: 'request_id_reused' })
  expect(await writes.count()).toEqual(before)
})

/** A report file is written in the background. */
async function reportFilesAreWritten(): Promise<void> {
  const listStates = async () => (await office.get('/api/report/files')).json.data.map(({ state }) => state)
  await expect.poll(async () => (await listStates()).every((state) => state === 'ready')).toBe(true)
}
