// Signals of some days. Each kind has its own query, run sequentially, because reports have few connections.

import {
  type Period,
  permissionOfSignal,
  type QueryOf,
  type listSignals as listSignalsRoute,
  type Signal,
  signalKinds,
  type SignalKind,
  type SignalOf,
  type SignalsFound,
} from '@megalot/contract'
import { setImmediate } from 'node:timers/promises'
import { addDays, bangkokDayOf } from '../../lib/bangkok.ts'
import type { Caller } from '../../http/caller.ts'
import { type Db, readClock } from '../../postgres/db.ts'
import { Refusal } from '../../lib/refusal.ts'
import { listPeriodRecords, type PeriodRecord, toPeriod } from '../../markets/index.ts'
import { listDiffering } from './differing-results.ts'
import { type ImprobableWin, evaluateHits } from './improbable-wins.ts'
import {
  type Days,
  type Found,
  type HitRow,
  listBets,
  listCancelled,
  listChurn,
  listAwardEntries,
  listHits,
  listLateDeletes,
  listLateStakes,
  listNamedUsers,
  listSharedAccess,
} from './signals.store.ts'
import { thresholds } from './thresholds.ts'

const USUAL_DAYS = 7
const MAX_DAYS = 31
/** How many signals of a kind are returned. */
const MAX_OF_KIND = 200
/** How many periods a signal about results names. */
const MAX_PERIODS = 20
/** How many members are evaluated at once, which keeps the query and the event loop's work short. */
const MEMBERS_AT_ONCE = 50

type Query = QueryOf<typeof listSignalsRoute>

/**
 * Signals visible to a caller: about users below it, or all users for the office, and of kinds whose records it may
 * view.
 * @throws Refusal bad_input (days in reverse order), signal_span_too_long, not_allowed (a kind without its permission)
 */
export async function findSignals(
  db: Db,
  caller: Caller,
  query: Query,
): Promise<{ data: Signal[]; top_level: SignalsFound }> {
  const days = readDays(query, bangkokDayOf(await readClock(db)))
  const seen = signalKinds.filter((kind) => caller.permissions.has(permissionOfSignal[kind]))
  if (query.kind !== undefined && !seen.includes(query.kind)) throw new Refusal('not_allowed')
  const found: { kind: SignalKind; drafts: Draft[]; count: number }[] = []
  for (const kind of query.kind === undefined ? seen : [query.kind]) {
    const { rows, row_count } = await readers[kind](db, caller, days)
    found.push({ kind, drafts: rows.slice(0, MAX_OF_KIND), count: row_count })
  }
  const drafts = found.flatMap((each) => each.drafts)
  const kinds = found.map(({ kind, count }) => ({ kind, count }))
  return { data: await nameUsers(db, caller, drafts), top_level: { ...days, kinds, thresholds } }
}

/** @throws Refusal bad_input, signal_span_too_long */
export function readDays({ date_from, date_to }: Pick<Query, 'date_from' | 'date_to'>, today: string): Days {
  const to = date_to ?? (date_from === undefined ? today : addDays(date_from, USUAL_DAYS - 1))
  const from = date_from ?? addDays(to, 1 - USUAL_DAYS)
  if (to < from)
    throw new Refusal('bad_input', { problems: [{ part: 'querystring', path: '/date_to', rule: 'order' }] })
  if (to > addDays(from, MAX_DAYS - 1)) throw new Refusal('signal_span_too_long', { most_days: MAX_DAYS })
  return { date_from: from, date_to: to }
}

/** A signal before its users are named and targets the caller cannot open are removed. */
type DraftOf<One> = One extends Signal ? Omit<One, 'users'> & { user_ids: readonly number[] } : never
type Draft = DraftOf<Signal>

type Reader = (db: Db, caller: Caller, days: Days) => Promise<Found<Draft>>

