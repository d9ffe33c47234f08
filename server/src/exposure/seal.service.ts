// The seal of a closed period's book: all its tickets are counted, and the sums agree with the quotas, with the sums of the
// members, with the ledger, and with a recount of the tickets. Settlement waits for it; a difference stops the payout.

import { betTypeByCode, quotaSlotOf, SLOT_COUNT, slotOf } from '@megalot/rules'
import { type Db, inTransaction, type Tx } from '../postgres/db.ts'
import { Refusal } from '../lib/refusal.ts'
import { getPeriodById, lockPeriod, type PeriodRecord } from '../markets/index.ts'
import { removeBook } from './book.store.ts'
import { listUncountedEvents, listUncountedTickets, lockCursor, moveCursor } from './cursor.store.ts'
import { count } from './follow.service.ts'
import {
  findSeal,
  hashBook,
  isPaidWithoutBook,
  listDifferentMembers,
  listPeriodIdsToSeal,
  listQuotaBlocks,
  readBookVersion,
  readSlotSums,
  readTotals,
  recountSlots,
  type SealState,
  type SlotSums,
  writeSeal,
} from './seal.store.ts'

/** No limit in practice. */
const ALL = 100_000_000

/** What differs, by what was compared; empty where all agrees. */
export type Differences = Record<string, unknown>

/**
 * Counts what is left of a closed period, and seals its book. Nothing is compared again where neither the book nor anything
 * that it was compared with has changed.
 * @throws Refusal period_still_open
 */
export async function sealBook(db: Db, period_id: number): Promise<{ state: SealState; differences: Differences }> {
  const { period_code } = await getPeriodById(db, period_id)
  return inTransaction(db, async (tx) => {
    // Waits for the batches in flight.
    const period = (await lockPeriod(tx, period_code))!
    requireClosed(period)
    if (await isPaidWithoutBook(tx, period_id)) await countAgain(tx, period_id)
    else await countRest(tx, period_id)
    return compareAndSeal(tx, period_id)
  })
}

function requireClosed({ status }: PeriodRecord): void {
  if (status === 'open' || status === 'upcoming') throw new Refusal('period_still_open')
}

async function countRest(tx: Tx, period_id: number): Promise<void> {
  const cursor = (await lockCursor(tx, true))!
  const tickets = await listUncountedTickets(tx, cursor, ALL, period_id)
  const events = await listUncountedEvents(tx, cursor, ALL, period_id)
  if (tickets.length + events.length === 0) return
  const version = cursor.version + 1
  await count(tx, version, { tickets, events }, { isForced: true })
  await moveCursor(tx, {
    version,
    order_ids: tickets.map(({ order_id }) => order_id),
    event_ids: events.map(({ event_id }) => event_id),
    orders_up_to: cursor.orders_up_to,
    events_up_to: cursor.events_up_to,
    mark: null,
  })
}

async function compareAndSeal(tx: Tx, period_id: number): Promise<{ state: SealState; differences: Differences }> {
  const seal = await findSeal(tx, period_id)
  const version = await readBookVersion(tx, period_id)
  const book_hash = await hashBook(tx, period_id)
  const differences = await findDifferences(tx, period_id)
  const isSealed = seal?.state === 'sealed' && seal.version === version
  // Rows that were changed by hand stay a difference until the book is rebuilt.
  if (isSealed && seal.book_hash !== book_hash) differences.changed_since_seal = seal.sealed_at.toISOString()
  else if (seal?.version === version && seal.differences.changed_since_seal !== undefined)
    differences.changed_since_seal = seal.differences.changed_since_seal
  // What is sealed was recounted; the tickets of the period change no more without a new version.
  if (!isSealed || seal.book_hash !== book_hash) Object.assign(differences, await recount(tx, period_id))
  const state = Object.keys(differences).length === 0 ? 'sealed' : 'differs'
  if (!isSealed || state === 'differs') await writeSeal(tx, period_id, { state, version, book_hash, differences })
  return { state, differences }
}

/** How many different numbers are named. */
const NAMED = 5

async function findDifferences(tx: Tx, period_id: number): Promise<Differences> {
  const differences: Differences = {}
  const stakes = bySlot(await readSlotSums(tx, period_id), 'stakes')
  const accepted = new Float64Array(SLOT_COUNT)
  for (const { bet_type, block, accepted_satang } of await listQuotaBlocks(tx, period_id)) {
    const { digits } = betTypeByCode[bet_type]
    for (const [place, satang] of accepted_satang.entries())
      if (satang !== 0) accepted[slotOf(bet_type, String(block * 100 + place).padStart(digits, '0'))] = satang
  }
  const slots = listDifferent(stakes, accepted)
  if (slots.length > 0) differences.quotas = slots
  const members = await listDifferentMembers(tx, period_id)
  if (members.length > 0) differences.members = members
  const totals = await readTotals(tx, period_id)
  if (totals.slot_stake !== totals.received || totals.member_received !== totals.received)
    differences.received = [totals.slot_stake, totals.received, totals.member_received]
  if (totals.member_discount !== totals.discount) differences.discount = [totals.discount, totals.member_discount]
  if (totals.ledger_net !== totals.received - totals.discount)
    differences.ledger = [totals.received - totals.discount, totals.ledger_net]
  return differences
}

