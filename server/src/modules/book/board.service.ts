// The risk board: the book of a period by number and by result, of the house or of an agent's line.

import type {
  BookSort,
  DataOf,
  readBook as readBookRoute,
  readBookResults as readResultsRoute,
} from '@megalot/contract'
import {
  betOfSlot,
  type BetTypeCode,
  bottomName,
  discountSatang,
  distributePayouts,
  payoutOfResult,
  payoutsByBottom,
  payoutsByTop,
  quotaSlotOf,
  SLOT_COUNT,
  slotOf,
  topName,
  worstNumbers,
  worstPayout,
  worstResults,
} from '@megalot/rules'
import { LRUCache } from 'lru-cache'
import type { Caller } from '../../platform/caller.ts'
import type { Db } from '../../platform/db.ts'
import { Refusal } from '../../platform/refusal.ts'
import { getPeriodRecord, type PeriodRecord } from '../markets/index.ts'
import { listNumbers } from '../quotas/index.ts'
import {
  type BookColumns,
  type BookTotals,
  findHouseTotals,
  listLineSlots,
  readBookState,
  readBottom3Set,
  readCursorVersion,
  readHouseColumns,
  readLineTotals,
} from './board.store.ts'

type Board = DataOf<typeof readBookRoute>
type BoardHead = Omit<DataOf<typeof readBookRoute>, keyof Columns | 'is_whole'>
type Results = DataOf<typeof readResultsRoute>
type Columns = Pick<
  Board,
  | 'slots'
  | 'line_counts'
  | 'stakes_satang'
  | 'payouts_satang'
  | 'own_stakes_satang'
  | 'own_payouts_satang'
  | 'quotas_used'
  | 'states'
>

interface Book {
  totals: BookTotals
  columns: BookColumns
}

const noColumns: BookColumns = { slots: [], line_counts: [], stakes: [], payouts: [], own_stakes: [], own_payouts: [] }
const noTotals: BookTotals = {
  version: 0,
  first_version: 0,
  line_count: 0,
  received_satang: 0,
  discount_satang: 0,
  own_received_satang: 0,
  own_discount_satang: 0,
}

/** The books of agents' lines, which are summed up for each reader. */
export interface LineBooks {
  read(period_id: number, agent_id: number): Promise<Book>
}

/** How long a line's book is used again, as many times as it took to sum up; and at least, in ms. */
const REUSE_FACTOR = 10
const REUSE_MS = 500

export function createLineBooks(db: Db): LineBooks {
  const books = new LRUCache<string, Promise<Book>>({ max: 200 })
  return {
    read(period_id, agent_id) {
      const key = `${period_id} ${agent_id}`
      const known = books.get(key)
      if (known) return known
      const startedAtMs = performance.now()
      const book = sumLine(db, period_id, agent_id)
      books.set(key, book)
      const evict = (): void => {
        const ttlMs = Math.max(REUSE_MS, REUSE_FACTOR * (performance.now() - startedAtMs))
        setTimeout(() => books.delete(key), ttlMs).unref()
      }
      book.then(evict, () => books.delete(key))
      return book
    },
  }
}

/** The book of an agent's line, from the tickets of its members as they are now. */
async function sumLine(db: Db, period_id: number, agent_id: number): Promise<Book> {
  const version = await readCursorVersion(db)
  const { position_rate, ...totals } = await readLineTotals(db, period_id, agent_id)
  const sums = new Map<number, { lines: number; stake: number; payout: number }>()
  for (const row of await listLineSlots(db, period_id, agent_id)) {
    const slot = quotaSlotOf(row.slot)
    const sum = sums.get(slot) ?? { lines: 0, stake: 0, payout: 0 }
    sum.lines += row.lines
    sum.stake += row.stake
    sum.payout += row.payout
    sums.set(slot, sum)
  }
  const rows = [...sums].toSorted(([one], [other]) => one - other)
  const columns: BookColumns = {
    slots: rows.map(([slot]) => slot),
    line_counts: rows.map(([, { lines }]) => lines),
    stakes: rows.map(([, { stake }]) => stake),
    payouts: rows.map(([, { payout }]) => payout),
    own_stakes: rows.map(([, { stake }]) => discountSatang(stake, position_rate)),
    own_payouts: rows.map(([, { payout }]) => discountSatang(payout, position_rate)),
  }
  const line_count = columns.line_counts.reduce((sum, lines) => sum + lines, 0)
  return { totals: { ...totals, line_count, version, first_version: version }, columns }
}

/** Whether a caller sees the book of the house: the company and its office. */
function seesHouse({ is_office, level }: Caller): boolean {
  return is_office || level === 'company'
}

async function readAnyBook(
  db: Db,
  lineBooks: LineBooks,
  caller: Caller,
  { period_id }: PeriodRecord,
  since: number,
): Promise<Book> {
  if (!seesHouse(caller)) return lineBooks.read(period_id, caller.principal_id)
  // One snapshot, so that totals and numbers are of one step.
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      const totals = await findHouseTotals(tx, period_id)
      if (!totals) return { totals: noTotals, columns: noColumns }
      const columns = await readHouseColumns(tx, period_id, since >= totals.first_version ? since : -1)
      return { totals, columns }
    })
}

async function makeHead(db: Db, { period_id, period_code }: PeriodRecord, { totals }: Book): Promise<BoardHead> {
  const { first_version: _first, ...sums } = totals
  return { period_code, ...(await readBookState(db, period_id)), ...sums }
}

export interface BoardQuery {
  bet_type?: BetTypeCode | undefined
  sort?: BookSort | undefined
  top?: string | undefined
  since?: string | undefined
}

/**
 * The numbers of a period with lines. An agent's book has no patches: it is there as a whole whenever it may have changed.
 * @throws Refusal unknown_period
 */
