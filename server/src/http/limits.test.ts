// Calls take their own principal's tokens and slots. Calls beyond the limits are refused with the time to wait, and
// bets still work.

import { EventEmitter } from 'node:events'
import { BODY_BYTES, type Price } from '@megalot/contract'
import type { FastifyReply } from 'fastify'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createLimits, type LimitedCaller, limitCall } from './limits.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function callerOf(principal_id: number, given: Partial<LimitedCaller> = {}): LimitedCaller {
  const own = { actor_id: principal_id, session_id: principal_id, level: 'member', is_office: false } as const
  return { principal_id, ...own, pending_steps: [], ...given }
}

const callOf = (price: Price, body_bytes = 0) => ({ price, body_bytes, session_token: 'token' })
const answered = { sent_bytes: 0, isRefused: false }

function startLimits(factor?: number) {
  const clock = { ms: 0 }
  const limits = createLimits(factor, () => clock.ms)
  /** Makes calls one after another until one is refused. */
  const countUntilRefused = (caller: LimitedCaller, price: Price, body_bytes = 0, sent_bytes = 0): number => {
    for (let count = 0; count < 1_000; count += 1)
      try {
        limits.enter(caller, callOf(price, body_bytes))({ sent_bytes, isRefused: false })
      } catch {
        return count
      }
    return Infinity
  }
  return { clock, limits, countUntilRefused }
}

const member = callerOf(1)
const agent = callerOf(2, { level: 'agent' })
const assistant = callerOf(2, { actor_id: 3, session_id: 3, level: 'agent' })
const KIB = 1_024

test.each([
  ['reads', member, 'read', 0, 0, 30, 10],
  ['changes', member, 'change', 0, 0, 15, 5],
  ['reports', member, 'report', 0, 0, 3, 1],
  ['exports', member, 'export', 0, 0, 1, 0],
  ['bets', member, 'free', BODY_BYTES, 0, Infinity, Infinity],
  ['bets with large bodies, which are paid', member, 'free', 96 * KIB, 0, 2, 1],
  ['large replies, which are paid', member, 'read', 0, 576 * KIB, 3, 1],
  ['the console', agent, 'read', 0, 0, 120, 40],
  ['assistants, which leave a quarter to their principal', assistant, 'read', 0, 0, 90, 40],
  ['the office', callerOf(4, { level: 'company', is_office: true }), 'export', 0, 0, Infinity, Infinity],
] as const)('%s at once, and a second later', (_name, caller, price, body, sent, atOnce, later) => {
  const { clock, countUntilRefused } = startLimits()
  expect(countUntilRefused(caller, price, body, sent)).toBe(atOnce)
  clock.ms += 1_000
  expect(countUntilRefused(caller, price, body, sent)).toBe(later)
  // Others have their own bucket, and so has a session that lacks the second factor.
  expect(countUntilRefused(callerOf(5), 'report')).toBe(3)
  const waiting = { ...caller, is_office: false, pending_steps: ['second_factor'] } as const
  expect(countUntilRefused({ ...waiting, level: 'member' }, 'report')).toBe(caller === assistant ? 2 : 3)
})

test.each([
  ['free', 16],
  ['read', 12],
  ['change', 4],
  ['report', 2],
  ['export', 1],
] as const)('of %s calls so many run at once, and others besides', (price, most) => {
  const { limits } = startLimits()
  const office = callerOf(6, { level: 'company', is_office: true })
  const ends = Array.from({ length: most }, () => limits.enter(office, callOf(price)))
  expect(() => limits.enter(office, callOf(price))).toThrow(
    expect.objectContaining({ code: 'too_many_requests', details: { wait_ms: 1_000 } }),
  )
  const other = price === 'read' ? 'change' : 'read'
  for (const [caller, allowed] of [
    [office, other],
    [member, price],
  ] as const)
    limits.enter(caller, callOf(allowed))
  // Twice is once.
  for (const end of [ends[0]!, ends[0]!]) end(answered)
  limits.enter(office, callOf(price))
  expect(() => limits.enter(office, callOf(price))).toThrow('too_many_requests')
})

test('four large bodies of a caller arrive at once', () => {
  const { limits } = startLimits()
  for (let each = 0; each < 4; each += 1) limits.enter(member, callOf('free', BODY_BYTES + 1))
  expect(() => limits.enter(member, callOf('free', BODY_BYTES + 1))).toThrow('too_many_requests')
  limits.enter(member, callOf('free', BODY_BYTES))
})

