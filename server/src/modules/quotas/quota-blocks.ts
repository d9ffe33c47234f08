// The blocks in which a period's quotas are kept (`0007-quotas.sql`): a hundred numbers of a bet type each, numbered here,
// so that a batch finds those of its bets without putting names together.

import { betOfSlot, betTypeByCode, betTypes, type BetTypeCode, SLOT_COUNT } from '@megalot/rules'

/** A hundred numbers of a bet type, by what comes before their last two digits. */
export interface BlockKey {
  bet_type: BetTypeCode
  block: number
}

const NUMBERS_PER_BLOCK = 100

/** All blocks, sorted, so that two who make the same ones do not wait in a circle. */
export const blockKeys: readonly BlockKey[] = betTypes
  .map(({ code }) => code)
  .toSorted()
  .flatMap((bet_type) => {
    const count = Math.ceil(10 ** betTypeByCode[bet_type].digits / NUMBERS_PER_BLOCK)
    return Array.from({ length: count }, (_, block) => ({ bet_type, block }))
  })

/** The block of a place in `blockKeys`. */
export function keyAt(index: number): BlockKey {
  return blockKeys[index]!
}

function nameOf({ bet_type, block }: BlockKey): string {
  return `${bet_type} ${block}`
}

const indexOfName = new Map(blockKeys.map((key, index) => [nameOf(key), index]))

/** The place of a block in `blockKeys`. */
export function indexOfBlock(key: BlockKey): number {
  return indexOfName.get(nameOf(key))!
}

const blockOfSlot = new Uint8Array(SLOT_COUNT)
const placeOfSlot = new Uint8Array(SLOT_COUNT)
for (let slot = 0; slot < SLOT_COUNT; slot++) {
  const { bet_type, number } = betOfSlot(slot)!
  const value = Number(number)
  placeOfSlot[slot] = value % NUMBERS_PER_BLOCK
  blockOfSlot[slot] = indexOfBlock({ bet_type, block: Math.floor(value / NUMBERS_PER_BLOCK) })
}

/** The place in `blockKeys` of the block that holds a slot. */
export function blockIndexOf(slot: number): number {
  return blockOfSlot[slot]!
}

/** The place of a slot in its block, from 0. */
export function placeInBlock(slot: number): number {
  return placeOfSlot[slot]!
}