export async function readBoard(
  db: Db,
  lineBooks: LineBooks,
  caller: Caller,
  period_code: string,
  query: BoardQuery,
): Promise<Board> {
  const period = await getPeriodRecord(db, period_code)
  const since = query.since === undefined ? -1 : Number(query.since)
  const book = await readAnyBook(db, lineBooks, caller, period, since)
  const { totals, columns } = book
  const isPatch = since >= totals.first_version && (seesHouse(caller) || since === totals.version)
  const isUnchanged = since === totals.version
  const requested = isUnchanged ? [] : selectRows(columns, query)
  const quotas = seesHouse(caller) && requested.length > 0 ? await readQuotas(db, period_code) : undefined
  const pick = <Value>(values: readonly Value[]): Value[] => requested.map((index) => values[index]!)
  const slots = pick(columns.slots)
  return {
    ...(await makeHead(db, period, book)),
    is_whole: !isPatch,
    slots,
    line_counts: pick(columns.line_counts),
    stakes_satang: pick(columns.stakes),
    payouts_satang: pick(columns.payouts),
    own_stakes_satang: pick(columns.own_stakes),
    own_payouts_satang: pick(columns.own_payouts),
    quotas_used: slots.map((slot) => quotas?.get(slot)?.used ?? -1),
    states: slots.map((slot) => quotas?.get(slot)?.state ?? null),
  }
}

/** The places of the rows that are requested, in the order that is requested. */
function selectRows({ slots, stakes, payouts }: BookColumns, { bet_type, sort, top }: BoardQuery): number[] {
  const all = Array.from(slots.keys())
  const places = bet_type === undefined ? all : all.filter((index) => betOfSlot(slots[index]!)!.bet_type === bet_type)
  const by = sort === 'stake' ? stakes : sort === 'payout' ? payouts : undefined
  const sorted = by ? places.toSorted((one, other) => by[other]! - by[one]! || one - other) : places
  return top === undefined ? sorted : sorted.slice(0, Number(top))
}

interface QuotaShare {
  /** In hundredths of a percent; -1: no limit. */
  used: number
  state: Board['states'][number]
}

async function readQuotas(db: Db, period_code: string): Promise<Map<number, QuotaShare>> {
  const numbers = await listNumbers(db, period_code)
  return new Map(
    numbers.map(({ bet_type, number, accepted_satang, full_satang, half_satang, state }) => {
      const most = full_satang === null ? 0 : full_satang + half_satang
      const used = full_satang === null ? -1 : most === 0 ? 10_000 : Math.floor((accepted_satang / most) * 10_000)
      return [slotOf(bet_type, number), { used, state }]
    }),
  )
}

export interface ResultsQuery {
  part?: 'whole' | 'own' | undefined
  top3?: string | undefined
  bottom2?: string | undefined
  front3?: string | undefined
  back3?: string | undefined
}

/** How many of the worst results are listed. */
const WORST = 50

/** What each result of a period would cost. @throws Refusal unknown_period, bad_input (one of top3 and bottom2 alone) */
export async function readResults(
  db: Db,
  lineBooks: LineBooks,
  caller: Caller,
  period_code: string,
  query: ResultsQuery,
): Promise<Results> {
  const { top3, bottom2 } = query
  if ((top3 === undefined) !== (bottom2 === undefined))
    throw new Refusal('bad_input', { problems: [{ part: 'query', path: '/top3', rule: 'with bottom2' }] })
  const period = await getPeriodRecord(db, period_code)
  const book = await readAnyBook(db, lineBooks, caller, period, -1)
  const bottom3_set = await readBottom3Set(db, period.period_id)
  const isOwn = query.part === 'own'
  const { totals, columns } = book
  const payouts = new Float64Array(SLOT_COUNT)
  const amounts = isOwn ? columns.own_payouts : columns.payouts
  for (const [index, slot] of columns.slots.entries()) payouts[slot] = amounts[index]!
  const net_satang = isOwn
    ? totals.own_received_satang - totals.own_discount_satang
    : totals.received_satang - totals.discount_satang
  const numbers = worstNumbers(payouts, bottom3_set)
  const distribution = distributePayouts(payouts, net_satang, bottom3_set)
  return {
    ...(await makeHead(db, period, book)),
    net_satang,
    top_payouts_satang: [...payoutsByTop(payouts)],
    bottom_payouts_satang: [...payoutsByBottom(payouts)],
    worst_numbers: {
      front3: numbers.front.map(topName),
      back3: numbers.back.map(topName),
      payout_satang: numbers.payout_satang,
    },
    worst: worstResults(payouts, net_satang, WORST).map(({ top, bottom, result_satang }) => ({
      top3: topName(top),
      bottom2: bottomName(bottom),
      result_satang,
    })),
    worst_case_satang: net_satang - worstPayout(payouts, bottom3_set),
    loss_chance: Math.round(distribution.loss_chance * 1_000_000),
    percentile_99_satang: net_satang - distribution.percentile_99_satang,
    resolution_satang: distribution.resolution_satang,
    histogram: {
      step_satang: distribution.histogram.step_satang,
      chances: Array.from(distribution.histogram.chances, (chance) => Math.round(chance * 1_000_000)),
    },
    tried_satang:
      top3 === undefined || bottom2 === undefined
        ? null
        : net_satang - payoutOfResult(payouts, { top3, bottom2, ...listNumbersOf(query) }, bottom3_set),
  }
}

function listNumbersOf({ front3, back3 }: ResultsQuery): { front3?: string[]; back3?: string[] } {
  return {
    ...(front3 === undefined ? {} : { front3: front3.split(',') }),
    ...(back3 === undefined ? {} : { back3: back3.split(',') }),
  }
}
