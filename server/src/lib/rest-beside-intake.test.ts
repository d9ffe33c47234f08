// The exposure job catches up with a backlog while tickets come slowly, and leaves the processor to intake while they
// come fast.

import { expect, test } from 'vitest'
import { createRateMeter, restAfter, restWhileBusy } from './rest-beside-intake.ts'

const STEP_SIZE = 1_000

/**
 * Simulates steps for a minute.
 * @returns tickets waiting at the end, and the longest rest
 */
function followFor(tickets_per_s: number, stepMs: number, backlog: number): { waiting: number; restMs: number } {
  const measureRate = createRateMeter()
  let [nowMs, waiting, placed, restMs] = [0, backlog, backlog, 0]
  const pass = (ms: number): void => {
    nowMs += ms
    waiting += (tickets_per_s * ms) / 1_000
    placed += (tickets_per_s * ms) / 1_000
  }
  while (nowMs < 60_000) {
    const tickets = measureRate(Math.floor(placed), nowMs)
    waiting = Math.max(0, waiting - STEP_SIZE)
    pass(stepMs)
    const rest = restAfter({ workedMs: stepMs, tickets_per_s: tickets })
    // The first step has no rate yet.
    if (nowMs > stepMs) restMs = Math.max(restMs, rest)
    pass(rest)
  }
  return { waiting, restMs }
}

test('one slow step is not followed by long rests: a backlog at 500 tickets per second is counted', () => {
  // Rests of twelve times the work would let 975 tickets come between two steps of 1,000.
  const { waiting, restMs } = followFor(500, 150, 20_000)
  expect(waiting).toBeLessThan(STEP_SIZE)
  expect(restMs).toBe(250)
})

test('at full load it works less than a twelfth of the time, and rests at most five seconds', () => {
  expect(restAfter({ workedMs: 100, tickets_per_s: 5_000 })).toBe(1_200)
  expect(restAfter({ workedMs: 1_000, tickets_per_s: 5_000 })).toBe(5_000)
  expect(followFor(5_000, 100, 0).restMs).toBe(1_200)
})

test('a long step is followed by an equally long rest, even while tickets come slowly', () => {
  expect(restAfter({ workedMs: 100, tickets_per_s: 0 })).toBe(250)
  expect(restAfter({ workedMs: 800, tickets_per_s: 999 })).toBe(800)
  expect(restAfter({ workedMs: 9_000, tickets_per_s: 0 })).toBe(5_000)
})

test('non-urgent work rests only at full load', () => {
  expect(restWhileBusy({ workedMs: 100, tickets_per_s: 999 })).toBe(0)
  expect(restWhileBusy({ workedMs: 100, tickets_per_s: 1_000 })).toBe(1_200)
})

test('tickets that come at once after a stall are no load', () => {
  const measureRate = createRateMeter()
  let last_order_id = 0
  for (let atMs = 0; atMs <= 4_000; atMs += 250) measureRate((last_order_id += 125), atMs)
  // Nothing for 700 ms, then the delayed tickets.
  expect(measureRate(last_order_id, 4_700)).toBeLessThan(500)
  expect(measureRate(last_order_id + 475, 4_950)).toBeLessThan(1_000)
})
