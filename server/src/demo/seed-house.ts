// Seeds a house with its history: its terms, sixty days of settled tickets, and the members' current data. Rare events
// (a void, a correction) are then carried out by the application's own services.

import { randomUUID } from 'node:crypto'
import { betOfSlot, type DrawResult, listWinningBets, slotOf } from '@megalot/rules'
import { sql } from 'kysely'
import { approveProposal, proposeApproval } from '../changes/approvals/index.ts'
import { correctAward, refundVoidedPeriods, settleDuePeriods } from '../results/index.ts'
import { listGameConfigs, listMarketTimetables } from '../markets/index.ts'
import { allocateLines, packLine } from '../betting/index.ts'
import { type Db, plainArray, quotedArray, type Tx, unquotedArray } from '../postgres/db.ts'
import { findDemoCaller } from './demo-caller.ts'
import { demoAnnouncements } from './house-announcements.ts'
import { type HouseTicket, makeTickets } from './house-history.ts'
import { housePeople } from './house-people.ts'
import { type HouseMarket, type HousePeriod, planHousePeriods, RESULT_MINUTES } from './house-periods.ts'
import { listDefaultQuotas } from './house-quotas.ts'
import { readPastDraws } from './past-draws.ts'
import { stagePayments, writeClearings } from './house-money.ts'
import { dropStaging, ledgerSteps, rollupSteps, stagingTables } from './write-history.ts'

const HOUR_MS = 3_600_000
/** How many days before its first ticket the house was set up. */
const SET_UP_DAYS = 30

/** The planned data of a house before it is written. */
export interface House {
  now: Date
  set_up_at: Date
  markets: readonly HouseMarket[]
  periods: readonly HousePeriod[]
  tickets: readonly HouseTicket[]
  /** A period with a wrong result, and the right one. */
  corrected: { period_code: string; result: DrawResult } | undefined
  /** A period without a valid draw. */
  voided: { period_code: string } | undefined
}

/** Plans a history for the demo's existing people and markets. */
export async function planHouse(tx: Tx, now: Date, days: number): Promise<House> {
  const markets = await readMarkets(tx)
  const periods = planHousePeriods(markets, (await readPastDraws()).at(-1)!.date, now, days)
  const tickets = makeTickets(markets, periods, now, days)
  const set_up_at = new Date(now.getTime() - (days + SET_UP_DAYS) * 24 * HOUR_MS)
  const corrected = misreadOne(periods, tickets)
  const voided = findPlayed(periods, tickets, 'hanoi-vip')?.period
  if (voided) voided.result = null
  return { now, set_up_at, markets, periods, tickets, corrected, voided }
}

async function readMarkets(tx: Tx): Promise<HouseMarket[]> {
  const rows = await tx.selectFrom('products').select(['product_code', 'bet_types', 'result_form']).execute()
  const timetables = new Map((await listMarketTimetables(tx)).map((market) => [market.product_code, market]))
  return rows.map((row) => {
    const { timetable, exchange } = timetables.get(row.product_code)!
    return { ...row, timetable, exchange }
  })
}

/** The latest drawn period of a market with a ticket of `member02`, and a number of that ticket for the bottom two. */
function findPlayed(periods: readonly HousePeriod[], tickets: readonly HouseTicket[], product_code: string) {
  const drawn = new Map(
    periods.filter((each) => each.product_code === product_code && each.result).map((each) => [each.period_code, each]),
  )
  for (const { username, period_code, removed, lines } of tickets.toReversed()) {
    const period = drawn.get(period_code)
    const number = lines.map(({ slot }) => betOfSlot(slot)!).find(({ bet_type }) => bet_type === '2bottom')?.number
    if (username === 'member02' && !removed && period && number !== undefined && number !== period.result?.bottom2)
      return { period, number }
  }
  return undefined
}

/** Makes a wrong number win. */
function misreadOne(periods: readonly HousePeriod[], tickets: readonly HouseTicket[]): House['corrected'] {
  const found = findPlayed(periods, tickets, 'hanoi')
  if (!found) return undefined
  const { period, number } = found
  const result = period.result!
  period.result = { ...result, bottom2: number }
  return { period_code: period.period_code, result }
}

