// The order in which a transaction takes its locks. All changes follow it, so that they cannot deadlock.

import type { Tx } from '../postgres/db.ts'

/** What is locked, in the order of locking. Equal ranks are ordered by key. */
export const lockRanks = {
  ownProposals: 2,
  dailyCounters: 5,
  agentCodes: 10,
  standingRules: 15,
  hierarchy: 20,
  proposal: 22,
  people: 25,
  market: 30,
  periods: 35,
  settings: 40,
  ticket: 45,
  cash: 50,
  edges: 51,
  users: 52,
  shares: 55,
  quotas: 60,
  settledTicket: 65,
} as const

export interface Lock {
  rank: keyof typeof lockRanks
  /** Distinguishes locks of the same rank. */
  key: string
  /** Takes it until the transaction ends. */
  take(tx: Tx): Promise<unknown>
}

/** The locks of one transaction. */
export class LockOrder {
  /** Null for a preview, which takes no locks. */
  readonly #tx: Tx | null
  readonly #taken = new Set<string>()
  #lastRank = 0

  constructor(tx: Tx | null) {
    this.#tx = tx
  }

  /**
   * Takes locks in order, each once.
   * @throws Error if one ranks below a lock already taken
   */
  async take(...locks: readonly Lock[]): Promise<void> {
    if (!this.#tx) return
    const ordered = locks.toSorted(
      (one, other) => lockRanks[one.rank] - lockRanks[other.rank] || (one.key < other.key ? -1 : 1),
    )
    for (const lock of ordered) {
      const name = `${lock.rank} ${lock.key}`
      if (this.#taken.has(name)) continue
      if (lockRanks[lock.rank] < this.#lastRank) throw new Error(`The lock of ${name} is taken too late`)
      this.#lastRank = lockRanks[lock.rank]
      this.#taken.add(name)
      await lock.take(this.#tx)
    }
  }
}
