// Bounds what one member has in batches: lines at a time, and tickets a second. Batches are in order of arrival: a hundred large tickets of
// one member, sent at once, kept the bets of all others waiting for seconds. 600 small ones a second, or 75 large ones, made them take twice
// as long. The bounds are of this node.

import { LRUCache } from 'lru-cache'
import { Refusal } from '../../../platform/refusal.ts'

/** One large ticket, or fifty of ten lines. */
const MAX_RUNNING_LINES = 500
/** Forty large tickets. */
const MAX_WAITING_LINES = 20_000
/** A ticket of more lines counts as several in the pace, by its lines. */
const LINES_OF_ONE_TICKET = 50
/** The tickets of so many ms start ahead of the pace: whoever has collected bets sends all of them at once. */
const AHEAD_MS = 4_000
/** The tickets of so many ms wait for the pace. It is less than `TICKET_WAIT_MS`, after which a ticket is refused. */
const WAITING_MS = 6_000
const MAX_PACED_MEMBERS = 20_000
/** How long a refused member has to wait at least, in ms. */
const RETRY_AFTER_MS = 1_000

export interface MemberLines {
  /**
   * Runs `place` once the member has room for so many lines, and its pace allows a ticket, in order of arrival.
   * @throws Refusal too_many_requests: too many lines or tickets of the member wait
   */
  run<Result>(user_id: number, lines: number, place: () => Promise<Result>): Promise<Result>
}

interface Member {
  running: number
  waiting: { lines: number; start: () => void }[]
  waitingLines: number
  /** What those that wait take from the pace, also where they wait for room alone: else they could wait for longer than a ticket may. */
  waitingMs: number
  /** The first that waits is started by a timer. */
  isPaced: boolean
}

/** @param ticketsPerSecond the pace of a member, on average, in tickets of up to fifty lines */
export function createMemberLines(ticketsPerSecond = Infinity): MemberLines {
  /** Those with tickets that run or wait. */
  const members = new Map<number, Member>()
  const pace = createPace(ticketsPerSecond)

  /** Starts a ticket if it may start now. @returns whether it may */
  function tryStart(user_id: number, member: Member, lines: number): boolean {
    if (member.isPaced || !hasRoom(member, lines)) return false
    const pauseMs = pace.tryTake(user_id, lines)
    if (pauseMs === 0) member.running += lines
    else {
      member.isPaced = true
      setTimeout(() => {
        member.isPaced = false
        startWaiting(user_id, member)
      }, pauseMs)
    }
    return pauseMs === 0
  }

  function startWaiting(user_id: number, member: Member): void {
    for (;;) {
      const next = member.waiting[0]
      if (!next || !tryStart(user_id, member, next.lines)) return
      member.waiting.shift()
      member.waitingLines -= next.lines
      member.waitingMs -= pace.costOf(next.lines)
      next.start()
    }
  }

  async function enter(user_id: number, lines: number): Promise<Member> {
    const member = members.get(user_id) ?? { running: 0, waiting: [], waitingLines: 0, waitingMs: 0, isPaced: false }
    members.set(user_id, member)
    if (member.waiting.length === 0 && tryStart(user_id, member, lines)) return member
    const costMs = pace.costOf(lines)
    if (member.waitingLines + lines > MAX_WAITING_LINES || member.waitingMs + costMs > WAITING_MS)
      throw new Refusal('too_many_requests', { wait_ms: Math.max(RETRY_AFTER_MS, Math.ceil(costMs)) })
    member.waitingLines += lines
    member.waitingMs += costMs
    await new Promise<void>((start) => member.waiting.push({ lines, start }))
    return member
  }

  return {
    async run(user_id, givenLines, place) {
      // One without lines, which is refused later, counts as well: a member without any that run is forgotten.
      const lines = Math.max(givenLines, 1)
      const member = await enter(user_id, lines)
      try {
        return await place()
      } finally {
        member.running -= lines
        startWaiting(user_id, member)
        if (member.running === 0 && member.waiting.length === 0) members.delete(user_id)
      }
    },
  }
}

/** A ticket alone always has room. */
function hasRoom({ running }: Member, lines: number): boolean {
  return running === 0 || running + lines <= MAX_RUNNING_LINES
}

/** A token bucket of each member, in ms, kept as the instant at which it is full again (GCRA). */
function createPace(ticketsPerSecond: number) {
  const ticketMs = 1_000 / ticketsPerSecond
  const fullAtMs = new LRUCache<number, number>({ max: MAX_PACED_MEMBERS })
  /** Of a ticket: the ms in which the bucket gets it back. A ticket of any size can start once the bucket is full. */
  const costOf = (lines: number): number => Math.min(Math.max(1, lines / LINES_OF_ONE_TICKET) * ticketMs, AHEAD_MS)
  return {
    costOf,
    /** Takes what a ticket costs if it is there. @returns 0, or in how many ms it is there */
    tryTake(user_id: number, lines: number): number {
      const nowMs = performance.now()
      const afterMs = Math.max(nowMs, fullAtMs.get(user_id) ?? 0) + costOf(lines)
      const pauseMs = afterMs - nowMs - AHEAD_MS
      if (pauseMs > 0) return pauseMs
      fullAtMs.set(user_id, afterMs)
      return 0
    },
  }
}
