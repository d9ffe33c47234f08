// Checks a ticket against its member's own limits. No I/O: the batch loads the state and locks the member's account, so
// that no other ticket of the member is placed in between.

import type { PlayBreak, PlayLimitKind, PlaySpan } from '@megalot/contract'
import { Refusal } from '../../lib/refusal.ts'

export interface PlayUse {
  kind: PlayLimitKind
  span: PlaySpan
  amount_satang: number
  /** Staked or lost in the span so far. */
  used_satang: number
}

/** A member's limits at the time of the batch. */
export interface PlayState {
  break: PlayBreak | null
  limits: PlayUse[]
}

/**
 * Asserts that a ticket's net stays within its member's limits. It counts as staked and, until it wins, as lost.
 * @param state undefined if the member has set nothing
 * @throws Refusal play_break; play_limit_reached, with what is left of the limit
 */
export function assertPlayLimits(state: PlayState | undefined, net_satang: number): void {
  if (!state) return
  if (state.break) throw new Refusal('play_break', { ...state.break })
  for (const { kind, span, amount_satang, used_satang } of state.limits) {
    const left_satang = Math.max(0, amount_satang - used_satang)
    if (used_satang + net_satang > amount_satang)
      throw new Refusal('play_limit_reached', { status: 'INVALID', kind, span, amount_satang, left_satang })
  }
}

/** The state after a ticket of this net. */
export function addPlayUse(state: PlayState | undefined, net_satang: number): PlayState | undefined {
  if (!state) return undefined
  return { ...state, limits: state.limits.map((limit) => ({ ...limit, used_satang: limit.used_satang + net_satang })) }
}
