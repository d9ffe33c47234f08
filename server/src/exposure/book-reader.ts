// A period's exposure as a caller sees it: the house's, or the sums of its own downline.

import { type DataOf, type readBook as readBookRoute, seesHouse } from '@megalot/contract'
import { discountSatang, quotaSlotOf } from '@megalot/rules'
import { LRUCache } from 'lru-cache'
import type { Caller } from '../http/caller.ts'
import { type Db, inSnapshot } from '../postgres/db.ts'
import { createSemaphore } from '../lib/semaphore.ts'
import type { PeriodRecord } from '../markets/index.ts'
import {
  type BookColumns,
  type BookTotals,
  findHouseTotals,
  listDownlineSlots,
  readBookState,
  readCursorVersion,
  readHouseColumns,
  readDownlineTotals,
} from './board.store.ts'

type BookHead = Pick<
  DataOf<typeof readBookRoute>,
  Exclude<keyof BookTotals, 'first_version'> | 'period_code' | keyof Awaited<ReturnType<typeof readBookState>>
>

export interface Exposure {
  totals: BookTotals
  columns: BookColumns
}

export const noColumns: BookColumns = {
  slots: [],
  line_counts: [],
  stakes: [],
  payouts: [],
  own_stakes: [],
  own_payouts: [],
}
const noTotals: BookTotals = {
  version: 0,
  first_version: 0,
  line_count: 0,
  received_satang: 0,
  discount_satang: 0,
  own_received_satang: 0,
  own_discount_satang: 0,
}

/** Reads exposure for the callers of one node. */
export interface ExposureReader {
  /**
   * The exposure that a caller sees.
   * @param since a version of the house's exposure that the caller has, to get only numbers changed since; -1 for all
   */
  read(caller: Caller, period: PeriodRecord, since: number): Promise<Exposure>
}

/** How long a downline's sums are reused, as a multiple of the time to compute them; and at least this long, in ms. */
const REUSE_FACTOR = 10
const REUSE_MS = 500
/** Concurrent computations for downlines: fewer than the connections for reports, which others need too. */
const MAX_SUMS = 2

export function createExposureReader(db: Db): ExposureReader {
  const downlines = createDownlineBooks(db)
  const house = createHouseBooks(db)
  return {
    read: (caller, { period_id }, since) =>
      seesHouse(caller) ? house.read(period_id, since) : downlines.read(period_id, caller.principal_id),
  }
}

function createDownlineBooks(db: Db) {
  const books = new LRUCache<string, Promise<Exposure>>({ max: 200 })
  const semaphore = createSemaphore(MAX_SUMS)

  /** The measured time excludes the wait. */
  async function sumWithPermit(period_id: number, agent_id: number): Promise<{ book: Exposure; tookMs: number }> {
    return semaphore.run(async () => {
      const startedAtMs = performance.now()
      return { book: await sumDownline(db, period_id, agent_id), tookMs: performance.now() - startedAtMs }
    })
  }

  return {
    read(period_id: number, agent_id: number): Promise<Exposure> {
      const key = `${period_id} ${agent_id}`
      const known = books.get(key)
      if (known) return known
      const sum = sumWithPermit(period_id, agent_id)
      const book = sum.then((done) => done.book)
      books.set(key, book)
      const remove = () => books.delete(key)
      sum.then(({ tookMs }) => setTimeout(remove, Math.max(REUSE_MS, REUSE_FACTOR * tookMs)).unref(), remove)
      return book
    },
  }
}

function createHouseBooks(db: Db) {
  const whole = new LRUCache<number, Exposure>({ max: 20 })
  return {
    // One snapshot, so that totals and numbers are of the same step.
    read: (period_id: number, since: number): Promise<Exposure> =>
      inSnapshot(db, async (tx) => {
        const totals = await findHouseTotals(tx, period_id)
        if (!totals) return { totals: noTotals, columns: noColumns }
        if (since >= totals.first_version) return { totals, columns: await readHouseColumns(tx, period_id, since) }
        const known = whole.get(period_id)
        if (known?.totals.version === totals.version) return known
        const book = { totals, columns: await readHouseColumns(tx, period_id, -1) }
        whole.set(period_id, book)
        return book
      }),
  }
}

/** The exposure of an agent's downline, from its members' current tickets. */
async function sumDownline(db: Db, period_id: number, agent_id: number): Promise<Exposure> {
  const version = await readCursorVersion(db)
  const { position_rate, ...totals } = await readDownlineTotals(db, period_id, agent_id)
  const sums = new Map<number, { lines: number; stake: number; payout: number }>()
  for (const row of await listDownlineSlots(db, period_id, agent_id)) {
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

export async function makeHead(
  db: Db,
  { period_id, period_code }: PeriodRecord,
  { totals }: Exposure,
): Promise<BookHead> {
  const { first_version: _first, ...sums } = totals
  return { period_code, ...(await readBookState(db, period_id)), ...sums }
}
