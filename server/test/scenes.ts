// Common initial states of tests, and steps that lead to them.

import { changeAs, closeEarly } from './changes.ts'
import { hireAssistant } from './staff.ts'
import { randomUUID } from 'node:crypto'
import type {
  Area,
  cancelOrder,
  confirmOrder,
  DataOf,
  getCreditInfo,
  Order,
  placeOrder,
  PlaceOrderBody,
  UserLevel,
} from '@megalot/contract'
import type { BetTypeCode, DrawResult } from '@megalot/rules'
import { type RawBuilder, sql } from 'kysely'
import { onTestFinished } from 'vitest'
import { createUser, findCreditToGive, findUser, hashPassword } from '../src/identity/accounts/index.ts'
import { writeAudit } from '../src/changes/audit/index.ts'
import { enterAward, settleDuePeriods } from '../src/results/index.ts'
import { givePackagesOf, makePeriodCode } from '../src/markets/index.ts'
import { type NewTicket, parseTicket } from '../src/betting/index.ts'
import { setQuota } from '../src/markets/quotas/index.ts'
import { addDays, bangkokDayOf } from '../src/lib/bangkok.ts'
import type { Db } from '../src/postgres/db.ts'
import { DEMO_PASSWORD } from '../src/demo/demo.ts'
import { findCaller } from './nodes.ts'
import type { Reply } from './reply.ts'
import type { TestApp, TestCaller } from './test-app.ts'
import type { TestDatabase } from './test-database.ts'

/** Above every timetable's rounds, whose draws have fixed hours. */
let lastRound = 100

interface PeriodTimes {
  open_at: Date
  close_at: Date
  draw_at: Date
}

/**
 * Writes a period in its own round, bypassing the rules for periods created by the office: it may have opened in the
 * past, and others of its day may already be drawn.
 * @param owner the database as its owner; no other role can do this
 */
export async function addPeriod(
  owner: Db,
  product_code: string,
  period_date: string,
  times: PeriodTimes,
): Promise<{ period_id: number; period_code: string }> {
  lastRound += 1
  const period_code = makePeriodCode(product_code, period_date, lastRound)
  return owner
    .insertInto('periods')
    .values({ period_code, product_code, period_date, round: lastRound, ...times })
    .returning(['period_id', 'period_code'])
    .executeTakeFirstOrThrow()
}

/**
 * A period of a market that, by default, opened an hour ago and closes in an hour. Its day is the day of its draw or,
 * for a draw after midnight, today: a test may hold the draw at once, and a period is never drawn before its day.
 * @param owner as of `addPeriod`
 */
export async function openPeriod(
  owner: Db,
  product_code = 'thai-government',
  closesInMs = 3_600_000,
  open_at = new Date(Date.now() - 3_600_000),
): Promise<string> {
  const now = Date.now()
  const draw_at = new Date(now + closesInMs + 60_000)
  const times = { open_at, close_at: new Date(now + closesInMs), draw_at }
  const today = bangkokDayOf(new Date(now))
  const drawDay = bangkokDayOf(draw_at)
  const period_date = drawDay === addDays(today, 1) ? today : drawDay
  const { period_code } = await addPeriod(owner, product_code, period_date, times)
  return period_code
}

/**
 * Moves the draw of a closed period to now, so that its result can be entered.
 * @param owner the database as its owner; no other role can do this
 */
export async function holdDraw(owner: Db, period_code: string): Promise<void> {
  await sql`update periods set draw_at = clock_timestamp() where period_code = ${period_code}`.execute(owner)
}

type Databases = Pick<TestDatabase, 'db' | 'owner'>

/** A result with first prize and front and back numbers, of which only the last three and two digits matter to a test. */
export function makeResult(top3: string, bottom2 = '00'): DrawResult {
  return { first_prize: `000${top3}`, top3, bottom2, front3: ['111', '222'], back3: ['333', '444'] }
}