/** Compares the book with a recount of the tickets. */
async function recount(tx: Tx, period_id: number): Promise<Differences> {
  const book = await readSlotSums(tx, period_id)
  const counted = await recountSlots(tx, period_id)
  const slots = (['lines', 'stakes', 'payouts'] as const).flatMap((column) =>
    listDifferent(bySlot(book, column), bySlot(counted, column)),
  )
  return slots.length === 0 ? {} : { recount: [...new Set(slots)].slice(0, NAMED) }
}

/** A column of sums by quota slot. */
function bySlot(sums: SlotSums, column: 'lines' | 'stakes' | 'payouts'): Float64Array {
  const amounts = new Float64Array(SLOT_COUNT)
  for (const [index, slot] of sums.slots.entries()) amounts[quotaSlotOf(slot)]! += sums[column][index]!
  return amounts
}

function listDifferent(one: Float64Array, other: Float64Array): number[] {
  const slots: number[] = []
  for (let slot = 0; slot < SLOT_COUNT && slots.length < NAMED; slot++) if (one[slot] !== other[slot]) slots.push(slot)
  return slots
}

/**
 * Seals the book of a period that is about to be paid. @throws Error where it differs: the period is not paid until the
 * difference is resolved
 */
export async function requireSealedBook(db: Db, period_id: number): Promise<void> {
  const { state, differences } = await sealBook(db, period_id)
  if (state !== 'differs') return
  const { period_code } = await getPeriodById(db, period_id)
  throw new Error(`The book of ${period_code} differs, and nothing is paid: ${JSON.stringify(differences)}`)
}

export interface DifferentBook {
  period_code: string
  differences: Differences
}

/**
 * Seals the books of all periods that have closed. Any node may call it at any time.
 * @returns the periods whose books differ, and what failed: one period that cannot be sealed keeps no other one waiting
 */
export async function sealClosedBooks(db: Db): Promise<{ different: DifferentBook[]; failures: unknown[] }> {
  const different: DifferentBook[] = []
  const failures: unknown[] = []
  for (const period_id of await listPeriodIdsToSeal(db)) {
    try {
      const { state, differences } = await sealBook(db, period_id)
      if (state === 'differs')
        different.push({ period_code: (await getPeriodById(db, period_id)).period_code, differences })
    } catch (error) {
      failures.push(error)
    }
  }
  return { different, failures }
}

const beyond = (ids: readonly number[], up_to: number): number[] => ids.filter((id) => id > up_to)

/**
 * Builds the book of a period anew from all its tickets and events, and seals it where the period has closed.
 * @param options `isSealed` false: it is left to the next seal
 * @returns what differs still; undefined where it is not sealed
 * @throws Refusal unknown_period
 */
export async function rebuildBook(
  db: Db,
  period_code: string,
  { isSealed = true }: { isSealed?: boolean } = {},
): Promise<Differences | undefined> {
  return db.transaction().execute(async (tx) => {
    const period = await lockPeriod(tx, period_code)
    if (!period) throw new Refusal('unknown_period')
    const { period_id, status } = period
    await countAgain(tx, period_id)
    if (!isSealed || status === 'open' || status === 'upcoming') return undefined
    return (await compareAndSeal(tx, period_id)).differences
  })
}

/** Replaces the book of a period by all its tickets and events. The caller has locked the period. */
async function countAgain(tx: Tx, period_id: number): Promise<void> {
  const cursor = (await lockCursor(tx, true))!
  await removeBook(tx, period_id)
  const nothing = { ...cursor, orders_up_to: 0, orders_beyond: '{}', events_up_to: 0, events_beyond: '{}' }
  const tickets = await listUncountedTickets(tx, nothing, ALL, period_id)
  const events = await listUncountedEvents(tx, nothing, ALL, period_id)
  const version = cursor.version + 1
  await count(tx, version, { tickets, events }, { isForced: true })
  const { orders_up_to, events_up_to } = cursor
  await moveCursor(tx, {
    version,
    order_ids: beyond(
      tickets.map(({ order_id }) => order_id),
      orders_up_to,
    ),
    event_ids: beyond(
      events.map(({ event_id }) => event_id),
      events_up_to,
    ),
    orders_up_to,
    events_up_to,
    mark: null,
  })
}
