// Changes of blocks as the arguments of `add_to_quotas` and `place_batch`.

import { int4Array } from '../../postgres/binary-array.ts'
import { quotedArray, unquotedArray } from '../../postgres/db.ts'
import type { BlockChange } from './quota-blocks.ts'

export interface BlockChangeArrays {
  bet_types: string
  blocks: Buffer
  positions: string
  amounts: string
  package_limits: string | null
}

/** An element for each block. Those of the last three are arrays themselves, as text. */
export function blockChangeArrays(changes: readonly BlockChange[]): BlockChangeArrays {
  const arrayOfArrays = (pick: (change: BlockChange) => readonly number[]): string =>
    quotedArray(changes.map((change) => unquotedArray(pick(change))))
  return {
    bet_types: unquotedArray(changes.map(({ bet_type }) => bet_type)),
    blocks: int4Array(changes.map(({ block }) => block)),
    positions: arrayOfArrays(({ positions }) => positions),
    amounts: arrayOfArrays(({ amounts }) => amounts),
    package_limits: changes.every(({ package_limits }) => package_limits === null)
      ? null
      : arrayOfArrays(({ package_limits }) => package_limits ?? []),
  }
}
