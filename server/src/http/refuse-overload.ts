// Refuses calls while the event loop is so late that callers would give up before the answer. Refusing at once leaves
// time for earlier calls.

import underPressure from '@fastify/under-pressure'
import type { FastifyInstance } from 'fastify'
import { overloadRefusalsTotal } from '../lib/metrics.ts'
import { Refusal } from '../lib/refusal.ts'

/** Period over which the event loop's delay is averaged, in ms. */
const SAMPLE_MS = 2_000

/**
 * Refuses calls of the contract with `unavailable` if the event loop was late on average in two consecutive samples. A
 * single stall, such as during the start, is late in only one. Live streams continue: they cost nothing and would only
 * reconnect. `/live`, `/ready`, the API's description and the web's files are not calls of the contract.
 * @param maxDelayMs mean delay of the event loop, in ms; 0 to refuse nothing
 * @param sampleMs averaging period
 */
export async function refuseOverload(app: FastifyInstance, maxDelayMs: number, sampleMs = SAMPLE_MS): Promise<void> {
  if (maxDelayMs === 0) return
  const isSecondInRow = createLateSamples(sampleMs)
  await app.register(underPressure, {
    maxEventLoopDelay: maxDelayMs,
    sampleInterval: sampleMs,
    pressureHandler: async ({ routeOptions }, _reply, _type, delayMs = 0) => {
      if (!isSecondInRow(delayMs)) return
      const { contractRoute } = routeOptions.config
      if (!contractRoute || contractRoute.is_stream) return
      overloadRefusalsTotal.inc()
      throw new Refusal('unavailable')
    },
  })
}

/**
 * @returns a function to call with a late sample's mean for each call in it; returns whether the previous sample was
 * late too
 */
function createLateSamples(sampleMs: number): (delayMs: number) => boolean {
  let sample: number | undefined
  let seenAtMs = -Infinity
  let isSecond = false
  return (delayMs) => {
    const nowMs = performance.now()
    if (delayMs !== sample) {
      // A sample that was in time takes at least this long.
      isSecond = nowMs - seenAtMs < sampleMs
      sample = delayMs
    }
    seenAtMs = nowMs
    return isSecond
  }
}
