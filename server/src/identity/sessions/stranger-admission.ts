// Who may wait for a password hash while many strangers do. A proof of work is asked of unknown browsers, the harder the more wait and the
// more their subnet has failed lately. A browser solves it by itself and comes again (`log_in_paused`); a flood has to pay for each attempt,
// and who does not pay is refused before any query. It reveals nothing of a user: neither name nor password is read.

import type { ProofLevel } from '@megalot/contract'
import { Refusal } from '../../lib/refusal.ts'
import { countWaitingHashes, type HashKind } from '../accounts/index.ts'
import { countUndrawn } from './captcha-image.ts'

/** From so many waiting tasks of unknown callers on a proof is required; with fewer, everybody is served within some two seconds. */
const UNKNOWN_UNTIL_PROOF = 20
/** The same for waiting tasks of callers with a proof: a flood that pays raises the price for the others as well. */
const PROVEN_UNTIL_PROOF = 4
/** The same for more pictures than this that are not drawn yet: a burst asks for its pictures first. */
const UNDRAWN_UNTIL_PROOF = 10
/** From so many waiting tasks of callers with a proof on the hardest one is required. */
const PROVEN_UNTIL_HARDEST = 16
/** From so many failures of a subnet on the hardest proof is required of it, while a proof is required at all. */
const FAILURES_UNTIL_HARDEST = 10
/**
 * The level of the proof in place of a picture also depends on what its subnet has done, whether anybody waits or not: proofs asked for
 * and failures together, from so many on. A machine that guesses passwords pays more with each attempt. A subnet is what one subscriber
 * has, and more than an address: whoever owns a whole /24 would otherwise begin anew with each address of it. Its other subscribers pay
 * with it, by a longer wait, and only where they cannot see a picture.
 */
const PAST_UNTIL_LEVEL: Readonly<Record<2 | 4, number>> = { 2: 20, 4: 200 }
/** How long failures and proofs of a subnet count, in ms. */
const MEMORY_MS = 10 * 60_000
const MAX_SUBNETS = 10_000
/** When a caller may try without the proof, in ms: mostly in vain while the flood lasts. */
const RETRY_AFTER_MS = 5_000

export interface StrangerAdmission {
  /** The least level of a proof of work that an unknown browser needs now; 0: a picture will do. */
  requiredLevel: (subnet: string) => ProofLevel | 0
  /** @throws Refusal log_in_paused: a harder proof of work is needed now */
  refuseWithoutProof: (subnet: string, proofLevel: ProofLevel | 0) => void
  /** Notes a wrong log-in. */
  noteFailure: (subnet: string) => void
  /** The least level of a proof of work that a subnet asks for now. Notes that it did. */
  priceProof: (subnet: string) => ProofLevel
}

/** How often a subnet has done something since the first time that counts. */
type Counts = Map<string, { count: number; sinceMs: number }>

export function createStrangerAdmission(
  countWaiting: (kind: HashKind) => number,
  countPictures = (): number => 0,
  readMs = () => performance.now(),
): StrangerAdmission {
  const failures: Counts = new Map()
  const proofs: Counts = new Map()

  function countOf(counts: Counts, subnet: string): number {
    const noted = counts.get(subnet)
    return noted && readMs() - noted.sinceMs < MEMORY_MS ? noted.count : 0
  }

  function note(counts: Counts, subnet: string): void {
    const count = countOf(counts, subnet) + 1
    const sinceMs = count === 1 ? readMs() : counts.get(subnet)!.sinceMs
    // Moved to the end: what is forgotten first has not been noted for longest.
    counts.delete(subnet)
    counts.set(subnet, { count, sinceMs })
    if (counts.size > MAX_SUBNETS) counts.delete(counts.keys().next().value!)
  }

  function requiredLevel(subnet: string): ProofLevel | 0 {
    const proven = countWaiting('proven')
    const isQuiet = countWaiting('unknown') < UNKNOWN_UNTIL_PROOF && countPictures() <= UNDRAWN_UNTIL_PROOF
    if (isQuiet && proven < PROVEN_UNTIL_PROOF) return 0
    return proven >= PROVEN_UNTIL_HARDEST || countOf(failures, subnet) >= FAILURES_UNTIL_HARDEST ? 4 : 2
  }

  return {
    requiredLevel,
    refuseWithoutProof(subnet, proofLevel) {
      const proof_level = requiredLevel(subnet)
      if (proofLevel < proof_level) throw new Refusal('log_in_paused', { wait_ms: RETRY_AFTER_MS, proof_level })
    },
    noteFailure: (subnet) => note(failures, subnet),
    priceProof(subnet) {
      const past = countOf(failures, subnet) + countOf(proofs, subnet)
      note(proofs, subnet)
      const byPast = past >= PAST_UNTIL_LEVEL[4] ? 4 : past >= PAST_UNTIL_LEVEL[2] ? 2 : 1
      return Math.max(byPast, requiredLevel(subnet)) as ProofLevel
    },
  }
}

/** That of this node. */
export const strangers = createStrangerAdmission(countWaitingHashes, countUndrawn)
