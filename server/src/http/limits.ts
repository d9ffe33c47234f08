// Keeps one rude caller from slowing down others: a token bucket per principal, and a limit on its concurrent calls.
// Calls beyond the limits are refused; none waits. Limits are kept in memory, per node.

import { BODY_BYTES, type Price } from '@megalot/contract'
import type { FastifyReply } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Caller } from './caller.ts'
import { Refusal } from '../lib/refusal.ts'

/** A member's refill in tokens per second, and the bucket's capacity. */
const TOKENS_PER_SECOND = 10
const MAX_TOKENS = 30
/** Factor for console users, shared with their assistants. */
const CONSOLE_FACTOR = 4
/** The longest debt of a principal, in ms. Large bodies and replies are charged once their size is known. */
const MAX_DEBT_MS = 60_000
/** Tokens per call. */
const prices: Readonly<Record<Price, number>> = { free: 0, read: 1, change: 2, report: 10, export: 30 }
/** One more token per this many bytes of a body above `BODY_BYTES`, which no ticket of 200 items reaches. */
const BODY_BYTES_A_TOKEN = 4 * 1_024
/** One more token per this many bytes sent. */
const SENT_BYTES_A_TOKEN = 64 * 1_024
/** A principal's concurrent calls per price, and its calls with a body above `BODY_BYTES`. */
const maxRunning: Readonly<Record<Price | 'large_body', number>> = {
  free: 16,
  read: 12,
  change: 4,
  report: 2,
  export: 1,
  large_body: 4,
}
/** The share of all limits reserved for the principal, so that it can always end its assistants' sessions. */
const PRINCIPAL_PART = 1 / 4
/** A refused `free` call keeps its slot for this many ms, because refused tickets cost no tokens. */
const REFUSED_MS = 1_000
/** The shortest wait told to a refused caller, in ms, and the longest time for refusing it without a look-up. */
const RETRY_AFTER_MS = 1_000
const MAX_REMEMBERED = 10_000
/** How often principals without calls and with a full bucket are forgotten, in ms. */
const SWEEP_MS = 60_000

export type LimitedCaller = Pick<
  Caller,
  'actor_id' | 'principal_id' | 'session_id' | 'level' | 'pending_steps' | 'is_office'
>

export interface LimitedCall {
  price: Price
  body_bytes: number
  session_token: string
}

/** How a call ended. */
export interface CallEnd {
  sent_bytes: number
  isRefused: boolean
}

export interface Limits {
  /**
   * Takes a call's tokens and slot before its body is read.
   * @returns releases the slot; idempotent
   * @throws Refusal too_many_requests, with `wait_ms`
   */
  enter: (caller: LimitedCaller, call: LimitedCall) => (end: CallEnd) => void
  /**
   * Refuses a session that returns before its bucket has refilled, without looking up its caller.
   * @throws Refusal too_many_requests
   */
  refuseEarly: (call: Pick<LimitedCall, 'price' | 'session_token'>) => void
}

type Place = keyof typeof maxRunning

interface Account {
  /** Negative while the principal owes for large calls. */
  tokens: number
  filledAtMs: number
  maxTokens: number
  tokensPerMs: number
  running: Record<Place, number>
}

