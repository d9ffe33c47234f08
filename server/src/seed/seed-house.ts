// Seeds a house with its history: its terms, sixty days of tickets with all later events, and the members' present
// data.

import type { BetTypeTerms, DrawResult } from '@megalot/rules'
import { sql } from 'kysely'
import { listGameConfigs, listMarketTimetables } from '../modules/markets/index.ts'
import { unquotedArray, plainArray, type Tx } from '../platform/db.ts'
import { demoAnnouncements } from './house-announcements.ts'
import { memberHabits } from './house-habits.ts'
import { buildHistory, type CorrectedPeriod, type HouseHistory } from './house-history.ts'
import { housePeople, laterShares } from './house-people.ts'
import { type HouseMarket, type HousePeriod, planHousePeriods } from './house-periods.ts'
import { type DemoNumberSetting, listNumberSettings, listDefaultQuotas, popularNumbersOf } from './house-quotas.ts'
import { readPastDraws } from './past-draws.ts'
import { type HouseMarketRules, type HouseRules, winningSlots } from './simulated-house.ts'
import { type StagedRound, stageRounds, stageTickets } from './stage-tickets.ts'
import { dropStaging, historySteps, stagingTables } from './write-history.ts'

const DAY_MS = 86_400_000
/** How long before its first ticket the house was set up, in days. */
const SET_UP_DAYS = 30

/** The planned data of a house before it is written. */
export interface House {
  now: Date
  days: number
  markets: readonly HouseMarket[]
  periods: readonly HousePeriod[]
  history: HouseHistory
}

/** Plans a history for the demo's people and markets, which must exist. */
export async function planHouse(tx: Tx, now: Date, days: number): Promise<House> {
  const markets = await readMarkets(tx)
  const periods = planHousePeriods(markets, await readPastDraws(), now, days)
  const rules = await readRules(tx, markets)
  return { now, days, markets, periods, history: buildHistory({ now, days, habits: memberHabits, periods, rules }) }
}

/** Writes the history of a house. Before that none of its periods exists. */
export async function writeHouse(tx: Tx, house: House): Promise<void> {
  await sql`
    create temporary table seed_audits (at timestamptz, actor text, action text, subject text, before jsonb, after jsonb,
      reason text)`.execute(tx)
  await setUp(tx, house)
  await writeRaises(tx, house)
  await writePeriods(tx, house)
  await writeNumberSettings(tx, house)
  await writeAwards(tx, house)
  await writeTickets(tx, house)
  await writeCorrection(tx, house)
  await writeNotices(tx)
  await writeLogIns(tx, house)
  await writeAnnouncements(tx, house)
  await writeAudits(tx)
  await sql.raw(dropStaging).execute(tx)
  await sql`drop table seed_audits`.execute(tx)
}

async function readMarkets(tx: Tx): Promise<HouseMarket[]> {
  const rows = await tx.selectFrom('products').select(['product_code', 'bet_types', 'result_form']).execute()
  const timetables = new Map((await listMarketTimetables(tx)).map((market) => [market.product_code, market]))
  return rows.map((row) => {
    const { timetable, exchange } = timetables.get(row.product_code)!
    return { ...row, timetable, exchange }
  })
}

async function readRules(tx: Tx, markets: readonly HouseMarket[]): Promise<HouseRules> {
  const configs = await listGameConfigs(tx)
  const rulesOf = ({ product_code, bet_types }: HouseMarket): HouseMarketRules => ({
    bet_types,
    quotas: listDefaultQuotas(product_code, bet_types),
    terms: new Map(
      configs
        .filter((config) => config.product_code === product_code)
        .map((config) => [
          config.package_code,
          new Map(config.bet_types.map((terms): [BetTypeTerms['bet_type'], BetTypeTerms] => [terms.bet_type, terms])),
        ]),
    ),
  })
  return {
    markets: new Map(markets.map((market) => [market.product_code, rulesOf(market)])),
    credit_limits: new Map(housePeople.map(({ username, credit }) => [username, credit * 100])),
  }
}