/** Draws a closed period and lets two office users enter its result, ready for settlement. */
export async function agreeOnResult({ db, owner }: Databases, period_code: string, result: DrawResult): Promise<void> {
  await holdDraw(owner, period_code)
  for (const username of ['office01', 'office02']) {
    const { user_id } = await findCaller(db, username)
    await enterAward(db, { actor_id: user_id }, { period_code, date: dayOf(period_code), result })
  }
}

/** Closes an open period, and settles it with this result. */
export async function settleWith(databases: Databases, period_code: string, result: DrawResult): Promise<void> {
  await closeEarly(databases.db, period_code)
  await agreeOnResult(databases, period_code, result)
  await settleDuePeriods(databases.db)
}

/** Limits each number of a bet type: the amount accepted at the full rate, and then at half. */
export async function limitNumbers(
  db: Db,
  bet_type: BetTypeCode,
  full_satang: number,
  half_satang: number,
  product_code = 'thai-government',
): Promise<void> {
  const { user_id } = await findCaller(db, 'office01')
  await changeAs(db, user_id, setQuota, { product_code, bet_type, full_satang, half_satang }, 'approved')
}

/** The day in a period code, as yyyy-mm-dd. */
export function dayOf(period_code: string): string {
  const [, year, month, day] = /(\d{4})(\d{2})(\d{2})/.exec(period_code)!
  return `${year}-${month}-${day}`
}

/** A complete ticket for package "70"; by default one line of 10 Baht on 3top 123. */
export function makeTicket(period_code: string, changes: Partial<PlaceOrderBody> = {}): PlaceOrderBody {
  return {
    request_id: randomUUID(),
    period_code,
    package_code: '70',
    items: [{ bet_type: '3top', number: '123', bet_satang: 1_000, rate: 55_000 }],
    ...changes,
  }
}

/** The rates of package "70". */
export const rates70: Readonly<Record<BetTypeCode, number>> = {
  '3top': 55_000,
  '3roll': 10_500,
  '3front': 12_500,
  '3bottom': 12_500,
  '2top': 7_000,
  '2bottom': 7_000,
  '2roll': 1_200,
  '1top': 300,
  '1bottom': 400,
}

type Line = PlaceOrderBody['items'][number]

/** A line of a ticket, by default at the rate of package "70". */
export function makeLine(bet_type: BetTypeCode, number: string, baht: number, rate = rates70[bet_type]): Line {
  return { bet_type, number, bet_satang: baht * 100, rate }
}

/** A ticket of lines on 3top, each a number and its Baht. */
export function ticketOn(
  period_code: string,
  bets: readonly (readonly [number: string, baht: number])[],
  changes: Partial<PlaceOrderBody> = {},
): PlaceOrderBody {
  return makeTicket(period_code, { items: bets.map(([number, baht]) => makeLine('3top', number, baht)), ...changes })
}

/**
 * Places a ticket that must be accepted, in full or in part.
 * @throws Error with the refusal otherwise
 */
export async function placeTicket(member: TestCaller, ticket: PlaceOrderBody): Promise<Order> {
  const { http, json } = await member.post('/api/order/create', ticket)
  if (http !== 200) throw new Error(`the ticket was refused: ${JSON.stringify(json.error)}`)
  return json.data
}

/** Places a ticket that needs confirmation, because the house accepts less than was bet. */
export async function placeWaitingTicket(member: TestCaller, ticket: PlaceOrderBody): Promise<Order> {
  const order = await placeTicket(member, ticket)
  if (order.status !== 'WAIT_CONFIRM') throw new Error(`the ticket does not wait: ${order.status}`)
  return order
}

/** The ticket as this caller sees it. */
export async function readOrder(caller: TestCaller, { order_id }: Pick<Order, 'order_id'>): Promise<Order> {
  return (await caller.get(`/api/order/${order_id}`)).json.data
}