/** Writes a house's history. None of its periods may exist yet. */
export async function writeHouse(tx: Tx, house: House): Promise<void> {
  await setUp(tx, house)
  await writePeriods(tx, house)
  for (const table of stagingTables) await sql.raw(table).execute(tx)
  await stageTickets(tx, house)
  await stageResults(tx, house)
  for (const step of rollupSteps) await sql.raw(step).execute(tx)
  await stagePayments(tx, house)
  for (const step of ledgerSteps) await sql.raw(step).execute(tx)
  await writeClearings(tx, house)
  await sql.raw(dropStaging).execute(tx)
  await writeLogIns(tx, house)
  await writeAnnouncements(tx, house)
  await writeAudits(tx, house)
}

/** Quotas, shares and accounts, as set up before the first ticket. */
async function setUp(tx: Tx, { set_up_at, markets }: House): Promise<void> {
  await sql`update users set created_at = ${set_up_at} where is_demo`.execute(tx)
  const quotas = markets.flatMap(({ product_code, bet_types }) =>
    listDefaultQuotas(product_code, bet_types).map((quota) => ({
      ...{ product_code, period_id: null, package_code: null },
      ...quota,
    })),
  )
  await tx.insertInto('quotas').values(quotas).execute()
  // The shares apply from an instant in the past; checks against uplines stay enabled.
  await sql`alter table share_terms disable trigger date_share_terms`.execute(tx)
  for (const { username, parent, shares } of housePeople)
    if (shares)
      await sql`
        insert into share_terms (user_id, position_rate, line_rate, commission_rate, since_at, set_by)
        select own.user_id, ${shares.position_rate}, ${shares.line_rate}, ${shares.commission_rate}, ${set_up_at},
          upline.user_id
        from users own, users upline where own.username = ${username} and upline.username = ${parent}`.execute(tx)
  await sql`alter table share_terms enable trigger date_share_terms`.execute(tx)
}

/** All periods, and the results that two office users have entered, one after the other. */
async function writePeriods(tx: Tx, { periods }: House): Promise<void> {
  const text = (pick: (period: HousePeriod) => string | number | null) => unquotedArray(periods.map(pick))
  await sql`
    insert into periods (period_code, product_code, period_date, round, open_at, close_at, draw_at, outcome)
    select * from unnest(
      ${text((each) => each.period_code)}::text[], ${text((each) => each.product_code)}::text[],
      ${text((each) => each.period_date)}::date[], ${text((each) => each.round)}::int[],
      ${periods.map((each) => each.open_at)}::timestamptz[], ${periods.map((each) => each.close_at)}::timestamptz[],
      ${periods.map((each) => each.draw_at)}::timestamptz[],
      ${text(({ result }) => (result ? 'settled' : 'pending'))}::text[])`.execute(tx)
  const drawn = periods.filter(({ result }) => result)
  await sql`
    insert into awards (period_id, state, result, is_demo, entered_by, entered_at, repeated_by, repeated_result, repeated_at)
    select period_id, 'agreed', given.result, true, one.user_id, draw_at + ${RESULT_MINUTES.entered} * interval '1 minute',
      two.user_id, given.result, draw_at + ${RESULT_MINUTES.repeated} * interval '1 minute'
    from unnest(${unquotedArray(drawn.map((each) => each.period_code))}::text[],
        ${plainArray(drawn.map(({ result }) => JSON.stringify(result)))}::jsonb[]) as given (period_code, result)
      join periods using (period_code)
      join users one on one.username = 'office01' join users two on two.username = 'office02'`.execute(tx)
}

/** Tickets per statement, because a message to the database has a size limit. */
const AT_ONCE = 2_000