/** Quotas, shares and accounts, as set up before the first ticket; and one change of shares since. */
async function setUp(tx: Tx, house: House): Promise<void> {
  const set_up_at = daysBefore(house, house.days + SET_UP_DAYS)
  await sql`update users set created_at = ${set_up_at} where is_demo`.execute(tx)
  await sql`
    insert into seed_audits (at, action, subject, after)
    select ${set_up_at}, 'add_user', 'user:' || users.user_id, jsonb_build_object('username', users.username, 'level', users.level,
      'is_office', users.is_office, 'parent', parent.username, 'credit_limit_satang', 0 - floor_satang)
    from users join accounts on accounts.user_id = users.user_id and kind = 'cash'
      left join users parent on parent.user_id = users.parent_id
    where users.is_demo`.execute(tx)
  const quotas = house.markets.flatMap(({ product_code, bet_types }) =>
    listDefaultQuotas(product_code, bet_types).map((quota) => ({ product_code, ...quota })),
  )
  await tx.insertInto('market_quotas').values(quotas).execute()
  await sql`
    insert into seed_audits (at, actor, action, subject, after)
    select ${set_up_at}, 'office01', 'set_quota', 'product:' || product_code, to_jsonb(market_quotas)
    from market_quotas`.execute(tx)
  await writeShares(tx, house, set_up_at)
}

async function writeShares(tx: Tx, house: House, set_up_at: Date): Promise<void> {
  const first = housePeople.flatMap(({ username, parent, shares }) =>
    shares ? [{ username, parent, ...shares, since_at: set_up_at, reason: 'ตกลงกันเมื่อเปิดสาย' }] : [],
  )
  const changed = first.find(({ username }) => username === laterShares.username)!
  const since_at = daysBefore(house, Math.min(laterShares.days_ago, house.days / 2))
  const later = { ...changed, ...laterShares, since_at, reason: 'ปรับตามยอดเดือนที่แล้ว' }
  // These apply from instants in the past; that they fit their upline is checked all the same.
  await sql`alter table share_terms disable trigger date_share_terms`.execute(tx)
  for (const { username, parent, position_rate, line_rate, commission_rate, reason, ...at } of [...first, later]) {
    const before = later.since_at === at.since_at ? changed : { position_rate: 0, line_rate: 0, commission_rate: 0 }
    await sql`
      insert into share_terms (user_id, position_rate, line_rate, commission_rate, since_at, set_by)
      select own.user_id, ${position_rate}, ${line_rate}, ${commission_rate}, ${at.since_at}, upline.user_id
      from users own, users upline where own.username = ${username} and upline.username = ${parent}`.execute(tx)
    await sql`
      insert into seed_audits (at, actor, action, subject, before, after, reason)
      select ${at.since_at}, ${parent}, 'change_share_terms', 'user:' || user_id,
        jsonb_build_object('user_id', user_id, 'position_rate', ${before.position_rate}::int, 'line_rate', ${before.line_rate}::int,
          'commission_rate', ${before.commission_rate}::int),
        jsonb_build_object('position_rate', ${position_rate}::int, 'line_rate', ${line_rate}::int,
          'commission_rate', ${commission_rate}::int), ${reason}
      from users where username = ${username}`.execute(tx)
  }
  await sql`alter table share_terms enable trigger date_share_terms`.execute(tx)
}

function daysBefore({ now }: House, days: number): Date {
  return new Date(now.getTime() - days * DAY_MS)
}

/** Credit that agents have given later. */
async function writeRaises(tx: Tx, { history: { raises } }: House): Promise<void> {
  for (const { username, at_ms, before_satang, after_satang } of raises) {
    await sql`
      update accounts set floor_satang = ${-after_satang} from users
      where users.user_id = accounts.user_id and kind = 'cash' and username = ${username}`.execute(tx)
    await sql`
      insert into seed_audits (at, actor, action, subject, before, after, reason)
      select ${new Date(at_ms)}, parent.username, 'change_credit_limit', 'user:' || member.user_id,
        jsonb_build_object('credit_limit_satang', ${before_satang}::bigint),
        jsonb_build_object('credit_limit_satang', ${after_satang}::bigint), 'เพิ่มวงเงินตามที่ขอ'
      from users member join users parent on parent.user_id = member.parent_id where member.username = ${username}`.execute(
      tx,
    )
  }
}

/** All periods, with their outcome. */
async function writePeriods(tx: Tx, { periods }: House): Promise<void> {
  const sorted = periods.toSorted((one, other) => +one.open_at - +other.open_at)
  const text = (pick: (period: HousePeriod) => string | number | null) => unquotedArray(sorted.map(pick))
  await sql`
    insert into periods (period_code, product_code, period_date, round, open_at, close_at, draw_at, outcome)
    select * from unnest(
      ${text((each) => each.period_code)}::text[], ${text((each) => each.product_code)}::text[],
      ${text((each) => each.period_date)}::date[], ${text((each) => each.round)}::int[],
      ${sorted.map((each) => each.open_at)}::timestamptz[], ${sorted.map((each) => each.close_at)}::timestamptz[],
      ${sorted.map((each) => each.draw_at)}::timestamptz[],
      ${text((each) => (each.draw ? 'settled' : each.voided ? 'void' : 'pending'))}::text[])`.execute(tx)
}

