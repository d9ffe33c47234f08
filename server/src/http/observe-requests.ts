// What every request leaves in the metrics, and the ids by which it is found in the log.

import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { requestSeconds } from '../lib/metrics.ts'

/**
 * Gives ids to requests. The first part names this run of this node, so that the id in a report of a failure leads to one request
 * of one log. What callers call their request is not used: they could make two look like one.
 */
export function createRequestIds(): () => string {
  const run = randomBytes(4).toString('hex')
  let last = 0
  return () => {
    last += 1
    return `${run}-${last.toString(36)}`
  }
}

/** Observes how long each request takes, by the template of its route. */
export function observeRequests(app: FastifyInstance): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { url = 'none', config } = request.routeOptions
    // A stream lasts as long as its listener stays.
    if (config.contractRoute?.is_stream !== true) {
      const labels = { method: request.method, route: url, status: reply.statusCode }
      requestSeconds.observe(labels, reply.elapsedTime / 1_000)
    }
    done()
  })
}
