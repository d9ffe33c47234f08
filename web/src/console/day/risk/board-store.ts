// The numbers of one period's book, by slot, as the risk board shows them. The board's cells read them one by one, and a patch
// renders only the rows whose numbers it has changed.

import type { DataOf, Rows } from '@megalot/contract'
import { SLOT_COUNT } from '@megalot/rules'

export type BookReply = DataOf<Rows['readBook']>

/** The figures of a number. Amounts in satang; share of the quota in hundredths of a percent, -1 without a quota. */
export const measures = ['payout', 'stake', 'own_payout', 'own_stake', 'quota', 'lines'] as const
export type Measure = (typeof measures)[number]

/** The whole period: the reply without its numbers, and when it arrived by this device's clock. */
export type BookHead = Pick<
  BookReply,
  | 'version'
  | 'age_ms'
  | 'seal'
  | 'line_count'
  | 'received_satang'
  | 'discount_satang'
  | 'own_received_satang'
  | 'own_discount_satang'
> & { arrived_ms: number }

export interface BoardAmounts {
  read: (slot: number, measure: Measure) => number
  /** The highest amount of a measure on any number of the slots. */
  readMost: (slots: Iterable<number>, measure: Measure) => number
}

export interface BoardStore extends BoardAmounts {
  /** Takes in a reply. @returns how many numbers it has changed */
  apply: (reply: BookReply, arrived_ms: number) => number
  /** Null: nothing has arrived. */
  readHead: () => BookHead | null
  /** Rises whenever one of the slots changes. */
  readRevision: (slots: readonly number[]) => number
  /** The amounts of all numbers. A new object after each reply with a change; it reads the current values. */
  readAmounts: () => BoardAmounts
  subscribe: (onChange: () => void) => () => void
}

const columnsOf = {
  payout: 'payouts_satang',
  stake: 'stakes_satang',
  own_payout: 'own_payouts_satang',
  own_stake: 'own_stakes_satang',
  quota: 'quotas_used',
  lines: 'line_counts',
} as const satisfies Record<Measure, keyof BookReply>

/** The figures of a number without bets, whose share of the quota is unknown. */
const blankOf = (measure: Measure): number => (measure === 'quota' ? -1 : 0)

function headOf(reply: BookReply, arrived_ms: number): BookHead {
  const { version, age_ms, seal, line_count, received_satang, discount_satang } = reply
  const { own_received_satang, own_discount_satang } = reply
  return {
    version,
    age_ms,
    seal,
    line_count,
    received_satang,
    discount_satang,
    own_received_satang,
    own_discount_satang,
    arrived_ms,
  }
}

export function createBoardStore(): BoardStore {
  const values = {} as Record<Measure, Float64Array>
  for (const measure of measures) values[measure] = new Float64Array(SLOT_COUNT).fill(blankOf(measure))
  const revisions = new Uint32Array(SLOT_COUNT)
  const listeners = new Set<() => void>()
  let head: BookHead | null = null
  const read = (slot: number, measure: Measure): number => values[measure][slot]!
  const readMost = (slots: Iterable<number>, measure: Measure): number => {
    let most = 0
    for (const slot of slots) most = Math.max(most, read(slot, measure))
    return most
  }
  let amounts: BoardAmounts = { read, readMost }

  /** Replaces a value. @returns whether it changed */
  const write = (slot: number, valueOf: (measure: Measure) => number): boolean => {
    let isChanged = false
    for (const measure of measures) {
      const value = valueOf(measure)
      if (values[measure][slot] === value) continue
      values[measure][slot] = value
      isChanged = true
    }
    if (isChanged) revisions[slot]! += 1
    return isChanged
  }

  return {
    apply: (reply, arrived_ms) => {
      let changed = 0
      for (const [at, slot] of reply.slots.entries())
        if (write(slot, (measure) => reply[columnsOf[measure]][at]!)) changed += 1
      if (reply.is_whole) {
        const present = new Set(reply.slots)
        for (let slot = 0; slot < SLOT_COUNT; slot++) if (!present.has(slot) && write(slot, blankOf)) changed += 1
      }
      head = headOf(reply, arrived_ms)
      if (changed > 0) amounts = { read, readMost }
      for (const listener of listeners) listener()
      return changed
    },
    readHead: () => head,
    read,
    readMost,
    readRevision: (slots) => slots.reduce((sum, slot) => sum + revisions[slot]!, 0),
    readAmounts: () => amounts,
    subscribe: (onChange) => {
      listeners.add(onChange)
      return () => listeners.delete(onChange)
    },
  }
}