interface StagedSetting extends DemoNumberSetting {
  period_code: string
  at: Date
}

/**
 * The database notifies about every period whose numbers were set, in one message for each statement: a message holds
 * no more names than these.
 */
const SETTINGS_AT_ONCE = 600

/** Numbers that pay half or are closed: in periods that were bet on, and in periods that are open now. */
async function writeNumberSettings(tx: Tx, { periods, history, now }: House): Promise<void> {
  const played = new Set(history.tickets.map(({ period_code }) => period_code))
  const settings = periods
    .filter(({ period_code, close_at }) => played.has(period_code) || close_at > now)
    .flatMap(({ product_code, period_code, open_at: at }) =>
      listNumberSettings(product_code, popularNumbersOf(period_code)).map((each) => ({ ...each, period_code, at })),
    )
  for (let from = 0; from < settings.length; from += SETTINGS_AT_ONCE)
    await writeSomeSettings(tx, settings.slice(from, from + SETTINGS_AT_ONCE))
}

async function writeSomeSettings(tx: Tx, settings: readonly StagedSetting[]): Promise<void> {
  const text = (pick: (setting: StagedSetting) => string) => unquotedArray(settings.map(pick))
  await sql`
    with given as materialized (
      select * from unnest(${text((each) => each.period_code)}::text[], ${text((each) => each.bet_type)}::text[],
        ${text((each) => each.number)}::text[], ${text((each) => each.set_to)}::text[],
        ${settings.map((each) => each.at)}::timestamptz[]) as given (period_code, bet_type, number, set_to, at)
    ), written as (
      insert into number_settings (period_id, bet_type, quota_key, set_to)
      select period_id, bet_type, number, set_to from given join periods using (period_code)
    )
    insert into seed_audits (at, actor, action, subject, before, after)
    select at, 'office02', 'set_number', 'period:' || period_code,
      jsonb_build_object('bet_type', bet_type, 'number', number, 'set_to', 'open'),
      jsonb_build_object('bet_type', bet_type, 'number', number, 'set_to', set_to)
    from given`.execute(tx)
}

/** Results as two office users have entered them, one after the other; a corrected one in its present form. */
async function writeAwards(tx: Tx, { periods, history: { corrected } }: House): Promise<void> {
  const drawn = periods.flatMap(({ period_code, draw }) => {
    if (!draw) return []
    const isCorrected = period_code === corrected?.period_code
    const announced = isCorrected ? wrongResult(draw.result, corrected) : draw.result
    const replaced_at = isCorrected ? new Date(corrected.repeated_ms) : null
    return [{ ...draw, period_code, announced, replaced_at }]
  })
  await sql`
    with given as materialized (
      select *, 'office0' || 1 + place % 2 as enterer, 'office0' || 2 - place % 2 as repeater
      from unnest(${unquotedArray(drawn.map((each) => each.period_code))}::text[],
        ${plainArray(drawn.map((each) => JSON.stringify(each.result)))}::jsonb[],
        ${plainArray(drawn.map((each) => JSON.stringify(each.announced)))}::jsonb[],
        ${unquotedArray(drawn.map((each) => String(each.is_demo)))}::boolean[],
        ${drawn.map((each) => each.entered_at)}::timestamptz[], ${drawn.map((each) => each.repeated_at)}::timestamptz[],
        ${drawn.map((each) => each.replaced_at)}::timestamptz[]) with ordinality
        as given (period_code, result, announced, is_demo, entered_at, repeated_at, replaced_at, place)
    ), written as (
      insert into awards (period_id, state, result, is_demo, entered_by, entered_at, repeated_by, repeated_result, repeated_at)
      select period_id, 'agreed', result, given.is_demo, one.user_id, coalesce(replaced_at, entered_at), two.user_id, result,
        coalesce(replaced_at, repeated_at)
      from given join periods using (period_code) join users one on one.username = enterer
        join users two on two.username = repeater
    )
    insert into seed_audits (at, actor, action, subject, after)
    select entered_at, enterer, 'award_entered', 'period:' || period_code, announced from given
    union all select repeated_at, repeater, 'award_agreed', 'period:' || period_code, announced from given`.execute(tx)
}

