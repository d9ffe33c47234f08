// Metrics of every request, and the ids by which it is found in the log.

import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { requestSeconds } from '../lib/metrics.ts'

/**
 * Generates request ids. The first part identifies this run of this node, so that an id in a failure report leads to
 * exactly one request in one log. Ids from callers are not used, because they may repeat.
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