test('a caller without tokens can still bet, and a refused bet keeps its slot for a second', () => {
  const { limits, countUntilRefused } = startLimits()
  countUntilRefused(member, 'read')
  for (let each = 0; each < 16; each += 1) limits.enter(member, callOf('free'))({ sent_bytes: 0, isRefused: true })
  expect(() => limits.enter(member, callOf('free'))).toThrow('too_many_requests')
  vi.advanceTimersByTime(1_000)
  expect(countUntilRefused(member, 'free')).toBe(Infinity)
})

test('assistants spend their principal’s tokens, and leave it some tokens and a slot', () => {
  const { limits, countUntilRefused } = startLimits()
  countUntilRefused(assistant, 'read')
  expect(countUntilRefused({ ...assistant, actor_id: 4 }, 'read')).toBe(0)
  expect(countUntilRefused(agent, 'change')).toBe(15)
  const others = startLimits().limits
  for (let each = 0; each < 3; each += 1) others.enter(assistant, callOf('change'))
  expect(() => others.enter(assistant, callOf('change'))).toThrow('too_many_requests')
  others.enter(agent, callOf('change'))
  expect(() => limits.enter(assistant, callOf('export'))).toThrow('too_many_requests')
})

test('the wait is as long as the tokens need, a debt lasts at most a minute, and earlier calls are refused unread', () => {
  const { clock, limits, countUntilRefused } = startLimits()
  const waitOf = (act: () => unknown): unknown => {
    try {
      return act()
    } catch (refusal) {
      return (refusal as { details: { wait_ms: number } }).details.wait_ms
    }
  }
  countUntilRefused(member, 'read')
  expect(waitOf(() => limits.enter(member, callOf('export')))).toBe(3_000)
  expect(waitOf(() => limits.refuseEarly(callOf('export')))).toBe(1_000)
  limits.refuseEarly(callOf('report'))
  clock.ms += 1_000
  limits.refuseEarly(callOf('export'))
  limits.enter(member, callOf('read'))({ sent_bytes: 1_024 ** 3, isRefused: false })
  expect(waitOf(() => limits.enter(member, callOf('read')))).toBe(60_100)
})

test('a factor multiplies all limits', () => {
  const { limits, countUntilRefused } = startLimits(2)
  for (let each = 0; each < 4; each += 1) limits.enter(agent, callOf('report'))
  expect(() => limits.enter(agent, callOf('report'))).toThrow('too_many_requests')
  expect(countUntilRefused(member, 'read')).toBe(60)
})

describe('the slot of a request', () => {
  function startRequest() {
    const raw = Object.assign(new EventEmitter(), { statusCode: 200, destroyed: false })
    const request = { raw: { destroyed: false, socket: { bytesWritten: 0 } } }
    const { limits } = startLimits()
    const reply = { raw, request } as unknown as FastifyReply
    const enter = () => limitCall(limits, member, callOf('export'), reply)
    const isFull = (): boolean => {
      try {
        limits.enter({ ...member, is_office: true }, callOf('export'))(answered)
        return false
      } catch {
        return true
      }
    }
    return { raw, enter, isFull }
  }

  test('is released once it is answered', async () => {
    const { raw, enter, isFull } = startRequest()
    await enter().run(async () => null)
    expect(isFull()).toBe(true)
    raw.emit('finish')
    expect(isFull()).toBe(false)
  })

  test('is released if the client leaves before the work begins', () => {
    const { raw, enter, isFull } = startRequest()
    enter()
    raw.emit('close')
    expect(isFull()).toBe(false)
  })

  test('is kept while work continues for a client that has left', async () => {
    const { raw, enter, isFull } = startRequest()
    let finish!: () => void
    const run = enter().run(() => new Promise<void>((resolve) => (finish = resolve)))
    raw.emit('close')
    expect(isFull()).toBe(true)
    finish()
    await run
    expect(isFull()).toBe(false)
  })

  test('is not taken by a client that left while its caller was looked up', () => {
    const { raw, enter, isFull } = startRequest()
    raw.destroyed = true
    expect(enter).toThrow('unavailable')
    expect(isFull()).toBe(false)
  })
})