function wrongResult(result: DrawResult, { wrong_bottom2 }: CorrectedPeriod): DrawResult {
  return { ...result, bottom2: wrong_bottom2 }
}

async function writeTickets(tx: Tx, { periods, history }: House): Promise<void> {
  for (const table of stagingTables) await sql.raw(table).execute(tx)
  const { rows } = await sql<{ next_id: number }>`
    select case when is_called then last_value + 1 else last_value end as next_id from order_ids`.execute(tx)
  const first_order_id = rows[0]!.next_id
  await stageTickets(tx, history.tickets, first_order_id)
  await stageRounds(tx, listRounds(periods, history.corrected))
  await stageVoids(tx, periods)
  for (const step of historySteps) await sql.raw(step).execute(tx)
  for (const [index, { void_request, events }] of history.tickets.entries()) {
    const approval = events.find(({ event }) => event === 'void')
    if (!void_request || !approval) continue
    await sql`
      insert into void_requests (order_id, requested_by, requested_at, reason, approved_by, approved_at)
      select ${first_order_id + index}, one.user_id, ${new Date(void_request.at_ms)}, ${void_request.reason}, two.user_id,
        ${new Date(approval.at_ms)}
      from users one, users two where one.username = ${void_request.by} and two.username = ${approval.actor}`.execute(
      tx,
    )
  }
}

function listRounds(periods: readonly HousePeriod[], corrected: CorrectedPeriod | null): StagedRound[] {
  return periods.flatMap(({ period_code, draw }): StagedRound[] => {
    if (!draw) return []
    const right = winningSlots(draw.result)
    const round = {
      period_code,
      round: 0 as const,
      started_at: draw.repeated_at,
      finished_at: draw.settled_at,
      lost: [],
    }
    if (period_code !== corrected?.period_code) return [{ ...round, won: right }]
    const wrong = winningSlots(wrongResult(draw.result, corrected))
    return [
      { ...round, won: wrong },
      {
        period_code,
        round: 1,
        started_at: new Date(corrected.repeated_ms),
        finished_at: new Date(corrected.settled_ms),
        won: right.filter((slot) => !wrong.includes(slot)),
        lost: wrong.filter((slot) => !right.includes(slot)),
      },
    ]
  })
}

async function stageVoids(tx: Tx, periods: readonly HousePeriod[]): Promise<void> {
  const reasons = ['ผู้จัดงดออกรางวัลงวดนี้', 'ตรวจสอบกับผู้จัดแล้ว'] as const
  for (const { period_code, voided } of periods) {
    if (!voided) continue
    const { requested_at, approved_at, finished_at } = voided
    await sql`
      insert into seed_voids (period_id, requested_by, requested_at, reason, approved_by, approved_at, finished_at)
      select period_id, one.user_id, ${requested_at}, ${reasons[0]}, two.user_id, ${approved_at}, ${finished_at}
      from periods, users one, users two
      where period_code = ${period_code} and one.username = 'office01' and two.username = 'office02'`.execute(tx)
    const subject = `period:${period_code}`
    await sql`
      insert into seed_audits (at, actor, action, subject, reason)
      values (${requested_at}, 'office01', 'request_period_void', ${subject}, ${reasons[0]})`.execute(tx)
    await sql`
      insert into seed_audits (at, actor, action, subject, before, after, reason)
      select ${approved_at}, 'office02', 'void_period', ${subject},
        jsonb_build_object('status', 'closed', 'close_at', to_char(close_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')),
        jsonb_build_object('outcome', 'voiding', 'requested_by', requested_by, 'requested_reason', reason), ${reasons[1]}
      from seed_voids join periods using (period_id) where period_code = ${period_code}`.execute(tx)
  }
}

