// @vitest-environment node
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createBoardStore } from './board-store.ts'
import type { BookReply } from './board-store.ts'
import { pollBook } from './poll-book.ts'

function replyOf(version: number, is_whole: boolean): BookReply {
  return {
    period_code: 'p',
    version,
    age_ms: 0,
    seal: 'open',
    line_count: 0,
    received_satang: 0,
    discount_satang: 0,
    own_received_satang: 0,
    own_discount_satang: 0,
    is_whole,
    slots: [],
    line_counts: [],
    stakes_satang: [],
    payouts_satang: [],
    own_stakes_satang: [],
    own_payouts_satang: [],
    quotas_used: [],
  }
}

const page = new EventTarget() as EventTarget & { visibilityState: string }

beforeEach(() => {
  vi.useFakeTimers()
  page.visibilityState = 'visible'
  vi.stubGlobal('document', page)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function follow(answer: (since: number | null) => Promise<BookReply>) {
  const stop = new AbortController()
  const asked: (number | null)[] = []
  const failures: (Error | null)[] = []
  const poller = pollBook({
    store: createBoardStore(),
    fetch: (since) => {
      asked.push(since)
      return answer(since)
    },
    signal: stop.signal,
    onFailure: (error) => failures.push(error),
  })
  return { ...poller, asked, failures, stop: () => stop.abort() }
}

describe('following a book', () => {
  it('asks for the whole, and then twice a second for what has changed since', async () => {
    let version = 6
    const { asked, stop } = follow(async (since) => replyOf((version += 1), since === null))
    await vi.advanceTimersByTimeAsync(1_100)
    expect(asked).toEqual([null, 7, 8])
    stop()
    await vi.advanceTimersByTimeAsync(5_000)
    expect(asked).toHaveLength(3)
  })

  it('asks for the whole again where that is wanted while the whole is on its way', async () => {
    const replies: ((reply: BookReply) => void)[] = []
    const { asked, readWhole, stop } = follow(() => new Promise((resolve) => replies.push(resolve)))
    await vi.advanceTimersByTimeAsync(0)
    readWhole()
    replies[0]!(replyOf(1, true))
    await vi.advanceTimersByTimeAsync(1_100)
    expect(asked).toEqual([null, null])
    stop()
  })

  it('asks for nothing while the page is hidden, and at once when it is shown', async () => {
    const { asked, stop } = follow(async () => replyOf(1, true))
    await vi.advanceTimersByTimeAsync(100)
    page.visibilityState = 'hidden'
    await vi.advanceTimersByTimeAsync(30_000)
    expect(asked).toHaveLength(1)
    page.visibilityState = 'visible'
    page.dispatchEvent(new Event('visibilitychange'))
    await vi.advanceTimersByTimeAsync(10)
    expect(asked).toHaveLength(2)
    stop()
  })

  it('reports a failure, asks more and more rarely, and reports that it is over', async () => {
    let isDown = true
    const { asked, failures, stop } = follow(() =>
      isDown ? Promise.reject(new Error('down')) : Promise.resolve(replyOf(1, true)),
    )
    await vi.advanceTimersByTimeAsync(7_000)
    // At 0, 2 and 6 seconds.
    expect(asked).toHaveLength(3)
    expect(failures.at(-1)?.message).toBe('down')
    isDown = false
    await vi.advanceTimersByTimeAsync(8_000)
    expect(failures.at(-1)).toBeNull()
    stop()
  })

  it('reads the whole again where a limit was changed', async () => {
    const { asked, readWhole, stop } = follow(async () => replyOf(5, true))
    await vi.advanceTimersByTimeAsync(10)
    readWhole()
    await vi.advanceTimersByTimeAsync(10)
    expect(asked).toEqual([null, null])
    stop()
  })
})
