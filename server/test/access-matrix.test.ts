// Goal: a role sees and does what its row of the matrix says, and nothing else; a refused call writes nothing.

import { type Order, refusals, type Route, routes } from '@megalot/contract'
import type { InjectOptions } from 'fastify'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type AccessRow, accessMatrix, type Relation, type Role, roles, type RouteName } from './access-matrix.ts'
import { type CallSubject, sampleCalls, urlOf } from './sample-calls.ts'
import { addPerson, announce, makeTicket, openPeriod } from './scenes.ts'
import { readReply } from './reply.ts'
import { type Reply, startTestApp, type TestApp, type TestCaller } from './test-app.ts'
import { watchWrites, type WriteWatch } from './write-watch.ts'

interface Person {
  user_id: number
  parent_id: number | null
  upline_ids: number[]
  is_office: boolean
}

/** company ┬ office01, office02; ├ agent01 ─ member01, member02; └ agent02 ─ stranger01. */
const callers: Record<Role, string | null> = {
  anonymous: null,
  member: 'member01',
  agent: 'agent01',
  company: 'company',
  office: 'office01',
}
const members = ['member01', 'member02', 'stranger01']
const everybody = [...members, 'agent01', 'agent02', 'company', 'office01', 'office02']

let app: TestApp
let writes: WriteWatch
let people: Map<string, Person>
const sessions = new Map<string, TestCaller>()
let tickets: Map<string, Order>
let subject: Omit<CallSubject, 'ticket' | 'user_id' | 'session_id'>
/** The live session of each user. */
let liveSessions: Map<number, number>

beforeAll(async () => {
  app = await startTestApp()
  await addPerson(app.owner, 'agent02', 'agent', 'company', 100_000_000)
  await addPerson(app.owner, 'stranger01', 'member', 'agent02', 5_000_000)
  const rows = await app.owner
    .selectFrom('users')
    .select(['username', 'user_id', 'parent_id', 'upline_ids', 'is_office'])
    .execute()
  people = new Map(rows.map(({ username, ...person }) => [username, person]))
  for (const username of everybody) sessions.set(username, await app.logIn(username))
  const live = await app.owner.selectFrom('sessions').select(['user_id', 'session_id']).execute()
  liveSessions = new Map(live.map(({ user_id, session_id }) => [user_id, session_id]))
  writes = await watchWrites(app.owner)
})

/** Restores sessions and statuses that earlier calls have ended or suspended. */
async function bringBack(): Promise<void> {
  await sql`delete from play_breaks`.execute(app.owner)
  await sql`delete from play_limits`.execute(app.owner)
  await sql`update users set own_status = 'NORMAL' where own_status <> 'NORMAL'`.execute(app.owner)
  await sql`update sessions set ended_at = null, end_reason = null where ended_at is not null`.execute(app.owner)
}

/** Two open periods, and in one of them a ticket of each member. */
async function setScene(): Promise<void> {
  subject = {
    period_code: await openPeriod(app.db),
    other_period_code: await openPeriod(app.db),
    announce_id: await announce(app.owner),
  }
  tickets = new Map()
  for (const username of members) {
    const { json } = await sessions.get(username)!.post('/api/order/create', makeTicket(subject.period_code))
    tickets.set(username, json.data)
  }
}

async function deleteTickets(): Promise<void> {
  for (const { order_id } of tickets.values())
    await sessions.get('office01')!.post(`/api/order/${order_id}/delete`, { reason: 'so that there are some' })
}

/** The relation of a record's owner to the caller. */
function relationOf(caller: string, owner: string): Relation {
  const [from, to] = [people.get(caller)!, people.get(owner)!]
  if (caller === owner) return 'own'
  if (to.is_office) return 'colleague'
  if (from.is_office) return to.parent_id === null ? 'company' : 'anybody'
  if (to.parent_id === from.user_id) return 'child'
  if (to.upline_ids.includes(from.user_id)) return 'below'
  if (from.upline_ids.includes(to.user_id)) return 'above'
  return to.parent_id === from.parent_id ? 'sibling' : 'stranger'
}

/** Whether the caller may know that a user exists. */
function isInSight(caller: string, owner: string): boolean {
  const { user_id, is_office } = people.get(caller)!
  return is_office || caller === owner || people.get(owner)!.upline_ids.includes(user_id)
}

async function send(route: Route, caller: string | null, owner: string): Promise<Reply> {
  const ticket = tickets.get(owner) ?? tickets.get('member01')!
  const { user_id } = people.get(owner)!
  const session_id = liveSessions.get(user_id)!
  const call = sampleCalls[route.name as RouteName]({ ...subject, ticket, user_id, session_id })
  const options = {
    method: route.method,
    url: urlOf(route, call),
    headers: caller === null ? {} : { authorization: `Bearer ${sessions.get(caller)!.sessionId}` },
    ...(call.body === undefined ? {} : { payload: call.body as object }),
  }
  if (route.is_stream) return openStream(options)
  const response = await app.server.inject(options)
  return readReply(response)
}

