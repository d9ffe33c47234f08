// Goal: one person, its assistants included, has so many requests to void waiting that nobody's requests hide those of another.

import { closeEarly } from '../../../test/changes.ts'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { restoreTwoPeople, startTwoPeople } from '../../../test/approvals.ts'
import { codeOf, makeTicket, openPeriod, placeTicket } from '../../../test/scenes.ts'
import type { TestApp, TestCaller } from '../../../test/test-app.ts'
import { endVoid, findVoidRequestId, type VoidUrl } from '../../../test/voids.ts'
import { MAX_VOID_REQUESTS_OF_PERSON } from '../../identity/accounts/index.ts'

let app: TestApp
let first: TestCaller
let second: TestCaller
let helper: TestCaller
let support: number
const reason = 'for a test'

beforeAll(async () => {
  ;({ app, first, second, helper, support } = await startTwoPeople())
})
beforeEach(() => restoreTwoPeople({ app, support }))

/** The calls that void tickets of a closed period. */
async function makeTickets(count: number): Promise<VoidUrl[]> {
  const period_code = await openPeriod(app.owner)
  const member = await app.logIn('member01')
  const urls: VoidUrl[] = []
  for (let each = 0; each < count; each += 1) {
    const { order_id } = await placeTicket(member, makeTicket(period_code))
    urls.push(`/api/order/${order_id}/void`)
  }
  await closeEarly(app.db, period_code)
  return urls
}

async function makePeriods(count: number): Promise<VoidUrl[]> {
  const urls: VoidUrl[] = []
  for (let each = 0; each < count; each += 1)
    urls.push(`/api/admin/period/${await openPeriod(app.owner, 'yeekee')}/void`)
  return urls
}

const kinds = [
  ['void_order', makeTickets, sql`void_requests`],
  ['void_period', makePeriods, sql`period_voids`],
] as const

describe.each(kinds)('requests of the kind %s', (kind, make, table) => {
  // Both routes take and give the same.
  const ask = async (by: TestCaller, url: VoidUrl) => codeOf(await by.post(url as '/api/order/1/void', { reason }))
  const listed = async (by: TestCaller): Promise<number> =>
    (await by.get(`/api/admin/approval/waiting?kind=${kind}`)).json.data.length

  // Defect: one person had as many requests as it wanted, and the list showed two hundred: those of all others were hidden.
  test('are bounded for each person, together with those of its assistants', async () => {
    const urls = await make(MAX_VOID_REQUESTS_OF_PERSON + 3)
    const [one, another, last, ...rest] = urls as [VoidUrl, VoidUrl, VoidUrl, ...VoidUrl[]]
    for (const url of rest.slice(1)) expect(await ask(first, url)).toBe('ok')
    const codes = await Promise.all([ask(first, rest[0]!), ask(helper, one), ask(first, another)])
    expect(codes.toSorted()).toEqual(['ok', 'too_many_void_requests', 'too_many_void_requests'])
    const left = await findLeft([rest[0]!, one, another])
    const refused = await first.post(left[0] as '/api/order/1/void', { reason })
    expect(refused.json.error).toMatchObject({
      code: 'too_many_void_requests',
      details: { most: MAX_VOID_REQUESTS_OF_PERSON },
    })
    expect(await ask(second, last)).toBe('ok')
    expect(await listed(second)).toBe(MAX_VOID_REQUESTS_OF_PERSON + 1)
    // One that is withdrawn, rejected, approved or has expired makes room.
    expect(codeOf(await endVoid(app.owner, helper, rest[1]!))).toBe('ok')
    expect(await ask(helper, left[0]!)).toBe('ok')
    expect(await ask(helper, left[1]!)).toBe('too_many_void_requests')
    const approves = await findVoidRequestId(app.owner, rest[2]!)
    expect(codeOf(await second.post(rest[2] as '/api/order/1/void', { reason, approves: approves! }))).toBe('ok')
    expect(await ask(first, left[1]!)).toBe('ok')
    expect(await ask(first, rest[1]!)).toBe('too_many_void_requests')
    await sql`update ${table} set requested_at = requested_at - interval '1 day' where approved_by is null`.execute(
      app.owner,
    )
    expect(await ask(first, rest[1]!)).toBe('ok')
  })
})

/** Those for which no request stands. */
async function findLeft(urls: readonly VoidUrl[]): Promise<VoidUrl[]> {
  const left: VoidUrl[] = []
  for (const url of urls) if ((await findVoidRequestId(app.owner, url)) === undefined) left.push(url)
  return left
}
