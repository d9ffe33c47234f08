// The application itself could have written the demo's history: all invariants and the reconciliation hold, no member
// ever exceeded its credit, every role has data to see, and a second start changes nothing.

import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { findViolatedInvariants } from '../../test/invariants.ts'
import { appOn } from '../../test/test-app.ts'
import { createEmptyDatabase } from '../../test/test-database.ts'
import { DEMO_PASSWORD, seedDemo } from './demo.ts'
import { placeWaitingTicket } from './demo-day.ts'

const DAYS = 60

const database = await createEmptyDatabase()
await seedDemo(database.owner, () => {}, DAYS)
const app = await appOn(database)

async function select<Row>(text: string): Promise<Row[]> {
  return (await sql.raw<Row>(text).execute(app.owner)).rows
}

test('every invariant and every sum holds', async () => {
  expect(await findViolatedInvariants(app.owner)).toEqual({})
})

test('ids of entries and tickets are in time order, and none is in the future', async () => {
  const ofEntries = 'select at < lag(at) over (order by entry_id) as is_wrong from entries'
  const ofOrders = 'select placed_at < lag(placed_at) over (order by order_id) from orders'
  const ofAudits = 'select at < lag(at) over (order by audit_id) from audit_log'
  expect(
    await select(`select 1 from (${ofEntries} union all ${ofOrders} union all ${ofAudits}) all_rows where is_wrong`),
  ).toEqual([])
  const instants = [
    'max(at) from entries',
    'max(at) from order_events',
    'max(placed_at) from orders',
    'max(at) from audit_log',
    'max(finished_at) from settlements',
    'max(at) from notices',
  ].map((what) => `select ${what}`)
  expect(
    await select(`select * from (${instants.join(' union all ')}) latest (at) where at > clock_timestamp()`),
  ).toEqual([])
})

test('no member ever exceeded its credit at that time', async () => {
  const beyond = await select(`
    with moves as (
      select user_id, entry_id, at, sum(postings.amount_satang) over (partition by user_id order by entry_id) as cash
      from postings join accounts using (account_id) join entries using (entry_id) where accounts.kind = 'cash'
    ), limits as materialized (
      select replace(subject, 'user:', '')::bigint as user_id, at as since_at,
        lead(at, 1, 'infinity') over (partition by subject order by at) as until_at,
        (after ->> 'credit_limit_satang')::bigint as credit_limit
      from audit_log where action in ('add_user', 'change_credit_limit')
    )
    select user_id, entry_id from moves left join limits using (user_id)
    where (since_at is null or (at >= since_at and at < until_at)) and cash + coalesce(credit_limit, 0) < 0`)
  expect(beyond).toEqual([])
  const now = await select(`
    select username from accounts a join users using (user_id) where kind = 'cash' and 0 - floor_satang <> (
      select (after ->> 'credit_limit_satang')::bigint from audit_log
      where subject = 'user:' || user_id and action in ('add_user', 'change_credit_limit') order by audit_id desc limit 1)`)
  expect(now).toEqual([])
})

test('results were entered by two people and settled, and generated ones are marked', async () => {
  const [counts] = await select<Record<string, number>>(`
    select count(*)::int as settled, (count(*) filter (where a.entered_by <> a.repeated_by))::int as by_two,
      (count(*) filter (where is_demo))::int as demo, (count(*) filter (where s.finished_at is not null))::int as paid,
      (count(*) filter (where outcome <> 'settled'))::int as otherwise
    from awards a join periods using (period_id) left join settlements s using (period_id)
    where draw_at > now() - interval '${DAYS} days' and product_code <> 'thai-government'`)
  expect(counts!.settled).toBeGreaterThan(DAYS * 90)
  expect(counts).toEqual({
    settled: counts!.settled,
    by_two: counts!.settled,
    demo: counts!.settled,
    paid: counts!.settled,
    otherwise: 0,
  })
})

test('all users above members, and members who have bet, have logged in before', async () => {
  const wrong = await select(`
    select username from users u where is_demo and (last_log_in_at is null or last_log_in_at > clock_timestamp()) =
      (level <> 'member' or exists (select 1 from orders where orders.user_id = u.user_id))`)
  expect(wrong).toEqual([])
})

test('rare events have happened once', async () => {
  const [counts] = await select(`
    select (select count(*)::int from order_events where event = 'delete') as deleted,
      (select count(*)::int from order_events where event = 'void') as voided,
      (select count(*)::int from award_corrections where state = 'settled' and taken_back_satang > 0) as corrected,
      (select count(*)::int from period_voids join periods using (period_id) where outcome = 'void' and refunded_orders > 0) as void_periods`)
  expect(counts).toEqual({ deleted: 1, voided: 1, corrected: 1, void_periods: 1 })
})

