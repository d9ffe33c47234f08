// What browsers keep open and fetch besides betting: live streams, and pages with all their files.

import { listenLive } from '@megalot/contract'
import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from '../../bench/client.ts'

/** Between the end of a stream and the next one, in ms. */
const LONGEST_BREAK_MS = 200
const PAGE_EVERY_MS = 50

export class Pages {
  readonly streams = { opened: 0, moved: 0, cut: 0, refused: 0 }
  readonly files = { fetched: 0, missing: 0, failed: 0 }
  private readonly url: string
  private readonly ending = new AbortController()
  private readonly running: Promise<unknown>[] = []

  constructor(url: string) {
    this.url = url
  }

  start(clients: Iterable<Client>): void {
    for (const { sessionToken } of clients) this.running.push(this.keepListening(sessionToken!))
    this.running.push(this.keepVisiting())
  }

  async stop(): Promise<void> {
    this.ending.abort()
    await Promise.all(this.running)
  }

  private async keepListening(sessionToken: string): Promise<void> {
    const { signal } = this.ending
    const headers = { authorization: `Bearer ${sessionToken}` }
    while (!signal.aborted) {
      try {
        const reply = await fetch(`${this.url}${listenLive.path}`, { headers, signal })
        const isOpen = reply.status === 200
        this.streams[isOpen ? 'opened' : 'refused'] += 1
        const text = await reply.text()
        if (isOpen) this.streams[text.includes('"reason":"stopping"') ? 'moved' : 'cut'] += 1
      } catch {
        if (!signal.aborted) this.streams.cut += 1
      }
      await pause(Math.random() * LONGEST_BREAK_MS)
    }
  }

  /** Repeatedly opens an uncached page, whose files may be requested from a node of the other version. */
  private async keepVisiting(): Promise<void> {
    while (!this.ending.signal.aborted) {
      const page = await this.fetchFile('/', { accept: 'text/html' })
      const named = new Set(Array.from(page.matchAll(/["(](\/assets\/[^"')]+)/g), ([, path]) => path!))
      await Promise.all([...named].map((path) => this.fetchFile(path)))
      await pause(PAGE_EVERY_MS)
    }
  }

  private async fetchFile(path: string, headers: Record<string, string> = {}): Promise<string> {
    try {
      const reply = await fetch(`${this.url}${path}`, { headers })
      this.files.fetched += 1
      if (reply.status === 404) this.files.missing += 1
      else if (reply.status !== 200) this.files.failed += 1
      return await reply.text()
    } catch {
      this.files.failed += 1
      return ''
    }
  }
}
