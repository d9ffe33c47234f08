// Serves the metrics on a separate port, which callers of the application cannot reach.

import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { collectDefaultMetrics } from 'prom-client'
import { buildInfo, metricsRegistry } from './metrics.ts'
import { projectRoot } from './project-root.ts'

export interface MetricsServer {
  port: number
  close(): Promise<void>
}

/** Serves `GET /metrics` in Prometheus's text format, including process metrics (`process_…`, `nodejs_…`). */
export async function startMetricsServer({ host, port }: { host: string; port: number }): Promise<MetricsServer> {
  // Once per process, however many servers show them.
  if (!metricsRegistry.getSingleMetric('process_start_time_seconds'))
    collectDefaultMetrics({ register: metricsRegistry })
  const manifest = await readFile(join(projectRoot, 'package.json'), 'utf8')
  buildInfo.set({ version: (JSON.parse(manifest) as { version: string }).version }, 1)
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' }).end('GET /metrics\n')
      return
    }
    metricsRegistry.metrics().then(
      (text) => response.writeHead(200, { 'content-type': metricsRegistry.contentType }).end(text),
      () => response.writeHead(500).end(),
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
