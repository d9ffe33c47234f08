// Writes a batch, from whichever attempt, by one call of the database (`place_batch` in `0012-place-batch.sql`).

import { typeIndexOf } from '@megalot/rules'
import { sql } from 'kysely'
import { byteaArray, int2Array, int4Array, int8Array, textArray } from '../../postgres/binary-array.ts'
import { unquotedArray, type Db } from '../../postgres/db.ts'
import { blockChangeArrays, type BlockKey, type BlockRecord } from '../../markets/quotas/index.ts'
import { writeSeconds } from '../../lib/metrics.ts'
import { presentBatch } from '../read/present-order.ts'
import { allocateLines, packLine } from '../stored-lines.ts'
import type { AcceptedTicket, BatchReply, PlacedTicket } from '../ticket.ts'
import type { BatchDecision } from './decide-batch.ts'
import type { Snapshot } from './snapshot.ts'

/** What a batch was decided by from the cache; `place_batch` asserts it (`assert_unchanged`). */
export interface Assumptions {
  /** `sessions_open`: sessions that were found in the cache have not ended, and the application is not in maintenance. */
  session_ids: readonly number[]
  /** `far_from_number_limit`: no member exceeds this in the period. */
  max_received_satang: number
  /** Blocks of quotas to read again. */
  blocks_to_read: readonly BlockKey[]
}

export interface Written {
  placed: PlacedTicket[]
  /** The blocks to read, as they are after the batch. */
  blocks: BlockRecord[]
}

/** By the database's clock. */
interface WrittenRow {
  order_ids: number[]
  placed_at: Date
  fresh: BlockRecord[] | null
}

/**
 * Writes the accepted tickets of a batch: tickets, quotas and money.
 * @param db where the batch was decided from the cache, no transaction: the call is one, and durable when it returns
 * @param held_ids the accounts for held money, by user id, of members whose tickets wait
 * @param created_at the instant at which the snapshot was read; undefined: the instant of the write
 * @throws the error of the database for a violated precondition or constraint; then nothing was written
 */
export async function writeBatch(
  db: Db,
  { period, quotas }: Pick<Snapshot, 'period' | 'quotas'>,
  { accepted, quotaUse, members }: BatchDecision,
  {
    held_ids,
    created_at,
    assumptions,
  }: { held_ids?: ReadonlyMap<number, number>; created_at?: Date; assumptions?: Assumptions },
): Promise<Written> {
  const changes = blockChangeArrays(quotaUse.listChanges())
  const lines = flattenLines(accepted)
  const of = <Value>(pick: (each: AcceptedTicket) => Value): Value[] => accepted.map(pick)
  const cashIdOf = ({ ticket }: AcceptedTicket): number => members.get(ticket.user_id)!.cash_account_id
  const heldIdOf = ({ ticket, status }: AcceptedTicket): number =>
    status === 'WAIT_CONFIRM' ? held_ids!.get(ticket.user_id)! : 0
  const blocks_to_read = assumptions?.blocks_to_read ?? []
  const endTimer = writeSeconds.startTimer()
  const { rows } = await sql<WrittenRow>`
    select order_ids, placed_at, fresh from place_batch(${period.period_code}, ${created_at},
      ${assumptions && period.fingerprint}, ${quotas.limits.fingerprint}, ${int8Array(assumptions?.session_ids ?? [])},
      ${assumptions?.max_received_satang},
      ${int8Array(of(({ ticket }) => ticket.user_id))}, ${textArray(of(({ ticket }) => ticket.request_id))},
      ${byteaArray(of(({ ticket }) => ticket.content_hash))}, ${int4Array(of(({ package_id }) => package_id))},
      ${textArray(of(({ ticket }) => ticket.note ?? ''))},
      ${int4Array(of(({ ticket }) => ticket.slots.length))}, ${byteaArray(lines.lines)}, ${int4Array(lines.firstSlots)},
      ${int4Array(lines.firstDifferences)},
      ${int8Array(of(({ total }) => total.bet_satang))}, ${int8Array(of(({ total }) => total.received_satang))},
      ${int8Array(of(({ total }) => total.discount_satang))},
      ${int8Array(of(cashIdOf))}, ${int8Array(of(heldIdOf))},
      ${int2Array(lines.slots)}, ${int8Array(lines.differences)},
      ${changes.bet_types}, ${changes.blocks}, ${changes.positions}, ${changes.amounts}, ${!quotas.isLocked},
      ${unquotedArray(blocks_to_read.map((each) => each.bet_type))}, ${int4Array(blocks_to_read.map((each) => each.block))},
      ${changes.package_limits}, ${discountsSeen(accepted)})`.execute(db)
  endTimer()
  const { order_ids, placed_at, fresh } = rows[0]!
  const batch: BatchReply = {
    close_at: period.close_at,
    placed_at,
    text: presentBatch(period, { created_at: created_at ?? placed_at, placed_at }),
  }
  const placed = accepted.map((ticket, index) => ({ ...ticket, order_id: order_ids[index]!, batch }))
  return { placed, blocks: fresh ?? [] }
}

/** -1 for a ticket at the discount that its member saw, and for one that named none; null: all are such. */
function discountsSeen(accepted: readonly AcceptedTicket[]): Buffer | null {
  if (accepted.every(({ discountChange }) => discountChange === null)) return null
  return int8Array(accepted.map(({ discountChange }) => discountChange?.discount_seen_satang ?? -1))
}

/** The lines of a batch's tickets, in the format of `orders`: slots and differences one after another. Indexes begin at 1. */
interface FlatLines {
  firstSlots: number[]
  /** 0 for a ticket without differences. */
  firstDifferences: number[]
  slots: number[]
  /** One for each ticket. */
  lines: Buffer[]
  differences: number[]
}

function flattenLines(accepted: readonly AcceptedTicket[]): FlatLines {
  const flat: FlatLines = { firstSlots: [], firstDifferences: [], slots: [], lines: [], differences: [] }
  for (const { ticket, terms, differences } of accepted) {
    const { slots, stakes, rates_seen } = ticket
    flat.firstSlots.push(flat.slots.length + 1)
    flat.firstDifferences.push(differences ? flat.differences.length / 3 + 1 : 0)
    const packed = allocateLines(slots.length)
    flat.lines.push(packed)
    for (let line = 0; line < slots.length; line++) {
      const slot = slots[line]!
      const rate = differences ? differences[line]!.rate : rates_seen[line]!
      flat.slots.push(slot)
      packLine(packed, line, stakes[line]! / 100, rate, terms.discount_rate[typeIndexOf(slot)]!)
    }
    for (const [line, { received_satang, is_half_pay }] of differences?.entries() ?? [])
      flat.differences.push(received_satang, rates_seen[line]!, is_half_pay ? 1 : 0)
  }
  return flat
}