/** The correction of one result. */
async function writeCorrection(tx: Tx, { periods, history: { corrected } }: House): Promise<void> {
  if (!corrected) return
  const { period_code } = corrected
  const { result } = periods.find((period) => period.period_code === period_code)!.draw!
  const [wrong, right] = [JSON.stringify(wrongResult(result, corrected)), JSON.stringify(result)]
  const [entered_at, repeated_at, settled_at] = [corrected.entered_ms, corrected.repeated_ms, corrected.settled_ms].map(
    (ms) => new Date(ms),
  )
  const reason = 'อ่านเลขท้าย 2 ตัวผิดจากประกาศ'
  // The users who entered the correct result are those whom the award names.
  await sql`
    insert into award_corrections (period_id, round, state, old_result, new_result, reason, entered_by, entered_at, repeated_by,
      repeated_result, repeated_at, settled_at, taken_back_satang, paid_satang)
    select period_id, 1, 'settled', ${wrong}::jsonb, ${right}::jsonb, ${reason}, awards.entered_by, ${entered_at},
      awards.repeated_by, ${right}::jsonb, ${repeated_at}, ${settled_at}, coalesce(sum(before_satang), 0), coalesce(sum(now_satang), 0)
    from periods join awards using (period_id)
      left join seed_win_rounds paid using (period_id)
    where period_code = ${period_code} and coalesce(paid.round, 1) = 1
    group by period_id, awards.entered_by, awards.repeated_by`.execute(tx)
  await sql`
    insert into seed_audits (at, actor, action, subject, before, after, reason)
    select actions.at, username, actions.action, 'period:' || period_code, ${wrong}::jsonb, ${right}::jsonb, ${reason}
    from award_corrections join periods using (period_id) cross join lateral (values
      (award_corrections.entered_at, award_corrections.entered_by, 'award_correction_entered'),
      (award_corrections.repeated_at, award_corrections.repeated_by, 'award_correction_agreed')) as actions (at, user_id, action)
      join users using (user_id)`.execute(tx)
}

/** The notices of members of corrected and voided periods; some of them are read. */
async function writeNotices(tx: Tx): Promise<void> {
  await sql`
    insert into notices (kind, period_id, correction_id, at)
    select kind, period_id, correction_id, at from (
      select 'award_corrected' as kind, period_id, correction_id, settled_at as at from award_corrections
      union all select 'period_voided', period_id, null, finished_at from period_voids
    ) notified order by at`.execute(tx)
  await sql`
    insert into notice_reads (user_id, up_to_at)
    select user_id, max(at) from notices join member_periods using (period_id) join users using (user_id)
    where ticket_count > 0 and right(username, 1) in ('3', '6', '9', '0') group by user_id`.execute(tx)
}

/**
 * The last log-in of everybody: of a member around its last ticket, of uplines and the office within the last hours. Who has
 * no tickets has never logged in.
 */
async function writeLogIns(tx: Tx, { now }: House): Promise<void> {
  await sql`
    insert into sessions (token_hash, user_id, created_at, last_active_at, ended_at, end_reason)
    select sha256(convert_to('demo ' || username, 'UTF8')), user_id, began_at, ended_at, ended_at, 'logged_off'
    from users left join (select user_id, max(placed_at) as placed_at from orders group by user_id) bets using (user_id)
      cross join lateral (select case when level = 'member' then placed_at - interval '7 minutes'
        else ${now}::timestamptz - interval '2 hours' - (length(username) + user_id % 7) * interval '9 minutes' end as began_at
      ) log_ins
      cross join lateral (select least(began_at + interval '21 minutes', ${now}::timestamptz) as ended_at) ends
    where is_demo and began_at is not null order by began_at`.execute(tx)
}

/** News and important announcements; long-standing members have read the older ones. */
async function writeAnnouncements(tx: Tx, house: House): Promise<void> {
  for (const [index, { hours_ago, ...content }] of demoAnnouncements.entries()) {
    const at = daysBefore(house, hours_ago / 24)
    const { rows } = await sql<{ announce_id: number }>`
      insert into announcements (type, title_th, title_en, body_th, body_en, is_enabled, created_at, updated_at)
      values (${content.type}, ${content.title_th}, ${content.title_en}, ${content.body_th}, ${content.body_en}, true, ${at}, ${at})
      returning announce_id`.execute(tx)
    const { announce_id } = rows[0]!
    await sql`
      insert into seed_audits (at, actor, action, subject, after)
      values (${at}, 'office01', 'create_announcement', ${`announcement:${announce_id}`},
        ${JSON.stringify({ ...content, is_enabled: true })}::jsonb)`.execute(tx)
    const isOld = index < demoAnnouncements.length - 2
    await sql`
      insert into announcement_reads (announce_id, user_id)
      select ${announce_id}, user_id from users
      where is_demo and (username = 'member01' or (${isOld} and username <> 'member02'))`.execute(tx)
  }
}

/** The audit log, in order of time. */
async function writeAudits(tx: Tx): Promise<void> {
  await sql`
    insert into audit_log (at, actor_id, principal_id, action, subject, subject_user_id, before, after, reason)
    select at, user_id, user_id, action, subject, case when subject like 'user:%' then substr(subject, 6)::bigint end,
      before, after, reason
    from seed_audits left join users on username = actor
    order by at, action desc, subject`.execute(tx)
}
