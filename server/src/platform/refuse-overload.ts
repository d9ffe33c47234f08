// Refuses calls while the event loop is so late that whoever waits would give up before the answer: what is refused at once
// leaves the time to those who came before.

import underPressure from '@fastify/under-pressure'
import type { FastifyInstance } from 'fastify'
import { overloadRefusalsTotal } from './metrics.ts'
import { Refusal } from './refusal.ts'

/**
 * Over how long the delay of the event loop is averaged, in ms. It is far longer than the limit: a loop that stands still
 * once, as at a start, is late once and then in time some hundred times. Only one that is late in each turn reaches it.
 */
const SAMPLE_MS = 5_000

/**
 * Refuses calls of the contract with `unavailable` while the event loop was late on average over the last five seconds. Live streams
 * go on: they wait for nothing and would only come back at once. `/live`, `/ready`, the API's description and the files of the
 * web are no calls of the contract.
 * @param maxDelayMs mean delay of the event loop, in ms; 0: nothing is refused
 * @param sampleMs over how long it is averaged
 */
export async function refuseOverload(app: FastifyInstance, maxDelayMs: number, sampleMs = SAMPLE_MS): Promise<void> {
  if (maxDelayMs === 0) return
  await app.register(underPressure, {
    maxEventLoopDelay: maxDelayMs,
    sampleInterval: sampleMs,
    pressureHandler: async ({ routeOptions }, _reply, _type, delayMs) => {
      const { contractRoute } = routeOptions.config
      if (!contractRoute || contractRoute.is_stream) return
      // The loop stood still before anything was measured, as while a process starts: that is no sign of load.
      if (delayMs === Infinity) return
      overloadRefusalsTotal.inc()
      throw new Refusal('unavailable')
    },
  })
}