export async function readCredit(user: TestCaller): Promise<DataOf<typeof getCreditInfo>> {
  return (await user.get('/mgluser/user_data/credit_info')).json.data
}

/** The code of the refusal, or `ok`. */
export function codeOf({ http, json }: Pick<Reply, 'http' | 'json'>): string {
  return http === 200 ? 'ok' : json.error.code
}

/** The code of the refusal, or the status of the ticket that was placed or changed. */
export function statusOf({ http, json }: Reply<typeof placeOrder | typeof confirmOrder | typeof cancelOrder>): string {
  return http === 200 ? json.data.status : json.error.code
}

/** A ticket as the routes hand it to intake. */
export function toNewTicket({ user_id }: { user_id: number }, ticket: PlaceOrderBody): NewTicket {
  return parseTicket({ user_id, session_id: 0 }, ticket)
}

/** A number of three digits for each repeat of a race. */
export function numberOf(round: number): string {
  return String(round).padStart(3, '0')
}

/** Accepted on a number in a period so far, in satang. */
export async function readAccepted(
  owner: Db,
  period_code: string,
  quota_key: string,
  bet_type = '3top',
): Promise<number> {
  const { rows } = await sql<{ accepted_satang: number }>`
    select accepted_satang from number_quotas join periods using (period_id)
    where period_code = ${period_code} and bet_type = ${bet_type} and quota_key = ${quota_key}`.execute(owner)
  return rows[0]?.accepted_satang ?? 0
}

/** Leaves the member exactly this much to spend. If its limit rises, its uplines get as much more. */
export async function leaveCredit(owner: Db, user_id: number, satang: number): Promise<void> {
  await sql`
    with member as (
      select user_id, upline_ids, floor_satang as before, least(0, balance_satang - ${satang}) as after
      from accounts join users using (user_id) where kind = 'cash' and user_id = ${user_id}
    )
    update accounts set floor_satang = case when accounts.user_id = member.user_id then after
      else floor_satang - greatest(0, before - after) end
    from member where kind = 'cash' and (accounts.user_id = member.user_id or accounts.user_id = any(upline_ids))`.execute(
    owner,
  )
}

/** Gives each member this credit limit, and each upline what its downline needs. */
export async function limitEveryMember(owner: Db, credit_limit_satang: number): Promise<void> {
  await sql`
    update accounts set floor_satang = -${credit_limit_satang}::bigint * (
      select count(*) from users where level = 'member' and (user_id = accounts.user_id or upline_ids @> array[accounts.user_id]))
    where kind = 'cash'`.execute(owner)
}

/** An announcement that is shown. @returns its id */
export async function announce(owner: Db, is_enabled = true): Promise<number> {
  const content = {
    type: 'news' as const,
    title_th: 'ประกาศ',
    title_en: 'Notice',
    body_th: '',
    body_en: '',
    is_enabled,
  }
  const { announce_id } = await owner
    .insertInto('announcements')
    .values(content)
    .returning('announce_id')
    .executeTakeFirstOrThrow()
  return announce_id
}

/** Waits until a transaction of this database waits for a lock held by another. */
export async function waitForLock(db: Db): Promise<void> {
  while (!(await isLockWaitedFor(db)));
}

/** Whether any session of the database waits for a lock. */
export async function isLockWaitedFor(db: Db): Promise<boolean> {
  return (await countWaitingForLocks(db)) > 0
}

