// A client of the application's event stream, over a real socket.

import type { LiveEnd, LiveNews } from '@megalot/contract'
import type { FastifyInstance } from 'fastify'

export type LiveEvent =
  | { event: 'hello' }
  | { event: 'news'; data: LiveNews }
  | { event: 'end'; data: LiveEnd }
  /** The stream is over, with or without an end event. */
  | { event: 'closed' }

export interface LiveListener {
  headers: Headers
  /** The events so far. */
  events: readonly LiveEvent[]
  /** Waits for the first event, past or future, that matches. */
  waitFor(matches: (event: LiveEvent) => boolean): Promise<LiveEvent>
  leave(): void
}

/** Waits until the node receives events: everything that happens afterwards is published to it. */
export async function listenTo(app: FastifyInstance, sessionToken: string): Promise<LiveListener> {
  if (!app.server.listening) await app.listen({ host: '127.0.0.1', port: 0 })
  const address = app.server.address()
  if (address === null || typeof address === 'string') throw new Error('the node listens nowhere')
  const aborter = new AbortController()
  const response = await fetch(`http://127.0.0.1:${address.port}/api/live`, {
    headers: { authorization: `Bearer ${sessionToken}`, 'accept-encoding': 'gzip, br' },
    signal: aborter.signal,
  })
  if (!response.ok || !response.body) throw new Error(`no stream: ${response.status} ${await response.text()}`)
  const events: LiveEvent[] = []
  const waiting = new Set<() => void>()
  const note = (event: LiveEvent): void => {
    events.push(event)
    for (const notify of waiting) notify()
  }
  void readEvents(response.body, note).then(
    () => note({ event: 'closed' }),
    () => note({ event: 'closed' }),
  )
  const waitFor: LiveListener['waitFor'] = (matches) =>
    new Promise((resolve) => {
      const check = (): void => {
        const found = events.find(matches)
        if (!found) return
        waiting.delete(check)
        resolve(found)
      }
      waiting.add(check)
      check()
    })
  await waitFor(({ event }) => event === 'hello')
  return { headers: response.headers, events, waitFor, leave: () => aborter.abort() }
}

async function readEvents(body: ReadableStream<Uint8Array>, note: (event: LiveEvent) => void): Promise<void> {
  let text = ''
  const decoder = new TextDecoder()
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true })
    const parts = text.split('\n\n')
    text = parts.pop()!
    for (const part of parts) {
      const [, event, data] = /^event: (\w+)\ndata: (.*)$/.exec(part) ?? []
      if (event && data) note({ event, data: JSON.parse(data) } as LiveEvent)
    }
  }
}

export function hasTopic(topic: string): (event: LiveEvent) => boolean {
  return (one) => one.event === 'news' && one.data.topics.includes(topic as never)
}

export function hasNumbersOf(period_code: string): (event: LiveEvent) => boolean {
  return (one) => one.event === 'news' && one.data.numbers.includes(period_code)
}
