// The projection: adds new tickets and releases to the exposure. A step is one transaction that reads, adds and moves
// the cursor, so each ticket is counted exactly once wherever a step is cut off. Any node may run steps at any time;
// the cursor's lock admits one at a time.

import { LRUCache } from 'lru-cache'
import type { Db, Tx } from '../postgres/db.ts'
import { addToBook, listCompanyParts } from './book.store.ts'
import { ExposureSums, type CompanyPart, wholePart } from './book-sums.ts'
import {
  commitWithoutDisk,
  type Cursor,
  isBehind,
  listCounted,
  listUncountedEvents,
  listUncountedTickets,
  lockCursor,
  moveCursor,
  readDrawnIds,
  type UncountedEvent,
  type UncountedTicket,
} from './cursor.store.ts'

/** The most tickets and events per step, to keep the transaction short and intake responsive. */
const STEP_SIZE = 1_000

export interface Step {
  /** Counted tickets and events, including those of decided periods. */
  tickets: number
  events: number
  /** The last ticket id drawn when the step began. */
  last_order_id: number
}

/** A node's cache of the company's parts. A period's terms no longer change once it has been open for a while. */
export type PartCache = LRUCache<string, CompanyPart>

export function createPartCache(): PartCache {
  return new LRUCache({ max: 50_000 })
}

/**
 * Counts the next tickets and events, at most `stepSize` of each.
 * @returns null if there is nothing to count, or another node is counting
 */
export async function followExposure(
  db: Db,
  parts: PartCache = createPartCache(),
  stepSize = STEP_SIZE,
): Promise<Step | null> {
  if (!(await isBehind(db))) return null
  return db.transaction().execute(async (tx) => {
    await commitWithoutDisk(tx)
    const drawn = await readDrawnIds(tx)
    const cursor = await lockCursor(tx, false)
    if (!cursor) return null
    const tickets = await listUncountedTickets(tx, cursor, stepSize)
    const isFull = tickets.length === stepSize
    // An event is counted after its ticket, so that no number is ever below 0.
    const found = isFull ? [] : await listUncountedEvents(tx, cursor, stepSize)
    const { counted: events, skipped } = await takeCounted(tx, found, tickets)
    const version = tickets.length + events.length > 0 ? cursor.version + 1 : cursor.version
    await count(tx, version, { tickets, events }, { parts })
    const isEventsFull = found.length === stepSize
    await moveCursor(tx, {
      version,
      order_ids: tickets.map(({ order_id }) => order_id),
      event_ids: events.map(({ event_id }) => event_id),
      orders_up_to: passMark(
        cursor,
        cursor.orders_up_to,
        cursor.mark_order_id,
        isFull ? [tickets.at(-1)!.order_id] : [],
      ),
      events_up_to: isFull
        ? cursor.events_up_to
        : passMark(cursor, cursor.events_up_to, cursor.mark_event_id, [
            ...(isEventsFull ? [found.at(-1)!.event_id] : []),
            ...skipped.map(({ event_id }) => event_id - 1),
          ]),
      mark: cursor.isMarkPassed ? { ...drawn, own_xid: cursor.own_xid } : null,
    })
    return { tickets: tickets.length, events: events.length, last_order_id: drawn.order_id }
  })
}

/** The id up to which everything is counted: the mark, once passed, but not beyond what this step has read. */
function passMark({ isMarkPassed }: Cursor, up_to: number, mark: number, limits: readonly number[]): number {
  return isMarkPassed ? Math.max(up_to, Math.min(mark, ...limits)) : up_to
}

/**
 * Splits events into those whose tickets are counted and others, whose tickets were committed after the tickets were
 * read.
 */
async function takeCounted(
  tx: Tx,
  events: readonly UncountedEvent[],
  tickets: readonly UncountedTicket[],
): Promise<{ counted: UncountedEvent[]; skipped: UncountedEvent[] }> {
  if (events.length === 0) return { counted: [], skipped: [] }
  const ids = await listCounted(
    tx,
    events.map(({ order_id }) => order_id),
  )
  for (const { order_id } of tickets) ids.add(order_id)
  const isCounted = ({ order_id }: UncountedEvent) => ids.has(order_id)
  return { counted: events.filter(isCounted), skipped: events.filter((event) => !isCounted(event)) }
}

export interface Uncounted {
  tickets: readonly UncountedTicket[]
  events: readonly UncountedEvent[]
}

/**
 * Adds tickets and events to the exposure of their periods.
 * @param options `isForced`: includes decided periods
 */
export async function count(
  tx: Tx,
  version: number,
  { tickets, events }: Uncounted,
  { isForced = false, parts = createPartCache() }: { isForced?: boolean; parts?: PartCache } = {},
): Promise<void> {
  const isOpen = ({ isDecided }: UncountedTicket) => isForced || !isDecided
  const placed = tickets.filter(isOpen)
  const released = events.filter((event) => event.released.length > 0 && isOpen(event))
  const partOf = await findParts(tx, [...placed, ...released], parts)
  const book = new ExposureSums()
  for (const ticket of placed) book.of(ticket.period_id).addTicket(ticket, partOf(ticket))
  for (const event of released) book.of(event.period_id).removeLines(event, event.released, partOf(event))
  for (const [period_id, sums] of [...book.periods].toSorted(([one], [other]) => one - other))
    await addToBook(tx, period_id, version, sums)
}

const keyOf = ({ period_id, parent_id }: UncountedTicket): string => `${period_id} ${parent_id}`

async function findParts(
  tx: Tx,
  tickets: readonly UncountedTicket[],
  parts: PartCache,
): Promise<(ticket: UncountedTicket) => CompanyPart> {
  const found = new Map<string, CompanyPart>()
  const missing = new Map<number, Set<number>>()
  for (const ticket of tickets) {
    const key = keyOf(ticket)
    if (found.has(key)) continue
    const known = parts.get(key)
    if (known) found.set(key, known)
    else missing.set(ticket.period_id, (missing.get(ticket.period_id) ?? new Set()).add(ticket.parent_id))
  }
  for (const [period_id, parent_ids] of missing)
    for (const { parent_id, isFinal, ...part } of await listCompanyParts(tx, period_id, [...parent_ids])) {
      if (isFinal) parts.set(`${period_id} ${parent_id}`, part)
      found.set(`${period_id} ${parent_id}`, part)
    }
  return (ticket) => found.get(keyOf(ticket)) ?? wholePart
}