/** How many transactions of this database wait for a lock. */
export async function countWaitingForLocks(db: Db): Promise<number> {
  const { rows } = await sql`
    select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
  return rows.length
}

/** Holds a database lock until it is released, or the test ends. */
export async function holdLock(owner: Db, lock: RawBuilder<unknown>): Promise<{ release: () => Promise<void> }> {
  let end!: () => void
  const ended = new Promise<void>((resolve) => (end = resolve))
  let take!: () => void
  const taken = new Promise<void>((resolve) => (take = resolve))
  const holding = owner.transaction().execute(async (tx) => {
    await lock.execute(tx)
    take()
    await ended
  })
  await taken
  const release = async () => {
    end()
    await holding
  }
  onTestFinished(release)
  return { release }
}

/** Makes a call that may be refused before its reply is awaited. */
function startCall<Reply>(call: () => Promise<Reply>): Promise<Reply> {
  const sent = call()
  // Without a handler at that moment the refusal would end the test run.
  sent.catch(() => {})
  return sent
}

/**
 * Makes a call while a transaction holds a lock, and changes something once the call waits for it, or has been answered
 * without it.
 * @returns the reply to the call
 */
export async function changeWhileLocked<Reply>(
  owner: Db,
  lock: RawBuilder<unknown>,
  call: () => Promise<Reply>,
  change: () => Promise<unknown>,
): Promise<Reply> {
  let sent!: Promise<Reply>
  await owner.transaction().execute(async (tx) => {
    await lock.execute(tx)
    let isAnswered = false
    sent = startCall(() => call().finally(() => (isAnswered = true)))
    while (!isAnswered && !(await isLockWaitedFor(owner))) await new Promise(setImmediate)
    await change()
  })
  return sent
}

/** All data that a ticket writes; must be the same before and after a refused one. */
export async function countWrites(db: Db): Promise<object> {
  const { rows } = await sql<object>`
    select (select count(*) from orders) as orders, (select count(*) from order_items) as items,
      (select count(*) from entries) as entries, (select count(*) from postings) as postings,
      (select count(*) from quota_blocks) as blocks, (select sum(balance_satang) from accounts where kind = 'cash') as cash`.execute(
    db,
  )
  return rows[0]!
}

/** Adds a user below another, with the demo's password and its parent's packages. */
export async function addPerson(
  db: Db,
  username: string,
  level: UserLevel,
  parent: string,
  credit_limit_satang = 0,
): Promise<number> {
  const password_hash = await hashPassword(DEMO_PASSWORD)
  return db.transaction().execute(async (tx) => {
    const { user_id: parent_id } = (await findUser(tx, { username: parent }))!
    const columns = { username, display_name: username, level, parent_id, password_hash, must_change_password: false }
    const user_id = await createUser(tx, { ...columns, credit_limit_satang })
    if ((await findCreditToGive(tx, parent_id)) < 0) throw new Error(`${parent} has not so much to give`)
    await givePackagesOf(tx, parent_id, user_id)
    const after = { username, level, parent, credit_limit_satang }
    await writeAudit(tx, { actor_id: null, action: 'add_user', subject: `user:${user_id}`, after })
    return user_id
  })
}

/** A password that the console accepts, for users added in tests. */
export const FIRST_PASSWORD = 'maple-lantern-77'

/** As if a user added by someone else had logged in and set its own password, the demo's. */
export async function finishFirstLogIn(owner: Db, username: string): Promise<void> {
  await sql`
    update users set must_change_password = false, first_half_hash = null,
      password_hash = (select password_hash from users where username = 'company')
    where username = ${username}`.execute(owner)
}

/** Adds an assistant with the demo's password, and logs it in. */
export async function addAssistant(
  { db, owner, logIn }: Pick<TestApp, 'db' | 'owner' | 'logIn'>,
  principal: string,
  areas: readonly Area[],
  username: string,
): Promise<TestCaller> {
  const given = { username, display_name: username, password: FIRST_PASSWORD, areas }
  await hireAssistant(db, await findCaller(db, principal), given)
  await finishFirstLogIn(owner, username)
  return logIn(username)
}

/** Gives each market the standing quotas without which it is not switched on. */
export async function limitMarkets(owner: Db, full_satang = 100_000_000): Promise<void> {
  await sql`
    insert into quotas (product_code, bet_type, full_satang, half_satang)
    select product_code, offered.bet_type, ${full_satang}, 0 from products cross join unnest(bet_types) offered (bet_type)
    on conflict do nothing`.execute(owner)
}
