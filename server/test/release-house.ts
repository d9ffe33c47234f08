// A house with rows in every table, from which the data of a release is written.

import { randomBytes, randomUUID } from 'node:crypto'
import { routes } from '@megalot/contract'
import { sql } from 'kysely'
import { checkAuditChain } from '../src/changes/audit/index.ts'
import { recordDayStart } from '../src/betting/play-limits/index.ts'
import { seedDemo } from '../src/demo/demo.ts'
import { saveBalanceCheckpoints } from '../src/reports/index.ts'
import type { RouteName } from './access-matrix.ts'
import { proposePeriod } from './approvals.ts'
import { enrolApp } from './factor-callers.ts'
import { type CallSubject, sampleCalls, urlOf } from './sample-calls.ts'
import { announce, limitNumbers, makeLine, makeTicket, openPeriod, placeWaitingTicket } from './scenes.ts'
import { appOn, CAPTCHA_ANSWER, type TestApp, type TestCaller } from './test-app.ts'
import { createEmptyDatabase } from './test-database.ts'

/** Long enough for results, wins, a correction, and voids. */
const DAYS = 8

/** Calls that fill tables which the demo leaves empty, with their callers. */
const calls: readonly (readonly [username: string, name: RouteName])[] = [
  ['agent01', 'changeContact'],
  ['agent01', 'createReportFile'],
  ['agent01', 'saveView'],
  ['member02', 'readNotices'],
  ['member02', 'keepOwnEntry'],
  ['member02', 'readAnnouncement'],
  ['member02', 'cancelOrder'],
  ['member03', 'subscribePush'],
  ['member03', 'setPlayLimit'],
  ['member04', 'takeBreak'],
  ['office01', 'setLimitRule'],
  ['office01', 'setHoliday'],
  ['office01', 'setDrawDay'],
]

/** Filled only by an incident, or for the length of a call or a log-in. */
export const tablesWithoutData: readonly string[] = [
  'alarms',
  'deferred_audits',
  'email_notices',
  'invariant_breaks',
  'overdraft_allowances',
  'pushes',
  'recovery_requests',
  'setup_links',
]

export async function buildReleaseHouse(): Promise<TestApp> {
  const database = await createEmptyDatabase()
  await seedDemo(database.owner, () => {}, DAYS)
  const app = await appOn(database)
  const callers = new Map<string, TestCaller>()
  for (const username of new Set(calls.map(([name]) => name))) callers.set(username, await app.logIn(username))
  const period_code = await openPeriod(app.owner)
  await limitNumbers(app.db, '1bottom', 500, 0)
  const items = [makeLine('1bottom', '5', 10)]
  const subject: Omit<CallSubject, 'user_id'> = {
    ticket: await placeWaitingTicket(callers.get('member02')!, makeTicket(period_code, { items })),
    period_code,
    rule_id: 0,
    other_period_code: await openPeriod(app.owner),
    announce_id: await announce(app.owner),
    approval_id: await proposePeriod(app.db),
  }
  for (const [username, name] of calls) await makeCall(app, callers.get(username)!, name, subject)
  // The sample call ends maintenance.
  const begin = { product_code: 'lao-vip', is_on: true, message_th: 'ปิดปรับปรุง', message_en: 'Maintenance' }
  const begun = await callers.get('office01')!.post('/api/admin/config/maintenance', { ...begin, reason: 'for a test' })
  if (begun.http !== 200) throw new Error(`setMaintenance was refused: ${begun.text}`)
  await leaveTraces(app)
  return app
}

async function makeCall(
  app: TestApp,
  { user_id, sessionToken }: TestCaller,
  name: RouteName,
  subject: Omit<CallSubject, 'user_id'>,
): Promise<void> {
  const route = routes.find((each) => each.name === name)!
  const { body, ...call } = sampleCalls[name]({ ...subject, user_id })
  const response = await app.server.inject({
    method: route.method,
    url: urlOf(route, call),
    headers: { authorization: `Bearer ${sessionToken}` },
    ...(body === undefined ? {} : { payload: body as object }),
  })
  if (response.statusCode !== 200) throw new Error(`${name} was refused: ${response.body}`)
}

/** What log-ins and jobs leave. */
async function leaveTraces(app: TestApp): Promise<void> {
  await enrolApp(app, await app.logIn('office02'))
  for (const username of ['member05', 'nobody']) await logInFails(app, username)
  await app.call('GET', `/megalot/auth/captcha?request_id=${randomUUID()}`)
  const hash = randomBytes(32)
  const user_id = sql`(select user_id from users where username = 'member06')`
  for (const statement of [
    sql`insert into known_devices (token_hash, user_id) values (${hash}, ${user_id})`,
    sql`insert into password_requests (user_id) values (${user_id})`,
    sql`insert into recovery_links (token_hash, user_id, expires_at)
      values (${hash}, ${user_id}, clock_timestamp() + interval '30 minutes')`,
    sql`insert into email_links (user_id, email, due_at, token_hash, expires_at)
      values (${user_id}, 'member06@example.com', null, ${hash}, clock_timestamp() + interval '3 days')`,
    sql`insert into contact_notes (user_id, note) values (${user_id}, 'pays on Fridays')`,
    sql`insert into payment_slips (payment_id, content_type, image, added_by)
      select payment_id, 'image/png', ${hash}, recorded_by from payments limit 1`,
    sql`insert into payment_disputes (payment_id, note) select payment_id, 'ไม่ตรง' from payments limit 1`,
    sql`insert into cash_counts (holder_id, day, expected_satang, counted_satang, counted_by)
      select parent_id, current_date, 500, 400, parent_id from users where user_id = ${user_id}`,
    sql`insert into cash_handovers (from_id, to_id, amount_satang, day, recorded_by)
      select parent_id, ${user_id}, 100, current_date, parent_id from users where user_id = ${user_id}`,
    sql`insert into factor_challenges (session_id, purpose, content, expires_at)
      select session_id, 'verify_passkey', '', clock_timestamp() + interval '1 minute' from sessions
      where ended_at is null limit 1`,
  ])
    await statement.execute(app.owner)
  await saveBalanceCheckpoints(app.db)
  await recordDayStart(app.db)
  await checkAuditChain(app.db)
}

async function logInFails(app: TestApp, username: string): Promise<void> {
  const request_id = randomUUID()
  await app.call('GET', `/megalot/auth/captcha?request_id=${request_id}`)
  const body = { username, password: 'not-this-one', request_id, captcha_txt: CAPTCHA_ANSWER }
  await app.call('POST', '/megalot/auth/login', body)
}
