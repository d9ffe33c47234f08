// A proxy that shows the application as if a newer build had been installed: it marks the pages, names another build in
// the service worker, and replaces the version that the web reports by an old one.

import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

const olderVersion = '0.9.0'
const pages = /^\/((index|inside|bet)(\.en)?\.html|(auth|bet|offline)\/.*)?$/

export interface NewerBuild {
  url: string
  /** The version that the web reports from then on, as the server receives it. */
  olderVersion: string
  /** From now on the server has another build than before, and considers every web outdated. */
  publish: () => void
  stop: () => Promise<void>
}

export async function startNewerBuild(app: string): Promise<NewerBuild> {
  let isPublished = false

  /** The replacements of the newer build. */
  const rewrite = (path: string, text: string): string => {
    const build = isPublished ? 'second' : 'first'
    if (path === '/service-worker.js') return text.replace(/"name":"/, `"name":"${build}-`)
    return text.replace('<head>', `<head><meta name="build" content="${build}">`)
  }

  const pass = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const address = new URL(incoming.url ?? '/', app)
    if (isPublished && address.searchParams.has('version')) address.searchParams.set('version', olderVersion)
    const isPage = incoming.headers['sec-fetch-mode'] === 'navigate' || pages.test(address.pathname)
    const isRewritten = isPage || address.pathname === '/service-worker.js'
    const headers = { ...incoming.headers, host: address.host }
    if (isRewritten) headers['accept-encoding'] = 'identity'
    const onward = request(address, { method: incoming.method, headers }, (reply) => {
      if (!isRewritten || reply.statusCode !== 200) {
        outgoing.writeHead(reply.statusCode ?? 502, reply.headers)
        reply.pipe(outgoing)
        return
      }
      let text = ''
      reply.setEncoding('utf8').on('data', (piece: string) => (text += piece))
      reply.on('end', () => {
        const { 'content-length': _length, etag: _etag, 'last-modified': _modified, ...rest } = reply.headers
        outgoing.writeHead(200, rest).end(rewrite(address.pathname, text))
      })
    })
    // A stream that one side ends, ends for the other too.
    outgoing.on('close', () => onward.destroy())
    onward.on('error', () => outgoing.destroy())
    incoming.pipe(onward)
  }

  const door = createServer(pass)
  await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve))
  const { port } = door.address() as AddressInfo
  return {
    url: `http://localhost:${port}`,
    olderVersion,
    publish: () => (isPublished = true),
    stop: () =>
      new Promise((resolve) => {
        door.close(() => resolve())
        door.closeAllConnections()
      }),
  }
}
