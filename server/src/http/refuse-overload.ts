// Refuses calls while the event loop is so late that whoever waits would give up before the answer: what is refused at once
// leaves the time to those who came before.

import underPressure from '@fastify/under-pressure'
import type { FastifyInstance } from 'fastify'
import { overloadRefusalsTotal } from '../lib/metrics.ts'
import { Refusal } from '../lib/refusal.ts'

/** Over how long the delay of the event loop is averaged, in ms. */
const SAMPLE_MS = 2_000

/**
 * Refuses calls of the contract with `unavailable` while the event loop was late on average in two samples in a row. A loop that
 * stands still once, as while it starts, is late in one, however long it stood. Live streams go on: they wait for nothing and
 * would only come back at once. `/live`, `/ready`, the API's description and the files of the web are no calls of the contract.
 * @param maxDelayMs mean delay of the event loop, in ms; 0: nothing is refused
 * @param sampleMs over how long it is averaged
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

/** @returns to be called with the mean of a late sample for each call in it; says whether the sample before was late too */
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