/** @param factor for all limits */
export function createLimits(factor = 1, readClock = () => performance.now()): Limits {
  const accounts = new Map<string, Account>()
  const emptyUntilMs = new LRUCache<string, number>({ max: MAX_REMEMBERED })
  let sweptAtMs = readClock()

  function fill(account: Account): Account {
    const nowMs = readClock()
    account.tokens = Math.min(account.maxTokens, account.tokens + (nowMs - account.filledAtMs) * account.tokensPerMs)
    account.filledAtMs = nowMs
    return account
  }

  function sweep(): void {
    if (readClock() - sweptAtMs < SWEEP_MS) return
    sweptAtMs = readClock()
    for (const [key, account] of accounts)
      if (fill(account).tokens >= account.maxTokens && Object.values(account.running).every((count) => count === 0))
        accounts.delete(key)
  }

  function open(caller: LimitedCaller): Account {
    sweep()
    const key = keyOf(caller)
    let account = accounts.get(key)
    if (!account) {
      const running = { free: 0, read: 0, change: 0, report: 0, export: 0, large_body: 0 }
      const size = factor * (caller.level === 'member' ? 1 : CONSOLE_FACTOR)
      const maxTokens = MAX_TOKENS * size
      const tokensPerMs = (TOKENS_PER_SECOND * size) / 1_000
      account = { tokens: maxTokens, filledAtMs: readClock(), maxTokens, tokensPerMs, running }
      accounts.set(key, account)
    }
    return fill(account)
  }

  function pay(account: Account, tokens: number): void {
    account.tokens = Math.max(-MAX_DEBT_MS * account.tokensPerMs, fill(account).tokens - tokens)
  }

  return {
    refuseEarly({ price, session_token }) {
      const waitMs = (emptyUntilMs.get(`${price} ${session_token}`) ?? 0) - readClock()
      if (waitMs > 0) refuse(waitMs)
    },
    enter(caller, { price, body_bytes, session_token }) {
      const account = open(caller)
      const kept = caller.actor_id === caller.principal_id ? 0 : PRINCIPAL_PART
      const tooLarge = Math.max(0, body_bytes - BODY_BYTES)
      const places: Place[] = tooLarge > 0 ? [price, 'large_body'] : [price]
      for (const place of places)
        if (account.running[place] >= Math.ceil(maxRunning[place] * factor * (1 - kept))) refuse(RETRY_AFTER_MS)
      // The office is never prevented from acting, because it may be an emergency.
      const isPaid = !caller.is_office && (price !== 'free' || tooLarge > 0)
      if (isPaid) {
        const missing = prices[price] - (account.tokens - account.maxTokens * kept)
        if (missing > 0) {
          const wait_ms = missing / account.tokensPerMs
          // Not longer than the tokens need: a second's tokens would be spent at once.
          if (price !== 'free')
            emptyUntilMs.set(`${price} ${session_token}`, readClock() + Math.min(wait_ms, RETRY_AFTER_MS))
          refuse(wait_ms)
        }
        pay(account, prices[price] + tooLarge / BODY_BYTES_A_TOKEN)
      }
      for (const place of places) account.running[place] += 1
      let isOver = false
      const release = (): void => {
        for (const place of places) account.running[place] -= 1
      }
      return ({ sent_bytes, isRefused }) => {
        if (isOver) return
        isOver = true
        if (isPaid) pay(account, sent_bytes / SENT_BYTES_A_TOKEN)
        if (price === 'free' && isRefused) setTimeout(release, REFUSED_MS).unref()
        else release()
      }
    },
  }
}

/**
 * A session without its second factor has a separate bucket, so that a stolen password alone cannot use up the user's.
 */
function keyOf({ principal_id, session_id, pending_steps }: LimitedCaller): string {
  return pending_steps.includes('second_factor') ? `session ${session_id}` : `principal ${principal_id}`
}

function refuse(wait_ms: number): never {
  throw new Refusal('too_many_requests', { wait_ms: Math.max(RETRY_AFTER_MS, Math.ceil(wait_ms)) })
}

/** A request that counts against its principal's limits. */
export interface LimitedRequest {
  /** Runs the handler. If the client leaves meanwhile, the slot is released only when the work is done. */
  run: <Result>(work: () => Promise<Result>) => Promise<Result>
  /** Releases the slot. */
  end: () => void
}

/**
 * Counts a request against the limits, and releases its slot when it is answered.
 * @throws Refusal too_many_requests; unavailable if the client has left
 */
export function limitCall(
  limits: Limits,
  caller: LimitedCaller,
  call: LimitedCall,
  { raw, request }: FastifyReply,
): LimitedRequest {
  if (request.raw.destroyed || raw.destroyed) throw new Refusal('unavailable')
  const leave = limits.enter(caller, call)
  // An injected test request has no real socket.
  const countWritten = (): number => request.raw.socket.bytesWritten ?? 0
  const writtenBefore = countWritten()
  let isWorking = false
  let isAnswered = false
  const end = (): void => {
    const isRefused = raw.statusCode >= 400 && raw.statusCode < 500
    leave({ sent_bytes: countWritten() - writtenBefore, isRefused })
  }
  for (const event of ['finish', 'close'])
    raw.once(event, () => {
      isAnswered = true
      if (!isWorking) end()
    })
  return {
    end,
    async run(work) {
      isWorking = true
      try {
        return await work()
      } finally {
        isWorking = false
        if (isAnswered) end()
      }
    },
  }
}