/** A stream does not end by itself: its beginning shows whether it was opened. */
async function openStream(options: InjectOptions): Promise<Reply> {
  const response = await app.server.inject({ ...options, payloadAsStream: true })
  const stream = response.stream()
  if (response.statusCode === 200) stream.destroy()
  const text = response.statusCode === 200 ? '' : Buffer.concat(await stream.toArray()).toString()
  const json = (text === '' ? {} : JSON.parse(text)) as Reply['json']
  return { http: response.statusCode, json, text, headers: response.headers }
}

async function expectRefused(route: Route, caller: string | null, owner: string, code: keyof typeof refusals) {
  const before = await writes.count()
  const { http, json } = await send(route, caller, owner)
  const who = `${caller ?? 'anonymous'} on ${owner}`
  expect([who, http, json.error?.code]).toEqual([who, refusals[code].http, code])
  expect(await writes.count()).toEqual(before)
}

/** Admitted: done, or refused because of the request and not because of the caller. */
async function expectLetIn(route: Route, caller: string | null, owner: string): Promise<Reply> {
  const reply = await send(route, caller, owner)
  const code = reply.json.error?.code
  // A record that was deleted for one caller is missing for the next.
  const isGone = route.method === 'DELETE' && reply.http === 404
  const isDone = [200, 409, 422].includes(reply.http) || code === 'no_package' || isGone
  expect(isDone, `${caller ?? 'anonymous'} on ${owner}: ${reply.http} ${code}`).toBe(true)
  return reply
}

/** The owners of the records in a list. */
function ownersIn(list: 'tickets' | 'users', data: { order_id?: number; user_id?: number }[]): Set<string> {
  const found = new Set<string>()
  for (const [username, person] of people) {
    const ticket = tickets.get(username)
    const isThere = data.some((one) =>
      list === 'users' ? one.user_id === person.user_id : ticket !== undefined && one.order_id === ticket.order_id,
    )
    if (isThere) found.add(username)
  }
  return found
}

async function expectList(route: Route, caller: string, row: Extract<AccessRow, { lists: string }>, role: Role) {
  const reply = await expectLetIn(route, caller, 'member01')
  const candidates = row.lists === 'tickets' ? members : everybody
  const expected = candidates.filter((owner) => row.reach[role]!.includes(relationOf(caller, owner)))
  const found = ownersIn(row.lists, reply.json.data as Parameters<typeof ownersIn>[1])
  expect(candidates.filter((owner) => found.has(owner))).toEqual(expected)
}

async function expectOn(route: Route, caller: string, row: Extract<AccessRow, { on: string }>, role: Role) {
  const owners = row.on === 'ticket' ? members : everybody
  const isReached = (owner: string): boolean => row.reach[role]!.includes(relationOf(caller, owner))
  // Refused calls first: admitted ones may change the data.
  for (const owner of owners.filter((owner) => !isReached(owner)))
    await expectRefused(route, caller, owner, isInSight(caller, owner) ? 'not_allowed' : 'not_found')
  // And those on the caller itself last: they may end its session.
  const reached = owners.filter(isReached).toSorted((one) => (one === caller ? 1 : -1))
  for (const owner of reached) await expectLetIn(route, caller, owner)
}

function rolesOf(row: AccessRow): readonly Role[] {
  return 'lets_in' in row ? row.lets_in : roles.filter((role) => row.reach[role] !== undefined)
}

test('the matrix has a row for every route that is served, under its name', () => {
  expect(routes.map(({ name }) => name).toSorted()).toEqual(Object.keys(accessMatrix).toSorted())
})

describe.each(routes.map((route) => [route.name as RouteName, route] as const))('%s', (name, route) => {
  const row = accessMatrix[name]

  beforeAll(async () => {
    await bringBack()
    await setScene()
    if (name === 'listDeletedOrders') await deleteTickets()
  })
  beforeEach(bringBack)

  test.each(roles)('%s', async (role) => {
    expect.hasAssertions()
    const caller = callers[role]
    if (!rolesOf(row).includes(role))
      await expectRefused(route, caller, 'member01', caller === null ? 'not_signed_in' : 'not_allowed')
    else if ('lets_in' in row) await expectLetIn(route, caller, 'member01')
    else if ('lists' in row) await expectList(route, caller!, row, role)
    else await expectOn(route, caller!, row, role)
  })
})
