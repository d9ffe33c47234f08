// Goal: a role sees and does what its row of the matrix says, and nothing else; a refused call writes nothing.

import { officeRoles, type Order, refusals, type Route, routes } from '@megalot/contract'
import type { InjectOptions } from 'fastify'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { setLimitRule } from '../src/markets/quotas/index.ts'
import { changeAs } from './changes.ts'
import {
  type AccessRow,
  accessMatrix,
  assistantAreas,
  authorityOf,
  consoleUsers,
  type Relation,
  type Role,
  roles,
  type RouteName,
} from './access-matrix.ts'
import { letProposalsExpire, proposePeriod } from './approvals.ts'
import { hireAssistant, hireOfficeUser } from './staff.ts'
import { findCaller } from './nodes.ts'
import { type CallSubject, limitRuleOf, sampleCalls, urlOf } from './sample-calls.ts'
import { addPerson, announce, finishFirstLogIn, FIRST_PASSWORD, makeTicket, openPeriod } from './scenes.ts'
import { readReply } from './reply.ts'
import { type Reply, startTestApp, type TestCaller } from './test-app.ts'
import { watchWrites, type WriteWatch } from './write-watch.ts'

interface Person {
  user_id: number
  parent_id: number | null
  principal_id: number | null
  upline_ids: number[]
  is_office: boolean
}

/**
 * company ┬ office01, office02, and an office user of each other role; ├ agent01 ─ member01, member02; └ agent02 ─
 * stranger01. Assistants: helper01 of agent01, helper02 of agent02, helper03 of office01.
 */
const callers: Record<Role, string | null> = {
  anonymous: null,
  member: 'member01',
  agent: 'agent01',
  company: 'company',
  owner: 'office01',
  operations: 'operations01',
  risk: 'risk01',
  finance: 'finance01',
  support: 'support01',
  auditor: 'auditor01',
  no_role: 'none01',
  agent_assistant: 'helper01',
  owner_assistant: 'helper03',
}
const members = ['member01', 'member02', 'stranger01']
const staff = ['office01', 'office02', 'auditor01', 'helper01', 'helper02', 'helper03']
const everybody = [...members, 'agent01', 'agent02', 'company', ...staff]

const sessions = new Map<string, TestCaller>()
let tickets: Map<string, Order>
let subject: Omit<CallSubject, 'ticket' | 'user_id'>
/** Whether nothing has changed the scene since it was set. */
let isSceneFresh = false
/** Whether a change was admitted since the state was last restored. Refused calls write nothing. */
let hasAdmitted = false

const app = await startTestApp()
await addPerson(app.owner, 'agent02', 'agent', 'company', 100_000_000)
await addPerson(app.owner, 'stranger01', 'member', 'agent02', 5_000_000)
await hireStaff()
const rows = await app.owner
  .selectFrom('users')
  .select(['username', 'user_id', 'parent_id', 'principal_id', 'upline_ids', 'is_office'])
  .execute()
const people: Map<string, Person> = new Map(rows.map(({ username, ...person }) => [username, person]))
const names = Object.values(callers).filter((name) => name !== null)
// All users, for the lists of sessions.
for (const username of new Set([...names, ...everybody])) sessions.set(username, await app.logIn(username))
await app.asOwner`create table saved_staff as select user_id, office_role, assistant_areas from users`
const writes: WriteWatch = await watchWrites(app.owner)

async function hireStaff(): Promise<void> {
  const given = { display_name: 'staff', password: FIRST_PASSWORD }
  const owner = await findCaller(app.db, 'office01')
  for (const office_role of officeRoles.filter((role) => role !== 'owner'))
    await hireOfficeUser(app.owner, owner, { ...given, username: `${office_role}01`, office_role })
  const helpers = { helper01: 'agent01', helper02: 'agent02', helper03: 'office01' } as const
  const areas = { ...assistantAreas, helper02: ['people'] as const }
  for (const [username, principal] of Object.entries(helpers)) {
    const own = { helper01: areas.agent_assistant, helper02: areas.helper02, helper03: areas.owner_assistant }
    const assistant = { ...given, username, areas: own[username as keyof typeof helpers] }
    await hireAssistant(app.db, await findCaller(app.db, principal), assistant)
  }
  for (const role of officeRoles.filter((each) => each !== 'owner')) await finishFirstLogIn(app.owner, `${role}01`)
  for (const username of Object.keys(helpers)) await finishFirstLogIn(app.owner, username)
}

/** Restores roles, and sessions and statuses that earlier calls have ended or suspended. */
async function bringBack(): Promise<void> {
  // One round trip: it runs before each test.
  await app.asOwner`
    delete from play_breaks;
    delete from play_limits;
    update users set own_status = 'NORMAL' where own_status <> 'NORMAL';
    update users set office_role = saved.office_role, assistant_areas = saved.assistant_areas from saved_staff saved
    where saved.user_id = users.user_id
      and (saved.office_role, saved.assistant_areas) is distinct from (users.office_role, users.assistant_areas);
    update sessions set ended_at = null, end_reason = null where ended_at is not null`
}

