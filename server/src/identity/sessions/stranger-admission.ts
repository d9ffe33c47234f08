// Admission of unauthenticated callers to password hashing. While many wait, unknown browsers need a proof of work,
// which is harder the more callers wait and the more failures their subnet had recently. A browser solves it
// automatically and retries (`log_in_paused`). A flood has to pay for each attempt, and is otherwise refused before any
// query. Neither name nor password is read, so nothing about users is revealed.

import type { ProofLevel } from '@megalot/contract'
import { Refusal } from '../../lib/refusal.ts'
import { countWaitingHashes, type HashKind } from '../accounts/index.ts'
import { countUndrawn } from './captcha-image.ts'

/** Waiting tasks of unknown callers from which a proof is required; fewer are served within about two seconds. */
const UNKNOWN_UNTIL_PROOF = 20
/** The same for waiting tasks of callers with a proof, so that a paying flood raises the price. */
const PROVEN_UNTIL_PROOF = 4
/** The same for undrawn pictures, because a burst requests its pictures first. */
const UNDRAWN_UNTIL_PROOF = 10
/** Waiting tasks of callers with a proof from which the hardest one is required. */
const PROVEN_UNTIL_HARDEST = 16
/** Failures of a subnet from which the hardest proof is required, while a proof is required at all. */
const FAILURES_UNTIL_HARDEST = 10
/**
 * The level of the proof in place of a picture also depends on the subnet's past: proofs requested plus failures, from
 * these numbers on. A machine that guesses passwords pays more with each attempt. Counted per subnet, because an owner
 * of a whole /24 could otherwise start again with each address. Other subscribers of the subnet wait longer too, but
 * only if they cannot use a picture.
 */
const PAST_UNTIL_LEVEL: Readonly<Record<2 | 4, number>> = { 2: 20, 4: 200 }
/** How long a subnet's failures and proofs count, in ms. */
const MEMORY_MS = 10 * 60_000
const MAX_SUBNETS = 10_000
/** When a caller may retry without the proof, in ms; usually in vain during a flood. */
const RETRY_AFTER_MS = 5_000

export interface StrangerAdmission {
  /** The minimum proof level that an unknown browser needs now; 0 if a picture is enough. */
  requiredLevel: (subnet: string) => ProofLevel | 0
  /** @throws Refusal log_in_paused if a harder proof of work is needed now */
  refuseWithoutProof: (subnet: string, proofLevel: ProofLevel | 0) => void
  /** Records a wrong log-in. */
  noteFailure: (subnet: string) => void
  /** The minimum proof level for a subnet now. Records the request. */
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
    // Moved to the end, so that the least recently updated is forgotten first.
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

/** For this node. */
export const strangers = createStrangerAdmission(countWaitingHashes, countUndrawn)
