// The blocks in which a period's quotas are stored (`0007-quotas.sql`): a hundred numbers of a bet type each.
// Blocks have indexes, so that a batch finds the blocks of its bets without composing keys.

import { betOfSlot, betTypeByCode, betTypes, type BetTypeCode, SLOT_COUNT } from '@megalot/rules'

/** A hundred numbers of a bet type, by the digits before their last two. */
export interface BlockKey {
  bet_type: BetTypeCode
  block: number
}

/** A block as it is stored. */
export interface BlockRecord extends BlockKey {
  /** One value for each number from …00 to …99. */
  accepted_satang: readonly number[]
}

/** Amounts to add on numbers of a block. */
export interface BlockChange extends BlockKey {
  /** Positions of the numbers in the block, from 1 for …00 to 100 for …99. */
  positions: number[]
  /** The amount to add on each of them, in satang. */
  amounts: number[]
  /** The most that each of them may have afterwards, by the quotas of packages that bets relied on; null: no bet relied on one. */
  package_limits: number[] | null
}

const NUMBERS_PER_BLOCK = 100

/** All blocks, sorted. */
export const blockKeys: readonly BlockKey[] = betTypes
  .map(({ code }) => code)
  .toSorted()
  .flatMap((bet_type) => {
    const count = Math.ceil(10 ** betTypeByCode[bet_type].digits / NUMBERS_PER_BLOCK)
    return Array.from({ length: count }, (_, block) => ({ bet_type, block }))
  })

/** The block at an index of `blockKeys`. */
export function keyAt(index: number): BlockKey {
  return blockKeys[index]!
}

function nameOf({ bet_type, block }: BlockKey): string {
  return `${bet_type} ${block}`
}

const indexOfName = new Map(blockKeys.map((key, index) => [nameOf(key), index]))

/** The index of a block in `blockKeys`. */
export function indexOfBlock(key: BlockKey): number {
  return indexOfName.get(nameOf(key))!
}

const blockOfSlot = new Uint8Array(SLOT_COUNT)
const indexOfSlot = new Uint8Array(SLOT_COUNT)
for (let slot = 0; slot < SLOT_COUNT; slot++) {
  const { bet_type, number } = betOfSlot(slot)!
  const value = Number(number)
  indexOfSlot[slot] = value % NUMBERS_PER_BLOCK
  blockOfSlot[slot] = indexOfBlock({ bet_type, block: Math.floor(value / NUMBERS_PER_BLOCK) })
}

/** The index in `blockKeys` of the block that contains a slot. */
export function blockIndexOf(slot: number): number {
  return blockOfSlot[slot]!
}

/** The index of a slot in its block, from 0. */
export function indexInBlock(slot: number): number {
  return indexOfSlot[slot]!
}
