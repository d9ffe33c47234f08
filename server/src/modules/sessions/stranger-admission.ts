// Who may wait for a password hash while many strangers do. A proof of work is asked of unknown browsers, the harder the more wait and the
// more their subnet has failed lately. A browser solves it by itself and comes again (`log_in_paused`); a flood has to pay for each attempt,
// and who does not pay is refused before any query. It reveals nothing of a user: neither name nor password is read.

import { isIPv4, isIPv6 } from 'node:net'
import { Refusal } from '../../platform/refusal.ts'
import { countWaitingHashes, type HashLane } from '../accounts/index.ts'
import type { ProofLevel } from './proof-level.ts'

/** From so many waiting strangers on proofs are asked for; below, everybody is served within some two seconds. */
const CROWDED = 20
/** The same for callers who have a proof: a flood that pays raises the price for the others as well. */
const CROWDED_WITH_PROOF = 4
/** From so many waiting tasks of callers with a proof on the harder one is asked for. */
const PACKED = 16
/** Failures of a subnet from which its proofs are the harder ones while it is crowded. */
const SUSPECT_FAILURES = 10
/** How long failures of a subnet count, in ms. */
const MEMORY_MS = 10 * 60_000
const MAX_SUBNETS = 10_000
/** When a caller may try without the proof, in ms: mostly in vain while the flood lasts. */
const RETRY_AFTER_MS = 5_000

export interface StrangerAdmission {
  /** @throws Refusal log_in_paused: a harder proof of work is needed now */
  refuseWithoutProof: (subnet: string, proofLevel: ProofLevel | 0) => void
  /** Notes a wrong log-in. */
  noteFailure: (subnet: string) => void
}

export function createStrangerAdmission(
  countWaiting: (lane: HashLane) => number,
  readMs = () => performance.now(),
): StrangerAdmission {
  const failures = new Map<string, { count: number; sinceMs: number }>()

  function countFailures(subnet: string): number {
    const noted = failures.get(subnet)
    return noted && readMs() - noted.sinceMs < MEMORY_MS ? noted.count : 0
  }

  function requiredLevel(subnet: string): ProofLevel | 0 {
    const proven = countWaiting('proven')
    if (countWaiting('unknown') < CROWDED && proven < CROWDED_WITH_PROOF) return 0
    return proven >= PACKED || countFailures(subnet) >= SUSPECT_FAILURES ? 3 : 2
  }

  return {
    refuseWithoutProof(subnet, proofLevel) {
      const proof_level = requiredLevel(subnet)
      if (proofLevel < proof_level) throw new Refusal('log_in_paused', { wait_ms: RETRY_AFTER_MS, proof_level })
    },
    noteFailure(subnet) {
      const count = countFailures(subnet) + 1
      const sinceMs = count === 1 ? readMs() : failures.get(subnet)!.sinceMs
      // Moved to the end: what is forgotten first has not failed for longest.
      failures.delete(subnet)
      failures.set(subnet, { count, sinceMs })
      if (failures.size > MAX_SUBNETS) failures.delete(failures.keys().next().value!)
    },
  }
}

const groupsOf = (text: string | undefined): string[] => (text ? text.split(':') : [])

/** What one subscriber mostly has: /24 of IPv4, /56 of IPv6. Another text, such as none, is one subnet of its own. */
export function subnetOf(address: string | null): string {
  if (address === null) return ''
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address
  if (isIPv4(mapped)) return mapped.split('.').slice(0, 3).join('.')
  if (!isIPv6(address)) return address
  const [head = '', tail] = address.split('%')[0]!.split('::')
  const [first, last] = [groupsOf(head), groupsOf(tail)]
  const groups = [...first, ...Array.from({ length: Math.max(0, 8 - first.length - last.length) }, () => '0'), ...last]
  const bits = groups
    .slice(0, 4)
    .map((group) => group.padStart(4, '0').toLowerCase())
    .join('')
  return bits.slice(0, 14)
}

/** That of this node. */
export const strangers = createStrangerAdmission(countWaitingHashes)
