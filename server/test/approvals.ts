// Helpers for tests of changes that need two people: one proposes, another approves.

import { randomUUID } from 'node:crypto'
import type { ApprovalKind, ApprovalWithPassword, OfficeRole, PayloadOf, Proposal } from '@megalot/contract'
import { sql } from 'kysely'
import { proposeApproval } from '../src/changes/approvals/index.ts'
import { bangkokDayOf } from '../src/lib/bangkok.ts'
import type { Db } from '../src/postgres/db.ts'
import { findCaller } from './nodes.ts'
import { hireAssistant, hireOfficeUser } from './staff.ts'
import type { Reply } from './reply.ts'
import { addPerson, finishFirstLogIn, FIRST_PASSWORD } from './scenes.ts'
import { startTestApp, type TestApp, type TestCaller } from './test-app.ts'

export function makeProposal<K extends ApprovalKind>(kind: K, payload: PayloadOf<K>, reason = 'for a test'): Proposal {
  return { kind, payload, reason, request_id: randomUUID() } as Proposal
}

export const PROPOSAL_REASON = 'for a test'

export const propose = (by: TestCaller, kind: ApprovalKind, payload: object, request_id: string = randomUUID()) =>
  by.post('/api/admin/approval/propose', { ...makeProposal(kind, payload as never, PROPOSAL_REASON), request_id })

export const approve = (by: TestCaller, { approval_id }: Pick<ApprovalWithPassword, 'approval_id'>) =>
  by.post(`/api/admin/approval/${approval_id}/approve`, {})

/**
 * A proposal that must be accepted.
 * @throws Error with the refusal otherwise
 */
export async function mustPropose(by: TestCaller, kind: ApprovalKind, payload: object): Promise<ApprovalWithPassword> {
  const { json } = await propose(by, kind, payload)
  if (json.error) throw new Error(`the proposal was refused: ${JSON.stringify(json.error)}`)
  return json.data
}

/** Proposes and approves. @returns the refusal of the proposal, or the reply to the approval */
export async function decideByTwo(
  proposer: TestCaller,
  approver: TestCaller,
  kind: ApprovalKind,
  payload: object,
): Promise<Reply> {
  const proposed = await proposer.post('/api/admin/approval/propose', makeProposal(kind, payload as never))
  if (proposed.http !== 200) return proposed
  return approver.post(`/api/admin/approval/${proposed.json.data.approval_id}/approve`, {})
}

let lastRound = 100

const at = (hours: number) => new Date(Date.now() + hours * 3_600_000)

/** A period of tomorrow in an unused round. */
export function newRound(): PayloadOf<'create_period'> {
  lastRound += 1
  return {
    product_code: 'yeekee',
    period_date: bangkokDayOf(at(25)),
    round: lastRound,
    open_at: at(23).toISOString(),
    close_at: at(24).toISOString(),
    draw_at: at(25).toISOString(),
  }
}

/** A person may have only a limited number of pending proposals. */
export const letProposalsExpire = (owner: Db) =>
  sql`update approvals set expires_at = clock_timestamp()
    where state = 'waiting' and expires_at > clock_timestamp()`.execute(owner)

/**
 * A pending proposal of a new period.
 * @returns its id
 */
export async function proposePeriod(db: Db, username = 'office02'): Promise<number> {
  const proposal = makeProposal('create_period', newRound())
  return (await proposeApproval(db, await findCaller(db, username), proposal)).approval_id
}

export interface Office {
  app: TestApp
  /** Two owners. */
  first: TestCaller
  second: TestCaller
  /** An assistant of the first, with every area of it. */
  helper: TestCaller
}

export interface TwoPeople extends Office {
  /** An office user with the role support. */
  support: number
}

/** An assistant with all of its principal's areas. */
export const everyArea = [
  'periods',
  'terms',
  'credit',
  'risk',
  'staff',
  'tickets',
  'results',
  'people',
  'reports',
  'messages',
  'maintenance',
  'audit',
  'money',
] as const

/**
 * An app with two owners, an assistant of the first, and further office users who can log in.
 * @param hired the further office users: roles by username
 */
export async function startOffice(hired: Readonly<Record<string, OfficeRole>>): Promise<Office> {
  const app = await startTestApp()
  const owner = await findCaller(app.db, 'office01')
  const given = { display_name: 'staff', password: FIRST_PASSWORD }
  await hireAssistant(app.db, owner, { ...given, username: 'helper01', areas: everyArea })
  for (const [username, office_role] of Object.entries(hired))
    await hireOfficeUser(app.owner, owner, { ...given, username, office_role })
  for (const username of ['helper01', ...Object.keys(hired)]) await finishFirstLogIn(app.owner, username)
  const [first, second, helper] = (await Promise.all(
    ['office01', 'office02', 'helper01'].map((name) => app.logIn(name)),
  )) as [TestCaller, TestCaller, TestCaller]
  return { app, first, second, helper }
}

/** As `startOffice`, with office users of several roles: office03, support01, risk01, operations01. */
export async function startTwoPeople(): Promise<TwoPeople> {
  const office = await startOffice({
    support01: 'support',
    risk01: 'risk',
    operations01: 'operations',
    office03: 'owner',
  })
  return { ...office, support: (await findCaller(office.app.db, 'support01')).user_id }
}

/** Restores what the proposals of these tests change. */
export async function restoreTwoPeople({ app, support }: Pick<TwoPeople, 'app' | 'support'>): Promise<void> {
  await app.asOwner`update users set office_role = 'support' where user_id = ${support}`
  await app.asOwner`update users set own_status = 'NORMAL' where own_status <> 'NORMAL'`
  await app.asOwner`delete from quotas`
  await app.asOwner`insert into share_terms (user_id, position_rate, line_rate, commission_rate)
    select distinct user_id, 0, 0, 0 from share_terms where commission_rate > 0`
  await app.asOwner`insert into quotas values ('malay', null, null, '2top', 100000, 50000)`
  await app.asOwner`update package_terms set rate = 55000, discount_rate = 3300 where bet_type = '3top' and package_id in (
    select package_id from packages where (product_code, package_code) = ('lao-vip', '70'))`
}

/** An unused username. */
export const newName = () => `n${randomUUID().replaceAll('-', '')}`

/** Gives a user an authenticator app. */
export const addFactor = (app: TestApp, user_id: number) =>
  app.asOwner`insert into second_factors (user_id, kind, name, secret, last_step)
    values (${user_id}, 'totp', 'phone', '\\x00', 0)`

/** @returns a new agent with an authenticator app and a recovery code */
export async function addEnrolledAgent(app: TestApp): Promise<number> {
  const username = newName()
  await addPerson(app.owner, username, 'agent', 'company', 100)
  const { user_id } = await findCaller(app.db, username)
  await addFactor(app, user_id)
  await app.asOwner`insert into recovery_codes (user_id, code_hash) values (${user_id}, '\\x00')`
  return user_id
}
