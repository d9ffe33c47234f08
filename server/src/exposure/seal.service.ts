// Reconciles a closed period's exposure: all its tickets are counted, and the sums agree with quotas, member sums, the
// ledger, and a recount of the tickets. Settlement waits for the seal; a difference stops the payout.

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

/** Effectively unlimited. */
const ALL = 100_000_000

/** Differences by comparison; empty if all agree. */
export type Differences = Record<string, unknown>

/**
 * Counts the remaining tickets of a closed period, and reconciles its exposure. Skips the comparison if neither the
 * exposure nor anything it is compared with has changed.
 * @throws Refusal period_still_open
 */
export async function reconcileExposure(
  db: Db,
  period_id: number,
): Promise<{ state: SealState; differences: Differences }> {
  const { period_code } = await getPeriodById(db, period_id)
  return inTransaction(db, async (tx) => {
    // Waits for batches in flight.
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
  // Rows changed by hand remain a difference until the exposure is rebuilt.
  if (isSealed && seal.book_hash !== book_hash) differences.changed_since_seal = seal.sealed_at.toISOString()
  else if (seal?.version === version && seal.differences.changed_since_seal !== undefined)
    differences.changed_since_seal = seal.differences.changed_since_seal
  // A sealed exposure was recounted, and further changes of the period's tickets create a new version.
  if (!isSealed || seal.book_hash !== book_hash) Object.assign(differences, await recount(tx, period_id))
  const state = Object.keys(differences).length === 0 ? 'sealed' : 'differs'
  if (!isSealed || state === 'differs') await writeSeal(tx, period_id, { state, version, book_hash, differences })
  return { state, differences }
}

/** How many differing numbers are named. */
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

/** Compares the exposure with a recount of the tickets. */
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
 * Reconciles the exposure of a period about to be paid.
 * @throws Error if it differs; the period is not paid until the difference is resolved
 */
export async function requireReconciledExposure(db: Db, period_id: number): Promise<void> {
  const { state, differences } = await reconcileExposure(db, period_id)
  if (state !== 'differs') return
  const { period_code } = await getPeriodById(db, period_id)
  throw new Error(`The book of ${period_code} differs, and nothing is paid: ${JSON.stringify(differences)}`)
}

export interface ExposureDifference {
  period_code: string
  differences: Differences
}

/**
 * Reconciles all closed periods. Any node may call it at any time.
 * @returns periods whose exposure differs, and failures; a failing period does not delay others
 */
export async function reconcileClosedPeriods(
  db: Db,
): Promise<{ different: ExposureDifference[]; failures: unknown[] }> {
  const different: ExposureDifference[] = []
  const failures: unknown[] = []
  for (const period_id of await listPeriodIdsToSeal(db)) {
    try {
      const { state, differences } = await reconcileExposure(db, period_id)
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
 * Rebuilds a period's exposure from all its tickets and events, and reconciles it if the period has closed.
 * @param options `isSealed` false leaves the reconciliation to the next run
 * @returns remaining differences; undefined if it was not reconciled
 * @throws Refusal unknown_period
 */
export async function rebuildExposure(
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

/** Replaces a period's exposure by all its tickets and events. The caller has locked the period. */
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