/** Two open periods, and in one of them a ticket of each member. */
async function setScene(): Promise<void> {
  await letProposalsExpire(app.owner)
  const period_code = await openPeriod(app.owner)
  const office = await findCaller(app.db, 'office01')
  const rule = await changeAs(app.db, office.actor_id, setLimitRule, limitRuleOf(period_code))
  subject = {
    period_code,
    rule_id: rule!.rule_id!,
    other_period_code: await openPeriod(app.owner),
    announce_id: await announce(app.owner),
    approval_id: await proposePeriod(app.db),
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

/** The relation of a record's owner to the caller, or to its principal. */
function relationOf(caller: string, owner: string): Relation {
  const from = principalOf(caller)
  const to = people.get(owner)!
  if (from.user_id === to.user_id) return 'own'
  if (to.principal_id !== null) {
    if (caller === owner) return 'itself'
    return (from.is_office ? to.is_office : to.principal_id === from.user_id) ? 'assistant' : 'foreign_assistant'
  }
  if (to.is_office) return 'colleague'
  if (from.is_office) return to.parent_id === null ? 'company' : 'anybody'
  if (to.parent_id === from.user_id) return 'child'
  if (to.upline_ids.includes(from.user_id)) return 'below'
  if (from.upline_ids.includes(to.user_id)) return 'above'
  return to.parent_id === from.parent_id ? 'sibling' : 'stranger'
}

function principalOf(caller: string): Person {
  const person = people.get(caller)!
  return [...people.values()].find(({ user_id }) => user_id === person.principal_id) ?? person
}

/** Whether the caller may know that a user exists, in a row about staff or about the hierarchy. */
function isInSight(caller: string, owner: string, isStaff: boolean): boolean {
  const from = principalOf(caller)
  const to = people.get(owner)!
  const relation = relationOf(caller, owner)
  if (isStaff) return from.is_office ? to.is_office : ['assistant', 'itself'].includes(relation)
  return to.principal_id === null && (from.is_office || relation === 'own' || to.upline_ids.includes(from.user_id))
}

async function send(route: Route, caller: string | null, owner: string): Promise<Reply> {
  const ticket = tickets.get(owner) ?? tickets.get('member01')!
  const { user_id } = people.get(owner)!
  const call = sampleCalls[route.name as RouteName]({ ...subject, ticket, user_id })
  const options = {
    method: route.method,
    url: urlOf(route, call),
    headers: caller === null ? {} : { authorization: `Bearer ${sessions.get(caller)!.sessionToken}` },
    ...(call.body === undefined ? {} : { payload: call.body as object }),
  }
  if (route.is_stream) return openStream(options)
  const response = await app.server.inject(options)
  return readReply(response)
}

/** A stream never ends by itself, so its beginning shows whether it was opened. */
async function openStream(options: InjectOptions): Promise<Reply> {
  const response = await app.server.inject({ ...options, payloadAsStream: true })
  const stream = response.stream()
  if (response.statusCode === 200) stream.destroy()
  const text = response.statusCode === 200 ? '' : Buffer.concat(await stream.toArray()).toString()
  const json = (text === '' ? {} : JSON.parse(text)) as Reply['json']
  return { http: response.statusCode, json, text, headers: response.headers }
}

async function expectCode(route: Route, caller: string | null, owner: string, code: keyof typeof refusals) {
  const { http, json } = await send(route, caller, owner)
  const who = `${caller ?? 'anonymous'} on ${owner}`
  expect([who, http, json.error?.code]).toEqual([who, refusals[code].http, code])
}

/** A caller who is not admitted is refused for any record. */
async function expectAllRefused(route: Route, caller: string | null, row: AccessRow) {
  const before = await writes.count()
  const code = caller === null ? 'not_signed_in' : 'not_allowed'
  for (const owner of oneOfEachRelation(caller, ownersOf(row))) await expectCode(route, caller, owner, code)
  expect(await writes.count()).toEqual(before)
}

/** Only the relation to an owner determines what a caller may do. */
function oneOfEachRelation(caller: string | null, owners: readonly string[]): string[] {
  if (caller === null) return owners.slice(0, 1)
  return [...new Map(owners.map((owner) => [relationOf(caller, owner), owner])).values()]
}

function ownersOf(row: AccessRow): readonly string[] {
  if ('lets_in' in row) return ['member01']
  const isOfTickets = 'on' in row ? row.on === 'ticket' : row.lists === 'tickets'
  return isOfTickets ? members : everybody
}

/** Admitted: carried out, or refused because of the request rather than the caller. */
async function expectLetIn(route: Route, caller: string | null, owner: string): Promise<Reply> {
  hasAdmitted ||= route.method !== 'GET'
  const reply = await send(route, caller, owner)
  const code = reply.json.error?.code
  // A record that was deleted for one caller is missing for the next, and some samples are nobody's.
  const isOfNobody = ofNobody.has(route.name)
  const isGone = (route.method === 'DELETE' || isOfNobody) && reply.http === 404
  const isDone = [200, 409, 422].includes(reply.http) || code === 'no_package' || isGone
  expect(isDone, `${caller ?? 'anonymous'} on ${owner}: ${reply.http} ${code}`).toBe(true)
  return reply
}

/** Routes whose sample call names a record that does not exist. */
const ofNobody = new Set([
  ...['renameFactor', 'getReportFile', 'reversePayment', 'getPayment', 'addPaymentSlip', 'getPaymentSlip'],
  ...['disputePayment', 'answerDispute', 'getClearing', 'changeClearing', 'countCash', 'handOverCash'],
])

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
  const candidates = ownersOf(row)
  const expected = candidates.filter((owner) => reaches(row, role, relationOf(caller, owner)))
  const found = ownersIn(row.lists, reply.json.data as Parameters<typeof ownersIn>[1])
  expect(candidates.filter((owner) => found.has(owner))).toEqual(expected)
}

async function expectOn(route: Route, caller: string, row: Extract<AccessRow, { on: string }>, role: Role) {
  const owners = oneOfEachRelation(caller, ownersOf(row))
  const isReached = (owner: string): boolean => reaches(row, role, relationOf(caller, owner))
  const before = await writes.count()
  // Refused calls first: admitted ones may change the data.
  for (const owner of owners.filter((owner) => !isReached(owner)))
    await expectCode(route, caller, owner, isInSight(caller, owner, row.on === 'staff') ? 'not_allowed' : 'not_found')
  expect(await writes.count()).toEqual(before)
  const isCaller = (owner: string): boolean => ['own', 'itself'].includes(relationOf(caller, owner))
  const reached = owners.filter(isReached)
  // Calls that end the caller's own session come last.
  for (const owner of [...reached.filter((owner) => !isCaller(owner)), ...reached.filter(isCaller)])
    await expectLetIn(route, caller, owner)
}

function reaches(row: Extract<AccessRow, { reach: object }>, role: Role, relation: Relation): boolean {
  return row.reach[authorityOf[role].kind]!.includes(relation)
}

function isAdmitted(row: AccessRow, role: Role): boolean {
  const { kind, permissions } = authorityOf[role]
  const isCalledBy = 'lets_in' in row ? row.lets_in.includes(kind) : row.reach[kind] !== undefined
  return (
    isCalledBy &&
    (row.needs === undefined || kind === 'member' || [row.needs].flat().some((one) => permissions.includes(one)))
  )
}

test('the matrix has a row for every route that is served, under its name', () => {
  expect(routes.map(({ name }) => name).toSorted()).toEqual(Object.keys(accessMatrix).toSorted())
})

test("a route for the console names a permission, and so does one about other users' records", () => {
  const isForConsole = ({ access }: Route): boolean => ['console', 'company', 'office'].includes(access)
  // The second factors of the caller itself.
  const isOfOwnAccount = ({ name }: Route): boolean => accessMatrix[name as RouteName] === consoleUsers
  const lacking = routes.filter((route) => isForConsole(route) && route.needs === undefined && !isOfOwnAccount(route))
  expect(lacking).toEqual([])
  const reachesOthers = (row: AccessRow): boolean =>
    'reach' in row && Object.entries(row.reach).some(([kind, relations]) => kind !== 'member' && relations.length > 0)
  const unnamed = routes.filter(
    ({ name, needs }) => needs === undefined && reachesOthers(accessMatrix[name as RouteName]),
  )
  expect(unnamed).toEqual([])
})

describe.each(routes.map((route) => [route.name as RouteName, route] as const))('%s', (name, route) => {
  const row = accessMatrix[name]

  beforeAll(async () => {
    await bringBack()
    // Reads change nothing, so consecutive reads share a scene.
    if (route.method !== 'GET' || !isSceneFresh) await setScene()
    isSceneFresh = route.method === 'GET' && name !== 'listDeletedOrders'
    if (name === 'listDeletedOrders') await deleteTickets()
  })
  beforeEach(async () => {
    if (hasAdmitted) await bringBack()
    hasAdmitted = false
  })

  test.each(roles)('%s', async (role) => {
    expect.hasAssertions()
    const caller = callers[role]
    if (!isAdmitted(row, role)) await expectAllRefused(route, caller, row)
    else if ('lets_in' in row) await expectLetIn(route, caller, 'member01')
    else if ('lists' in row) await expectList(route, caller!, row, role)
    else await expectOn(route, caller!, row, role)
  })
})