const readers: Readonly<Record<SignalKind, Reader>> = {
  late_stakes: async (db, caller, days) =>
    mapFound(await listLateStakes(db, caller, days), (row) => ({
      kind: 'late_stakes',
      ...ofPeriod('late_stakes', row),
      opens: ['tickets', 'profile'],
      ticket_count: row.ticket_count,
      late_satang: row.late_satang,
      period_satang: row.period_satang,
    })),
  late_deletes: async (db, caller, days) =>
    mapFound(await listLateDeletes(db, caller, days), (row) => ({
      kind: 'late_deletes',
      ...ofPeriod('late_deletes', row),
      opens: ['tickets', 'audit', 'profile'],
      ticket_count: row.ticket_count,
      member_count: row.member_count,
      bet_satang: row.bet_satang,
      ms_before_close: row.close_at.getTime() - row.last_at.getTime(),
    })),
  shared_access: async (db, caller, days) =>
    mapFound(await listSharedAccess(db, caller, days), (row) => ({
      kind: 'shared_access',
      signal_key: `shared_access:${row.by}:${row.key}`,
      user_ids: row.user_ids,
      user_count: row.user_count,
      period: null,
      ...instantsOf(row),
      opens: row.by === 'address' ? ['tickets', 'sessions', 'profile'] : ['sessions', 'profile'],
      by: row.by,
      address: row.address,
      log_in_count: row.log_in_count,
    })),
  improbable_wins: async (db, caller, days) => {
    const rows = await findImprobableWins(db, days, await listHits(db, caller, days))
    return mapFound({ rows, row_count: rows.length }, (row) => ({
      kind: 'improbable_wins',
      ...ofUser(`improbable_wins:${row.bet_type}`, row),
      opens: ['tickets', 'profile'],
      bet_type: row.bet_type,
      period_count: row.period_count,
      hit_count: row.hit_count,
      expected_hits: row.expected_hits.toFixed(2),
      chance_log10: row.chance_log10,
      received_satang: row.received_satang,
      win_satang: row.win_satang,
    }))
  },
  cancelled_tickets: async (db, caller, days) => {
    const found = await listCancelled(db, caller, days)
    const periods = await readPeriods(
      db,
      found.rows.map(({ period_code }) => period_code),
    )
    return mapFound(found, (row) => ({
      kind: 'cancelled_tickets',
      ...ofUser('cancelled_tickets', row),
      period: periods.get(row.period_code) ?? null,
      opens: ['tickets', 'profile'],
      ticket_count: row.ticket_count,
      cancelled_count: row.cancelled_count,
      waiting_count: row.waiting_count,
      marked_count: row.marked_count,
    }))
  },
  credit_churn: async (db, caller, days) =>
    mapFound(await listChurn(db, caller, days), (row) => ({
      kind: 'credit_churn',
      ...ofUser('credit_churn', row),
      opens: ['audit', 'profile'],
      raise_count: row.raise_count,
      cut_count: row.cut_count,
      raised_satang: row.raised_satang,
      cut_satang: row.cut_satang,
      least_limit_satang: row.least_limit_satang,
      highest_limit_satang: row.highest_limit_satang,
    })),
  // For the whole house, because only the office has the permission for results.
  differing_results: async (db, _caller, days) => {
    const rows = listDiffering(await listAwardEntries(db, days))
    const periods = await readPeriods(db, rows.map(onlyPeriodOf))
    return mapFound({ rows, row_count: rows.length }, (row) => ({
      kind: 'differing_results',
      ...ofUser('differing_results', row),
      period: periods.get(onlyPeriodOf(row)) ?? null,
      opens: ['audit'],
      entry_count: row.entry_count,
      differing_count: row.differing_count,
      wrong_count: row.wrong_count,
      period_codes: row.period_codes.slice(0, MAX_PERIODS),
    }))
  },
}

function mapFound<Row, Kind extends SignalKind>(
  { rows, row_count }: Found<Row>,
  draft: (row: Row) => DraftOf<SignalOf<Kind>>,
): Found<Draft> {
  return { rows: rows.map(draft) as Draft[], row_count }
}

/** Null if there are several. */
function onlyPeriodOf({ period_codes }: { period_codes: readonly string[] }): string | null {
  return period_codes.length === 1 ? period_codes[0]! : null
}

/** Periods by their codes. */
async function readPeriods(db: Db, codes: readonly (string | null)[]): Promise<ReadonlyMap<string | null, Period>> {
  const records = await listPeriodRecords(
    db,
    codes.filter((code) => code !== null),
  )
  return new Map(records.map((record) => [record.period_code, toPeriod(record)]))
}

function instantsOf({ first_at, last_at }: { first_at: Date; last_at: Date }) {
  return { first_at: first_at.toISOString(), last_at: last_at.toISOString() }
}

function ofUser(name: string, row: { user_id: number; first_at: Date; last_at: Date }) {
  const { user_id } = row
  return {
    signal_key: `${name}:${user_id}`,
    user_ids: [user_id],
    user_count: 1,
    period: null,
    ...instantsOf(row),
  }
}

function ofPeriod(name: string, row: PeriodRecord & { user_id: number; first_at: Date; last_at: Date }) {
  return { ...ofUser(`${name}:${row.period_code}`, row), period: toPeriod(row) }
}

/** Most improbable first. Members are evaluated in groups, so that other calls get their turn in between. */
async function findImprobableWins(db: Db, days: Days, hits: readonly HitRow[]): Promise<ImprobableWin[]> {
  const user_ids = [...new Set(hits.map(({ user_id }) => user_id))]
  const found: ImprobableWin[] = []
  for (let at = 0; at < user_ids.length; at += MEMBERS_AT_ONCE) {
    const part = new Set(user_ids.slice(at, at + MEMBERS_AT_ONCE))
    const requested = hits.filter(({ user_id }) => part.has(user_id))
    found.push(...evaluateHits(requested, await listBets(db, days, requested)))
    await setImmediate()
  }
  return found.toSorted((one, other) => one.chance_log10 - other.chance_log10)
}

const permissionToOpen = {
  tickets: 'tickets.view',
  profile: 'people.view',
  sessions: 'people.view',
  audit: 'audit.view',
} as const

async function nameUsers(db: Db, caller: Caller, drafts: readonly Draft[]): Promise<Signal[]> {
  const user_ids = [...new Set(drafts.flatMap((draft) => draft.user_ids))]
  const named = new Map((await listNamedUsers(db, caller, user_ids)).map((user) => [user.user_id, user]))
  const canOpenProfiles = caller.permissions.has(permissionToOpen.profile)
  return drafts.map(({ user_ids: ids, opens, ...draft }) => {
    const users = ids.map((user_id) => {
      const user = named.get(user_id)!
      return { ...user, has_profile: user.has_profile && canOpenProfiles }
    })
    const isOpened = (one: Signal['opens'][number]): boolean =>
      caller.permissions.has(permissionToOpen[one]) && (one !== 'profile' || users.some((user) => user.has_profile))
    return { ...draft, users, opens: opens.filter(isOpened) }
  })
}