describe('every role has data', () => {
  const today = () => new Date(Date.now() + 7 * 3_600_000).toISOString().slice(0, 10)
  const before = (days: number) => new Date(Date.parse(today()) - days * 86_400_000).toISOString().slice(0, 10)

  test.each(['agent01', 'agent02', 'agent03', 'agent04', 'master01', 'master02', 'senior01', 'company', 'office01'])(
    '%s: downline, win and loss by period and by user, tickets',
    async (username) => {
      const caller = await app.logIn(username)
      const span = { date_from: before(DAYS), date_to: today() }
      const summary = await caller.post('/api/admin/report/user_win_loss_summary', { ...span, group_by: 'user' })
      expect(summary.http).toBe(200)
      expect(JSON.stringify(summary.json).length).toBeGreaterThan(500)
      const orders = await caller.get('/api/order/list?page=0&ipp=15')
      expect(orders.json.data.length).toBe(15)
    },
  )

  test('a member: bills, statement, results with own wins, notices that are unread', async () => {
    const member = await app.logIn('member02')
    expect((await member.get('/api/order/list?page=0&ipp=15')).json.data.length).toBe(15)
    expect((await member.get('/mgluser/profit/transaction_list')).json.data.length).toBeGreaterThan(10)
    const notices = await member.get('/api/notice/list')
    expect(notices.json.unread_count).toBeGreaterThan(0)
    const corrected = notices.json.data.filter(({ kind }) => kind === 'award_corrected')
    expect(corrected.map((notice) => 'is_demo' in notice && notice.is_demo)).toEqual([true])
    const awards = await member.get('/api/award?product_code=hanoi')
    expect(awards.json.data.map((award) => award.is_demo)).toEqual([true, true, true, true, true])
    const statistics = await member.get('/api/rewardcalc/award/statistics/thai-government')
    expect(statistics.json.data.draws).toBeGreaterThan(453)
    expect(statistics.json.data.demo_draws).toBe(statistics.json.data.draws - 453)
  })

  test('a new member: no data of its own', async () => {
    const member = await app.logIn('member01')
    expect((await member.get('/api/order/list?page=0&ipp=15')).json.data).toEqual([])
    expect((await member.get('/api/notice/list')).json).toMatchObject({ data: [], unread_count: 0 })
    expect((await member.get('/mgluser/profit/transaction_list')).json.data).toEqual([])
    expect((await member.get('/mgluser/user_data/credit_info')).json.data).toMatchObject({
      balance_satang: 0,
      credit_limit_satang: 5_000_000,
    })
  })

  test('announcements in both languages, news and important ones, not all of them read', async () => {
    const member = await app.logIn('member02')
    const { json } = await member.get('/api/admin/announcement/list')
    const types = json.data.map((each) => each.type)
    expect(new Set(types)).toEqual(new Set(['news', 'important']))
    for (const { title_th, title_en } of json.data) expect(title_th).not.toBe(title_en)
    expect(json.data.some((each) => !each.is_read)).toBe(true)
  })
})

test('the agent code registers under agent01', async () => {
  expect(await select("select username from agent_codes join users using (user_id) where code = 'AGENT01'")).toEqual([
    { username: 'agent01' },
  ])
  expect(DEMO_PASSWORD).toBe('demo1234')
})

test('a ticket that waits is placed for member02 if none waits, by the application itself', async () => {
  await placeWaitingTicket(app)
  const waiting = await select<{ username: string; is_half: boolean }>(`
      select username, bool_or(is_half_pay) as is_half from orders join users using (user_id) join order_items items using (order_id)
      where orders.status = 'WAIT_CONFIRM' and username = 'member02' group by order_id, username`)
  expect(waiting).toEqual([{ username: 'member02', is_half: true }])
  await placeWaitingTicket(app)
  // At some times of day a member of the history has a waiting ticket too.
  const ofMember =
    "select 1 from orders join users using (user_id) where orders.status = 'WAIT_CONFIRM' and username = 'member02'"
  expect((await select(ofMember)).length).toBe(1)
  expect(await findViolatedInvariants(app.owner)).toEqual({})
})

test('a database with real users is refused, and nothing is written', async () => {
  const { owner } = await createEmptyDatabase()
  await sql`insert into users (username, display_name, level, password_hash) values ('company', 'House', 'company', 'x')`.execute(
    owner,
  )
  await expect(seedDemo(owner, () => {}, DAYS)).rejects.toThrow('holds people who are not of the demo')
  expect((await sql`select 1 from products union all select 1 from periods`.execute(owner)).rows).toEqual([])
})

test('a second start changes nothing', async () => {
  const count = () =>
    select(`
      select (select count(*) from users) as users, (select count(*) from orders) as orders, (select count(*) from entries) as entries,
        (select count(*) from periods) as periods, (select count(*) from audit_log) as audits, (select count(*) from awards) as awards,
        (select count(*) from announcements) as announcements, (select sum(balance_satang) from accounts where kind = 'cash') as cash`)
  const before = await count()
  await seedDemo(app.owner, () => {}, DAYS)
  expect(await count()).toEqual(before)
})