async function stageTickets(tx: Tx, house: House): Promise<void> {
  const { rows } = await sql<{ next_id: number }>`
    select case when is_called then last_value + 1 else last_value end as next_id from order_ids`.execute(tx)
  const packLines = await createPacker(tx, house.periods)
  for (let from = 0; from < house.tickets.length; from += AT_ONCE) {
    const tickets = house.tickets.slice(from, from + AT_ONCE)
    const bare = (pick: (ticket: HouseTicket) => string | null) => unquotedArray(tickets.map(pick))
    await sql`
      insert into seed_tickets (order_id, user_id, period_id, package_id, status, note, placed_at, removed_at, removed_by,
        reason, slots, lines)
      select ${rows[0]!.next_id + from}::bigint + place - 1, users.user_id, period_id, package_id,
        case when remover is null then 'CONFIRMED' when remover = users.username then 'CANCELLED' else 'DELETED' end, note,
        placed_at, removed_at, other.user_id, reason, slots::smallint[], decode(lines, 'hex')
      from unnest(
        ${bare((each) => each.username)}::text[], ${bare((each) => each.period_code)}::text[],
        ${bare((each) => each.package_code)}::text[], ${plainArray(tickets.map((each) => each.note))}::text[],
        ${tickets.map((each) => new Date(each.placed_ms))}::timestamptz[],
        ${tickets.map(({ removed }) => removed && new Date(removed.at_ms))}::timestamptz[],
        ${bare(({ removed }) => removed && removed.by)}::text[], ${tickets.map(({ removed }) => removed?.reason)}::text[],
        ${quotedArray(tickets.map(({ lines }) => unquotedArray(lines.map(({ slot }) => slot))))}::text[],
        ${unquotedArray(tickets.map(packLines))}::text[]
      ) with ordinality as given (username, period_code, package_code, note, placed_at, removed_at, remover, reason, slots,
        lines, place)
        join users using (username) join periods using (period_code)
        join packages using (product_code, package_code) left join users other on other.username = remover`.execute(tx)
  }
}

/** @returns a function that builds the column `lines` of `orders`, in hexadecimal digits */
async function createPacker(tx: Tx, periods: readonly HousePeriod[]): Promise<(ticket: HouseTicket) => string> {
  const products = new Map(periods.map((each) => [each.period_code, each.product_code]))
  const terms = new Map(
    (await listGameConfigs(tx)).flatMap(({ product_code, package_code, bet_types }) =>
      bet_types.map((each) => [`${product_code} ${package_code} ${each.bet_type}`, each] as const),
    ),
  )
  return ({ period_code, package_code, lines }) => {
    const packed = allocateLines(lines.length)
    for (const [index, { bet_type, bet_satang }] of lines.entries()) {
      const { rate, discount_rate } = terms.get(`${products.get(period_code)} ${package_code} ${bet_type}`)!
      packLine(packed, index, bet_satang / 100, rate, discount_rate)
    }
    return packed.toString('hex')
  }
}

async function stageResults(tx: Tx, { periods }: House): Promise<void> {
  await sql`
    insert into seed_settlements (period_id, started_at, finished_at)
    select period_id, repeated_at, repeated_at + interval '1 second' from awards where repeated_at is not null`.execute(
    tx,
  )
  const winners = periods.flatMap(({ period_code, result }) =>
    result
      ? listWinningBets(result, 'back').map(({ bet_type, number }) => ({ period_code, slot: slotOf(bet_type, number) }))
      : [],
  )
  await sql`
    insert into seed_winning (period_id, slot)
    select period_id, slot from unnest(${unquotedArray(winners.map((each) => each.period_code))}::text[],
      ${unquotedArray(winners.map((each) => each.slot))}::int[]) as given (period_code, slot)
      join periods using (period_code)`.execute(tx)
}

/** Last log-ins: of members around their last ticket, of uplines and the office two hours ago. */
async function writeLogIns(tx: Tx, { now }: House): Promise<void> {
  await sql`
    insert into sessions (token_hash, user_id, created_at, last_active_at, ended_at, end_reason)
    select sha256(convert_to('demo ' || username, 'UTF8')), user_id, began_at, ended_at, ended_at, 'logged_off'
    from users left join (select user_id, max(placed_at) as placed_at from orders group by user_id) bets using (user_id)
      cross join lateral (select case when level = 'member' then placed_at else ${now}::timestamptz - interval '2 hours' end
        as began_at) log_ins
      cross join lateral (select least(began_at + interval '21 minutes', ${now}::timestamptz) as ended_at) ends
    where is_demo and began_at is not null order by began_at`.execute(tx)
}

/** Announcements; all users except `member02` have read those older than three days. */
async function writeAnnouncements(tx: Tx, { now }: House): Promise<void> {
  for (const { hours_ago, ...content } of demoAnnouncements) {
    const at = new Date(now.getTime() - hours_ago * HOUR_MS)
    await sql`
      insert into announcements (type, title_th, title_en, body_th, body_en, is_enabled, created_at, updated_at)
      values (${content.type}, ${content.title_th}, ${content.title_en}, ${content.body_th}, ${content.body_en}, true, ${at}, ${at})`.execute(
      tx,
    )
  }
  await sql`
    insert into announcement_reads (announce_id, user_id)
    select announce_id, user_id from announcements cross join users
    where is_demo and username <> 'member02' and announcements.created_at < ${now}::timestamptz - interval '3 days'`.execute(
    tx,
  )
}

