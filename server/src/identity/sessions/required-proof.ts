// Decides whether an unauthenticated call from an unknown browser needs a proof of work: while many callers wait, and in a
// subnet with many recent failures. Without it the call is refused before any query (`log_in_paused`), and the browser
// solves the proof and retries. No address is blocked, because a mobile carrier puts thousands of people behind one.
// Neither name nor password is read, so nothing about users is revealed.

import type { ProofLevel } from '@megalot/contract'
import { Refusal } from '../../lib/refusal.ts'
import { countWaitingHashes, type HashKind } from '../accounts/index.ts'
import { countUndrawn } from './captcha-image.ts'

/** The easiest level that counts as work; level 1 is equivalent to a picture. */
const FIRST_WORK: ProofLevel = 2
const HARDEST: ProofLevel = 4

/** Waiting tasks of unknown callers from which a proof is required; fewer are served within about two seconds. */
const UNKNOWN_UNTIL_PROOF = 20
/** The same for waiting tasks of callers with a proof, so that a paying flood raises the price. */
const PROVEN_UNTIL_PROOF = 4
/** The same for undrawn pictures, because a burst requests its pictures first. */
const UNDRAWN_UNTIL_PROOF = 10
/** Waiting tasks of callers with a proof from which the hardest one is required. */
const PROVEN_UNTIL_HARDEST = 16
/**
 * Failures of a subnet within `MEMORY_MS` from which a proof is required. Counted per subnet, because an owner of a whole
 * /24 could otherwise start again with each address. It is always the easiest proof, which a phone solves while its user
 * types; only load requires a harder one.
 */
const FAILURES_UNTIL_PROOF = 30
const MEMORY_MS = 10 * 60_000
const MAX_SUBNETS = 10_000
/** When a caller may retry without the proof, in ms; usually in vain during a flood. */
const RETRY_AFTER_MS = 5_000

export interface RequiredProof {
  /** The level that an unknown browser needs now; 0 if a picture is enough. */
  levelFor: (subnet: string) => ProofLevel | 0
  /**
   * A proof of at least `FIRST_WORK` is enough, because it had the level required when it was made.
   * @throws Refusal log_in_paused if a proof is required now
   */
  refuseWithout: (subnet: string, proofLevel: ProofLevel | 0) => void
  /** Records a wrong log-in, a taken name, a wrong agent code or a request for a new password. */
  noteFailure: (subnet: string) => void
  /** At the start of a node: forgets all failures. `factor` multiplies the failures until a proof is required. */
  start: (factor: number) => void
}

export function createRequiredProof(
  countWaiting: (kind: HashKind) => number,
  countPictures = (): number => 0,
  readMs = () => performance.now(),
): RequiredProof {
  let failuresUntilProof = FAILURES_UNTIL_PROOF
  /** By subnet, the failures since the first one that counts. */
  const failures = new Map<string, { count: number; sinceMs: number }>()

  function countFailures(subnet: string): number {
    const noted = failures.get(subnet)
    return noted && readMs() - noted.sinceMs < MEMORY_MS ? noted.count : 0
  }

  function levelOfLoad(): ProofLevel | 0 {
    const proven = countWaiting('proven')
    if (proven >= PROVEN_UNTIL_HARDEST) return HARDEST
    const isQuiet = countWaiting('unknown') < UNKNOWN_UNTIL_PROOF && countPictures() <= UNDRAWN_UNTIL_PROOF
    return isQuiet && proven < PROVEN_UNTIL_PROOF ? 0 : FIRST_WORK
  }

  function levelFor(subnet: string): ProofLevel | 0 {
    return levelOfLoad() || (countFailures(subnet) >= failuresUntilProof ? FIRST_WORK : 0)
  }

  return {
    levelFor,
    start(factor) {
      failures.clear()
      failuresUntilProof = FAILURES_UNTIL_PROOF * factor
    },
    refuseWithout(subnet, proofLevel) {
      const proof_level = levelFor(subnet)
      if (proof_level > 0 && proofLevel < FIRST_WORK)
        throw new Refusal('log_in_paused', { wait_ms: RETRY_AFTER_MS, proof_level })
    },
    noteFailure(subnet) {
      const count = countFailures(subnet) + 1
      const sinceMs = count === 1 ? readMs() : failures.get(subnet)!.sinceMs
      // Moved to the end, so that the least recently updated is forgotten first.
      failures.delete(subnet)
      failures.set(subnet, { count, sinceMs })
      if (failures.size > MAX_SUBNETS) failures.delete(failures.keys().next().value!)
    },
  }
}

/** The hash queue of an unknown browser with a proof of this level. */
export function unknownKindOf(proofLevel: ProofLevel | 0): 'proven' | 'unknown' {
  return proofLevel >= FIRST_WORK ? 'proven' : 'unknown'
}

/** For this node. */
export const requiredProof = createRequiredProof(countWaitingHashes, countUndrawn)