/** The audit log of what was written, in order of time. */
async function writeAudits(tx: Tx, { set_up_at }: House): Promise<void> {
  await sql`
    insert into audit_log (at, actor_id, principal_id, action, subject, subject_user_id, after, reason)
    select at, actor.user_id, actor.user_id, action, subject, subject_user_id, after, reason from (
      select ${set_up_at}::timestamptz as at, null as actor, 'add_user' as action, 'user:' || u.user_id as subject,
        u.user_id as subject_user_id, jsonb_build_object('username', u.username, 'level', u.level, 'is_office', u.is_office,
          'parent', parent.username, 'credit_limit_satang', 0 - floor_satang) as after, null as reason
      from users u join accounts on accounts.user_id = u.user_id and kind = 'cash'
        left join users parent on parent.user_id = u.parent_id
      union all
      select ${set_up_at}, 'office01', 'set_quota', 'product:' || product_code, null,
        to_jsonb(quotas) - '{period_id,package_code}'::text[], null
      from quotas
      union all
      select ${set_up_at}, upline.username, 'change_share_terms', 'user:' || own.user_id, own.user_id,
        jsonb_build_object('user_id', own.user_id, 'position_rate', position_rate, 'line_rate', line_rate,
          'commission_rate', commission_rate), 'ตกลงกันเมื่อเปิดสาย'
      from share_terms own join users upline on upline.user_id = set_by
      union all
      select step.at, step.actor, step.action, 'period:' || period_code, null, result, null
      from awards join periods using (period_id) cross join lateral (values
        (entered_at, 'office01', 'award_entered'), (repeated_at, 'office02', 'award_agreed')) as step (at, actor, action)
      union all
      select created_at, 'office01', 'create_announcement', 'announcement:' || announce_id, null,
        to_jsonb(announcements) - '{announce_id,created_at,updated_at}'::text[], null
      from announcements
    ) done left join users actor on actor.username = done.actor
    order by at, action desc, subject`.execute(tx)
}

/** Two office users void a ticket, and a period in which nothing was drawn; and they correct a result. */
export async function voidAndCorrect(db: Db, { voided, corrected }: House): Promise<void> {
  const office = [(await findDemoCaller(db, 'office01'))!, (await findDemoCaller(db, 'office02'))!] as const
  const [one, two] = office
  if (voided) {
    const { period_code } = voided
    const { rows } = await sql<{ order_id: number }>`
      select order_id from orders join periods using (period_id) join users using (user_id)
      where period_code = ${period_code} and status = 'CONFIRMED' and username <> 'member02' limit 1`.execute(db)
    for (const { order_id } of rows) {
      const reason = 'เอเยนต์ส่งโพยซ้ำ ตรวจสอบแล้ว'
      const proposal = { kind: 'void_order', payload: { order_id }, request_id: randomUUID(), reason } as const
      const { approval_id } = await proposeApproval(db, one, proposal)
      await approveProposal(db, two, approval_id, 'ยืนยันโพยซ้ำ')
    }
    const reason = 'ผู้จัดงดออกรางวัลงวดนี้'
    const proposal = { kind: 'void_period', payload: { period_code }, request_id: randomUUID(), reason } as const
    const { approval_id } = await proposeApproval(db, one, proposal)
    await approveProposal(db, two, approval_id, 'ตรวจสอบกับผู้จัดแล้ว')
    await refundVoidedPeriods(db)
  }
  if (corrected) {
    const entry = { ...corrected, reason: 'อ่านเลขท้าย 2 ตัวผิดจากประกาศ' }
    for (const { actor_id } of office) await correctAward(db, { actor_id }, entry)
    // Both results are generated. Once the period is settled, its award is fixed.
    await sql`
      update awards set is_demo = true from periods
      where periods.period_id = awards.period_id and period_code = ${corrected.period_code}`.execute(db)
    await settleDuePeriods(db)
  }
}
